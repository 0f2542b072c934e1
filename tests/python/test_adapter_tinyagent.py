"""The adapter of TinyAgent, in the real library."""

from __future__ import annotations

import asyncio
import importlib.util
import unittest
from typing import Any

from watch import SMALL, STEPS, Watch, output_of, remark_of


@unittest.skipUnless(importlib.util.find_spec("tinyagent"), "tiny-agent-os is not installed")
class TinyAgent(unittest.TestCase):
    def test_an_agent_of_many_steps_stays_inside_its_window(self) -> None:
        from ebbline.adapters.tinyagent import compactor, to_json, transform_context
        from tinyagent.agent import Agent, AgentOptions
        from tinyagent.agent_types import (
            AgentTool,
            AgentToolResult,
            AssistantMessage,
            AssistantMessageEvent,
            Model,
            TextContent,
            ToolCallContent,
        )

        watch = Watch(self, "tinyagent", to_json)
        kept = compactor(**SMALL, on_event=watch.on_event)

        class Response:
            """A stream as the providers' ones are: a start, and the end."""

            def __init__(self, message: AssistantMessage) -> None:
                self._message = message
                self._events = [
                    AssistantMessageEvent(type="start", partial=AssistantMessage(content=[])),
                    AssistantMessageEvent(type="done", message=message),
                ]

            def __aiter__(self) -> Response:
                return self

            async def __anext__(self) -> AssistantMessageEvent:
                if not self._events:
                    raise StopAsyncIteration
                return self._events.pop(0)

            async def result(self) -> AssistantMessage:
                return self._message

        async def stream(model: Any, context: Any, options: Any) -> Response:
            number = len(watch.tokens)
            watch.request(context.messages)
            if number == STEPS:
                return Response(AssistantMessage(content=[TextContent(text="Everything is mended.")], stop_reason="stop"))
            call = ToolCallContent(id=f"call_{number}", name="read", arguments={"number": number})
            return Response(AssistantMessage(content=[TextContent(text=remark_of(number)), call], stop_reason="tool_calls"))

        async def read(identifier: str, arguments: Any, signal: Any, update: Any) -> AgentToolResult:
            return AgentToolResult(content=[TextContent(text=output_of(arguments["number"]))])

        program = Agent(AgentOptions(stream_fn=stream, transform_context=transform_context(kept)))
        program.set_model(Model(provider="scripted", id="scripted"))
        schema = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
        program.set_tools([AgentTool(name="read", description="Reads a part.", parameters=schema, execute=read)])

        asyncio.run(program.prompt("Mend the parts."))
        self.assertIsNone(program.state.error)
        watch.judge(STEPS + 1)
        messages = program.state.messages
        self.assertEqual(len(messages), 2 * STEPS + 2)
        self.assertEqual(messages[2 * 7 + 2].content[0].text, output_of(7))
        known = {id(message) for message in messages}
        same = [message for message in kept.messages if id(message) in known]
        self.assertGreater(len(same), 1)


if __name__ == "__main__":
    unittest.main()
