"""Stands between an agent and its scripted model, and judges each request."""

from __future__ import annotations

import json
import unittest
from collections.abc import Callable, Sequence
from typing import Any

import agent
import ebbline

STEPS = 200
WINDOW = 32_000
SMALL: dict[str, Any] = {"model": {"context": WINDOW}, "summarize": "deterministic"}


def output_of(number: int) -> str:
    """What the tool gives in a step: from under 1 kB to 18 kB."""
    return agent.step(number)[-2 if number % 5 == 4 else -1]["content"]


def remark_of(number: int) -> str:
    """What the model says in a step."""
    return f"I look at part {number}. " * 20


def characters(value: Any) -> int:
    """The characters of all texts in a message: what a library writes beside them is not sent."""
    if isinstance(value, dict):
        return sum(map(characters, value.values()))
    if isinstance(value, list):
        return sum(map(characters, value))
    return len(value) if isinstance(value, str) else 0


class Watch:
    """Each request must fit the window, be valid, and begin with the one before it unless something was compacted."""

    def __init__(
        self, test: unittest.TestCase, format: str, to_json: Callable[[Any], Any] | None = None, window: int = WINDOW
    ) -> None:
        self.tokens: list[int] = []
        self.events: list[dict[str, Any]] = []
        self.breaks = 0
        self._test = test
        self._format = format
        self._to_json = to_json
        self._window = window
        self._last: list[str] = []
        self._compacted = 0

    def on_event(self, event: dict[str, Any]) -> None:
        """To be given to the compactor."""
        self.events.append(event)

    @property
    def compactions(self) -> int:
        return sum(event["type"] == "compacted" for event in self.events)

    def request(self, messages: Sequence[Any]) -> None:
        """Judges a request."""
        number = len(self.tokens)
        data = [self._to_json(message) if self._to_json else message for message in messages]
        found = ebbline.validate(data, format=self._format)
        self._test.assertTrue(found.valid, (number, found.violations))
        self._test.assertEqual(found.pending, [], number)
        plan = ebbline.plan(data, format=self._format, model={"context": self._window})
        self.tokens.append(plan.tokens_before)
        self._test.assertLessEqual(plan.tokens_before, self._window, number)
        texts = [json.dumps(message, sort_keys=True) for message in data]
        # The engine's estimate is not the only witness.
        self._test.assertLess(sum(map(characters, data)), 4 * self._window, number)
        if self._last != texts[: len(self._last)]:
            self.breaks += 1
            self._test.assertGreater(self.compactions, self._compacted, (number, "a prefix changed by itself"))
        self._compacted = self.compactions
        self._last = texts

    def judge(self, requests: int) -> None:
        """At the end: as many requests, and something was compacted."""
        self._test.assertEqual(len(self.tokens), requests)
        self._test.assertGreater(self.compactions, 0)
        self._test.assertLessEqual(self.breaks, self.compactions)
        print(f"{requests} requests, at most {max(self.tokens)} tokens of {self._window}, {self.compactions} compactions")
