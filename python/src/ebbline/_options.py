"""Options, in Python's spelling, as the engine reads them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ._errors import EbblineError

_NAMES = {
    "known_tokens": "knownTokens",
    "free_bytes": "freeBytes",
    "budget_tokens": "budgetTokens",
    "cache_check": "cacheCheck",
    "context_window": "contextWindow",
    "desired_max_output": "desiredMaxOutput",
}


def written(options: Mapping[str, Any]) -> str:
    """The options as JSON. The engine refuses a name or a value that it does not know."""
    return _as_json({_NAMES.get(name, name): value for name, value in options.items() if value is not None})


def written_model(model: Mapping[str, Any] | None) -> str | None:
    """A model as JSON, as it stands among the options: the engine knows one that it was told before."""
    if model is None:
        return None
    if not isinstance(model, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EbblineError("invalid_option", "the option model must be an object")
    return _as_json(model)


def _as_json(value: object) -> str:
    try:
        # As messages are written: a record holds some, and knows them by checksums.
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        text.encode()
        return text
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise EbblineError("invalid_option", f"an option cannot be written as JSON: {error}") from error
