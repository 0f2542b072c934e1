"""The options of the engine that a command line describes, by their names in JSON."""

from __future__ import annotations

import re
from typing import Any

from .._errors import EbblineError
from .arguments import Values
from .exit import UsageError
from .javascript import number_of, parse
from .moment import moment_of

Options = dict[str, Any]

# The options that say how a session is read.
READING = ("format", "strict", "conversation")

# The greatest whole number that JavaScript has exactly: what the engine takes.
_MOST = 2**53 - 1
# The longest time that a timer of Node takes, in seconds.
_LONGEST = 2_147_483
# In milliseconds.
_MINUTE = 60_000
_AMOUNT = re.compile("[0-9][0-9_,]*")


def plan_options(values: Values) -> Options:
    """The options of a plan, and of what is done with a session."""
    model = given_of(context=amount_in(values, "context"), output=amount_in(values, "output-limit"))
    return given_of(
        profile=values.get("profile"),
        format=values.get("format"),
        strict=values.get("strict"),
        conversation=amount_in(values, "conversation", "a number, counted from 0"),
        force=values.get("force"),
        knownTokens=amount_in(values, "known-tokens"),
        overhead=amount_in(values, "overhead"),
        idle=amount_in(values, "idle"),
        now=_now(values.get("now")),
        freeBytes=values.get("free-bytes"),
        also=values.get("also"),
        # A word of Python.
        **{"except": values.get("except")},
        model=model or None,
        set=dict(knob(setting) for setting in values["set"]) if "set" in values else None,
    )


def request_options(values: Values) -> Options:
    """The options of a request for a summary."""
    asked = given_of(focus=values.get("focus"), budgetTokens=amount_in(values, "budget"))
    return {**plan_options(values), **asked}


def life_options(values: Values) -> Options:
    """The options of a replay."""
    shared = ("profile", *READING, "model", "set")
    options = {name: value for name, value in plan_options(values).items() if name in shared}
    lives = _lives(amount_in(values, "cache-lives", "a number of minutes"))
    cache = given_of(minimum=amount_in(values, "cache-minimum"), lives=lives)
    given = given_of(
        overhead=amount_in(values, "overhead"),
        usage=values.get("usage"),
        moments=values.get("moments"),
        rates=_rates(values.get("rates")),
        cache=cache or None,
    )
    return {**options, **given}


def seconds_in(values: Values) -> int | None:
    """How many seconds a command may take; ``None`` if that is left open."""
    seconds = amount_in(values, "timeout", "a number of seconds")
    if seconds is not None and not 1 <= seconds <= _LONGEST:
        raise UsageError(f"--timeout must be from 1 to {_LONGEST} seconds, not {values['timeout']}")
    return seconds


def jobs_in(values: Values) -> int | None:
    """How many threads work at once; ``None`` if that is left open."""
    jobs = amount_in(values, "jobs", "a number of threads")
    if jobs == 0:
        raise UsageError("--jobs must be 1 or more")
    return jobs


def amount_in(values: Values, name: str, what: str = "a number of tokens") -> int | None:
    """A whole number among the options; ``what`` it is, in words."""
    given = values.get(name)
    if given is None:
        return None
    if not _AMOUNT.fullmatch(given):
        raise UsageError(f"--{name} must be {what}, not {given}")
    digits = re.sub("[_,]", "", given).lstrip("0")
    # No more digits than the greatest number has: Python refuses to read thousands of them.
    number = int(digits[: len(str(_MOST)) + 1] or "0")
    if number > _MOST:
        raise UsageError(f"--{name} must be {what} of at most {_MOST}, not {given}")
    return number


def given_of(**values: Any) -> Options:
    """Those of the options that are given."""
    return {name: value for name, value in values.items() if value is not None}


def knob(setting: str) -> tuple[str, Any]:
    """``path=value``: the value is JSON, or else a text; for a knob that is a list, names separated by commas."""
    path, equals, value = setting.partition("=")
    if not equals or not path:
        raise UsageError(f"--set {setting} must be a path and a value: prune.protect=30000")
    try:
        read = parse(value)
    except ValueError:
        return path, value
    # JavaScript cannot represent such a number, so the engine reports it as written.
    return path, value if isinstance(read, float) and abs(read) == float("inf") else read


def _now(given: str | None) -> int | None:
    if given is None:
        return None
    moment = moment_of(given)
    if moment is None:
        what = "milliseconds since 1970, or a moment with its zone such as 2026-01-31T12:00:00Z"
        raise UsageError(f"--now must be {what}, not {given}")
    return moment


def _lives(minutes: int | None) -> int | None:
    """How long the cache lives, in milliseconds."""
    if minutes is not None and minutes * _MINUTE > _MOST:
        raise EbblineError("invalid_option", "the option cache.lives must be a number of 0 or more")
    return None if minutes is None else minutes * _MINUTE


def _rates(given: str | None) -> dict[str, float] | None:
    """Cached input, written input and output, as multiples of the price of fresh input."""
    if given is None:
        return None
    numbers = [number_of(number) for number in given.split(",")]
    if len(numbers) == 3 and all(0 <= number < float("inf") for number in numbers):
        return dict(zip(("cached", "written", "output"), numbers))
    what = "three numbers, for cached input, written input and output, such as 0.1,1.25,5"
    raise UsageError(f"--rates must be {what}; not {given}")
