"""The command line: its commands, their options, and what the options mean. Names are those of ``npx ebbline``."""

from __future__ import annotations

import datetime
import difflib
import json
import re
from typing import Any

# What an option holds: nothing, a text, or a text each time that it is given.
_FLAG, _TEXT, _LIST = 0, 1, 2
_COMMON = {"help": _FLAG, "version": _FLAG, "color": _TEXT, "json": _FLAG}
_READING = {"format": _TEXT, "strict": _FLAG, "conversation": _TEXT}
_LIVING = {"profile": _TEXT, "set": _LIST, "context": _TEXT, "output-limit": _TEXT, "overhead": _TEXT}
_DECIDING = {**_LIVING, "known-tokens": _TEXT, "idle": _TEXT, "force": _FLAG}
_RULES = {"also": _LIST, "except": _LIST}

COMMANDS: dict[str, dict[str, int]] = {
    "detect": {**_COMMON},
    "plan": {**_COMMON, **_READING, **_DECIDING, "check": _FLAG},
    "inspect": {**_COMMON, **_READING, "profile": _TEXT, "set": _LIST},
    "compact": {**_COMMON, **_READING, **_DECIDING, "out": _TEXT, "now": _TEXT, "free-bytes": _FLAG, "summary": _TEXT},
    "validate": {**_COMMON, **_READING, **_RULES},
    "repair": {**_COMMON, **_READING, **_RULES, "out": _TEXT},
    "summary-request": {**_COMMON, **_READING, **_DECIDING, "focus": _TEXT, "budget": _TEXT, "answer": _TEXT},
    "profiles": {**_COMMON},
    "replay": {**_COMMON, **_READING, **_LIVING, "usage": _TEXT, "rates": _TEXT},
    "audit": {**_COMMON, "check": _FLAG},
}
# What the other command lines have beside these.
ELSEWHERE = ("summarize", "undo", "recall", "compare", "sweep")
_OPTIONS_ELSEWHERE = {
    "compact": ("record",),
    "replay": ("moments", "cache-minimum", "cache-lives", "cache-check", "csv", "svg"),
    "audit": ("format", "strict", "conversation", "jobs"),
}
_SHORT = {"h": "help", "V": "version", "o": "out"}
_MOST = 2**53 - 1
_LATEST = 8_640_000_000_000_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?", re.ASCII)

Values = dict[str, Any]


class UsageError(Exception):
    """A mistake on the command line."""


def parse(arguments: list[str]) -> tuple[str | None, list[str], Values]:
    """The command, the files, and the values of options."""
    at = next((at for at, argument in enumerate(arguments) if not argument.startswith("-")), None)
    command = None if at is None else arguments[at]
    if command in ELSEWHERE:
        raise UsageError(f"this command line has no {command}: `npx ebbline {command}` has it, and the native one")
    if command is not None and command not in COMMANDS:
        meant = difflib.get_close_matches(command, COMMANDS, 1)
        there_are = f"did you mean {meant[0]}? There are" if meant else "there are"
        raise UsageError(f"there is no command {command}; {there_are} {', '.join(COMMANDS)}")
    rest = list(arguments) if at is None else arguments[:at] + arguments[at + 1 :]
    files, values = _parsed(rest, command)
    if values.get("color", "auto") not in ("auto", "always", "never"):
        raise UsageError("--color must be one of auto, always, never")
    return command, files, values


def _parsed(rest: list[str], command: str | None) -> tuple[list[str], Values]:
    options = _COMMON if command is None else COMMANDS[command]
    files: list[str] = []
    values: Values = {}
    waiting = list(rest)
    while waiting:
        argument = waiting.pop(0)
        if argument == "--":
            files.extend(waiting)
            break
        if not argument.startswith("-") or argument == "-":
            files.append(argument)
            continue
        if argument.startswith("--"):
            name, has_value, value = argument[2:].partition("=")
        else:
            name = _SHORT.get(argument[1], argument[1])
            has_value, value = ("=", argument[2:]) if len(argument) > 2 else ("", "")
        _put(values, options, command, name, value if has_value else None, waiting)
    return files, values


