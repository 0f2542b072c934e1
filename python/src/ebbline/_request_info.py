"""What the caller says of one call."""

from __future__ import annotations

import dataclasses
from typing import Any

from ._errors import EbblineError
from ._model import Model, Summarize


@dataclasses.dataclass
class RequestInfo:
    """What is known of a request but the time, and the model that writes its summaries."""

    members: dict[str, Any]
    asks: Model | None

    @classmethod
    def of(cls, limits: tuple[float | None, bool], *, summarize: Summarize | None = None, **members: Any) -> RequestInfo:
        """What the options of a call say. ``limits``: how long a model may take, and whether that holds for a plain one, too."""
        if summarize is None:
            return cls(members, None)
        if not callable(summarize):  # pyright: ignore[reportUnnecessaryComparison]
            raise EbblineError("invalid_option", "the option summarize of a call must be a function")
        return cls({**members, "hasModel": True}, Model(summarize, *limits))
