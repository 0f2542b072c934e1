"""JSON as JavaScript writes it, so that a program gets the same bytes from every command line."""

from __future__ import annotations

import json
import re
from typing import Any, cast

_INDEX = re.compile(r"0|[1-9]\d{0,9}")
_HALF = re.compile("[\ud800-\udfff]")
# From here on, JavaScript writes an exponent.
_LARGEST = 1e21
_SMALLEST = 1e-6


def stringify(value: Any) -> str:
    """The value as ``JSON.stringify`` writes it."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return "{" + ",".join(f"{_text(name)}:{stringify(members[name])}" for name in _ordered(members)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(stringify(element) for element in value) + "]"  # pyright: ignore[reportUnknownVariableType]
    return json.dumps(value)


def _text(text: str) -> str:
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", json.dumps(text, ensure_ascii=False))


def _number(number: float) -> str:
    if number != number or number in (float("inf"), float("-inf")):
        return "null"
    if number == int(number) and abs(number) < _LARGEST:
        return str(int(number))
    text = repr(number)
    if "e" not in text:
        return text
    digits, _, exponent = text.partition("e")
    power = int(exponent)
    if abs(number) < _SMALLEST or abs(number) >= _LARGEST:
        return f"{digits}e{power:+d}"
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    return f"{sign}0.{'0' * (-power - 1)}{digits.replace('.', '')}"


def _ordered(members: dict[str, Any]) -> list[str]:
    """JavaScript puts names that are indices of an array first."""
    indices = sorted((name for name in members if _INDEX.fullmatch(name) and int(name) < 2**32 - 1), key=int)
    return [*indices, *(name for name in members if name not in indices)] if indices else list(members)
