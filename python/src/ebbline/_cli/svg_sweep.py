"""The points of a sweep by cost and loss, as an SVG file: one chart for each window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from .figures import amount, counted, fixed
from .points import Panel, Point, cost_of, drawn_order, labelled, line_of, panels_of, settings_of
from .scale import scale_of
from .svg import BOTTOM, HEIGHT, LEFT, TOP, WIDTH, Axes, escaped, rounded, svg_file, width_of, words

_STYLE = """
.best { fill: var(--best); stroke: var(--page); }
.beaten { fill: var(--page); stroke: var(--other); stroke-width: 1.5; }
.frontier { fill: none; stroke: var(--best); stroke-width: 1.5; stroke-dasharray: 5 4; }
.of-best { font-weight: 600; }
.of-beaten { fill: var(--quiet); }"""
_LEGEND = (
    (
        '<circle class="best" cx="0" cy="-4" r="6"/>',
        "on the frontier: no other point is better in one respect and worse in none",
    ),
    ('<circle class="beaten" cx="0" cy="-4" r="4.5"/>', "beaten"),
    ('<rect class="beaten" x="-4.5" y="-8.5" width="9" height="9"/>', "with requests larger than the window"),
)

Place = tuple[float, float]
Placed = Callable[[Point], Place]


class _Box(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float

    def overlaps(self, other: _Box) -> bool:
        is_beside = self.left < other.right and other.left < self.right
        return is_beside and self.top < other.bottom and other.top < self.bottom

    @property
    def is_inside(self) -> bool:
        """Whether it is in the chart."""
        is_beside = self.left >= LEFT and self.right <= WIDTH - 4
        return is_beside and self.top >= TOP - 12 and self.bottom <= HEIGHT - BOTTOM


def sweep_svg(report: dict[str, Any]) -> str:
    """The file."""
    points, sessions = report["points"], report["sessions"]
    panels = panels_of(points)
    what = _what(len(points), sessions, points[0]["requests"])
    told = " ".join(
        f"{_title_of(panel)}, from cheap to careful: {'; '.join(map(_told_of, line_of(panel.points)))}."
        for panel in panels
    )
    about = f"{what}. On the frontier {told}"
    return svg_file("Cost against loss", about, _STYLE, [list(_panel_of(panel, sessions)) for panel in panels])


def _what(points: int, sessions: int, requests: int) -> str:
    return f"{counted(points, 'point')} over {counted(sessions, 'session')} with {counted(requests, 'request')}"


def _title_of(panel: Panel) -> str:
    return "without a known window" if panel.window is None else f"in a window of {amount(panel.window)} tokens"


def _panel_of(panel: Panel, sessions: int) -> Iterator[str]:
    points, far = panel.points, panel.far
    costs = list(map(cost_of, points))
    axes = Axes(
        scale_of(min(costs), max(costs)),
        scale_of(0, max(point["neededAgain"] for point in points), is_whole=True),
    )

    def at(point: Point) -> Place:
        return axes.x_of(cost_of(point)), axes.y_of(point["neededAgain"])

    best = sum(bool(point["onFrontier"]) for point in points)
    most = max((point["neededAgain"] for point in far), default=0)
    beyond = f"; {counted(len(far), 'point')} far above, up to {amount(most)}" if far else ""
    what = f"{_what(len(points) + len(far), sessions, points[0]['requests'])}; {best} on the frontier{beyond}"
    yield words(LEFT, 34, f"Cost against loss {_title_of(panel)}", "title")
    yield words(LEFT, 55, what, "quiet")
    yield from axes.lines("cost, in percent of doing nothing", "outputs needed again", lambda tick: f"{amount(tick)} %")
    yield _frontier_of(list(map(at, line_of(points))))
    for point in drawn_order(points):
        yield _mark_of(point, at(point))
    yield from _labels_of(points, at)
    yield from _legend_of(any(point["overWindow"] > 0 for point in points))


def _frontier_of(places: Sequence[Place]) -> str:
    """Steps, because nothing is known between two points."""
    if len(places) < 2:
        return ""
    (x, y), *rest = places
    steps = "".join(f"H{rounded(x)}V{rounded(y)}" for x, y in rest)
    return f'<path class="frontier" d="M{rounded(x)} {rounded(y)}{steps}"/>'


def _mark_of(point: Point, place: Place) -> str:
    """A disc, or a square where some requests are larger than the window."""
    x, y = place
    kind, size, width = ("best", 6, 12) if point["onFrontier"] else ("beaten", 4.5, 9)
    title = f"<title>{escaped(_told_of(point))}</title>"
    if point["overWindow"] > 0:
        corner = f'x="{rounded(x - size)}" y="{rounded(y - size)}"'
        return f'<rect class="{kind}" {corner} width="{width}" height="{width}">{title}</rect>'
    return f'<circle class="{kind}" cx="{rounded(x)}" cy="{rounded(y)}" r="{size}">{title}</circle>'


def _told_of(point: Point) -> str:
    settings = settings_of(point)
    told = [
        f"#{point['number']} {point['profile']}{f' {settings}' if settings else ''}",
        f"cost {fixed(cost_of(point), 1)} %",
        f"needed again {amount(point['neededAgain'])}",
        f"prunes {amount(point['prunes'])}",
        f"summaries {amount(point['summaries'])}",
    ]
    if point["overWindow"] > 0:
        told.append(f"requests over the window {amount(point['overWindow'])}")
    if point["beatenBy"] is not None:
        told.append(f"beaten by #{point['beatenBy'] + 1}")
    return ", ".join(told)


def _labels_of(points: Sequence[Point], at: Placed) -> Iterator[str]:
    """Labels where there is room for them; where there is none, the point's title says what it is."""
    taken = [_Box(x - 6, x + 6, y - 6, y + 6) for x, y in map(at, points)]
    taken += _steps_of(list(map(at, line_of(points))))
    for point, label in labelled(points):
        x, y = at(point)
        width = width_of(label)
        places = [
            ("start", x + 10, y + 4),
            ("end", x - 10, y + 4),
            ("start", x + 8, y - 12),
            ("end", x - 8, y + 20),
            ("end", x - 8, y - 12),
            ("start", x + 8, y + 20),
        ]
        for anchor, to_x, to_y in places:
            left = to_x if anchor == "start" else to_x + -width
            box = _Box(left, left + width, to_y - 12, to_y + 4)
            if box.is_inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                yield words(to_x, to_y, label, f"label {'of-best' if point['onFrontier'] else 'of-beaten'}", anchor)
                break


def _steps_of(places: Sequence[Place]) -> Iterator[_Box]:
    """The line of the frontier as boxes, which no label covers."""
    for (from_x, from_y), (x, y) in zip(places, places[1:]):
        yield _Box(from_x, x, from_y - 1, from_y + 1)
        yield _Box(x - 1, x + 1, from_y, y)


def _legend_of(has_over: bool) -> Iterator[str]:
    x: float = LEFT + 6
    for mark, text in _LEGEND if has_over else _LEGEND[:2]:
        yield f'<g transform="translate({rounded(x)} {HEIGHT - 22})">{mark}{words(13, 0, text, "tick")}</g>'
        x += width_of(text) * 0.86 + 40
