"""The middleware of LangChain, in the real library."""

from __future__ import annotations

import asyncio
import importlib.util
import unittest
from typing import Any

from watch import SMALL, STEPS, Watch, output_of, remark_of


@unittest.skipUnless(importlib.util.find_spec("langchain"), "langchain is not installed")
class LangChain(unittest.TestCase):
    def program(self, watch: Watch, middleware: Any, overflow: int = -1) -> Any:
        from langchain.agents import create_agent
        from langchain_core.language_models.chat_models import BaseChatModel
        from langchain_core.messages import AIMessage
        from langchain_core.outputs import ChatGeneration, ChatResult
        from langchain_core.tools import tool

        refused: list[int] = []

        class Scripted(BaseChatModel):
            @property
            def _llm_type(self) -> str:
                return "scripted"

            def bind_tools(self, tools: Any, **options: Any) -> Any:
                return self

            def _generate(self, messages: list[Any], *others: Any, **options: Any) -> ChatResult:
                number = len(watch.tokens)
                if number == overflow and not refused:
                    refused.append(number)
                    raise ValueError("prompt is too long: 300000 tokens > 200000 maximum")
                # The system's message comes first, and is not the compactor's.
                watch.request(messages[1:])
                calls = [{"name": "read", "args": {"number": number}, "id": f"call_{number}", "type": "tool_call"}]
                remark = remark_of(number) if number < STEPS else "Everything is mended."
                message = AIMessage(content=remark, tool_calls=calls if number < STEPS else [])
                return ChatResult(generations=[ChatGeneration(message=message)])

        @tool
        def read(number: int) -> str:
            """Reads a part."""
            return output_of(number)

        return create_agent(Scripted(), [read], system_prompt="You mend programs.", middleware=[middleware])

    def judge(self, watch: Watch, found: Any) -> None:
        self.assertEqual(found["messages"][-1].content, "Everything is mended.")
        watch.judge(STEPS + 1)
        self.assertEqual(len(found["messages"]), 2 * STEPS + 2)
        self.assertEqual(found["messages"][2 * 7 + 2].content, output_of(7))

    def test_an_agent_of_many_steps_stays_inside_its_window(self) -> None:
        from ebbline.adapters.langchain import Middleware, compactor, to_json

        watch = Watch(self, "langchain", to_json)
        middleware = Middleware(compactor(**SMALL, on_event=watch.on_event))
        asked = {"messages": [("user", "Mend the parts.")]}
        self.judge(watch, self.program(watch, middleware).invoke(asked, {"recursion_limit": 10 * STEPS}))

    def test_an_async_agent_and_an_overflow(self) -> None:
        from ebbline.adapters.langchain import Middleware, compactor, to_json

        watch = Watch(self, "langchain", to_json)
        middleware = Middleware(compactor(**SMALL, on_event=watch.on_event))
        asked = {"messages": [("user", "Mend the parts.")]}
        program = self.program(watch, middleware, overflow=9)
        self.judge(watch, asyncio.run(program.ainvoke(asked, {"recursion_limit": 10 * STEPS})))
        self.assertTrue(any(event.get("cause") == "overflow" for event in watch.events))


if __name__ == "__main__":
    unittest.main()
