"""Messages: the caller's objects as JSON, and back. What the engine leaves alone comes back as the very same object."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._errors import EbblineError

ToJson = Callable[[Any], Any]
FromJson = Callable[[Any, Any], Any]


class Codec:
    """How messages become JSON, and how JSON becomes a message again.

    ``to_json`` gives plain data for a message; without it, dicts are taken as they are, and objects by ``model_dump``
    (pydantic), their fields (dataclasses) or ``__dict__``. ``from_json`` is called with plain data and the message that was
    changed, or ``None`` for one that was made; without it, pydantic models are validated, and the rest is plain data.
    """

    def __init__(self, to_json: ToJson | None = None, from_json: FromJson | None = None) -> None:
        self._to_json = to_json
        self._from_json = from_json

    def text(self, message: Any) -> str:
        """The message as JSON."""
        data = self._to_json(message) if self._to_json is not None else message
        try:
            text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=_plain)
            if not text.isascii():
                try:
                    text.encode()
                except UnicodeEncodeError:
                    text = json.dumps(data, separators=(",", ":"), default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise EbblineError("invalid_message", f"a message cannot be written as JSON: {error}") from error
        return text

    def texts(self, messages: Sequence[Any]) -> str:
        """The messages as a JSON array."""
        return "[" + ",".join(self.text(message) for message in messages) + "]"

    def message(self, data: Any, original: Any) -> Any:
        """The message that plain data is."""
        if self._from_json is not None:
            return self._from_json(data, original)
        validate: Any = getattr(original, "model_validate", None)
        return validate(data) if callable(validate) else data

    def view(self, view: str, messages: Sequence[Any]) -> list[Any]:
        """The messages of a view, as the component says it."""
        return [
            messages[entry]
            if isinstance(entry, int)
            else self.message(entry["message"], messages[entry["from"]] if "from" in entry else None)
            for entry in json.loads(view)
        ]


def _plain(value: Any) -> Any:
    """Plain data for what JSON has no words for."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, (bytes, bytearray)):
        import base64

        return base64.b64encode(value).decode()
    members = getattr(value, "__dict__", None)
    if isinstance(members, dict):
        return members  # pyright: ignore[reportUnknownVariableType]
    raise TypeError(f"{type(value).__name__} is no plain data; pass `to_json`")
