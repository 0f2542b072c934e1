"""The round figures of a scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .figures import precise

# So many steps a scale has at most.
_STEPS = 6
# Figures that differ by a smaller share than this are the same: sums of fractions differ by that much.
_SAME = 1e-9
# Without the trace that binary fractions leave.
_DIGITS = 12


@dataclass(frozen=True)
class Scale:
    """Round figures at equal distances."""

    ticks: tuple[float, ...]

    @property
    def first(self) -> float:
        """Where the scale begins."""
        return self.ticks[0]

    @property
    def last(self) -> float:
        """Where it ends."""
        return self.ticks[-1]


def scale_of(least: float, most: float, is_whole: bool = False) -> Scale:
    """A scale that covers figures. Without a difference between them it is one step long; on a whole one are only whole
    numbers."""
    difference = most - least
    step = _step_of(difference if difference > abs(most) * _SAME else 0, is_whole)
    first = math.floor(least / step)
    last = max(math.ceil(most / step), first + 1)
    return Scale(tuple(precise(at * step, _DIGITS) for at in range(first, last + 1)))


def _step_of(difference: float, is_whole: bool) -> float:
    """1, 2 or 5, and zeros."""
    least = difference / _STEPS if difference > 0 else 1
    power = 10.0 ** math.floor(math.log10(least))
    step = next((figure * power for figure in (1, 2, 5, 10) if figure * power >= least), power * 10)
    return max(1, math.ceil(step)) if is_whole else step
