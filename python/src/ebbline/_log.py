"""The messages of a session that the component knows, and what is sent instead of them: the caller's own objects."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from ._messages import Codec
from ._steps import Steps


class Log:
    """What a compactor was given, and what it gave."""

    def __init__(self, codec: Codec, seen: Callable[[str], str]) -> None:
        self._codec = codec
        self.messages: list[Any] = []
        self.view: list[Any] = []
        # What was made or changed, so that it is the same object each time.
        self._made: dict[str, Any] = {}
        self._changes = 0
        self._steps = Steps(codec, seen)

    def compared(self, messages: Sequence[Any]) -> tuple[int, list[Any], dict[int, Any]]:
        """How many messages of the log stand, what is new behind them, and which are other objects, the same to the model."""
        followed = self._steps.followed(self.messages, messages)
        return followed.place, list(messages[followed.known :]), followed.renewed

    def renew(self, renewed: dict[int, Any]) -> None:
        """Takes known messages as they are now."""
        for place, message in renewed.items():
            self.messages[place] = message

    def take(self, keep: int, added: Sequence[Any]) -> None:
        """The first ``keep`` messages stand, and others come behind them."""
        if keep < len(self.messages):
            self._changes = -1
            self._steps.cut(keep)
        del self.messages[keep:]
        self.messages.extend(added)

    def cut(self, known: int) -> bool:
        """Forgets what the component does not know. Returns whether there was anything."""
        is_more = known < len(self.messages)
        if is_more:
            self._steps.cut(known)
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
        entries = json.loads(read())
        for entry in entries:
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
        self._steps.learn(entries, view, len(self.messages))
        return True

    def hand_out(self) -> list[Any]:
        """What is sent, as a list of the caller's."""
        return list(self.view)
