"""The adapter of smolagents, in the real library: its agent that calls tools, and its agent that writes code."""

from __future__ import annotations

import importlib.util
import unittest
from typing import Any

from watch import SMALL, STEPS, Watch, output_of, remark_of


@unittest.skipUnless(importlib.util.find_spec("smolagents"), "smolagents is not installed")
class Smolagents(unittest.TestCase):
    def to_json(self, message: Any) -> Any:
        """What is sent: texts in the role that smolagents gives them."""
        return {"role": message.role.value, "content": message.content}

    def scripted(self, watch: Watch, is_code: bool) -> Any:
        from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole, Model
        from smolagents.monitoring import TokenUsage

        test = self

        class Scripted(Model):
            def generate(self, messages: list[Any], **more: Any) -> Any:
                number = len(watch.tokens)
                roles = {"tool-call": "assistant", "tool-response": "user"}
                sent = [test.to_json(message) for message in messages]
                watch.request([{**message, "role": roles.get(message["role"], message["role"])} for message in sent])
                usage = TokenUsage(watch.tokens[-1], 1)
                # Each observation stands behind its call.
                for before, message in zip(sent, sent[1:]):
                    test.assertEqual(message["role"] == "tool-response", before["role"] == "tool-call", number)
                if is_code:
                    code = f"print(read({number}))" if number < STEPS else "final_answer('Everything is mended.')"
                    words = f"Thought: {remark_of(number)}\n<code>\n{code}\n</code>"
                    return ChatMessage(role=MessageRole.ASSISTANT, content=words, token_usage=usage)
                name = "read" if number < STEPS else "final_answer"
                arguments: Any = {"number": number} if number < STEPS else {"answer": "Everything is mended."}
                function = ChatMessageToolCallFunction(name=name, arguments=arguments)
                call = ChatMessageToolCall(id=f"call_{number}", type="function", function=function)
                words = remark_of(number)
                return ChatMessage(role=MessageRole.ASSISTANT, content=words, tool_calls=[call], token_usage=usage)

        return Scripted(model_id="scripted")

    def run_agent(self, kind: str, is_code: bool) -> Any:
        import smolagents
        from ebbline.adapters.smolagents import CompactedModel

        watch = Watch(self, "openai_chat")
        model = CompactedModel(self.scripted(watch, is_code), **SMALL, on_event=watch.on_event)

        @smolagents.tool
        def read(number: int) -> str:
            """Reads a part.

            Args:
                number: The part.
            """
            return output_of(number)

        program = getattr(smolagents, kind)([read], model=model, max_steps=2 * STEPS, verbosity_level=0)
        self.assertEqual(program.run("Mend the parts."), "Everything is mended.")
        watch.judge(STEPS + 1)
        steps = program.memory.steps
        self.assertGreaterEqual(len(steps), STEPS + 2)
        self.assertIn(output_of(7).strip(), steps[8].observations)
        return model

    def test_an_agent_that_calls_tools(self) -> None:
        model = self.run_agent("ToolCallingAgent", False)
        self.assertEqual(model.model_id, "scripted")
        self.assertFalse(hasattr(model, "generate_stream"))

    def test_an_agent_that_writes_code(self) -> None:
        self.run_agent("CodeAgent", True)

    def test_conversations_are_known_by_their_first_message_and_images_come_back(self) -> None:
        from ebbline.adapters.smolagents import CompactedModel
        from smolagents.models import ChatMessage, MessageRole, Model

        sent: list[list[Any]] = []

        class Scripted(Model):
            def generate(self, messages: list[Any], **more: Any) -> Any:
                sent.append(messages)
                return ChatMessage(role=MessageRole.ASSISTANT, content="Yes.")

        model = CompactedModel(Scripted(), **SMALL)
        image = object()
        first = ChatMessage(role=MessageRole.SYSTEM, content=[{"type": "text", "text": "You mend programs."}])
        parts = [{"type": "text", "text": "Why? " * 2000}, {"type": "image", "image": image}]
        talk = [first, *(ChatMessage(role=MessageRole.USER, content=[dict(part) for part in parts]) for _ in range(3))]
        plan = [ChatMessage(role=MessageRole.SYSTEM, content=[{"type": "text", "text": "You plan."}])]
        for messages in (talk, plan, talk):
            model.generate(messages)
            self.assertTrue(all(one is other for one, other in zip(sent[-1], messages, strict=True)))
        self.assertIsNot(model.compactor_of(talk), model.compactor_of(plan))

    def test_a_stream_that_is_refused_is_begun_again(self) -> None:
        import ebbline
        from ebbline.adapters.smolagents import CompactedModel
        from smolagents.models import ChatMessage, ChatMessageStreamDelta, MessageRole, Model

        sent: list[int] = []

        class Scripted(Model):
            def generate_stream(self, messages: list[Any], **more: Any) -> Any:
                sent.append(sum(len(message.content[0]["text"]) for message in messages))
                if len(sent) == 1:
                    raise ValueError("prompt is too long: 300000 tokens > 200000 maximum")
                yield ChatMessageStreamDelta(content="Yes.")

        model = CompactedModel(Scripted(), **SMALL)
        talk = [ChatMessage(role=MessageRole.SYSTEM, content=[{"type": "text", "text": "You mend programs."}])]
        for number in range(6):
            calls = [{"id": f"{number}", "type": "function", "function": {"name": "read", "arguments": {"number": number}}}]
            talk.append(ChatMessage(role=MessageRole.TOOL_CALL, content=[{"type": "text", "text": f"Calling tools:\n{calls}"}]))
            talk.append(ChatMessage(role=MessageRole.TOOL_RESPONSE, content=[{"type": "text", "text": output_of(number)}]))
        self.assertEqual([delta.content for delta in model.generate_stream(talk)], ["Yes."])
        self.assertLess(sent[1], sent[0])
        self.assertIsInstance(model.compactor_of(talk), ebbline.Compactor)


if __name__ == "__main__":
    unittest.main()
