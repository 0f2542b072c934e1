"""Comma-separated values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .javascript import stringify

_QUOTED = re.compile('[",\r\n]')


def csv_of(rows: Sequence[dict[str, Any]]) -> str:
    """Rows below a row of titles: what of the first row is no list and no object."""
    first = rows[0] if rows else {}
    titles = [title for title, value in first.items() if not isinstance(value, (dict, list))]
    return "".join(_line(cells) for cells in [titles, *([row.get(title) for title in titles] for row in rows)])


def _line(cells: Sequence[Any]) -> str:
    return ",".join(map(_cell, cells)) + "\n"


def _cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else stringify(value)
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if _QUOTED.search(text) else text
