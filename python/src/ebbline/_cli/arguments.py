"""The commands and the options that each of them takes. Names are those of ``npx ebbline``."""

from __future__ import annotations

import re
from typing import Any

from .exit import UsageError
from .nearest import nearest
from .parsing import FLAG, VALUE, VALUES, parsed

Values = dict[str, Any]

_COMMON = {"help": FLAG, "version": FLAG, "color": VALUE, "json": FLAG}
_READING = {"format": VALUE, "strict": FLAG, "conversation": VALUE}
_DECIDING = {
    "profile": VALUE,
    "set": VALUES,
    "context": VALUE,
    "output-limit": VALUE,
    "known-tokens": VALUE,
    "overhead": VALUE,
    "idle": VALUE,
    "force": FLAG,
}
_LIVING = {
    "profile": VALUE,
    "set": VALUES,
    "context": VALUE,
    "output-limit": VALUE,
    "overhead": VALUE,
    "usage": VALUE,
    "rates": VALUE,
    "moments": VALUE,
    "cache-minimum": VALUE,
    "cache-lives": VALUE,
    "csv": FLAG,
}
_WRITING = {"out": VALUE, "now": VALUE, "free-bytes": FLAG, "record": VALUE}
_RULES = {"also": VALUES, "except": VALUES}
_OF_ONE_ANSWER = {"focus": VALUE, "budget": VALUE}

# The options of each command.
COMMANDS: dict[str, dict[str, int]] = {
    "detect": _COMMON,
    "plan": {**_COMMON, **_READING, **_DECIDING, "check": FLAG},
    "inspect": {**_COMMON, **_READING, "profile": VALUE, "set": VALUES},
    "compact": {**_COMMON, **_READING, **_DECIDING, **_WRITING, "summary": VALUE},
    "summarize": {**_COMMON, **_READING, **_DECIDING, **_WRITING, "with": VALUE, "timeout": VALUE, **_OF_ONE_ANSWER},
    "undo": {**_COMMON, "record": VALUE, "out": VALUE},
    "recall": {**_COMMON, **_READING, "record": VALUE},
    "repair": {**_COMMON, **_READING, **_RULES, "out": VALUE},
    "validate": {**_COMMON, **_READING, **_RULES},
    "summary-request": {**_COMMON, **_READING, **_DECIDING, **_OF_ONE_ANSWER, "answer": VALUE},
    "profiles": _COMMON,
    "replay": {**_COMMON, **_READING, **_LIVING, "svg": VALUE, "cache-check": FLAG},
    "compare": {**_COMMON, **_READING, **_LIVING, "policies": VALUE, "loss": FLAG, "jobs": VALUE},
    "sweep": {
        **_COMMON,
        **_READING,
        **_LIVING,
        "policy": VALUE,
        "policies": VALUE,
        "window": VALUE,
        "grid": VALUE,
        "svg": VALUE,
        "jobs": VALUE,
    },
    "audit": {**_COMMON, **_READING, "check": FLAG, "jobs": VALUE},
}
_LETTERS = {"h": "help", "V": "version", "o": "out"}
_COLORS = ("auto", "always", "never")
_UNKNOWN = re.compile(r"Unknown option '--([^']+)'")


def parse(arguments: list[str]) -> tuple[str | None, list[str], Values]:
    """The command, the files, and the values of options."""
    at = next((at for at, argument in enumerate(arguments) if not argument.startswith("-")), None)
    command = None if at is None else arguments[at]
    if command is not None and command not in COMMANDS:
        meant = nearest(command, COMMANDS)
        there_are = "there are" if meant is None else f"did you mean {meant}? There are"
        raise UsageError(f"there is no command {command}; {there_are} {', '.join(COMMANDS)}")
    rest = arguments if at is None else arguments[:at] + arguments[at + 1 :]
    options = _COMMON if command is None else COMMANDS[command]
    try:
        files, values = parsed(rest, options, _LETTERS)
    except ValueError as error:
        raise UsageError(_with_meant(str(error), options)) from None
    if values.get("color", "auto") not in _COLORS:
        raise UsageError(f"--color must be one of {', '.join(_COLORS)}")
    return command, files, values


def _with_meant(sentence: str, options: dict[str, int]) -> str:
    unknown = _UNKNOWN.match(sentence)
    meant = None if unknown is None else nearest(unknown[1], options)
    return sentence if meant is None else f"{sentence}; did you mean --{meant}?"
