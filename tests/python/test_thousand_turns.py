"""An agent of pydantic-ai, 300 or 1,000 turns under a window of 32,000 tokens: no request that the provider would refuse.

The provider is the server of `tests/hosts`: it counts tokens exactly, refuses what OpenAI refuses, and what is larger than its window. The
agent reaches it through pydantic-ai's own model for OpenAI and the `openai` client.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import shutil
import subprocess
import unittest
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import agent as scripted
import ebbline

HERE = Path(__file__).parent
# So many turns with outputs of digits, which a tokenizer cuts smallest.
OF_DIGITS = 150
# A thousand take 80 s, most of it in the client; EBBLINE_LONG=1 asks for them.
TURNS = 1_000 if os.environ.get("EBBLINE_LONG") == "1" else 300
WINDOW = 32_000
# The largest answer of the server.
OUTPUT = 1_000
MISSING = next(
    (
        sentence
        for is_missing, sentence in [
            (importlib.util.find_spec("pydantic_ai") is None, "pydantic-ai is not installed"),
            (importlib.util.find_spec("openai") is None, "the client `openai` is not installed"),
            (not os.environ.get("EBBLINE_PACKAGE") or shutil.which("node") is None, "EBBLINE_PACKAGE names no npm package"),
            (not (HERE.parent / "node_modules").is_dir(), "the npm packages of the tests are not installed"),
        ]
        if is_missing
    ),
    None,
)


def words(path: str, lines: int, odd: int) -> str:
    """The output of a tool: code."""
    return f"{path} {odd}\n" + scripted.step(lines)[-1]["content"][: 60 * min(lines, 250)]


def digits(path: str, lines: int, odd: int) -> str:
    """The output of a tool: one number, numbers, fractions or bytes."""
    random = Random(f"{path} {lines} {odd}")
    length = 60 * min(lines, 250)
    kind = random.randrange(4)
    if kind == 0:
        return "".join(random.choice("0123456789") for _ in range(length))
    if kind == 1:
        return " ".join(str(random.randrange(10 ** random.randrange(1, 12))) for _ in range(length // 6))
    if kind == 2:
        return "\n".join(",".join(f"{random.random():.6f}" for _ in range(6)) for _ in range(length // 54))
    return "\n".join(f"{random.randrange(256):02x} " * 16 for _ in range(length // 48))


@unittest.skipIf(MISSING is not None, MISSING or "")
class ThousandTurns(unittest.TestCase):
    def setUp(self) -> None:
        program = ["node", str(HERE / "strict-server.mjs"), str(WINDOW)]
        self.server = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.server.stdout is not None
        self.url = self.server.stdout.readline().strip().removesuffix("/chat/completions")

    def tearDown(self) -> None:
        self.server.kill()
        self.server.communicate()

    def seen(self) -> dict[str, Any]:
        """What the server saw, which it says at its end."""
        out, _ = self.server.communicate("")
        return json.loads(out)

    def test_no_request_is_refused(self) -> None:
        self.check(TURNS, words, reports=False)

    def test_outputs_of_digits_fit_as_well(self) -> None:
        self.check(OF_DIGITS, digits, reports=True)

    def check(self, wanted: int, output: Callable[[str, int, int], str], reports: bool) -> None:
        turns, events = asyncio.run(self.run_agent(wanted, output, reports))
        seen = self.seen()
        kinds = [event["type"] for event in events]
        print(f"{turns:,} turns: {seen['requests']:,} requests, {kinds.count('compacted'):,} compactions, {len(seen['invalid'])} invalid, {seen['overflows']} too large")
        self.assertEqual((seen["invalid"], seen["overflows"]), ([], 0))
        self.assertEqual((turns, seen["answers"], seen["requests"]), (wanted, wanted, wanted))
        self.assertGreater(kinds.count("compacted"), wanted // 30)
        self.assertNotIn("summary_failed", kinds)

    async def run_agent(
        self, wanted: int, output: Callable[[str, int, int], str], reports: bool
    ) -> tuple[int, list[ebbline.Event]]:
        """``reports``: whether the usage of each answer is also reported to the compactor."""
        import httpx
        from openai import AsyncOpenAI
        from pydantic_ai import Agent
        from pydantic_ai.capabilities import ProcessHistory
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider
        from pydantic_ai.usage import UsageLimits

        from ebbline.adapters.pydantic_ai import compactor, history_processor

        class Plain(httpx.AsyncHTTPTransport):
            """Leaves out what OpenAI takes and the server does not know; it changes nothing about the messages."""

            async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                body = json.loads(request.content)
                for name in ("tool_choice", "parallel_tool_calls"):
                    body.pop(name, None)
                headers = [(name, value) for name, value in request.headers.items() if name.lower() != "content-length"]
                return await super().handle_async_request(httpx.Request(request.method, request.url, headers=headers, json=body))

        events: list[ebbline.Event] = []
        kept = compactor(model={"context": WINDOW, "output": OUTPUT}, summarize="deterministic", on_event=events.append)
        client = AsyncOpenAI(base_url=self.url, api_key="none", max_retries=0, http_client=httpx.AsyncClient(transport=Plain()))
        model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
        program = Agent(model, system_prompt="You mend programs.", capabilities=[ProcessHistory(history_processor(kept))])

        for name in ("read", "search", "run"):

            def tool(path: str, lines: int, odd: int = 0) -> str:
                return output(path, lines, odd)

            program.tool_plain(tool, name=name)

        history: list[Any] = []
        turns = 0
        limits = UsageLimits(request_limit=None)
        while turns < wanted:
            # A turn is one answer of the model: a run of the agent has several, until one calls no tool.
            prompt = f"Mend part {turns}. Never push to main."
            async with program.iter(prompt, message_history=history, usage_limits=limits) as run:
                async for node in run:
                    if Agent.is_model_request_node(node):
                        async with node.stream(run.ctx) as stream:
                            async for _ in stream:
                                pass
                        if reports:
                            kept.usage(run.ctx.state.message_history[-1].usage.input_tokens)
                        turns += 1
                        if turns == wanted:
                            break
            history = run.ctx.state.message_history
        await client.close()
        return turns, events


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main()
