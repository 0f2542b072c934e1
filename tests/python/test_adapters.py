"""The adapters inside the real libraries, with scripted models. Where a library is not installed, its test is skipped."""

from __future__ import annotations

import asyncio
import importlib.util
import unittest
import warnings
from typing import Any

import agent
import ebbline

STEPS = 200
WINDOW = 32_000
SMALL: dict[str, Any] = {"model": {"context": WINDOW}, "summarize": "deterministic"}


def output_of(number: int) -> str:
    return agent.step(number)[-2 if number % 5 == 4 else -1]["content"]


@unittest.skipUnless(importlib.util.find_spec("pydantic_ai"), "pydantic-ai is not installed")
class PydanticAi(unittest.TestCase):
    def test_an_agent_of_many_steps_stays_inside_its_window(self) -> None:
        from pydantic_ai import Agent
        from pydantic_ai.capabilities import ProcessHistory
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
        from pydantic_ai.models.function import AgentInfo, FunctionModel
        from pydantic_ai.usage import UsageLimits

        from ebbline.adapters.pydantic_ai import compactor, history_processor, to_json

        kept = compactor(**SMALL)
        seen: list[int] = []

        def answer(messages: list[Any], info: AgentInfo) -> ModelResponse:
            number = len(seen)
            seen.append(kept.decide().tokens)
            validation = ebbline.validate(messages, to_json=to_json, format="pydantic_ai")
            self.assertTrue(validation.valid, (number, validation.violations))
            if number == STEPS:
                return ModelResponse(parts=[TextPart("Everything is mended.")])
            return ModelResponse(
                parts=[TextPart(f"I look at part {number}. " * 20), ToolCallPart("read", {"number": number})]
            )

        program = Agent(FunctionModel(answer), capabilities=[ProcessHistory(history_processor(kept))])

        @program.tool_plain
        def read(number: int) -> str:
            return output_of(number)

        found = asyncio.run(program.run("Mend the parts.", usage_limits=UsageLimits(request_limit=None)))
        self.assertEqual(found.output, "Everything is mended.")
        self.assertEqual(len(seen), STEPS + 1)
        self.assertLessEqual(max(seen), WINDOW)
        self.assertLess(len(kept.messages), 2 * STEPS)


@unittest.skipUnless(importlib.util.find_spec("langgraph"), "langgraph is not installed")
class LangGraph(unittest.TestCase):
    def test_an_agent_of_many_steps_stays_inside_its_window(self) -> None:
        from langchain_core.language_models.chat_models import BaseChatModel
        from langchain_core.messages import AIMessage
        from langchain_core.outputs import ChatGeneration, ChatResult
        from langchain_core.tools import tool

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from langgraph.prebuilt import create_react_agent

        from ebbline.adapters.langgraph import compactor, pre_model_hook, to_json

        kept = compactor(**SMALL)
        seen: list[int] = []

        class Scripted(BaseChatModel):
            @property
            def _llm_type(self) -> str:
                return "scripted"

            def bind_tools(self, tools: Any, **options: Any) -> Any:
                return self

            def _generate(self, messages: list[Any], *others: Any, **options: Any) -> ChatResult:
                number = len(seen)
                seen.append(kept.decide().tokens)
                faults = ebbline.validate(messages, to_json=to_json, format="langchain").violations
                if faults:
                    raise AssertionError((number, faults))
                calls = [{"name": "read", "args": {"number": number}, "id": f"call_{number}", "type": "tool_call"}]
                remark = f"I look at part {number}. " * 20 if number < STEPS else "Everything is mended."
                message = AIMessage(content=remark, tool_calls=calls if number < STEPS else [])
                return ChatResult(generations=[ChatGeneration(message=message)])

        @tool
        def read(number: int) -> str:
            """Reads a part."""
            return output_of(number)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = create_react_agent(Scripted(), [read], pre_model_hook=pre_model_hook(kept))
        found = program.invoke({"messages": [("user", "Mend the parts.")]}, {"recursion_limit": 10 * STEPS})
        self.assertEqual(found["messages"][-1].content, "Everything is mended.")
        self.assertEqual(len(found["messages"]), 2 * STEPS + 2)
        self.assertLessEqual(max(seen), WINDOW)
        self.assertLess(len(kept.messages), 2 * STEPS)
