"""The size of the context over the requests of a replay, as an SVG file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .figures import amount, counted
from .figures import rounded as whole
from .scale import scale_of
from .svg import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, Axes, line, rounded, shortened, svg_file, width_of, words

_STYLE = """
.size { fill: var(--fill); }
.curve { fill: none; stroke: var(--line); stroke-width: 1.5; stroke-linejoin: round; }
.limit { stroke: var(--limit); stroke-width: 1.2; }
.threshold { stroke-dasharray: 6 4; }
.of-limit { fill: var(--limit); font-size: 12px; }
.pruned { fill: var(--pruned); }
.summarised { fill: var(--summarised); }"""
# Requests that are larger than this many are drawn as the largest of each group.
_MOST_POINTS = 800
# The longest title.
_TITLE = 90
# A window that is farther from being full would press the curve to the ground.
_FARTHEST = 3


def replay_svg(name: str, life: dict[str, Any]) -> str:
    """The file."""
    compactions, window, threshold = life["compactions"], life["window"], life["threshold"]
    sizes = [request["tokens"] + life["overhead"] for request in life["requests"]]
    largest = max([1, *sizes])
    named = [(threshold, "limit threshold", "full from"), (window, "limit", "window")]
    limits = [limit for limit in named if limit[0] is not None and limit[0] <= largest * _FARTHEST]
    axes = Axes(
        scale_of(0, max(1, len(sizes) - 1), is_whole=True),
        scale_of(0, max([largest, *(at for at, _, _ in limits)]), is_whole=True),
    )
    summaries = sum(compaction["retain"]["applied"] for compaction in compactions)
    prunes = len(compactions) - summaries
    made = "1 summary" if summaries == 1 else f"{amount(summaries)} summaries"
    limit = "" if window is None else f"; window {amount(window)} tokens, full from {amount(threshold)}"
    cost = amount(whole(life["cost"]))
    done = f"{counted(len(sizes), 'request')}, {counted(prunes, 'prune')}, {made}"
    what = f"{done}; cost {cost} fresh input tokens{limit}"
    title = f"{name} under {life['profile']}"
    panel = [
        words(LEFT, 34, shortened(title, _TITLE), "title"),
        words(LEFT, 55, what, "quiet"),
        *axes.lines("requests", "tokens of the request", drop=12),
        *_curve_of(sizes, axes),
        *(part for at, kind, label in limits for part in _limit_of(axes.y_of(at), kind, f"{label} {amount(at)}")),
        *(_mark_of(axes.x_of(done["request"]), done["retain"]["applied"]) for done in compactions),
        *_legend_of(prunes > 0, summaries > 0),
    ]
    return svg_file(title, f"The size of the context at each request. {what}.", _STYLE, [panel])


def _curve_of(sizes: list[int], axes: Axes) -> list[str]:
    """The curve, and what lies below it. Of neighbours that share a pixel, the largest and the smallest are drawn."""
    each = max(1, math.ceil(2 * len(sizes) / _MOST_POINTS))
    places: list[int] = []
    for first in range(0, len(sizes), each):
        group = sizes[first : first + each]
        places += sorted({first + group.index(max(group)), first + group.index(min(group))})
    curve = "L".join(f"{rounded(axes.x_of(at))} {rounded(axes.y_of(sizes[at]))}" for at in places)
    ground = rounded(axes.y_of(0))
    start, end = rounded(axes.x_of(0)), rounded(axes.x_of(len(sizes) - 1))
    return [
        f'<path class="size" d="M{start} {ground}L{curve}L{end} {ground}Z"/>',
        f'<path class="curve" d="M{curve}"/>',
    ]


def _limit_of(y: float, kind: str, label: str) -> list[str]:
    end = WIDTH - RIGHT
    return [line(LEFT, y, end, y, kind), words(end - 4, y - 6, label, "of-limit", "end")]


def _mark_of(x: float, is_summary: bool) -> str:
    """A mark below the axis: a triangle for a prune, a diamond for a summary."""
    y = HEIGHT - BOTTOM + 3
    if is_summary:
        return f'<path class="summarised" d="M{rounded(x)} {y}l5 6l-5 6l-5 -6Z"/>'
    return f'<path class="pruned" d="M{rounded(x)} {y}l4.5 8h-9Z"/>'


def _legend_of(has_prunes: bool, has_summaries: bool) -> Iterator[str]:
    x: float = LEFT + 6
    for is_shown, is_summary, text in ((has_prunes, False, "outputs pruned"), (has_summaries, True, "summary made")):
        if is_shown:
            mark = f'<g transform="translate(0 {BOTTOM - 3 - 32})">{_mark_of(x, is_summary)}</g>'
            yield mark + words(x + 13, HEIGHT - 22, text, "tick")
            x += width_of(text) + 44
