"""A session that grows: what is to be done is asked before every request, at a cost that depends only on what is new."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._arguments import DecisionOptions, SessionOptions
from ._engine import Instance
from ._messages import Codec, FromJson, ToJson
from ._options import milliseconds, refuse_former, written
from ._plans import Compacted, Decision, Plan

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Session:
    """Live messages under one policy. ``to_json`` and ``from_json``: see :class:`ebbline.Codec`."""

    def __init__(
        self, *, to_json: ToJson | None = None, from_json: FromJson | None = None, **options: Unpack[SessionOptions]
    ) -> None:
        self._codec = Codec(to_json, from_json)
        self._instance = Instance()
        self._instance.handle = self._instance.call("[static]session.open", written(options))
        self._messages: list[Any] = []

    @property
    def messages(self) -> list[Any]:
        """The messages: a copy of the list, with the very same objects."""
        return list(self._messages)

    def push(self, *messages: Any) -> None:
        """Adds messages."""
        self.extend(messages)

    def extend(self, messages: Iterable[Any]) -> None:
        """Adds messages."""
        added = list(messages)
        if added:
            self._instance.call("[method]session.push", self._instance.handle, self._codec.texts(added))
            self._messages.extend(added)

    def truncate(self, messages: int) -> None:
        """Forgets all but the first messages."""
        self._instance.call("[method]session.truncate", self._instance.handle, messages)
        del self._messages[messages:]

    def decide(self, **asking: Unpack[DecisionOptions]) -> Decision:
        """What is to be done now."""
        return Decision.of_record(self._instance.call("[method]session.decide", self._instance.handle, self._asking(**asking)))

    def plan(self, **asking: Unpack[DecisionOptions]) -> Plan:
        """The whole plan."""
        return Plan.of_json(self._instance.call("[method]session.plan", self._instance.handle, self._asking(**asking)))

    def apply(
        self, *, summary: str | None = None, now_seconds: float | None = None, **asking: Unpack[DecisionOptions]
    ) -> Compacted:
        """Carries the plan out. The session goes on with what is left. ``now_seconds``: the seconds since 1970."""
        now = milliseconds("now_seconds", now_seconds)
        changed = self._instance.call(
            "[method]session.apply", self._instance.handle, self._asking(**asking), summary, now
        )
        self._messages = self._codec.view(changed.view, self._messages)
        return Compacted(list(self._messages), None, Plan.of_json(changed.plan))

    def _asking(self, **asking: Unpack[DecisionOptions]) -> Any:
        refuse_former(asking)
        return self._record(**asking)

    def _record(
        self,
        *,
        force: bool | None = None,
        known_tokens: int | None = None,
        overhead: int | None = None,
        idle_seconds: float | None = None,
    ) -> Any:
        idle = milliseconds("idle_seconds", idle_seconds)
        return self._instance.record(force=force or False, known_tokens=known_tokens, overhead=overhead, idle=idle)
