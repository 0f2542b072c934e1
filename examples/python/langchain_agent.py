"""A LangChain agent that stays inside its window, and goes on where the process before it stopped.

    OPENAI_API_KEY=… python langchain_agent.py talk.json "Find the fault."
    OPENAI_API_KEY=… python langchain_agent.py talk.json "Now mend it."
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, messages_from_dict, messages_to_dict
from langchain_core.tools import tool

import ebbline
from ebbline.adapters.langchain import Middleware, compactor


@tool
def read(path: str) -> str:
    """Reads a file."""
    return Path(path).read_text(encoding="utf-8")


def turn(
    file: Path, words: str, llm: BaseChatModel, tools: Sequence[Any], *, instructions: str = "You are a careful agent.", **options: Any
) -> str:
    """One turn of the user. The file holds all messages, and what was decided about them."""
    stored: dict[str, Any] = {"messages": [], "record": None}
    if file.exists():
        stored = json.loads(file.read_text(encoding="utf-8"))
    messages = messages_from_dict(stored["messages"])
    kept = ebbline.resume(lambda record: compactor(record=record, **options), stored["record"], messages)
    agent: Any = create_agent(llm, tools, system_prompt=instructions, middleware=[Middleware(kept)])
    result = agent.invoke({"messages": [*messages, HumanMessage(words)]}, {"recursion_limit": 2_000})
    stored = {"messages": messages_to_dict(result["messages"]), "record": kept.record}
    file.write_text(json.dumps(stored), encoding="utf-8")
    return result["messages"][-1].text


def main(file: str, words: str) -> None:
    """A model of OpenAI writes the summaries as well."""
    from langchain_openai import ChatOpenAI

    llm = ChatOpenAI(model="gpt-5-mini")

    def summarize(request: ebbline.SummaryRequest) -> str:
        return llm.invoke([("system", request.system), *((one["role"], one["content"]) for one in request.messages)]).text

    window = {"context": 272_000, "output": 16_000}
    print(turn(Path(file), words, llm, [read], model=window, summarize=summarize))


if __name__ == "__main__":
    main(*sys.argv[1:])
