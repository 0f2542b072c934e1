"""A summary that is written while the agent goes on: in a thread, and in a task. What it means is compared with npm in test_alike."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import unittest
from typing import Any

import agent
import ebbline

# It is full after 60 steps, and is not exceeded for a while.
OPTIONS: dict[str, Any] = {
    "model": {"context": 32_000, "output": 4_000},
    "set": {"prune.enabled": False, "retain.keep": 4_000},
    "accept": False,
    "background": True,
}
SUMMARY = "The agent mends one part after the other."
NAME: contextvars.ContextVar[str] = contextvars.ContextVar("name", default="nobody")


def full(compactor: ebbline.Compactor) -> list[Any]:
    """The first history in which the compactor would compact."""
    steps = next(steps for steps in range(1, 200) if ebbline.plan(agent.history(steps), **limits()).verdict == "summarize")
    history = agent.history(steps)
    assert compactor.prepare(history) == history
    return history


def limits() -> dict[str, Any]:
    return {name: OPTIONS[name] for name in ("model", "set")}


class Model:
    """A model in a thread that answers when it is told to."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[ebbline.SummaryRequest] = []
        self.names: list[str] = []
        self.may_answer = threading.Event()
        self.thread = threading.current_thread()

    def __call__(self, request: ebbline.SummaryRequest) -> str:
        self.thread = threading.current_thread()
        self.names.append(NAME.get())
        answer = self.answers.pop(0)
        self.asked.append(request)
        self.may_answer.wait()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def write(self) -> None:
        """Answers, and waits until the thread is over."""
        while not self.asked:
            threading.Event().wait(0.001)
        self.may_answer.set()
        self.thread.join()
        self.may_answer.clear()


class Threads(unittest.TestCase):
    def kept(self, model: Any, **options: Any) -> tuple[ebbline.Compactor, list[ebbline.Event]]:
        events: list[ebbline.Event] = []
        return ebbline.Compactor(summarize=model, on_event=events.append, **{**OPTIONS, **options}), events

    def test_a_later_call_takes_the_summary_over(self) -> None:
        model = Model(SUMMARY)
        compactor, events = self.kept(model)
        NAME.set("somebody")
        history = full(compactor)
        self.assertEqual([event["type"] for event in events], ["summary_requested"])
        more = [*history, {"role": "user", "content": "And the tests?"}]
        self.assertEqual(compactor.prepare(more), more)
        self.assertEqual(compactor.record["changes"], [], "a summary that is being asked for is in no record")
        model.write()
        self.assertEqual(compactor.messages, more, "nothing changes between two calls")
        view = compactor.prepare(more)
        self.assertIn(SUMMARY, view[1]["content"])
        self.assertIs(view[-1], more[-1])
        self.assertTrue(ebbline.validate(view).valid)
        self.assertEqual((len(model.asked), model.names), (1, ["somebody"]))
        self.assertEqual([event["type"] for event in events], ["summary_requested", "compacted"])
        self.assertTrue(compactor.undo())
        self.assertEqual(compactor.prepare(more), more)

    def test_it_is_waited_for_if_the_context_would_exceed_the_window(self) -> None:
        model = Model(SUMMARY)
        compactor, _ = self.kept(model)
        history = full(compactor)
        model.may_answer.set()
        more = [*history, {"role": "user", "content": "It is long. " * 4_000}]
        view = compactor.prepare(more)
        self.assertIn(SUMMARY, view[1]["content"])
        self.assertEqual(len(model.asked), 1)

    def test_a_model_that_fails_is_told_by_the_next_call(self) -> None:
        model = Model(*[ConnectionError("down")] * 3)
        heard: list[ebbline.Event] = []
        compactor, events = self.kept(model, failures=1, cooldown=2, hooks=ebbline.Hooks(failed=heard.append))
        history = full(compactor)
        model.write()
        self.assertEqual(compactor.prepare(history), history)
        self.assertIn("ConnectionError: down", heard[0]["message"])
        # None is asked for during two requests, of which that was the first.
        for asked in (1, 2):
            self.assertEqual(compactor.prepare(history), history)
            self.assertEqual(len(model.asked), asked)
        self.assertEqual([event["type"] for event in events], ["summary_requested", "summary_failed", "summary_requested"])
        model.may_answer.set()

    def test_what_is_no_answer_is_the_callers_mistake(self) -> None:
        async def later(request: ebbline.SummaryRequest) -> str:
            return SUMMARY

        for ask, word in [(later, "aprepare"), (lambda request: 7, "must return the text")]:
            compactor, _ = self.kept(ask)
            history = full(compactor)
            for thread in threading.enumerate():
                if thread.name == "ebbline-summary":
                    thread.join()
            with self.assertRaises(ebbline.EbblineError) as caught:
                compactor.prepare(history)
            self.assertIn(word, caught.exception.message)

    def test_what_takes_it_back_drops_it(self) -> None:
        for drop in (lambda kept, history: kept.compact_now(history), lambda kept, history: kept.undo()):
            model = Model("It is late.", SUMMARY)
            compactor, _ = self.kept(model)
            history = full(compactor)
            # It is written already when nobody wants it any more.
            model.write()
            model.may_answer.set()
            drop(compactor, history)
            view = compactor.prepare(history)
            self.assertNotIn("It is late.", str(view))

    def test_a_record_of_it_goes_on_without_it(self) -> None:
        model = Model("It is late.")
        compactor, _ = self.kept(model)
        history = full(compactor)
        record = compactor.record
        other = Model(SUMMARY)
        second, _ = self.kept(other, record=record)
        self.assertEqual(second.prepare(history), history)
        self.assertEqual(len(other.asked), 1)
        other.write()
        self.assertIn(SUMMARY, second.prepare(history)[1]["content"])
        model.may_answer.set()

    def test_a_model_may_take_so_long_and_no_longer(self) -> None:
        never = threading.Event()

        def waits(request: ebbline.SummaryRequest) -> str:
            never.wait()
            return SUMMARY

        compactor, events = self.kept(waits, timeout=0.05, background=False)
        history = agent.history(60)
        compactor.compact_now(history)
        failed = [event for event in events if event["type"] == "summary_failed"]
        self.assertIn("the model did not answer in time", failed[0]["message"])
        compactor, events = self.kept(waits, timeout=0.05)
        history = full(compactor)
        never.wait(0.1)
        compactor.prepare(history)
        self.assertIn("summary_failed", [event["type"] for event in events])
        never.set()
        for timeout in (0, -1.0, "1", True):
            with self.assertRaises(ebbline.EbblineError) as caught:
                self.kept(waits, timeout=timeout)
            self.assertIn("the option timeout must be", caught.exception.message)

    def test_the_option_is_checked(self) -> None:
        for background in (1, "rebase", {}, {"on_edit": "keep"}, {"on_edit": "drop", "more": 1}):
            with self.assertRaises(ebbline.EbblineError) as caught:
                self.kept(None, background=background)
            self.assertEqual(caught.exception.code, "invalid_option")
            self.assertIn("onEdit", caught.exception.message)
        self.kept(None, background={"on_edit": "drop"})


