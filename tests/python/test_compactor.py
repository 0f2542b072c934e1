"""The compactor inside a scripted agent."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

import agent
import ebbline

WINDOW = 32_000
SMALL: dict[str, Any] = {"model": {"context": WINDOW}}


def written(request: ebbline.SummaryRequest) -> str:
    """A summary that names what the request names."""
    words = request.messages[-1]["content"].split()
    named = sorted({word.strip(".,;:\"") for word in words if word.startswith(("src/", "E"))})
    return "## Goal\nMend the parts. Never push to main.\n\n## Done\nThe agent looked at each part, found which module it imports and how it fails, and wrote a test: " + " ".join(named)[:1_500]


class Agents(unittest.TestCase):
    def test_200_steps_under_a_small_window(self) -> None:
        events: list[ebbline.Event] = []
        compactor = ebbline.Compactor(summarize=written, on_event=events.append, **SMALL)
        history: list[dict[str, Any]] = [agent.SYSTEM]
        for number in range(200):
            history.extend(agent.step(number))
            view = compactor.prepare(history)
            validation = ebbline.validate(view)
            self.assertTrue(validation.valid, (number, validation.violations))
            self.assertLessEqual(compactor.decide().tokens_before, WINDOW)
            self.assertIs(view[0], history[0])
            self.assertIs(view[-1], history[-1])
            again = compactor.prepare(history)
            self.assertTrue(len(again) == len(view) and all(one is other for one, other in zip(again, view)))
        kinds = [event["type"] for event in events]
        self.assertGreater(kinds.count("summary_requested"), 3)
        self.assertNotIn("summary_failed", kinds)
        told = next(str(message["content"]) for message in view if message not in history)
        self.assertIn("Never push to main.\n</standing-orders>", told)
        known = {id(message) for message in history}
        self.assertGreater(sum(id(message) in known for message in view), 5)

    def test_what_is_no_history_is_refused_in_words(self) -> None:
        wrong: Any
        for wrong in (None, 7, "hello", {"role": "user"}, (message for message in [])):
            compactor = ebbline.Compactor(model={"context": 8_000, "output": 1_000})
            with self.assertRaises(ebbline.EbblineError) as caught:
                compactor.prepare(wrong)
            self.assertEqual(caught.exception.code, "no_messages")

    def test_a_caller_who_keeps_the_view_is_understood(self) -> None:
        compactor = ebbline.Compactor(summarize=written, **SMALL)
        kept: list[Any] = [agent.SYSTEM]
        for number in range(120):
            kept = compactor.prepare(kept + agent.step(number))
            self.assertTrue(ebbline.validate(kept).valid)
        self.assertLess(len(kept), 150)

    def test_a_history_of_copies_is_known(self) -> None:
        compactor = ebbline.Compactor(summarize=written, **SMALL)
        first = compactor.prepare(agent.history(90))
        second = compactor.prepare(agent.history(90))
        self.assertEqual(first, second)
        self.assertTrue(all(one is other for one, other in zip(first, second)))

    def test_without_a_model_outputs_are_pruned(self) -> None:
        compactor = ebbline.Compactor(**SMALL)
        view = compactor.prepare(agent.history(40))
        self.assertEqual(len(view), len(agent.history(40)))
        self.assertLess(compactor.decide().tokens_before, WINDOW)

    def test_summaries_by_rule(self) -> None:
        compactor = ebbline.Compactor(summarize="deterministic", **SMALL)
        history: list[Any] = [agent.SYSTEM]
        for number in range(150):
            history.extend(agent.step(number))
            view = compactor.prepare(history)
        self.assertTrue(ebbline.validate(view).valid)
        self.assertLess(len(view), len(history))

    def test_a_model_that_fails_does_not_stop_the_agent(self) -> None:
        events: list[ebbline.Event] = []

        def fails(request: ebbline.SummaryRequest) -> str:
            raise TimeoutError("no answer")

        compactor = ebbline.Compactor(summarize=fails, on_event=events.append, **SMALL)
        history: list[Any] = [agent.SYSTEM]
        for number in range(150):
            history.extend(agent.step(number))
            view = compactor.prepare(history)
            self.assertTrue(ebbline.validate(view).valid)
            self.assertLessEqual(compactor.decide().tokens_before, WINDOW)
        failed = [event for event in events if event["type"] == "summary_failed"]
        self.assertIn("TimeoutError: no answer", failed[0]["message"])
        self.assertTrue(any(event["type"] == "compacted" and event["byRule"] for event in events))

    def test_a_failure_is_told_at_once(self) -> None:
        events: list[ebbline.Event] = []

        def fails(request: ebbline.SummaryRequest) -> str:
            raise TimeoutError("no answer")

        compactor = ebbline.Compactor(summarize=fails, on_event=events.append, **SMALL)
        talk = [("user", "Why? "), ("assistant", "Because of that. ")] * 20
        history = [{"role": role, "content": words * 200} for role, words in talk]
        self.assertEqual(compactor.compact_now(history), history)
        self.assertEqual([event["type"] for event in events], ["summary_requested", "summary_failed"])

    def test_an_answer_that_is_no_summary_is_asked_for_once_more(self) -> None:
        asked: list[ebbline.SummaryRequest] = []

        def refuses_first(request: ebbline.SummaryRequest) -> str:
            asked.append(request)
            return "I'm sorry, I can't help with that." if len(asked) == 1 else written(asked[0])

        compactor = ebbline.Compactor(summarize=refuses_first, **SMALL)
        compactor.compact_now(agent.history(100))
        self.assertEqual([message["role"] for message in asked[1].messages], ["user", "assistant", "user"])
        self.assertEqual(len(asked), 2)

    def test_undo_and_redo(self) -> None:
        compactor = ebbline.Compactor(summarize=written, **SMALL)
        history = agent.history(100)
        view = compactor.compact_now(history)
        self.assertTrue(compactor.undo())
        self.assertEqual(len(compactor.messages), len(history))
        self.assertEqual(len(compactor.prepare(history)), len(history))
        self.assertTrue(compactor.redo())
        again = compactor.prepare(history)
        self.assertTrue(all(one is other for one, other in zip(again, view)))
        self.assertFalse(compactor.redo())

    def test_an_output_is_recalled_by_its_id_and_by_its_reference(self) -> None:
        compactor = ebbline.Compactor(summarize=written, **SMALL)
        self.assertIsNone(compactor.recall("call_1"))
        history = agent.history(100)
        view = compactor.compact_now(history)
        cleared = next(message for message in view if message["role"] == "tool" and " [ref " in message["content"])
        reference = cleared["content"].rpartition("[ref ")[2].rstrip("]")
        whole = next(message for message in history if message.get("tool_call_id") == cleared["tool_call_id"])
        for name in (reference, cleared["tool_call_id"]):
            self.assertEqual(compactor.recall(name), whole["content"])
        self.assertIsNone(compactor.recall("another"))
        # Without a record, another compactor has the placeholder alone.
        other = ebbline.Compactor(summarize=written, **SMALL)
        other.take(view)
        self.assertEqual([other.recall(name) for name in (reference, cleared["tool_call_id"])], [None, None])

    def test_a_rewind_drops_what_it_concerns(self) -> None:
        compactor = ebbline.Compactor(summarize=written, **SMALL)
        history = agent.history(100)
        compactor.compact_now(history)
        short = agent.history(9) + [{"role": "user", "content": "Start again."}]
        view = compactor.prepare(short)
        self.assertTrue(ebbline.validate(view).valid)
        self.assertIs(view[-1], short[-1])
        self.assertEqual(len(view), len(short))

    def test_an_overflow_is_recovered_from_once(self) -> None:
        compactor = ebbline.Compactor(summarize=written, model={"context": 200_000})
        history = agent.history(60)
        compactor.prepare(history)
        overflow = Exception("This model's maximum context length is 8192 tokens. You requested 9000 tokens.")
        view = compactor.recover(overflow, history)
        self.assertLess(len(str(view)), len(str(history)))
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.recover(overflow, history)
        self.assertEqual(caught.exception.code, "still_too_large")
        with self.assertRaises(ValueError):
            compactor.recover(ValueError("another fault"), history)

    def test_what_is_sent_beside_the_messages_is_learnt(self) -> None:
        compactor = ebbline.Compactor(summarize=written, **SMALL)
        compactor.prepare(agent.history(2))
        estimate = compactor.decide().tokens
        compactor.usage(estimate + 5_000)
        self.assertEqual(compactor.record["overhead"], 5_000)
        # No answered request was larger than its window.
        compactor.usage(estimate + 70_000)
        self.assertEqual(compactor.record["overhead"], 5_000)
        filled = ebbline.Compactor(summarize=written, overhead=WINDOW, **SMALL)
        with self.assertRaises(ebbline.EbblineError) as caught:
            filled.prepare(agent.history(3))
        self.assertEqual(caught.exception.code, "overhead_fills_window")

    def test_an_async_agent(self) -> None:
        async def summarize(request: ebbline.SummaryRequest) -> ebbline.Answer:
            await asyncio.sleep(0)
            return ebbline.Answer(written(request))

        async def run() -> list[Any]:
            compactor = ebbline.Compactor(summarize=summarize, **SMALL)
            history: list[Any] = [agent.SYSTEM]
            view: list[Any] = []
            for number in range(120):
                history.extend(agent.step(number))
                view = await compactor.aprepare(history)
                self.assertTrue(ebbline.validate(view).valid)
            return view

        self.assertLess(len(asyncio.run(run())), 200)

    def test_a_cancelled_summary_leaves_everything_as_it_was(self) -> None:
        async def never(request: ebbline.SummaryRequest) -> str:
            await asyncio.sleep(60)
            return ""

        async def run() -> None:
            compactor = ebbline.Compactor(summarize=never, **SMALL)
            history = agent.history(100)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(compactor.acompact_now(history), 0.05)
            self.assertEqual(len(compactor.messages), len(history))

        asyncio.run(run())

    def test_mistakes_are_told(self) -> None:
        async def summarize(request: ebbline.SummaryRequest) -> str:
            return written(request)

        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(summarize=summarize, **SMALL).compact_now(agent.history(100))
        self.assertIn("aprepare", caught.exception.message)
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(falback="history")
        self.assertIn("did you mean fallback?", caught.exception.message)
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(summarize="by magic")
        self.assertEqual(caught.exception.code, "invalid_option")
        compactor = ebbline.Compactor(**SMALL)
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.prepare(["no message"])
        self.assertEqual(compactor.prepare(agent.history(1)), agent.history(1))
