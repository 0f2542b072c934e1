"""The grid of a sweep: from the command line, or from a file of JSON."""

from __future__ import annotations

import json
from typing import Any, cast

from .._errors import EbblineError
from .arguments import Values
from .engine import profiles
from .exit import FileError, UsageError
from .files import said, text_of_file
from .javascript import parse
from .options import Options, amount_in, given_of, knob

_MEMBERS = ("policy", "set", "windows", "policies")


def grid_for(values: Values) -> Options:
    """The grid that the command line describes. One that names nothing at all consists of every profile."""
    named = _grid_in(values)
    if "grid" in values:
        if named:
            raise UsageError("--grid FILE is a whole grid: nothing else of a grid can be given beside it")
        return _read_grid(values["grid"])
    if named.get("policies") == ["all"] or not any(name in named for name in ("policy", "set", "policies")):
        named["policies"] = [profile["name"] for profile in profiles()]
    return named


def has_window(grid: Options) -> bool:
    """Whether a window is given."""
    return "windows" in grid or "model.context" in grid.get("set", {})


def _grid_in(values: Values) -> Options:
    windows = _one_of(values, "window", "context")
    return given_of(
        policy=_one_of(values, "policy", "profile"),
        set=dict(map(_axis, values["set"])) if "set" in values else None,
        policies=values["policies"].split(",") if "policies" in values else None,
        windows=None if windows is None else [amount_in({"window": each}, "window") for each in windows.split(",")],
    )


def _one_of(values: Values, name: str, other: str) -> str | None:
    """Of two names for the same, the one that is given."""
    if name in values and other in values:
        raise UsageError(f"--{name} and --{other} are the same: give one")
    return values.get(name, values.get(other))


def _axis(setting: str) -> tuple[str, list[Any]]:
    """``path=value,value``: each value is JSON, or else a text. A list in JSON is a list of values."""
    path, values = knob(setting)
    if isinstance(values, list):
        return path, cast(list[Any], values)
    if not isinstance(values, str):
        return path, [values]
    return path, [knob(f"{path}={value}")[1] for value in values.split(",")]


def _read_grid(name: str) -> Options:
    text = text_of_file(name)
    try:
        grid = parse(text)
    except ValueError as error:
        why = f"it is no JSON ({error})" if isinstance(error, json.JSONDecodeError) else str(error)
        raise FileError(f"{said(name)} holds no grid: {why}") from None
    if not isinstance(grid, dict):
        raise EbblineError("invalid_option", "a grid must be an object")
    unknown = next((member for member in cast(Options, grid) if member not in _MEMBERS), None)
    if unknown is not None:
        raise EbblineError("invalid_option", f"a grid has no member {unknown}: it has {', '.join(_MEMBERS)}")
    return cast(Options, grid)
