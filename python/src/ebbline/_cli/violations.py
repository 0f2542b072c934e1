"""The rules that a session breaks, one place a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .figures import counted
from .style import Style, printable


def violation_list(name: str, title: str, found: dict[str, Any], style: Style) -> str:
    """One violation per line, then the calls without results."""
    violations, pending = found["violations"], found["pending"]
    verdict = style.good("valid") if not violations else counted(len(violations), "violation")
    waiting = "" if not pending else f", {counted(len(pending), 'call')} without a result yet"
    rows = violation_rows([*violations, *({**call, "rule": "pending"} for call in pending)], style)
    return "\n".join([f"{style.strong(printable(name))}  {title}: {verdict}{waiting}", *rows]) + "\n"


def violation_rows(all_of: Sequence[dict[str, Any]], style: Style) -> list[str]:
    """One line for each place that something is wrong with."""
    places = [
        f"line {place['line']}, message {place['message']}:" if "message" in place else f"line {place['line']}:"
        for place in all_of
    ]
    width = max(map(len, places), default=0)
    return [
        f"  {place.ljust(width)}  {printable(fault['text'])} {style.dim('(' + fault['rule'] + ')')}"
        for place, fault in zip(places, all_of)
    ]
