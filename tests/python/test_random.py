"""Compactors under anything an agent may do, drawn at random: whatever happens, what is sent is valid and ends with the newest
message, and taking everything back gives the history. With EBBLINE_LONG=1, more agents."""

from __future__ import annotations

import asyncio
import json
import os
import random
import unittest
from typing import Any

import agent
import ebbline

AGENTS = 120 if os.environ.get("EBBLINE_LONG") == "1" else 15
STEPS = 60
OVERFLOW = RuntimeError("prompt is too long: 213462 tokens > 200000 maximum")
OBSTACLES = ("still_too_large", "nothing_to_compact", "no_summary", "overhead_fills_window", "head_fills_window")


class Fault(Exception):
    """What the caller's own code raises: it must arrive as it is."""


class Agent:
    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.history: list[Any] = agent.history(3)
        self.steps = 3
        self.edits = 0
        self.texts: dict[str, str] = {}
        self.options: dict[str, Any] = {
            "model": {"context": 8_000 + self.one(0, 6_000, 12_000)},
            "background": self.one(False, True, True, {"on_edit": "drop"}),
            "set": self.one({"prune.enabled": False}, {}, {"prune.enabled": False, "retain.keep": 600}),
            "accept": self.one(None, False, {"facts": 1, "headings": True}),
            "fallback": self.one(None, "deterministic", "history"),
            "chunks": self.one(None, "rolling", "map_reduce"),
            "budget_tokens": self.one(None, None, 3_000),
            "introduction": self.one(None, "", {"role": "system"}, {"answer": True}),
            "when": self.one(None, None, {"messages": 30}, {"tokens": 1}),
            "store": self.one(None, None, self),
            "originals": self.one(None, "record"),
            "summarize": self.one(self.summarize, self.summarize, self.summarize, "deterministic", None),
            "hooks": self.one(None, ebbline.Hooks(before=self.before)),
            "timeout": 0.05,
        }
        self.compactor = ebbline.Compactor(**self.options)

    def one(self, *choices: Any) -> Any:
        return self.draw.choice(choices)

    async def wait(self) -> None:
        for _ in range(self.one(0, 0, 1, 5)):
            await asyncio.sleep(0)

    async def get(self, key: str) -> str | None:
        await self.wait()
        return self.texts.get(key)

    async def put(self, key: str, text: str) -> None:
        await self.wait()
        if self.draw.random() < 0.002:
            raise Fault("put")
        self.texts[key] = text

    async def before(self, proposal: ebbline.Proposal) -> Any:
        if self.draw.random() < 0.05:
            raise Fault("before")
        return self.one(None, None, True, False, ebbline.Wish(focus="the parts"), ebbline.Wish(summary="By the caller."))

    async def summarize(self, request: ebbline.SummaryRequest) -> Any:
        await self.wait()
        answer = self.draw.randrange(14)
        if answer == 0:
            raise ConnectionError("down")
        if answer == 1:
            return ""
        if answer == 2:
            return ebbline.Answer("The agent", truncated=True)
        if answer == 3:
            return "I'm sorry, but I cannot help with that."
        if answer == 4 and self.draw.random() < 0.2:
            await asyncio.sleep(60)
        return "The agent mends one part after the other."

    async def act(self, test: unittest.TestCase) -> str:
        self.doing = what = self.one(*["grow"] * 8, *["prepare"] * 4, "compact_now", "recover", "edit", "rewind", "undo", "redo", "restart", "cancel")
        kept = self.compactor
        if what == "grow":
            self.history.extend(agent.step(self.steps))
            self.steps += 1
        elif what == "edit":
            at = self.draw.randrange(1, len(self.history))
            if self.history[at]["role"] == "user":
                self.history[at] = {"role": "user", "content": f"Another wish, number {self.edits}."}
                self.edits += 1
        elif what == "rewind":
            users = [at for at, message in enumerate(self.history) if message["role"] == "user"]
            del self.history[self.one(*users) + 1 :]
        elif what in ("undo", "redo"):
            getattr(kept, what)()
        elif what == "restart":
            if await self.sent(test, kept.aprepare(self.history)) is None:
                return what
            self.compactor = ebbline.Compactor(**self.options, record=json.loads(json.dumps(kept.record)))
            await self.sent(test, self.compactor.aprepare(self.history))
        elif what == "cancel":
            call = asyncio.ensure_future(self.one(kept.aprepare, kept.acompact_now)(self.history))
            await self.wait()
            call.cancel()
            await asyncio.wait([call])
            if not call.cancelled() and call.exception() is not None:
                error = call.exception()
                test.assertTrue(isinstance(error, Fault) or getattr(error, "code", None) in OBSTACLES, repr(error))
        else:
            call = kept.arecover(OVERFLOW, self.history) if what == "recover" else getattr(kept, f"a{what}")(self.history)
            await self.sent(test, call)
        return what

    async def sent(self, test: unittest.TestCase, call: Any) -> list[Any] | None:
        try:
            view: list[Any] = await call
        except Fault:
            return None
        except ebbline.EbblineError as error:
            if error.code not in OBSTACLES:
                raise
            return None
        validation = ebbline.validate(view)
        test.assertTrue(validation.valid, validation.violations)
        test.assertTrue(view[-1] == self.history[-1] or "left out" in str(view[-1]) or len(view) <= 2, view[-1])
        known = {json.dumps(message): at for at, message in enumerate(self.history)}
        places = [known[key] for key in map(json.dumps, view) if key in known]
        test.assertEqual(places, sorted(places))
        return view

    async def live(self, test: unittest.TestCase) -> None:
        done: list[str] = []
        try:
            for _ in range(STEPS):
                done.append(await self.act(test))
            while self.compactor.undo():
                pass
            if await self.sent(test, self.compactor.aprepare(self.history)) is not None:
                while self.compactor.undo():
                    pass
                test.assertEqual(self.compactor.messages, self.history, "nothing is lost")
        except Exception as error:
            raise AssertionError(f"{done[-8:]}, then {self.doing}, {self.options}") from error


class Agents(unittest.TestCase):
    def test_agents_that_do_anything(self) -> None:
        for seed in range(AGENTS):
            with self.subTest(seed):
                asyncio.run(Agent(seed).live(self))


if __name__ == "__main__":
    unittest.main()
