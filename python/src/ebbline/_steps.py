"""What was ever sent instead of messages of the log, so that any view that was ever given is recognized."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from typing import Any

from ._messages import Codec


@dataclasses.dataclass
class Step:
    """A message that was made or changed, and the place in the log to which it leads."""

    message: Any
    to: int
    seen: str | None = None


@dataclasses.dataclass
class Followed:
    """So many messages of a history are known, up to a place of the log."""

    known: int
    place: int
    # Messages of the log that are other objects now, and the same to the model.
    renewed: dict[int, Any]


class Steps:
    """From a place in the log, a message that was made or changed leads to a later place."""

    def __init__(self, codec: Codec, seen: Callable[[str], str]) -> None:
        self._codec = codec
        self._seen = seen
        self._from: dict[int, list[Step]] = {}

    def learn(self, entries: Sequence[Any], view: Sequence[Any], end: int) -> None:
        """Remembers the steps of a view. Its entries are those of the component; the log has ``end`` messages."""
        places = [entry if isinstance(entry, int) else entry.get("from") for entry in entries]
        place = 0
        for at, (entry, message, own) in enumerate(zip(entries, view, places, strict=True)):
            is_last = at + 1 == len(places)
            # Of several messages that were made, the last one stands for what is gone.
            after = end if is_last else places[at + 1]
            to: int = own + 1 if own is not None else place if after is None else after
            if not isinstance(entry, int) or own != place:
                steps = self._from.setdefault(place, [])
                if not any(step.message is message and step.to == to for step in steps):
                    steps.append(Step(message, to))
            place = to

    def cut(self, length: int) -> None:
        """Forgets the steps behind a place in the log."""
        for place, steps in list(self._from.items()):
            left = [step for step in steps if step.to <= length]
            if left and place <= length:
                self._from[place] = left
            else:
                del self._from[place]

    def followed(self, log: Sequence[Any], history: Sequence[Any]) -> Followed:
        """Follows a history from step to step, in one pass."""
        renewed: dict[int, Any] = {}
        place = 0
        is_leading = True
        for at, message in enumerate(history):
            is_known = place < len(log)
            if is_known and self._is_equal(log[place], message):
                is_leading = is_leading and _is_system(message)
                place += 1
                continue
            step = self._step(place, message)
            if step is not None:
                place, is_leading = step.to, False
                continue
            if not is_known:
                return Followed(at, place, renewed)
            is_leading = is_leading and _is_system(log[place]) and _is_system(message)
            if not is_leading and self._of(log[place]) != self._of(message):
                return Followed(at, place, renewed)
            renewed[place] = message
            place += 1
        return Followed(len(history), place, renewed)

    def _step(self, place: int, message: Any) -> Step | None:
        steps = self._from.get(place)
        if steps is None:
            return None
        for step in steps:
            if step.message is message:
                return step
        seen = self._of(message)
        for step in steps:
            if step.seen is None:
                step.seen = self._of(step.message)
            if step.seen == seen:
                return step
        return None

    def _is_equal(self, known: Any, message: Any) -> bool:
        if known is message:
            return True
        try:
            if type(known) is type(message) and known == message:
                return True
        except Exception:  # an object that cannot be compared
            pass
        return self._codec.text(known) == self._codec.text(message)

    def _of(self, message: Any) -> str:
        """What a model sees of a message."""
        seen: list[str] = json.loads(self._seen(f"[{self._codec.text(message)}]"))
        return seen[0]


def _is_system(message: Any) -> bool:
    """Whether a message is a system prompt."""
    get: Callable[[str], Any] = message.get if isinstance(message, dict) else lambda name: getattr(message, name, None)
    role = get("role") or get("type")
    return getattr(role, "value", role) in ("system", "developer")
