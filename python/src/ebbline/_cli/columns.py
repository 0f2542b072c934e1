"""Tables of aligned columns: texts to the left, figures to the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .figures import amount
from .widths import length, pad_end, pad_start

Row = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column: its title, and what stands in it of a row."""

    title: str
    of: Callable[[Row], str]
    is_left: bool = False


def aligned_table(columns: Sequence[Column], rows: Sequence[Row]) -> list[str]:
    """The lines of a table, that of the titles first."""
    cells = [[column.of(row) for column in columns] for row in rows]
    widths = [max([length(column.title), *(len(row[at]) for row in cells)]) for at, column in enumerate(columns)]
    lines: list[str] = []
    for row in [[column.title for column in columns], *cells]:
        aligned = [
            pad_end(cell, width) if column.is_left else pad_start(cell, width)
            for cell, width, column in zip(row, widths, columns)
        ]
        lines.append("  ".join(aligned).rstrip())
    return lines


def known(figure: Any, shown: Callable[[Any], str]) -> str:
    """A figure that may not be known."""
    return "-" if figure is None else shown(figure)


def figure(member: str) -> Callable[[Row], str]:
    """What stands in the column of a figure."""
    return lambda row: amount(row[member])


def known_figure(member: str) -> Callable[[Row], str]:
    """The same, if it may not be known."""
    return lambda row: known(row[member], amount)
