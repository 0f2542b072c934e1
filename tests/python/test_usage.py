"""What a single request is told: usage as providers report it, a focus, another model. What it leads to is compared with npm in
test_alike, with dicts; here are objects, and mistakes."""

from __future__ import annotations

import asyncio
import dataclasses
import unittest
from types import SimpleNamespace as Of
from typing import Any

import agent
import ebbline

LARGE: dict[str, Any] = {"context": 400_000}
SMALL: dict[str, Any] = {"context": 16_000, "output": 2_000}


@dataclasses.dataclass
class Usage:
    """As Anthropic's library has it."""

    input_tokens: int
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class Usages(unittest.TestCase):
    def learnt(self, *reported: Any) -> int | None:
        """What is known to be sent beside the messages of a request after such usage, in addition to the messages."""
        compactor = ebbline.Compactor(model=LARGE)
        compactor.prepare(agent.history(2))
        for one in reported:
            compactor.usage(one)
        overhead: int | None = compactor.record["overhead"]
        return None if overhead is None else overhead + compactor.decide().tokens_before

    def test_objects_and_dicts_say_the_same(self) -> None:
        edits = [{"cleared_input_tokens": 4_000}, Of(cleared_input_tokens=2_000), Of(cleared_input_tokens=None)]
        for reported in (
            30_000,
            30_000.0,
            {"prompt_tokens": 30_000},
            Of(prompt_tokens=30_000, completion_tokens=9),
            Usage(30_000),
            Usage(9_000, 20_000, 1_000),
            {"input_tokens": 9_000, "cache_read_input_tokens": 20_000, "cache_creation_input_tokens": 1_000},
            {"promptTokenCount": 30_000},
            Of(prompt_token_count=30_000, cached_content_token_count=7),
            {"inputTokens": 9_000, "cacheReadInputTokens": 20_000, "cacheWriteInputTokens": 1_000},
            {"inputTokens": {"total": 30_000, "cacheRead": 20_000}},
            Of(usage=Usage(30_000), content=[Of(type="text", text="Done.")]),
            {"usage": Of(prompt_tokens=30_000)},
            Of(usage=Usage(24_000), context_management=Of(applied_edits=edits)),
            Of(usage=Of(input_tokens=7, iterations=[Of(type="message", input_tokens=30_000), Of(type="message")])),
        ):
            with self.subTest(str(reported)):
                self.assertEqual(self.learnt(reported), 30_000)

    def test_an_answer_in_which_the_provider_compacted_teaches_nothing(self) -> None:
        usage = Usage(90_000)
        for answer in (
            Of(usage=usage, content=[Of(type="compaction", content="So far.")]),
            {"usage": usage, "output": [{"type": "compaction"}]},
            {"usage": Of(input_tokens=90_000, iterations=[{"type": "compaction"}])},
        ):
            self.assertIsNone(self.learnt(answer))
            self.assertEqual(self.learnt(30_000, answer), 30_000)
        self.assertEqual(self.learnt(Of(usage=Usage(30_000), content=[Of(type="compaction", content=None)])), 30_000)

    def test_what_is_no_usage_is_refused(self) -> None:
        compactor = ebbline.Compactor(model=LARGE)
        compactor.prepare(agent.history(2))
        for given, named in (
            (-1, "-1"),
            (True, "True"),
            (2**53, str(2**53)),
            ("30000", "a value of type str"),
            ([30_000], "a value of type list"),
            ({}, "a value of type dict"),
            ({"completion_tokens": 7}, "a value of type dict"),
            ({"prompt_tokens": "30000"}, "a value of type dict"),
            ({"usage": {}}, "a value of type dict"),
            (Of(total_tokens=7), "a value of type SimpleNamespace"),
        ):
            with self.assertRaises(ebbline.EbblineError) as caught:
                compactor.usage(given)
            self.assertEqual(
                (caught.exception.code, caught.exception.message),
                (
                    "invalid_option",
                    "the usage must be the number of input tokens, or what the provider reports: an object or a dict with "
                    f"input_tokens, prompt_tokens, inputTokens or promptTokenCount, not {named}",
                ),
            )
        self.assertIsNone(compactor.record["overhead"])

    def test_what_reports_nothing_teaches_nothing(self) -> None:
        nan = float("nan")
        for given in (
            None,
            nan,
            0,
            {"prompt_tokens": 0, "completion_tokens": 0},
            {"prompt_tokens": None},
            {"prompt_tokens": nan},
            {"input_tokens": 0, "cache_read_input_tokens": 0},
            {"inputTokens": None, "outputTokens": None},
            {"inputTokens": {"total": None}},
            {"usage": None},
            Of(usage=None),
            Of(input_tokens=None),
        ):
            compactor = ebbline.Compactor(model=LARGE)
            compactor.prepare(agent.history(2))
            compactor.usage(30_000)
            before = compactor.record["overhead"]
            compactor.usage(given)
            self.assertEqual(compactor.record["overhead"], before, given)

    def test_usage_is_that_of_the_last_request(self) -> None:
        compactor = ebbline.Compactor(model=LARGE)
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.usage(7)
        self.assertEqual(caught.exception.code, "no_messages")
        history = agent.history(2)
        compactor.prepare(history)
        answer = {"role": "assistant", "content": "Done."}
        compactor.usage(30_000, answer=answer)
        history = [*history, answer, {"role": "user", "content": "Go on."}]
        compactor.prepare(history)
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.usage(30_000, answer=answer)
        self.assertEqual(
            caught.exception.message, "this usage is of an earlier request: hand it over before the next `prepare`"
        )
        # Another object that says the same is another answer.
        compactor.usage(30_000, answer=dict(answer))


