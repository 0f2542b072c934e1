"""What a caller decides about a compactor: pins, triggers, hooks, introductions, records."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import agent
import ebbline
from test_compactor import SMALL, written

HERE = Path(__file__).parent
KEY = "The key of the vault is 4711-0815."


def made(view: list[Any], history: list[Any]) -> str:
    """The messages of a view that are in no history."""
    return "\n".join(str(message["content"]) for message in view if message not in history)


class Pinned(unittest.TestCase):
    def history(self, steps: int) -> list[Any]:
        return [agent.SYSTEM, {"role": "user", "content": KEY}, *agent.history(steps)[1:]]

    def test_outputs_of_a_pinned_path_are_never_cleared(self) -> None:
        history = self.history(40)
        output = next(m for m in history if m.get("tool_call_id") == "call_2")
        for pins, stays in [([ebbline.Pin(path="src/part2.*")], True), ([{"tool": "write"}], False), ([], False)]:
            view = ebbline.Compactor(pins=pins, **SMALL).prepare(history)
            self.assertEqual(any(message is output for message in view), stays, pins)

    def test_a_pinned_text_stands_behind_every_summary(self) -> None:
        for pin in [ebbline.Pin(contains="4711"), ebbline.Pin(message=lambda message, place: place == 1)]:
            for summarize in (written, "deterministic"):
                compactor = ebbline.Compactor(summarize=summarize, pins=[pin], **SMALL)
                history: list[Any] = self.history(0)
                summaries = 0
                for number in range(120):
                    history.extend(agent.step(number))
                    view = compactor.prepare(history)
                    told = made(view, history)
                    if "<pinned>" in told:
                        summaries += 1
                        self.assertIn(f"[user, {len(KEY)} characters]\n{KEY}\n</pinned>", told)
                    elif summaries:
                        self.fail("a later summary lost what is pinned")
                self.assertGreater(summaries, 10)

    def test_a_pin_that_fills_the_window_is_an_obstacle(self) -> None:
        events: list[ebbline.Event] = []
        compactor = ebbline.Compactor(pins=[ebbline.Pin(tool="*")], on_event=events.append, **SMALL)
        with self.assertRaises(ebbline.EbblineError) as caught:
            compactor.prepare(agent.history(60))
        self.assertEqual(caught.exception.code, "head_fills_window")
        self.assertIn("what is pinned", caught.exception.message)
        self.assertEqual([event["type"] for event in events], ["gave_up"])

    def test_mistakes_are_told(self) -> None:
        for pins in ([{}], [{"tol": "read"}], [{"contains": ""}], [{"message": True}]):
            with self.assertRaises(ebbline.EbblineError) as caught:
                ebbline.Compactor(pins=pins, **SMALL)
            self.assertEqual(caught.exception.code, "invalid_option")
            self.assertIn("pin", caught.exception.message)


class Triggered(unittest.TestCase):
    def test_an_own_trigger_compacts_although_there_is_room(self) -> None:
        events: list[ebbline.Event] = []
        compactor = ebbline.Compactor(
            model={"context": 1_000_000}, summarize="deterministic", when={"messages": 60}, on_event=events.append
        )
        history: list[Any] = [agent.SYSTEM]
        for number in range(100):
            history.extend(agent.step(number))
            compactor.prepare(history)
        compacted = [event for event in events if event["type"] == "compacted"]
        self.assertTrue(compacted and all(event["cause"] == "triggered" for event in compacted), events)
        # It has to grow by an eighth before a trigger holds again.
        self.assertLess(len(compacted), 20)

    def test_a_mistake_is_told(self) -> None:
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(when={"mesages": 60})
        self.assertIn("did you mean messages?", caught.exception.message)


class Hooked(unittest.TestCase):
    def test_before_forbids_says_the_focus_or_the_summary(self) -> None:
        asked: list[ebbline.SummaryRequest] = []

        def summarize(request: ebbline.SummaryRequest) -> str:
            asked.append(request)
            return written(request)

        history = agent.history(100)
        for wish, is_made, requests in [
            (False, False, 0),
            (None, True, 1),
            (ebbline.Wish(focus="the vault"), True, 1),
            (ebbline.Wish(summary="## Goal\nMend the parts of src/."), True, 0),
        ]:
            asked.clear()
            proposals: list[ebbline.Proposal] = []
            heard: list[ebbline.Event] = []

            def before(proposal: ebbline.Proposal, wish: Any = wish) -> Any:
                proposals.append(proposal)
                return wish

            compactor = ebbline.Compactor(
                summarize=summarize, hooks=ebbline.Hooks(before=before, after=heard.append), **SMALL
            )
            view = compactor.compact_now(history)
            self.assertEqual((len(view) < len(history), len(asked)), (is_made, requests), wish)
            self.assertEqual([(proposal.cause, proposal.step) for proposal in proposals], [("asked", "summarize")])
            self.assertEqual(proposals[0].plan.verdict, "prune_then_summarize")
            self.assertEqual([event["type"] for event in heard], ["compacted"] * is_made)
            if isinstance(wish, ebbline.Wish) and wish.focus:
                self.assertIn("the vault", asked[0].messages[-1]["content"])
            if isinstance(wish, ebbline.Wish) and wish.summary:
                self.assertIn("Mend the parts of src/.", made(view, history))
            if is_made:
                self.assertTrue(compactor.undo())

    def test_what_a_hook_raises_reaches_the_caller(self) -> None:
        def fails(told: Any) -> None:
            raise LookupError("not now")

        history = agent.history(100)
        compactor = ebbline.Compactor(summarize=written, hooks=ebbline.Hooks(before=fails), **SMALL)
        with self.assertRaises(LookupError):
            compactor.compact_now(history)
        self.assertEqual(compactor.messages, history)
        compactor = ebbline.Compactor(summarize=written, hooks=ebbline.Hooks(after=fails), **SMALL)
        with self.assertRaises(LookupError):
            compactor.compact_now(history)
        self.assertLess(len(compactor.messages), len(history), "the compaction stays")
        self.assertEqual(compactor.prepare(history), compactor.messages)

    def test_a_failure_is_heard(self) -> None:
        def fails(request: ebbline.SummaryRequest) -> str:
            raise TimeoutError("no answer")

        heard: list[ebbline.Event] = []
        compactor = ebbline.Compactor(summarize=fails, hooks=ebbline.Hooks(failed=heard.append), **SMALL)
        compactor.compact_now(agent.history(100))
        self.assertIn("TimeoutError: no answer", heard[0]["message"])

    def test_async_hooks(self) -> None:
        order: list[str] = []

        async def before(proposal: ebbline.Proposal) -> ebbline.Wish:
            await asyncio.sleep(0)
            order.append("before")
            return ebbline.Wish()

        async def after(event: ebbline.Event) -> None:
            await asyncio.sleep(0)
            order.append("after")

        hooks = ebbline.Hooks(before=before, after=after)
        history = agent.history(100)
        view = asyncio.run(ebbline.Compactor(summarize=written, hooks=hooks, **SMALL).acompact_now(history))
        self.assertLess(len(view), len(history))
        self.assertEqual(order, ["before", "after"])
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(summarize=written, hooks=hooks, **SMALL).compact_now(history)
        self.assertIn("aprepare", caught.exception.message)

    def test_events_say_what_happened(self) -> None:
        events: list[ebbline.Event] = []
        compactor = ebbline.Compactor(summarize=written, on_event=events.append, model={"context": 400_000})
        history = agent.history(60)
        compactor.prepare(history)
        compactor.recover(Exception("maximum context length is 32000 tokens. You requested 40000 tokens."), history)
        self.assertEqual(compactor.decide().window, 32_000, "the smaller window is learnt")
        compactor.undo()
        compactor.redo()
        compactor.prepare(agent.history(2))
        kinds = [event["type"] for event in events]
        self.assertEqual(kinds, ["overflow", "summary_requested", "compacted", "undone", "redone", "edited"])
        self.assertIn("known messages are as they were", events[-1]["reason"])


class Introduced(unittest.TestCase):
    def test_a_summary_is_introduced_once_in_each_round(self) -> None:
        words = ebbline.introductions()
        self.assertEqual(list(words), ["default", "claude_code", "codex", "pi"])
        for given, expected in [(None, words["default"]), ("So far:", "So far:"), ("", None)]:
            requests: list[str] = []

            def summarize(request: ebbline.SummaryRequest) -> str:
                requests.append(request.messages[-1]["content"])
                return written(request)

            compactor = ebbline.Compactor(summarize=summarize, introduction=given, **SMALL)
            history: list[Any] = [agent.SYSTEM]
            for number in range(120):
                history.extend(agent.step(number))
                view = compactor.prepare(history)
            told = made(view, history)
            for sentence in {*words.values(), "So far:"}:
                self.assertEqual(told.count(sentence), int(sentence == expected), sentence)
            self.assertGreater(len(requests), 1)
            for sentence in words.values():
                self.assertFalse(any(sentence in request for request in requests), "a request quotes it")


class Recorded(unittest.TestCase):
    def ran(self, steps: int, **options: Any) -> tuple[ebbline.Compactor, list[Any], list[Any]]:
        compactor = ebbline.Compactor(summarize=written, **SMALL, **options)
        history: list[Any] = [agent.SYSTEM]
        view: list[Any] = []
        for number in range(steps):
            history.extend(agent.step(number))
            view = compactor.prepare(history)
        return compactor, history, view

    def test_another_compactor_goes_on_and_can_undo(self) -> None:
        first, history, view = self.ran(100)
        record = json.loads(json.dumps(first.record))
        self.assertEqual((record["version"], record["messages"]), (2, len(history)))
        copied: list[Any] = json.loads(json.dumps(history))
        second = ebbline.Compactor(summarize=written, record=record, **SMALL)
        self.assertEqual(second.record, record, "before the history is known")
        self.assertEqual(second.prepare(copied), view)
        self.assertTrue(all(any(message is known for known in copied) for message in second.messages if message in copied))
        while first.undo():
            self.assertTrue(second.undo())
            self.assertEqual(second.messages, first.messages)
        self.assertFalse(second.undo())
        self.assertEqual(second.messages, history)

    def test_it_goes_on_in_another_process(self) -> None:
        first, history, view = self.ran(100)
        program = (
            "import json, sys, ebbline\n"
            "given = json.load(sys.stdin)\n"
            "kept = ebbline.Compactor(record=given['record'], model={'context': 32000})\n"
            "view = kept.prepare(given['history'])\n"
            "while kept.undo(): pass\n"
            "print(json.dumps([view, len(kept.messages)]))\n"
        )
        given = json.dumps({"record": first.record, "history": history})
        done = subprocess.run([sys.executable, "-c", program], input=given, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout), [view, len(history)])

    def test_a_history_that_was_kept_as_it_was_sent_is_made_whole(self) -> None:
        first, history, view = self.ran(100, originals="record")
        kept = [*view, *agent.step(100)]
        second = ebbline.Compactor(summarize=written, record=first.record, originals="record", **SMALL)
        again = second.prepare(kept)
        self.assertEqual(again[: len(view)], view)
        while second.undo():
            pass
        self.assertEqual(second.messages, [*history, *agent.step(100)])
        second = ebbline.Compactor(summarize=written, record={**first.record, "originals": []}, **SMALL)
        with self.assertRaises(ebbline.EbblineError) as caught:
            second.prepare(kept)
        self.assertEqual(caught.exception.code, "mismatch")

    def test_another_history_and_a_damaged_record_are_refused(self) -> None:
        first, history, _ = self.ran(60)
        second = ebbline.Compactor(record=first.record, **SMALL)
        with self.assertRaises(ebbline.EbblineError) as caught:
            second.prepare([{"role": "user", "content": "something else"}])
        self.assertEqual(caught.exception.code, "mismatch")
        self.assertEqual(second.prepare(history), first.messages, "the record is not lost by that")
        for record in ({}, {"version": 2}, {**first.record, "changes": [{}]}, {**first.record, "controller": [1]}):
            with self.assertRaises(ebbline.EbblineError) as caught:
                ebbline.Compactor(record=record, **SMALL)
            self.assertEqual(caught.exception.code, "mismatch")

    @unittest.skipUnless(os.environ.get("EBBLINE_PACKAGE") and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
    def test_npm_reads_it_and_writes_the_same(self) -> None:
        first, history, view = self.ran(100)
        given = json.dumps({"record": first.record, "history": history, "model": SMALL["model"]})
        program = ["node", str(HERE / "record.mjs")]
        done = subprocess.run(program, input=given, capture_output=True, text=True, check=True)
        answer: dict[str, Any] = json.loads(done.stdout)
        self.assertEqual(answer["view"], view)
        self.assertEqual(answer["record"]["changes"], first.record["changes"])
        second = ebbline.Compactor(summarize=written, record=answer["record"], **SMALL)
        self.assertEqual(second.prepare(history), view)


class Windows(unittest.TestCase):
    def test_a_view_that_is_larger_than_the_window_is_said_to_be(self) -> None:
        """In a window so small that no request for a summary fits, a summary by rule takes the place of one."""
        for window in (2_000, 4_000, 8_000):
            events: list[ebbline.Event] = []
            compactor = ebbline.Compactor(summarize=written, model={"context": window}, on_event=events.append)
            history: list[Any] = [agent.SYSTEM]
            for number in range(60):
                history.extend(agent.step(number))
                events.clear()
                view = compactor.prepare(history)
                is_over = compactor.decide().tokens_before > window
                said = [event for event in events if event["type"] == "over_window"]
                self.assertEqual(len(said), int(is_over), (window, number, events))
                self.assertTrue(ebbline.validate(view).valid)
                if is_over:
                    self.assertIn(f"the context window has {window}", said[0]["message"])
                    # Only what the model has not seen is that large.
                    self.assertLess(len(view), 12, (window, number))


if __name__ == "__main__":
    unittest.main()
