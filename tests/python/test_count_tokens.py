"""The caller's own function that counts tokens. What it leads to is compared with npm in test_alike."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Callable
from typing import Any

import agent
import ebbline

WINDOW: dict[str, Any] = {"model": {"context": 32_000}}


def written(request: ebbline.SummaryRequest) -> str:
    return "## Goal\nMend the parts. Never push to main."


class Counting(unittest.TestCase):
    def test_each_text_is_counted_once(self) -> None:
        counted: list[str] = []

        def count(text: str) -> int:
            counted.append(text)
            return 100

        compactor = ebbline.Compactor(count_tokens=count, **WINDOW)
        history = agent.history(3)
        self.assertEqual(compactor.prepare(history), history)
        texts = list(counted)
        self.assertEqual(len(texts), len(set(texts)))
        self.assertIn(history[0]["content"], texts)
        compactor.prepare(history)
        self.assertEqual(counted, texts)
        more = [*history, {"role": "user", "content": "Go on."}]
        compactor.prepare(more)
        self.assertEqual(counted, [*texts, "Go on."])

    def test_a_decision_goes_by_what_was_counted(self) -> None:
        compactor = ebbline.Compactor(count_tokens=lambda text: 7, **WINDOW)
        messages = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello! " * 900}]
        compactor.prepare(messages)
        self.assertEqual(compactor.decide().tokens_before, 14)

    def test_an_agent_goes_on_under_a_counter(self) -> None:
        for is_async in (False, True):
            compactor = ebbline.Compactor(summarize=written, count_tokens=lambda text: len(text) / 3, **WINDOW)
            history: list[Any] = [agent.SYSTEM]
            for number in range(120):
                history.extend(agent.step(number))
                view = asyncio.run(compactor.aprepare(history)) if is_async else compactor.prepare(history)
                self.assertTrue(ebbline.validate(view).valid)
                self.assertLess(compactor.decide().tokens_before, 32_000)
            self.assertLess(len(view), len(history))
            self.assertTrue(compactor.undo())
            self.assertNotEqual(compactor.messages, view)

    def test_a_mistake_of_the_function_is_a_sentence(self) -> None:
        def fails(text: str) -> int:
            raise KeyError("no such model")

        async def late(text: str) -> int:
            return 1

        given: Any
        for given, sentence in (
            (lambda text: -1, "must return a number of 0 or more, not -1"),
            (lambda text: float("nan"), "must return a number of 0 or more, not nan"),
            (lambda text: float("inf"), "must return a number of 0 or more, not inf"),
            (lambda text: True, "must return a number of 0 or more, not a value of type bool"),
            (lambda text: "7", "must return a number of 0 or more, not a value of type str"),
            (lambda text: [7], "must return a number of 0 or more, not a value of type list"),
            (lambda text: None, "must return a number of 0 or more, not a value of type NoneType"),
            (late, "must return a number of 0 or more, not a value of type coroutine"),
            (fails, "raised an error: KeyError: 'no such model'"),
        ):
            compactor = ebbline.Compactor(count_tokens=given, **WINDOW)
            with self.assertRaises(ebbline.EbblineError) as caught:
                compactor.prepare(agent.history(2))
            self.assertEqual(caught.exception.code, "invalid_option")
            self.assertEqual(caught.exception.message, f"the option count_tokens {sentence}")
        self.assertIsInstance(caught.exception.__cause__, KeyError)
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(count_tokens=7)  # type: ignore[arg-type]
        self.assertEqual(
            caught.exception.message, "the option count_tokens must be a function of a text that returns its tokens"
        )

    def test_a_call_that_could_not_count_was_not_made(self) -> None:
        for stop in (RuntimeError, KeyboardInterrupt):
            self.goes_on_after(stop)

    def goes_on_after(self, stop: type[BaseException]) -> None:
        """One compactor whose function fails now and then does what another does whose function never fails."""
        is_down = False

        def count(text: str) -> int:
            if is_down:
                raise stop("down")
            return len(text)

        def pinned(message: Any, place: int) -> bool:
            return place == 1

        def made(function: Callable[[str], int]) -> ebbline.Compactor:
            pins = [ebbline.Pin(message=pinned)]
            return ebbline.Compactor(summarize=written, count_tokens=function, pins=pins, model={"context": 90_000})

        one, other = made(count), made(len)
        long = agent.history(30)
        edited = [*long[:9], {"role": "user", "content": "Begin again."}]
        for history in (agent.history(5), agent.history(8), long, edited, [*edited, *agent.step(99)]):
            is_down = True
            before = one.messages
            with self.assertRaises((ebbline.EbblineError, KeyboardInterrupt)):
                one.compact_now([*history, {"role": "user", "content": f"Never sent, {len(history)}."}])
            with self.assertRaises((ebbline.EbblineError, KeyboardInterrupt)):
                one.prepare([{"role": "user", "content": f"Something else, {len(history)}."}])
            self.assertEqual(one.messages, before)
            is_down = False
            self.assertEqual(one.prepare(history), other.prepare(history))
            self.assertEqual(one.compact_now(history), other.compact_now(history))
            self.assertEqual(one.record["changes"][0]["replaced"], other.record["changes"][0]["replaced"])

    def test_a_summary_that_cannot_be_counted_is_not_taken_over(self) -> None:
        is_down = False

        def count(text: str) -> int:
            if is_down:
                raise RuntimeError("down")
            return len(text) // 3

        def summarize(request: ebbline.SummaryRequest) -> str:
            nonlocal is_down
            is_down = True
            return written(request)

        for background in (False, True):
            compactor = ebbline.Compactor(
                summarize=summarize,
                count_tokens=count,
                background=background,
                model={"context": 400_000},
                set={"prune.enabled": False, "retain.keep": 3_000},
            )
            history = agent.history(60)
            self.assertEqual(compactor.prepare(history), history)
            with self.assertRaises(ebbline.EbblineError) as caught:
                compactor.compact_now(history)
            self.assertEqual(caught.exception.message, "the option count_tokens raised an error: RuntimeError: down")
            self.assertEqual(compactor.messages, history)
            is_down = False
            self.assertEqual(compactor.prepare(history), history)


if __name__ == "__main__":
    unittest.main()
