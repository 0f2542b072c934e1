"""The adapter of LiteLLM, in the real library, with a provider of its own (``CustomLLM``)."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import unittest
from typing import Any

from watch import SMALL, STEPS, WINDOW, Watch, output_of, remark_of

import ebbline

# Otherwise LiteLLM asks the network when it is imported.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"


@unittest.skipUnless(importlib.util.find_spec("litellm"), "litellm is not installed (litellm-requirements.txt)")
class LiteLlm(unittest.TestCase):
    def provide(self, judge: Any) -> None:
        """Makes `scripted/…` a provider."""
        import litellm
        from litellm import CustomLLM, ModelResponse

        class Scripted(CustomLLM):
            def completion(self, *others: Any, **more: Any) -> ModelResponse:
                answer = judge(more["messages"])
                if isinstance(answer, Exception):
                    raise answer
                choice = {"index": 0, "finish_reason": "stop", "message": answer}
                return ModelResponse(choices=[choice], model="scripted")

            async def acompletion(self, *others: Any, **more: Any) -> ModelResponse:
                return self.completion(*others, **more)

        litellm.custom_provider_map = [{"provider": "scripted", "custom_handler": Scripted()}]
        litellm.callbacks = []

    def turn(self, watch: Watch, messages: list[Any]) -> dict[str, Any]:
        number = len(watch.tokens)
        watch.request(messages)
        if number == STEPS:
            return {"role": "assistant", "content": "Everything is mended."}
        function = {"name": "read", "arguments": f'{{"number": {number}}}'}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        return {"role": "assistant", "content": remark_of(number), "tool_calls": [call]}

    def add(self, history: list[Any], answer: Any) -> bool:
        """Takes an answer, and what the tool gives. False at the end."""
        message = answer.choices[0].message
        history.append(message)
        for call in message.tool_calls or []:
            output = output_of(int(call.id.removeprefix("call_")))
            history.append({"role": "tool", "tool_call_id": call.id, "content": output})
        return bool(message.tool_calls)

    def judge(self, watch: Watch, history: list[Any]) -> None:
        watch.judge(STEPS + 1)
        self.assertEqual(len(history), 2 * STEPS + 2)
        self.assertEqual(history[2 * 7 + 2]["content"], output_of(7))

    def test_the_function(self) -> None:
        from ebbline.adapters.litellm import compactor, completion, to_json

        watch = Watch(self, "openai_chat", to_json)
        self.provide(lambda messages: self.turn(watch, messages))
        complete = completion(compactor(**SMALL, on_event=watch.on_event))
        history: list[Any] = [{"role": "user", "content": "Mend the parts."}]
        while self.add(history, complete(model="scripted/small", messages=history)):
            pass
        self.judge(watch, history)

    def test_the_callback_knows_conversations_by_their_ids(self) -> None:
        import litellm
        from ebbline.adapters.litellm import Hook, to_json

        watch = Watch(self, "openai_chat", to_json)
        self.provide(lambda messages: self.turn(watch, messages))
        hook = Hook(**SMALL, on_event=watch.on_event)
        litellm.callbacks = [hook]
        history: list[Any] = [{"role": "user", "content": "Mend the parts."}]

        async def run() -> None:
            while True:
                answer = await litellm.acompletion(model="scripted/small", messages=history, litellm_session_id="one")
                if not self.add(history, answer):
                    return

        asyncio.run(run())
        self.judge(watch, history)
        seen: list[int] = []
        self.provide(lambda messages: seen.append(len(messages)) or {"role": "assistant", "content": "Yes."})
        litellm.callbacks = [hook]
        asyncio.run(litellm.acompletion(model="scripted/small", messages=history))
        self.assertEqual(seen, [len(history)])

    def test_an_overflow_is_recovered_from_and_other_errors_are_not(self) -> None:
        import litellm
        from ebbline.adapters.litellm import acompletion, compactor, to_json

        seen: list[int] = []

        def small(messages: list[Any]) -> Any:
            tokens = ebbline.plan(messages, to_json=to_json, format="openai_chat", model={"context": WINDOW}).tokens_before
            seen.append(tokens)
            if tokens > 10_000:
                return litellm.ContextWindowExceededError("prompt is too long", "small", "scripted")
            return {"role": "assistant", "content": "Yes."}

        self.provide(small)
        history: list[Any] = [{"role": "user", "content": "Mend the parts."}]
        for number in range(8):
            function = {"name": "read", "arguments": f'{{"number": {number}}}'}
            call = {"id": f"call_{number}", "type": "function", "function": function}
            history.append({"role": "assistant", "content": remark_of(number), "tool_calls": [call]})
            history.append({"role": "tool", "tool_call_id": call["id"], "content": output_of(number)})
        complete = acompletion(compactor(**SMALL))
        answer = asyncio.run(complete(model="scripted/small", messages=history))
        self.assertEqual(answer.choices[0].message.content, "Yes.")
        self.assertEqual(len(seen), 2)
        self.assertGreater(seen[0], seen[1])

        self.provide(lambda messages: litellm.AuthenticationError("no key", "scripted", "small"))
        with self.assertRaises(litellm.AuthenticationError):
            asyncio.run(acompletion(compactor(**SMALL))(model="scripted/small", messages=history))

    def test_the_window_is_litellms_own_or_a_sentence_says_that_it_is_not_known(self) -> None:
        from ebbline.adapters.litellm import Hook, window_of

        self.assertEqual(window_of("gpt-4o"), {"context": 128_000})
        with self.assertRaisesRegex(ebbline.EbblineError, "does not know the window of scripted/small"):
            Hook().compactor_of("one", "scripted/small")


if __name__ == "__main__":
    unittest.main()
