"""The adapter of the OpenAI Agents SDK, in the real library, over its own SQLite session."""

from __future__ import annotations

import asyncio
import importlib.util
import tempfile
import unittest
from pathlib import Path
from typing import Any

from watch import SMALL, WINDOW, Watch, output_of, remark_of

RUNS = 5
STEPS = 40
BESIDE = 3_000


@unittest.skipUnless(importlib.util.find_spec("agents"), "openai-agents is not installed")
class OpenAiAgents(unittest.TestCase):
    def program(self, watch: Watch) -> Any:
        from agents import Agent, Model, ModelResponse, Usage, function_tool
        from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

        class Scripted(Model):
            async def get_response(self, system_instructions: Any, input: Any, *others: Any, **more: Any) -> ModelResponse:
                number = len(watch.tokens)
                watch.request(input)
                is_last = number % (STEPS + 1) == STEPS
                words = "Everything is mended." if is_last else remark_of(number)
                text = ResponseOutputText(annotations=[], text=words, type="output_text")
                output: list[Any] = [
                    ResponseOutputMessage(
                        id=f"msg_{number}", content=[text], role="assistant", status="completed", type="message"
                    )
                ]
                if not is_last:
                    output.append(
                        ResponseFunctionToolCall(
                            arguments=f'{{"number": {number}}}', call_id=f"call_{number}", name="read", type="function_call"
                        )
                    )
                # What is sent beside the items has as many tokens.
                usage = Usage(requests=1, input_tokens=watch.tokens[-1] + BESIDE, output_tokens=1)
                return ModelResponse(output=output, usage=usage, response_id=None)

            def stream_response(self, *others: Any, **more: Any) -> Any:
                raise NotImplementedError

        @function_tool
        def read(number: int) -> str:
            """Reads a part."""
            return output_of(number)

        return Agent(name="Mender", instructions="You mend programs.", model=Scripted(), tools=[read])

    def test_runs_of_many_steps_stay_inside_the_window(self) -> None:
        from agents import Runner, SQLiteSession
        from agents.memory import Session
        from ebbline.adapters.openai_agents import CompactedSession, compactor

        watch = Watch(self, "openai_responses")
        kept = compactor(**SMALL, on_event=watch.on_event)
        program = self.program(watch)

        async def run(path: Path) -> tuple[list[Any], list[Any]]:
            session = CompactedSession(SQLiteSession("one", path), kept)
            self.assertIsInstance(session, Session)
            more = session.run_options(tracing_disabled=True)
            for number in range(RUNS):
                asked = f"Mend the parts from {number * STEPS}."
                found = await Runner.run(program, asked, session=session, max_turns=2 * STEPS, **more)
                self.assertEqual(found.final_output, "Everything is mended.")
            whole = await session.whole.get_items()
            self.assertEqual((await session.get_items(limit=2))[-1], whole[-1])
            newest = await session.pop_item()
            self.assertEqual(newest, whole[-1])
            await session.add_items([newest])
            return whole, await session.get_items()

        with tempfile.TemporaryDirectory() as folder:
            whole, view = asyncio.run(run(Path(folder, "talk.db")))
        watch.judge(RUNS * (STEPS + 1))
        self.assertLessEqual(max(watch.tokens) + BESIDE, WINDOW)
        self.assertAlmostEqual(kept.decide().tokens - kept.decide().tokens_before, BESIDE, delta=BESIDE // 10)
        outputs = [item["output"] for item in whole if item.get("type") == "function_call_output"]
        self.assertEqual(len(outputs), RUNS * STEPS)
        self.assertEqual(outputs[7], output_of(7))
        self.assertEqual(len(whole), RUNS * (3 * STEPS + 2))
        self.assertLess(len(view), len(whole))


if __name__ == "__main__":
    unittest.main()
