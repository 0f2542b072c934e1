"""A request that is refused as too large is recovered from, in the adapters whose library lets nothing but the model see errors."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import unittest
import warnings
from typing import Any

import agent
import ebbline

WINDOW = 16_000
STEPS = 60
# Larger than the window, so that only the provider's words say how large it is.
SMALL: dict[str, Any] = {"model": {"context": 3 * WINDOW}, "summarize": "deterministic"}


class TooLarge(Exception):
    status_code = 400

    def __init__(self, tokens: int) -> None:
        super().__init__(
            f"This model's maximum context length is {WINDOW} tokens. However, your messages resulted in {tokens} tokens."
        )


class Window:
    """What takes requests up to its window, and how many it refused."""

    def __init__(self) -> None:
        self.taken = self.refused = self.largest = 0

    def take(self, sent: Any) -> int:
        tokens = len(json.dumps(sent)) // 4
        if tokens > WINDOW:
            self.refused += 1
            raise TooLarge(tokens)
        self.taken += 1
        self.largest = max(self.largest, tokens)
        return tokens


def output_of(number: int) -> str:
    return agent.step(number)[-2 if number % 5 == 4 else -1]["content"]


@unittest.skipUnless(importlib.util.find_spec("pydantic_ai"), "pydantic-ai is not installed")
class PydanticAi(unittest.TestCase):
    def lives(self, is_streamed: bool) -> None:
        from pydantic_ai import Agent
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
        from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
        from pydantic_ai.usage import UsageLimits

        from ebbline.adapters.pydantic_ai import CompactedModel, compactor, to_json

        events: list[str] = []
        kept = compactor(**SMALL, on_event=lambda event: events.append(event["type"]))
        window = Window()

        def answer(messages: list[Any], info: AgentInfo) -> ModelResponse:
            # What the library stores beside the contents is not sent.
            parts = [part for message in messages for part in to_json(message)["parts"]]
            window.take([[part.get("content"), part.get("tool_name"), part.get("args")] for part in parts])
            validation = ebbline.validate(messages, to_json=to_json, format="pydantic_ai")
            self.assertTrue(validation.valid, validation.violations)
            if window.taken > STEPS:
                return ModelResponse(parts=[TextPart("Everything is mended.")])
            # In a stream, the first text is the end of the run.
            said = [] if is_streamed else [TextPart("I look. " * 20)]
            return ModelResponse(parts=[*said, ToolCallPart("read", {"number": window.taken})])

        async def stream(messages: list[Any], info: AgentInfo) -> Any:
            for at, part in enumerate(answer(messages, info).parts):
                if isinstance(part, TextPart):
                    yield part.content
                else:
                    yield {at: DeltaToolCall("read", json.dumps(part.args), tool_call_id=f"call_{window.taken}")}

        model = CompactedModel(FunctionModel(answer, stream_function=stream), kept)
        program = Agent(model)

        @program.tool_plain
        def read(number: int) -> str:
            return output_of(number)

        async def run() -> tuple[str, list[Any]]:
            limits = UsageLimits(request_limit=None)
            if not is_streamed:
                found = await program.run("Mend the parts.", usage_limits=limits)
                return found.output, found.all_messages()
            async with program.run_stream("Mend the parts.", usage_limits=limits) as result:
                return await result.get_output(), result.all_messages()

        output, log = asyncio.run(run())
        self.assertEqual(output, "Everything is mended.")
        self.assertGreaterEqual(window.refused, 1)
        self.assertEqual(events.count("overflow"), window.refused)
        # The library's own log stays whole.
        outputs = [part.content for message in log for part in message.parts if part.part_kind == "tool-return"]
        self.assertTrue(all(text == output_of(at + 1) for at, text in enumerate(outputs)))

    def test_an_answer(self) -> None:
        self.lives(is_streamed=False)

    def test_an_answer_in_parts(self) -> None:
        self.lives(is_streamed=True)

    def test_any_other_error_is_raised_as_it_is(self) -> None:
        from pydantic_ai import Agent
        from pydantic_ai.models.function import FunctionModel

        from ebbline.adapters.pydantic_ai import CompactedModel, compactor

        def answer(*_: Any) -> Any:
            raise RuntimeError("the key is wrong")

        with self.assertRaisesRegex(RuntimeError, "the key is wrong"):
            asyncio.run(Agent(CompactedModel(FunctionModel(answer), compactor(**SMALL))).run("Mend it."))


@unittest.skipUnless(importlib.util.find_spec("agents"), "openai-agents is not installed")
class OpenAiAgents(unittest.TestCase):
    def lives(self, by_provider: bool) -> None:
        from agents import Agent, Model, ModelProvider, ModelResponse, Runner, SQLiteSession, Usage, function_tool
        from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

        from ebbline.adapters.openai_agents import CompactedSession, RecoveringModel, compactor

        events: list[str] = []
        kept = compactor(**SMALL, on_event=lambda event: events.append(event["type"]))
        window = Window()

        class Scripted(Model):
            async def get_response(self, system_instructions: Any, input: Any, *others: Any, **more: Any) -> ModelResponse:
                tokens = window.take(input)
                number, is_last = window.taken, window.taken % STEPS == 0
                words = "Everything is mended." if is_last else "I look. " * 20
                text = ResponseOutputText(annotations=[], text=words, type="output_text")
                output: list[Any] = [
                    ResponseOutputMessage(
                        id=f"msg_{number}", content=[text], role="assistant", status="completed", type="message"
                    )
                ]
                if not is_last:
                    arguments = json.dumps({"number": number})
                    call = {"arguments": arguments, "call_id": f"call_{number}", "name": "read", "type": "function_call"}
                    output.append(ResponseFunctionToolCall(**call))
                usage = Usage(requests=1, input_tokens=tokens, output_tokens=1)
                return ModelResponse(output=output, usage=usage, response_id=None)

            def stream_response(self, *others: Any, **more: Any) -> Any:
                raise NotImplementedError

        class Provider(ModelProvider):
            def get_model(self, model_name: str | None) -> Model:
                return Scripted()

        @function_tool
        def read(number: int) -> str:
            """Reads a part."""
            return output_of(number)

        model: Any = "scripted" if by_provider else RecoveringModel(Scripted(), kept)
        program: Any = Agent(name="Mender", instructions="You mend programs.", model=model, tools=[read])

        async def run() -> list[Any]:
            session = CompactedSession(SQLiteSession("one"), kept)
            more = session.run_options(tracing_disabled=True, **({"model_provider": Provider()} if by_provider else {}))
            for _ in range(2):
                found = await Runner.run(program, "Mend the parts.", session=session, max_turns=2 * STEPS, **more)
                self.assertEqual(found.final_output, "Everything is mended.")
            return await session.whole.get_items()

        whole = asyncio.run(run())
        self.assertGreaterEqual(window.refused, 1)
        self.assertEqual(events.count("overflow"), window.refused)
        outputs = [item["output"] for item in whole if item.get("type") == "function_call_output"]
        self.assertEqual(len(outputs), 2 * (STEPS - 1))
        self.assertEqual(outputs[6], output_of(7))

    def test_a_model_of_a_provider(self) -> None:
        self.lives(by_provider=True)

    def test_a_model_of_the_agent(self) -> None:
        self.lives(by_provider=False)


class Notices(unittest.TestCase):
    """The same sentences as in tests/npm/notices.test.mjs."""

    def said(self, histories: list[list[Any]], **options: Any) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            kept = ebbline.Compactor(**options)
            for history in histories:
                try:
                    kept.prepare(history)
                except ebbline.EbblineError:
                    pass
        self.assertTrue(all(one.category is RuntimeWarning for one in caught))
        return [str(one.message) for one in caught]

    def test_each_kind_is_said_once(self) -> None:
        def grown(topic: str, count: int) -> list[Any]:
            answers = [{"role": "assistant", "content": f"{topic} {at}"} for at in range(count)]
            return [{"role": "system", "content": "You mend."}, {"role": "user", "content": f"Mend {topic}."}, *answers]

        def fails(request: Any) -> str:
            raise ValueError("the key is wrong")

        long = [message for number in range(60) for message in agent.step(number)]
        model = {"context": 16_000, "output": 2_000}
        small: dict[str, Any] = {"model": model, "set": {"prune.enabled": False}}
        person = [[{"role": "user", "content": topic}] for topic in "bcd"]
        first = {"role": "user", "content": "Mend the parts."}
        cases: list[tuple[list[list[Any]], dict[str, Any], list[str]]] = [
            ([[first, *long]], {**small, "summarize": fails}, ["A summary failed: "]),
            ([grown("a", 3), *person], {"model": model}, ["None of the 5 known messages is in the history"]),
            (
                [grown("a", 3), grown("b", 3), grown("a", 4), grown("b", 4)],
                {"model": model},
                ["None of the 5 known messages", "Two sessions take turns in one compactor"],
            ),
            ([grown("a", 2), grown("a", 3)], {}, ["No model was given, so a context window of 200000 tokens is assumed."]),
            ([grown("a", 2)], {"model": {"context": 0}}, ["The context window is said to be 0"]),
            (
                [grown("a", 2)],
                {"model": {"context": 8_000, "output": 64_000}},
                ["The answer may have 64000 tokens, and the context window has 8000."],
            ),
            ([grown("a", 2), grown("a", 4)], {"model": model}, []),
        ]
        for histories, options, begins in cases:
            said = self.said(histories, **options)
            self.assertEqual(len(said), len(begins), said)
            for sentence, begin in zip(said, begins):
                self.assertTrue(sentence.startswith(begin), sentence)
            self.assertEqual(self.said(histories, **options, warn=False), [])
            self.assertEqual(self.said(histories, **options, on_event=lambda event: None), [])

    def test_an_obstacle_names_its_figures(self) -> None:
        kept = ebbline.Compactor(model={"context": 8_000, "output": 1_000}, overhead=9_500)
        with self.assertRaisesRegex(ebbline.EbblineError, "takes 9500 tokens, and the context window has 8000"):
            kept.prepare([{"role": "user", "content": "Mend it."}])


if __name__ == "__main__":
    unittest.main()
