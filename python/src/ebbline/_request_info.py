"""What the caller says of one call."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from ._errors import EbblineError
from ._model import Model, Summarize
from ._options import milliseconds, written_model


@dataclasses.dataclass
class RequestInfo:
    """What is known of a request: the members of the component's record but the time, and the model that writes its summaries."""

    members: dict[str, Any]
    asks: Model | None

    @classmethod
    def of(
        cls,
        limits: tuple[float | None, bool],
        *,
        idle_seconds: float | None = None,
        focus: str | None = None,
        notes: str | None = None,
        summarize: Summarize | None = None,
        target: int | None = None,
        known_tokens: int | None = None,
        model: Mapping[str, Any] | None = None,
    ) -> RequestInfo:
        """What the options of a call say. ``limits``: how long a model may take, and whether that holds for a plain one, too."""
        if summarize is not None and not callable(summarize):  # pyright: ignore[reportUnnecessaryComparison]
            raise EbblineError("invalid_option", "the option summarize of a call must be a function")
        members = {
            "focus": _text("focus", focus),
            "notes": _text("notes", notes),
            "model": written_model(model),
            "has_model": summarize is not None,
            "target": _amount("target", target),
            "known_tokens": _amount("known_tokens", known_tokens),
            "idle": milliseconds("idle_seconds", idle_seconds),
        }
        return cls(members, None if summarize is None else Model(summarize, *limits))


def _text(name: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise EbblineError("invalid_option", f"the option {name} must be a text")


def _amount(name: str, value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= 0:
        return int(value)
    raise EbblineError("invalid_option", f"the option {name} must be a number of 0 or more")
