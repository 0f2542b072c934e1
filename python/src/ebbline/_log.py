"""The messages of a session that the component knows, and what is sent instead of them: the caller's own objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from ._messages import Codec


class Log:
    """What a compactor was given, and what it gave."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self.messages: list[Any] = []
        self.view: list[Any] = []
        # What was made or changed, so that it is the same object each time.
        self._made: dict[str, Any] = {}
        self._is_changed = False
        self._changes = 0
        # The list that the caller was given: it may come with it and more messages.
        self._given: list[Any] = []

    def compared(self, messages: Sequence[Any]) -> tuple[int, list[Any]]:
        """How many messages of the log stand, and what is new behind them."""
        known = self._same(self.messages, messages)
        if known < len(self.messages) and self._is_changed:
            # The view that was given, or the one of now, with more behind it.
            for view in (self._given, self.view):
                if view and self._same(view, messages) == len(view):
                    return len(self.messages), list(messages[len(view) :])
        return known, list(messages[known:])

    def _same(self, known: Sequence[Any], messages: Sequence[Any]) -> int:
        """How many of the first messages are those that are known: the same objects, or equal ones."""
        end = min(len(known), len(messages))
        for at in range(end):
            if known[at] is not messages[at] and not self._equal(known[at], messages[at]):
                return at
        return end

    def _equal(self, known: Any, message: Any) -> bool:
        try:
            if type(known) is type(message) and known == message:
                return True
        except Exception:  # an object that cannot be compared
            pass
        return self._codec.text(known) == self._codec.text(message)

    def take(self, keep: int, added: Sequence[Any]) -> None:
        """The first ``keep`` messages stand, and others come behind them."""
        if keep < len(self.messages):
            self._changes = -1
        del self.messages[keep:]
        self.messages.extend(added)

    def cut(self, known: int) -> bool:
        """Forgets what the component does not know. Returns whether there was anything."""
        is_more = known < len(self.messages)
        del self.messages[known:]
        return is_more

    def restore(self, restored: str, added: Sequence[Any]) -> None:
        """Takes the whole history over, as the component says it."""
        self.messages = self._codec.view(restored, added)

    def look(self, changes: int, read: Callable[[], str], added: Sequence[Any]) -> bool:
        """Takes the component's view over, if it is another one than before. Returns whether it is."""
        if changes == self._changes:
            self.view.extend(added)
            return False
        view: list[Any] = []
        for entry in json.loads(read()):
            if isinstance(entry, int):
                view.append(self.messages[entry])
                continue
            key = json.dumps(entry)
            if key not in self._made:
                original = self.messages[entry["from"]] if "from" in entry else None
                self._made[key] = self._codec.message(entry["message"], original)
            view.append(self._made[key])
        self.view = view
        self._changes = changes
        self._is_changed = True
        return True

    def hand_out(self) -> list[Any]:
        """What is sent, as a list of the caller's."""
        self._given = list(self.view)
        return list(self.view)
