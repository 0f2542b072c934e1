"""Options, in Python's spelling, as the engine reads them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, cast

from ._errors import EbblineError

_NAMES = {
    "known_tokens": "knownTokens",
    "free_bytes": "freeBytes",
    "budget_tokens": "budgetTokens",
    "cache_check": "cacheCheck",
    "context_window": "contextWindow",
    "desired_max_output": "desiredMaxOutput",
}


# What Python says in seconds and the engine takes in milliseconds: the name here, and the engine's.
_SECONDS = {"idle_seconds": "idle", "now_seconds": "now", "lives_seconds": "lives"}
_FORMER = {name: here for here, name in _SECONDS.items()}


def written(options: Mapping[str, object]) -> str:
    """The options as JSON. The engine refuses a name or a value that it does not know."""
    given = {name: value for name, value in options.items() if value is not None}
    return _as_json({_NAMES.get(name, name): value for name, value in _in_milliseconds(given).items()})


def milliseconds(name: str, seconds: object) -> int | None:
    """Seconds as the engine takes them; ``None`` if there are none."""
    if seconds is None:
        return None
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and math.isfinite(seconds) and seconds >= 0:
        return round(seconds * 1000)
    raise EbblineError("invalid_option", f"the option {name} must be a number of seconds of 0 or more")


def refuse_former(options: Mapping[str, object]) -> None:
    """Refuses the engine's own names of what is in seconds here: the figures would mean something else."""
    for name in options:
        if name in _FORMER:
            raise EbblineError("invalid_option", f"the option {name} is called {_FORMER[name]}, and is a number of seconds")


def _in_milliseconds(given: Mapping[str, object]) -> dict[str, object]:
    refuse_former(given)
    return {
        _SECONDS.get(name, name): milliseconds(name, value) if name in _SECONDS else _inside(name, value)
        for name, value in given.items()
    }


def _inside(name: str, value: object) -> object:
    """The same of what an option holds: a cache, a test, tests that are joined."""
    if name in ("cache", "when") and isinstance(value, Mapping):
        return _in_milliseconds(cast("Mapping[str, object]", value))
    if name in ("all", "any") and isinstance(value, (list, tuple)):
        return [_inside("when", test) for test in cast("list[object]", value)]
    return value


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
