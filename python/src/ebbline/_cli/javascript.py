"""JSON and numbers as JavaScript reads and writes them: every command line takes the same and prints the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Any, cast

# What JavaScript's `trim` removes.
WHITE = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))

_WORDS = {None: "null", True: "true", False: "false"}
_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_HALF = re.compile("[\ud800-\udfff]")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BASES = {"0x": 16, "0o": 8, "0b": 2}
# From here on, JavaScript writes an exponent.
_LARGEST = 1e21
_SMALLEST = 1e-6
# From here on, not every whole number is a double.
_EXACT = 2**53


def stringify(value: Any) -> str:
    """The value as ``JSON.stringify`` writes it."""
    if isinstance(value, str):
        return _text(value)
    if value is None or value is True or value is False:
        return _WORDS[value]
    if isinstance(value, int):
        return str(value) if abs(value) < _EXACT else written(float(value))
    if isinstance(value, float):
        return written(value) if abs(value) < float("inf") else "null"
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return "{" + ",".join([f"{_text(name)}:{stringify(members[name])}" for name in _ordered(members)]) + "}"
    return "[" + ",".join([stringify(element) for element in cast(list[Any], value)]) + "]"


def parse(text: str) -> Any:
    """The value that ``JSON.parse`` reads: all numbers are doubles.

    Raises ``ValueError`` for what is no JSON.
    """
    try:
        return json.loads(text, parse_int=float, parse_constant=_no_json)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def number_of(text: str) -> float:
    """What ``Number(text)`` gives; ``nan`` for what is no number."""
    text = text.strip(WHITE)
    if text == "":
        return 0.0
    base = _BASES.get(text[:2].lower())
    if base is not None:
        digits = text[2:]
        try:
            return float(int(digits, base)) if digits.isalnum() and digits.isascii() else float("nan")
        except (ValueError, OverflowError):
            return float("nan")
    if text in ("Infinity", "+Infinity", "-Infinity"):
        return float(text)
    return float(text) if _DECIMAL.fullmatch(text) else float("nan")


def written(number: float) -> str:
    """A number as JavaScript writes it."""
    if number != number:
        return "NaN"
    if abs(number) == float("inf"):
        return "Infinity" if number > 0 else "-Infinity"
    if number == int(number) and abs(number) < _EXACT:
        return str(int(number))
    text = repr(number)
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits, _, exponent = text.partition("e")
    whole, _, fraction = digits.partition(".")
    fraction = "" if fraction == "0" else fraction
    power = int(exponent or 0)
    if abs(number) < _SMALLEST or abs(number) >= _LARGEST:
        return f"{sign}{whole}{'.' if fraction else ''}{fraction}e{power:+d}"
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{whole}{fraction}"
    whole, fraction = whole + fraction[:power].ljust(power, "0"), fraction[power:]
    return f"{sign}{whole}{'.' if fraction else ''}{fraction}"


def _no_json(name: str) -> Any:
    raise ValueError(name)


def _text(text: str) -> str:
    quoted = encode_basestring(text)
    return quoted if quoted.isascii() else _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", quoted)


def _ordered(members: dict[str, Any]) -> Iterable[str]:
    """JavaScript puts names that are indices of an array first."""
    indices = [name for name in members if name[:1].isdecimal() and _INDEX.fullmatch(name) and int(name) < 2**32 - 1]
    if not indices:
        return members
    return [*sorted(indices, key=int), *(name for name in members if name not in indices)]
