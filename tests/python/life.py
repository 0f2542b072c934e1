"""One turn of an agent, in a process of its own: ``python life.py HOST STORE``, with the rest as JSON on standard input. It prints what
the model said and what the compactor told."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import ebbline

sys.path.insert(0, str(Path(__file__).parents[2] / "examples/python"))

SUMMARY = "## Goal\nFind out why invoices are off by one cent.\n\n## Progress\n### Done\n- [x] Files were read; none has the fault.\n\n## Next Steps\n1. Read on."
# As in tests/hosts/lives/world.mjs.
SIZES = (400, 2_600, 900, 9_000, 700, 4_000, 24_000, 1_200, 6_000, 300, 15_000, 2_000, 800, 60_000, 500, 3_000, 12_000, 1_000, 5_000, 700)


def read(at: int, which: int) -> str:
    """Reads a file."""
    size = 1_500 if which == 1 else SIZES[at % len(SIZES)]
    text, line = "", 0
    while len(text) < size:
        text += f"{line + 1}: const cents{(at * 7919 + line) % 1000} = Math.round(ledger[{(at * 31 + line * 17) % 977}] * 100) / {which + 1};\n"
        line += 1
    return text[:size]


def pydantic_ai(name: str, url: str, *rest: Any, **more: Any) -> str:
    from pydantic_ai_agent import turn

    return asyncio.run(turn(*rest, llm=pydantic_model(name, url), tools=[read], **more))


def processor(name: str, url: str, file: Path, words: str, *, instructions: str, **more: Any) -> str:
    """A history processor: pydantic-ai keeps what was sent, and the record the rest."""
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import ProcessHistory
    from pydantic_ai.messages import ModelMessagesTypeAdapter
    from pydantic_ai.usage import UsageLimits

    from ebbline.adapters.pydantic_ai import compactor, history_processor

    async def turn() -> str:
        stored: dict[str, Any] = {"messages": [], "record": None}
        if file.exists():
            stored = json.loads(file.read_text(encoding="utf-8"))
        messages = ModelMessagesTypeAdapter.validate_python(stored["messages"])
        kept = await ebbline.aresume(lambda record: compactor(record=record, **more), stored["record"], messages)
        agent = Agent(
            pydantic_model(name, url),
            tools=[read],
            instructions=instructions,
            capabilities=[ProcessHistory(history_processor(kept))],
        )
        result = await agent.run(words, message_history=messages, usage_limits=UsageLimits(request_limit=None))
        file.write_text(json.dumps({"messages": json.loads(result.all_messages_json()), "record": kept.record}), encoding="utf-8")
        return result.output

    return asyncio.run(turn())


def pydantic_model(name: str, url: str) -> Any:
    if name == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client = AsyncAnthropic(base_url=url, api_key="none", max_retries=0)
        return AnthropicModel("scripted", provider=AnthropicProvider(anthropic_client=client))
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(openai_client=AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0))
    return {"chat": OpenAIChatModel, "responses": OpenAIResponsesModel}[name]("scripted", provider=provider)


def openai_agents(name: str, url: str, *rest: Any, **more: Any) -> str:
    from agents import OpenAIChatCompletionsModel, OpenAIResponsesModel, function_tool
    from openai import AsyncOpenAI
    from openai_agents_agent import turn

    client = AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    kind: Any = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}[name]
    return asyncio.run(turn(*rest, llm=kind("scripted", client), tools=[function_tool(read)], **more))


def langchain(name: str, url: str, *rest: Any, **more: Any) -> str:
    from langchain_agent import turn
    from langchain_core.tools import tool

    return turn(*rest, llm=langchain_model(name, url), tools=[tool(read)], **more)


def langchain_model(name: str, url: str) -> Any:
    if name == "anthropic":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(model="scripted", api_key="none", max_retries=0, base_url=url)  # pyright: ignore
    from langchain_openai import ChatOpenAI

    more: Any = {"use_responses_api": True, "output_version": "responses/v1", "store": False} if name == "responses" else {}
    return ChatOpenAI(model="scripted", api_key="none", max_retries=0, base_url=f"{url}/v1", **more)  # pyright: ignore


HOSTS = {"pydantic_ai": pydantic_ai, "processor": processor, "openai_agents": openai_agents, "langchain": langchain}


def main(host: str, store: str) -> None:
    """The window is told too large, so that only the provider's words say how large it is; but not where nobody hears these."""
    given = json.load(sys.stdin)
    library, name = host.split()
    window = given["window"] if library == "processor" else given["window"] * 5 // 2
    events: list[ebbline.Event] = []
    asked = given["asked"]

    def summarize(request: ebbline.SummaryRequest) -> str:
        nonlocal asked
        asked += 1
        if asked % 3 == 0:
            raise RuntimeError("the model that writes summaries is overloaded")
        return SUMMARY

    said = HOSTS[library](
        name,
        given["url"],
        Path(store),
        given["words"],
        instructions=given["system"],
        model={"context": window, "output": 1_000},
        summarize=summarize,
        on_event=events.append,
    )
    print(json.dumps({"said": said, "asked": asked, "events": events}))


main(*sys.argv[1:])