class Tasks(unittest.IsolatedAsyncioTestCase):
    async def test_the_task_goes_on_by_itself(self) -> None:
        asked: list[ebbline.SummaryRequest] = []

        async def summarize(request: ebbline.SummaryRequest) -> str:
            asked.append(request)
            await asyncio.sleep(0)
            return "" if len(asked) == 1 else SUMMARY

        compactor = ebbline.Compactor(summarize=summarize, **OPTIONS)
        history = full(ebbline.Compactor(summarize=lambda request: SUMMARY, **OPTIONS))
        self.assertEqual(await compactor.aprepare(history), history)
        # The second question is asked without another call of the agent.
        while len(asked) < 2:
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        self.assertIn(SUMMARY, str((await compactor.aprepare(history))[1]))

    async def test_whoever_stops_waiting_leaves_the_model_to_go_on(self) -> None:
        may_answer = asyncio.Event()
        cancelled: list[bool] = []

        async def summarize(request: ebbline.SummaryRequest) -> str:
            try:
                await may_answer.wait()
            except asyncio.CancelledError:
                cancelled.append(True)
                raise
            return SUMMARY

        compactor = ebbline.Compactor(summarize=summarize, **OPTIONS)
        history = full(ebbline.Compactor(summarize=lambda request: SUMMARY, **OPTIONS))
        self.assertEqual(await compactor.aprepare(history), history)
        more = [*history, {"role": "user", "content": "It is long. " * 4_000}]
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(compactor.aprepare(more), 0.02)
        may_answer.set()
        self.assertIn(SUMMARY, str((await compactor.aprepare(more))[1]))
        self.assertEqual(cancelled, [])
        # An edit of what it was asked for cancels it.
        compactor = ebbline.Compactor(summarize=summarize, **OPTIONS)
        may_answer.clear()
        await compactor.aprepare(history)
        await asyncio.sleep(0)
        await compactor.aprepare(agent.history(2))
        await asyncio.sleep(0.01)
        self.assertEqual(cancelled, [True])

    async def test_a_plain_function_does_not_stop_the_loop(self) -> None:
        model = Model(SUMMARY)
        compactor = ebbline.Compactor(summarize=model, **OPTIONS)
        history = full(ebbline.Compactor(summarize=lambda request: SUMMARY, **OPTIONS))
        self.assertEqual(await compactor.aprepare(history), history)
        while not model.asked:
            await asyncio.sleep(0)
        model.may_answer.set()
        more = [*history, {"role": "user", "content": "It is long. " * 4_000}]
        self.assertIn(SUMMARY, str((await compactor.aprepare(more))[1]))

    async def test_a_call_waits_for_another_one_or_is_refused(self) -> None:
        async def summarize(request: ebbline.SummaryRequest) -> str:
            await asyncio.sleep(0)
            return SUMMARY

        options = {**OPTIONS, "background": False}
        history = agent.history(60)
        compactor = ebbline.Compactor(summarize=summarize, **options)
        views = await asyncio.gather(*(compactor.acompact_now(history) for _ in range(3)), compactor.aprepare(history))
        self.assertTrue(all(SUMMARY in str(view) for view in views))
        compactor = ebbline.Compactor(summarize=summarize, overlap="refuse", **options)
        both = await asyncio.gather(*(compactor.acompact_now(history) for _ in range(2)), return_exceptions=True)
        self.assertIn(SUMMARY, str(both[0]))
        self.assertEqual(getattr(both[1], "code", None), "busy")
        with self.assertRaises(ebbline.EbblineError) as caught:
            ebbline.Compactor(overlap="later", **options)  # pyright: ignore[reportArgumentType]
        self.assertIn("wait or refuse", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
