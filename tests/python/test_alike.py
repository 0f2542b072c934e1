"""Scripted sessions in which the compactor has to do what npm's does: tests/python/alike.mjs prints what
that is. With EBBLINE_LONG=1, in six formats."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ebbline

HERE = Path(__file__).parent
# After so many turns of the event loop, a call that has not returned waits for the model.
TURNS = 30
NAMES = {"budgetTokens": "budget_tokens", "compactNow": "compact_now", "countTokens": "count_tokens"}
# Functions that count tokens; scripted.mjs has the same.
COUNTERS: dict[str, Callable[[str], float]] = {
    "words": lambda text: len(text.split(" ")) * 1.3,
    "letters": lambda text: len(text) * 0.37,
}
COMPARED = ("type", "cause", "messages", "tokens", "part", "parts", "pruned", "summarized", "orders", "pins", "byRule")


def told(event: ebbline.Event) -> dict[str, Any]:
    """What happened, without what only one of the packages says."""
    kept = {name: event.get(name) for name in (*COMPARED, "tokensBefore", "tokensAfter", "code")}
    return {**kept, "byRule": event.get("byRule", False)}


def decided(record: dict[str, Any]) -> dict[str, Any]:
    """What a record says was decided."""
    return {"version": record["version"], "messages": record["messages"], "changes": record["changes"]}


class Store:
    """A store in which some texts cannot be put."""

    def __init__(self, fails: list[int]) -> None:
        self.fails = fails
        self.texts: dict[str, str] = {}
        self.puts: list[list[str]] = []

    async def get(self, key: str) -> str | None:
        await asyncio.sleep(0)
        return self.texts.get(key)

    async def put(self, key: str, text: str) -> None:
        await asyncio.sleep(0)
        self.puts.append([key, text])
        if len(self.puts) in self.fails:
            raise RuntimeError("the disk is full")
        self.texts[key] = text


class Run:
    """A session."""

    def __init__(self, session: dict[str, Any]) -> None:
        self.session = session
        self.requests: list[Any] = []
        self.events: list[Any] = []
        self.answered = 0
        self.open: asyncio.Future[str] | None = None
        options = {NAMES.get(name, name): value for name, value in session["options"].items()}
        if options.get("summarize") != "deterministic":
            options["summarize"] = self.summarize
        if "count_tokens" in options:
            options["count_tokens"] = COUNTERS[options["count_tokens"]]
        self.store = Store(session.get("fails", []))
        self.options: dict[str, Any] = {**options, "on_event": self.hear, "clock": lambda: 1_767_225_600}
        if "fails" in session:
            self.options["store"] = self.store
        self.compactor = ebbline.Compactor(**self.options)
        self.last: list[Any] = []

    def hear(self, event: ebbline.Event) -> None:
        self.events.append(told(event))

    async def summarize(self, request: ebbline.SummaryRequest) -> str:
        self.requests.append([message["content"] for message in request.messages])
        mine = self.open = asyncio.get_running_loop().create_future()
        try:
            return await mine
        finally:
            if self.open is mine:
                self.open = None

    def answer(self) -> None:
        assert self.open is not None
        answers: list[str | None] = self.session["answers"]
        text = answers[self.answered % len(answers)]
        self.answered += 1
        if text is None:
            self.open.set_exception(RuntimeError("the model is down"))
        else:
            self.open.set_result(f"{text} ({self.answered})" if text else "")
        self.open = None

    async def step(self, step: dict[str, Any]) -> dict[str, Any]:
        history = [self.session["pool"][place] for place in step.get("history", ())]
        what = NAMES.get(step["do"], step["do"])
        view: list[Any] | None = None
        code: str | None = None
        if what == "answer":
            if self.open is not None:
                self.answer()
            await self.turns()
        elif what in ("undo", "redo"):
            getattr(self.compactor, what)()
            # A task that is cancelled hears of it in its next turn.
            await self.turns()
        elif what == "undoAll":
            while self.compactor.undo():
                pass
            await self.turns()
        elif what == "usage":
            self.compactor.usage(step["reported"], answer=step.get("answer"))
        else:
            if what == "keep":
                # An agent that kept only what was sent goes on in another process.
                record = json.loads(json.dumps(self.compactor.record))
                self.compactor = ebbline.Compactor(**self.options, record=record)
                history = [*json.loads(json.dumps(self.last)), *history]
                what = "prepare"
            given = (RuntimeError(step["error"]), history) if what == "recover" else (history,)
            wishes = {name: step[name] for name in ("focus", "model") if name in step}
            call = asyncio.ensure_future(getattr(self.compactor, f"a{what}")(*given, **wishes))
            while not call.done():
                await self.turns()
                if not call.done() and self.open is not None:
                    self.answer()
            try:
                view = self.last = call.result()
            except ebbline.EbblineError as error:
                code = error.code
            except RuntimeError:
                code = "error"
        events, self.events = self.events, []
        overhead = self.compactor.record["overhead"]
        return {"view": view, "code": code, "events": events, "isOpen": self.open is not None, "overhead": overhead}

    async def turns(self) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)


@unittest.skipUnless(os.environ.get("EBBLINE_PACKAGE") and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
class Alike(unittest.TestCase):
    maxDiff = 3_000

    def compare(self, which: str, least: int) -> None:
        done = subprocess.run(["node", str(HERE / "alike.mjs"), which], capture_output=True, text=True, check=True)
        # Not `splitlines`: a text may hold other ends of lines.
        lines = done.stdout.rstrip("\n").split("\n")
        self.assertGreaterEqual(len(lines), least)
        for line in lines:
            session: dict[str, Any] = json.loads(line)
            with self.subTest(session["name"]):
                asyncio.run(self.run_session(session))

    async def run_session(self, session: dict[str, Any]) -> None:
        run = Run(session)
        for number, step in enumerate(session["steps"]):
            said: dict[str, Any] = step["said"]
            expected = {"view": None, "code": None, **said}
            expected["events"] = [told(event) for event in said["events"]]
            found = await run.step(step)
            where = f"step {number}, {step['do']}"
            self.assertEqual(found["events"], expected["events"], where)
            self.assertEqual(found, expected, where)
        self.assertEqual(run.requests, session["requests"])
        self.assertEqual(run.store.puts, session["puts"])
        self.assertEqual(decided(run.compactor.record), decided(session["record"]))

    def test_a_summary_that_is_written_while_the_agent_goes_on(self) -> None:
        self.compare("background", 46)

    def test_a_summary_in_parts(self) -> None:
        self.compare("parts", 22)

    def test_whose_words_a_summary_is(self) -> None:
        self.compare("introductions", 42)

    def test_what_a_store_has(self) -> None:
        self.compare("stores", 26)

    def test_a_function_that_counts_tokens(self) -> None:
        self.compare("counts", 28)

    def test_a_focus_and_another_model(self) -> None:
        self.compare("wishes", 14)

    def test_usage_as_providers_report_it(self) -> None:
        self.compare("usages", 36)

    def test_passes_are_a_change_of_their_own(self) -> None:
        self.compare("passes", 80)

    def test_an_answer_behind_a_summary_in_front_of_the_application(self) -> None:
        self.compare("ofApplication", 18)


if __name__ == "__main__":
    unittest.main()
