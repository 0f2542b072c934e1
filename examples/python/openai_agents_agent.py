"""An agent of the OpenAI Agents SDK that stays inside its window, and goes on where the process before it stopped.

    OPENAI_API_KEY=… python openai_agents_agent.py talk "Find the fault."
    OPENAI_API_KEY=… python openai_agents_agent.py talk "Now mend it."
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import Agent, Model, MultiProvider, Runner, SQLiteSession, function_tool

import ebbline
from ebbline.adapters.openai_agents import CompactedSession, RecoveringModel, compactor


@function_tool
def read(path: str) -> str:
    """Reads a file."""
    return Path(path).read_text(encoding="utf-8")


async def turn(
    name: Path, words: str, llm: Model, tools: Sequence[Any], *, instructions: str = "You are a careful agent.", **options: Any
) -> str:
    """One turn of the user. The SDK's own database holds all items; the file beside it, what was decided about them."""
    file = name.with_suffix(".json")
    record = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
    whole = SQLiteSession("1", name.with_suffix(".db"))
    kept = await ebbline.aresume(lambda record: compactor(record=record, **options), record, await whole.get_items())
    session = CompactedSession(whole, kept)
    agent = Agent(name="Reader", instructions=instructions, model=RecoveringModel(llm, kept), tools=[*tools])
    result = await Runner.run(agent, words, session=session, max_turns=500, **session.run_options(tracing_disabled=True))
    file.write_text(json.dumps(kept.record), encoding="utf-8")
    return result.final_output


async def main(name: str, words: str) -> None:
    """A model of OpenAI writes the summaries as well."""
    llm = MultiProvider().get_model("gpt-5-mini")

    async def summarize(request: ebbline.SummaryRequest) -> str:
        asked: list[Any] = list(request.messages)
        return (await Runner.run(Agent(name="Writer", instructions=request.system, model=llm), asked)).final_output

    window = {"context": 272_000, "output": 16_000}
    print(await turn(Path(name), words, llm, [read], model=window, summarize=summarize))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
