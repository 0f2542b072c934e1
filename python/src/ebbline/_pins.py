"""What stays word for word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._errors import EbblineError


@dataclass(frozen=True)
class Pin:
    """What is pinned: everything that fits all members of a pin that are given. In a glob, ``*`` stands for anything but a
    slash and ``**`` for anything."""

    tool: str | None = None
    """A glob of a tool's name: its outputs."""
    contains: str | None = None
    """A text that the part contains."""
    path: str | None = None
    """A glob of a path among the arguments of a call: its output."""
    message: Callable[[Any, int], bool] | None = None
    """Whether a message is meant: all of its parts. The second argument is its place in the history."""


class Pins:
    """The pins of a compactor. The component has them all but the functions, which are called here."""

    def __init__(self, pins: Sequence[Pin | Mapping[str, Any]]) -> None:
        self.rules: list[dict[str, Any]] = []
        self._tests: list[tuple[int, Callable[..., object]]] = []
        for number, pin in enumerate(pins):
            given = vars(pin) if isinstance(pin, Pin) else dict(pin)
            rule = {name: value for name, value in given.items() if value is not None}
            test = rule.get("message")
            if test is not None:
                if not callable(test):
                    raise EbblineError("invalid_option", "`message` of a pin must be a function of a message and its place")
                self._tests.append((number, test))
                rule["message"] = True
            self.rules.append(rule)

    def meant(self, messages: Sequence[Any], first: int) -> list[tuple[int, list[int]]]:
        """For each pin with a function the places of those messages that it means; the first of them stands at ``first``."""
        return [
            (number, [first + at for at, message in enumerate(messages) if test(message, first + at) is True])
            for number, test in self._tests
        ]
