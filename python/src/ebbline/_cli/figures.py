"""Figures as JavaScript rounds and writes them."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal

from .javascript import written

# From here on, `toFixed` writes an exponent.
_LARGEST = 1e21
# How many digits behind the point a figure in words has at most.
_FRACTION = Decimal("0.001")
# Enough digits for every double.
_WIDE = Context(prec=1_200)


def amount(number: float) -> str:
    """``1,234,567``, with at most three digits behind the point."""
    if isinstance(number, float):
        figure = Decimal(written(number)).quantize(_FRACTION, ROUND_HALF_UP, _WIDE)
        return f"{figure:,f}".rstrip("0").rstrip(".")
    return f"{number:,}" if abs(number) < 2**53 else amount(float(number))


def counted(number: int, noun: str) -> str:
    """``1 output``, ``3 outputs``"""
    return f"{amount(number)} {noun}{'' if number == 1 else 's'}"


def fixed(number: float, digits: int) -> str:
    """What ``toFixed`` gives: the digits of the exact value, and halves are rounded up."""
    if abs(number) >= _LARGEST:
        return written(float(number))
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _WIDE):f}"


def precise(number: float, digits: int) -> float:
    """The number that ``toPrecision`` gives."""
    if number == 0 or not math.isfinite(number):
        return number
    return float(Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(Decimal(number)))


def rounded(number: float) -> int:
    """What ``Math.round`` gives: halves go up."""
    whole = math.floor(number)
    return whole + 1 if number - whole >= 0.5 else whole


def percent(share: float) -> str:
    """A share as a percentage; small changes of a cost matter, so it has a decimal."""
    return f"{fixed(share * 100, 1)} %"
