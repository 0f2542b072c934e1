"""A pydantic-ai agent that stays inside its window, and goes on where the process before it stopped.

    OPENAI_API_KEY=… python pydantic_ai_agent.py talk.json "Find the fault."
    OPENAI_API_KEY=… python pydantic_ai_agent.py talk.json "Now mend it."
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter
from pydantic_ai.models import Model, infer_model
from pydantic_ai.usage import UsageLimits

import ebbline
from ebbline.adapters.pydantic_ai import CompactedModel, compactor


def read(path: str) -> str:
    """Reads a file."""
    return Path(path).read_text(encoding="utf-8")


async def turn(
    file: Path, words: str, llm: Model, tools: Sequence[Any], *, instructions: str = "You are a careful agent.", **options: Any
) -> str:
    """One turn of the user. The file holds all messages, and what was decided about them."""
    stored: dict[str, Any] = {"messages": [], "record": None}
    if file.exists():
        stored = json.loads(file.read_text(encoding="utf-8"))
    messages = ModelMessagesTypeAdapter.validate_python(stored["messages"])
    kept = await ebbline.aresume(lambda record: compactor(record=record, **options), stored["record"], messages)
    agent = Agent(CompactedModel(llm, kept), tools=tools, instructions=instructions)
    result = await agent.run(words, message_history=messages, usage_limits=UsageLimits(request_limit=None))
    stored = {"messages": json.loads(result.all_messages_json()), "record": kept.record}
    file.write_text(json.dumps(stored), encoding="utf-8")
    return result.output


async def main(file: str, words: str) -> None:
    """A model of OpenAI writes the summaries as well."""
    llm = infer_model("openai:gpt-5-mini")

    async def summarize(request: ebbline.SummaryRequest) -> str:
        asked = "\n\n".join(str(message["content"]) for message in request.messages)
        return (await Agent(llm, instructions=request.system).run(asked)).output

    window = {"context": 272_000, "output": 16_000}
    print(await turn(Path(file), words, llm, [read], model=window, summarize=summarize))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
