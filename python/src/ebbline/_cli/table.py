"""A plan as a table: one row per message, the boundaries as lines between rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .figures import amount, counted, rounded
from .style import Style, printable
from .widths import fit, length
from .words import fate_of, reason_of, tokens, totals_of, verdict_of

_ROLE_WIDTH = 9
_FATE_WIDTH = 15
# The largest share of the width for the tools' column.
_TOOL_SHARE = 1 / 6
_SMALLEST_BAR = 8
_LARGEST_BAR = 30
_SMALLEST_REASON = 8
# Below this width there is no room for bars.
_NARROW = 72
_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█")

Message = dict[str, Any]


@dataclass(frozen=True)
class _Layout:
    """The widths of the columns, the size of the largest message, and the reason of the plan's pruning."""

    largest: int
    index: int
    cost: int
    tool: int
    bar: int
    reason: int
    pruning: str


def plan_table(name: str, report: dict[str, Any], plan: dict[str, Any], width: int, style: Style) -> str:
    """The table, which ends with a line break."""
    layout = _layout_of(report, plan, width)
    lines = [*_header_of(name, report, plan, style), "", style.dim(_titles_of(layout))]
    boundaries = _boundaries_of(plan)

    def add_boundaries(index: int) -> None:
        lines.extend(_boundary_line(label, width, style) for at, label in boundaries if at == index)

    for index, message in enumerate(plan["messages"]):
        add_boundaries(index)
        lines.append(_row_of(index, message, report["messages"][index], layout, style))
    add_boundaries(len(plan["messages"]))
    return "\n".join(lines) + "\n"


def _header_of(name: str, report: dict[str, Any], plan: dict[str, Any], style: Style) -> list[str]:
    trigger, problems = plan["trigger"], report["problems"]
    window = f"context window {amount(trigger['context'])}, summarises above {amount(trigger['threshold'])}"
    lines = [
        f"{style.strong(printable(name))}  {report['title']}: {printable(report['evidence'])}",
        style.dim(f"{plan['profile']}, {window}"),
        f"{verdict_of(plan)} {style.strong(totals_of(plan))}",
    ]
    if problems:
        first = problems[0]
        places = counted(len(problems), "place")
        lines.append(f"{places} could not be read; first: {first['message']}, line {first['line']}")
    return lines


def _layout_of(report: dict[str, Any], plan: dict[str, Any], width: int) -> _Layout:
    messages = plan["messages"]
    largest = max([1, *(message["tokensBefore"] for message in messages)])
    index = max(1, len(str(len(messages) - 1)))
    cost = max(6, len(amount(largest)))
    longest_tool = max([4, *(length(_tools_of(message)) for message in report["messages"])])
    tool = min(longest_tool, max(8, math.floor(width * _TOOL_SHARE)))
    left = width - (index + _ROLE_WIDTH + tool + cost + _FATE_WIDTH + 5 * 2)
    pruning = plan["prune"]["reason"]
    longest = max((length(reason_of(message, pruning)) for message in messages), default=0)
    bar = 0 if width < _NARROW else min(_LARGEST_BAR, max(_SMALLEST_BAR, left - 2 - longest))
    room = left - (bar + 2 if bar > 0 else 0)
    return _Layout(largest, index, cost, tool, bar, 0 if room < _SMALLEST_REASON else room, pruning)


def _titles_of(layout: _Layout) -> str:
    columns = ["#".rjust(layout.index), fit("role", _ROLE_WIDTH), fit("tool", layout.tool), "tokens".rjust(layout.cost)]
    if layout.bar > 0:
        columns.append(fit("", layout.bar))
    why = fit("why" if layout.reason > 0 else "", layout.reason)
    return "  ".join([*columns, fit("fate", _FATE_WIDTH), why]).rstrip()


def _row_of(index: int, message: Message, read: Message, layout: _Layout, style: Style) -> str:
    mark, word = fate_of(message["fate"])
    columns = [
        str(index).rjust(layout.index),
        fit(message["role"], _ROLE_WIDTH),
        fit(_tools_of(read), layout.tool),
        amount(message["tokensBefore"]).rjust(layout.cost),
    ]
    if layout.bar > 0:
        columns.append(_bar_of(message, layout))
    columns.extend([fit(f"{mark} {word}", _FATE_WIDTH), fit(reason_of(message, layout.pruning), layout.reason)])
    return _painted(message, "  ".join(columns).rstrip(), style)


def _painted(message: Message, row: str, style: Style) -> str:
    fate = message["fate"]
    if fate == "pruned":
        return style.pruned(row)
    if fate == "summarised":
        return style.summarised(row)
    return style.dim(row) if fate in ("inactive", "already_pruned") or message["role"] == "system" else row


def _tools_of(message: Message) -> str:
    """The names of the tools that a message calls or whose results it contains."""
    names = dict.fromkeys(part["toolName"] for part in message["parts"] if "toolName" in part)
    return printable(", ".join(names))


def _bar_of(message: Message, layout: _Layout) -> str:
    """A bar whose kept part is solid, to an eighth of a cell, and whose removed part is shaded."""
    before, after = message["tokensBefore"], message["tokensAfter"]

    def cells(cost: int) -> float:
        return min(cost, before) / layout.largest * layout.bar

    eighths = 0 if after == 0 else max(1, rounded(cells(after) * 8))
    stays = "█" * (eighths // 8) + _EIGHTHS[eighths % 8]
    whole = 0 if before == 0 else max(1, math.ceil(cells(before)))
    return fit(stays + ("░" * (whole - len(stays)) if after < before else ""), layout.bar)


def _boundaries_of(plan: dict[str, Any]) -> list[tuple[int, str]]:
    """The labels of the boundaries, with the index of the message that follows each."""
    prune, retain, lines = plan["prune"], plan["retain"], list[tuple[int, str]]()
    if prune["boundary"] is not None and prune["reason"] != "disabled":
        what = "older outputs are pruned" if prune["applied"] else "older outputs stay"
        lines.append((prune["boundary"]["message"] + 1, f"protection boundary: {what}"))
    if retain["boundary"] is not None and retain["reason"] != "disabled":
        what = "older messages are summarised" if retain["applied"] else "would begin here"
        is_nothing = retain["boundary"] >= len(plan["messages"])
        kept = "nothing is kept" if is_nothing else f"{tokens(retain['kept'])} from here"
        lines.append((retain["boundary"], f"retention window: {what}, {kept}"))
    return lines


def _boundary_line(label: str, width: int, style: Style) -> str:
    return style.boundary(f"── {label} {'─' * max(2, width - len(label) - 4)}")