class Wishes(unittest.TestCase):
    def test_a_focus_is_in_the_request(self) -> None:
        asked: list[str] = []

        def summarize(request: ebbline.SummaryRequest) -> str:
            asked.append(request.messages[-1]["content"])
            return "The agent read some files."

        compactor = ebbline.Compactor(summarize=summarize, accept=False, model=SMALL, set={"prune.enabled": False})
        history = agent.history(60)
        compactor.prepare(history, focus="the color of the mail")
        history = [*history, *agent.history(60)[1:]]
        asyncio.run(compactor.aprepare(history, focus="the size of the log"))
        overflow = Exception("prompt is too long: 213462 tokens > 200000 maximum")
        history = [*history, *agent.history(60)[1:]]
        compactor.recover(overflow, history, focus="the end of the day")
        self.assertEqual(len(asked), 3)
        for words, request in zip(("the color of the mail", "the size of the log", "the end of the day"), asked):
            self.assertIn(words, request)

    def test_another_model_has_another_window(self) -> None:
        compactor = ebbline.Compactor(model=LARGE)
        history = agent.history(60)
        self.assertEqual(compactor.prepare(history), history)
        self.assertEqual(compactor.decide().window, 400_000)
        self.assertNotEqual(compactor.prepare(history, model=SMALL), history)
        self.assertEqual(compactor.decide().window, 16_000)
        asyncio.run(compactor.aprepare(history, model=LARGE))
        self.assertEqual(compactor.decide().window, 400_000)

    def test_mistakes_are_told_and_change_nothing(self) -> None:
        compactor = ebbline.Compactor(model=LARGE)
        history = agent.history(4)
        given: dict[str, Any]
        for given, code, sentence in (
            ({"focus": 7}, "invalid_option", "the option focus must be a string"),
            ({"model": "gpt"}, "invalid_option", "the option model must be an object"),
            ({"model": {"context": {7}}}, "invalid_option", "an option cannot be written as JSON"),
            ({"model": {"context": -1}}, "invalid_policy", ""),
            ({"model": {"contxt": 7}}, "invalid_policy", "contxt"),
        ):
            with self.assertRaises(ebbline.EbblineError) as caught:
                compactor.prepare(history, **given)
            self.assertEqual(caught.exception.code, code)
            self.assertIn(sentence, caught.exception.message)
            self.assertEqual(compactor.prepare(history), history)
            self.assertEqual(compactor.decide().window, 400_000)
        overflow = Exception("prompt is too long: 213462 tokens > 200000 maximum")
        wrong: Any = 7
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.compact_now(history, focus=wrong)
        self.assertEqual(caught.exception.message, "the option focus must be a string")
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.recover(overflow, history, focus=wrong)
        self.assertEqual(caught.exception.message, "the option focus must be a string")


if __name__ == "__main__":
    unittest.main()