def _put(
    values: Values, options: dict[str, int], command: str | None, name: str, value: str | None, waiting: list[str]
) -> None:
    if name not in options:
        if name in _OPTIONS_ELSEWHERE.get(command or "", ()):
            raise UsageError(f"this command line has no {command} --{name}: `npx ebbline {command}` has it, and the native one")
        meant = difflib.get_close_matches(name, options, 1)
        raise UsageError(f"Unknown option '--{name}'" + (f"; did you mean --{meant[0]}?" if meant else ""))
    kind = options[name]
    if kind == _FLAG:
        if value is not None:
            raise UsageError(f"Option '--{name}' does not take an argument")
        values[name] = True
        return
    if value is None:
        if not waiting or (waiting[0].startswith("-") and waiting[0] != "-"):
            raise UsageError(f"Option '--{name} <value>' argument missing")
        value = waiting.pop(0)
    if kind == _LIST:
        values.setdefault(name, []).append(value)
    else:
        values[name] = value


def options_of(values: Values) -> dict[str, Any]:
    """The options of the package's functions that the values describe."""
    model = _given(context=_amount(values, "context"), output=_amount(values, "output-limit"))
    return _given(
        profile=values.get("profile"),
        format=values.get("format"),
        strict=values.get("strict"),
        conversation=_amount(values, "conversation", "a number, counted from 0"),
        force=values.get("force"),
        known_tokens=_amount(values, "known-tokens"),
        overhead=_amount(values, "overhead"),
        idle=_amount(values, "idle"),
        now=_moment(values.get("now")),
        free_bytes=values.get("free-bytes"),
        also=values.get("also"),
        except_=values.get("except"),
        focus=values.get("focus"),
        budget_tokens=_amount(values, "budget"),
        usage=values.get("usage"),
        rates=_rates(values.get("rates")),
        model=model or None,
        set=dict(_knob(setting) for setting in values["set"]) if "set" in values else None,
    )


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _knob(setting: str) -> tuple[str, Any]:
    """``path=value``: the value is JSON, or else a text."""
    path, equals, value = setting.partition("=")
    if not equals or not path:
        raise UsageError(f"--set {setting} must be a path and a value: prune.protect=30000")
    try:
        return path, json.loads(value, parse_constant=_no_json)
    except ValueError:
        return path, value


def _no_json(name: str) -> Any:
    raise ValueError(name)


def _amount(values: Values, name: str, what: str = "a number of tokens") -> int | None:
    given = values.get(name)
    if given is None:
        return None
    if not re.fullmatch(r"[0-9][0-9_,]*", given):
        raise UsageError(f"--{name} must be {what}, not {given}")
    number = int(re.sub("[_,]", "", given)[:400])
    if number > _MOST:
        raise UsageError(f"--{name} must be {what} of at most {_MOST}, not {given}")
    return number


def _moment(given: str | None) -> int | None:
    """Milliseconds since 1970, or a date. Without a zone it would mean different times in different places."""
    if given is None:
        return None
    moment = -1
    if re.fullmatch(r"[0-9]{1,16}", given):
        moment = int(given)
    elif _DATE.fullmatch(given):
        try:
            date = datetime.datetime.fromisoformat(given.replace("Z", "+00:00"))
            moment = int(date.replace(tzinfo=date.tzinfo or datetime.timezone.utc).timestamp() * 1000)
        except ValueError:
            pass
    if 0 <= moment <= _LATEST:
        return moment
    what = "milliseconds since 1970, or a moment with its zone such as 2026-01-31T12:00:00Z"
    raise UsageError(f"--now must be {what}, not {given}")


def _rates(given: str | None) -> dict[str, float] | None:
    if given is None:
        return None
    try:
        cached, written, output = (float(number) for number in given.split(","))
        if all(0 <= rate < float("inf") for rate in (cached, written, output)):
            return {"cached": cached, "written": written, "output": output}
    except ValueError:
        pass
    what = "three numbers, for cached input, written input and output, such as 0.1,1.25,5"
    raise UsageError(f"--rates must be {what}; not {given}")
