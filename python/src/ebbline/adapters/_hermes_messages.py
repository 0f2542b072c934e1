"""The messages of Hermes Agent, as a provider is sent them, and as Hermes' database gives them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent.memory_manager import (  # pyright: ignore[reportMissingImports]
    sanitize_context,  # pyright: ignore[reportUnknownVariableType]
)

# What a provider is sent of a message. The rest is Hermes' own, and its database does not give all of it back.
_SENT = ("role", "content", "tool_calls", "tool_call_id")
# Hermes' mark of a message that is in its database.
STORED = "_db_persisted"


class Messages:
    """The messages of a session. Hermes' database trims texts, also those that a compactor wrote: they are known again by what is left."""

    def __init__(self, record: Mapping[str, Any] | None) -> None:
        self._written: dict[str, str] = {}
        changes: Any = (record or {}).get("changes") or []
        for change in changes:
            for made in (change.get("summary") or {}).get("made") or []:
                self._keep(made["becomes"])

    def _keep(self, written: Mapping[str, Any]) -> None:
        if isinstance(written.get("content"), str):
            self._written[_trimmed(written)] = written["content"]

    def sent(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """What a provider is sent of a message."""
        sent = sent_of(message)
        content = sent.get("content")
        return {**sent, "content": self._written.get(content, content)} if isinstance(content, str) else sent

    def restored(self, data: dict[str, Any], original: Mapping[str, Any] | None) -> dict[str, Any]:
        """A message that was made or changed, with what Hermes keeps of the one that it was."""
        if original is None:
            self._keep(data)
            return data
        return {**{name: value for name, value in original.items() if name not in (STORED, *_SENT)}, **data}


def sent_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """What a provider is sent of a message, however Hermes' database gave it back."""
    given = {**message, "content": _trimmed(message)}
    sent = {name: given[name] for name in _SENT if given.get(name) not in (None, "", [])}
    if sent.get("role") in ("user", "tool"):
        sent.setdefault("content", "")
    if sent.get("tool_calls"):
        sent["tool_calls"] = [_call(call) for call in sent["tool_calls"]]
    return sent


def is_same(view: Sequence[Any], messages: Sequence[Any]) -> bool:
    """Whether a provider would be sent the same."""
    return len(view) == len(messages) and all(sent_of(one) == sent_of(other) for one, other in zip(view, messages, strict=True))


def _trimmed(message: Mapping[str, Any]) -> Any:
    """The content of a message, as Hermes' database gives it back."""
    content: Any = message.get("content")
    is_text = isinstance(content, str) and message.get("role") in ("user", "assistant")
    return cast(str, sanitize_context(content)).strip() if is_text else content


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function: Mapping[str, Any] = call.get("function") or {}
    about = {"name": function.get("name"), "arguments": function.get("arguments")}
    return {"id": call.get("id"), "type": "function", "function": about}
