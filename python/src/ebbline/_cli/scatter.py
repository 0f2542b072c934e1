"""The points of a sweep by cost and loss, drawn with characters."""

from __future__ import annotations

from collections.abc import Sequence

from .figures import amount, rounded
from .javascript import WHITE
from .points import Panel, Point, cost_of, drawn_order, far_of, labelled, line_of
from .scale import Scale, scale_of
from .style import Style

# The rows of a chart, and its least width.
_HEIGHT = 16
_NARROWEST = 20
# Marks: on the frontier or beaten; squares where some requests are larger than the window.
FRONTIER, BEATEN, FRONTIER_OVER, BEATEN_OVER = _MARKS = ("●", "○", "■", "□")


def scatter_of(panel: Panel, width: int, style: Style) -> list[str]:
    """The lines of a chart. The dots are the frontier: beyond them is no point."""
    points = panel.points
    costs = list(map(cost_of, points))
    y = scale_of(0, max(point["neededAgain"] for point in points), is_whole=True)
    x = scale_of(min(costs), max(costs))
    gutter = max(len(amount(tick)) for tick in y.ticks)
    canvas = _Canvas(max(_NARROWEST, width - gutter - 3), x, y)
    line = line_of(points)
    for one, other in zip(line, line[1:]):
        canvas.step(one, other)
    for point in drawn_order(points):
        canvas.mark(point)
    for point, label in labelled(points):
        canvas.label(point, label)
    named = {canvas.row(tick): amount(tick) for tick in y.ticks}
    rows: list[str] = []
    for row, cells in enumerate(canvas.cells):
        title = named.get(row, "").rjust(gutter)
        rows.append(f"{title} {style.dim('┤' if row in named else '│')}{_painted(cells, style)}".rstrip(WHITE))
    indent = " " * (gutter + 1)
    lines = [
        style.dim(f"{indent}outputs needed again"),
        *rows,
        f"{indent}{style.dim(canvas.axis())}",
        f"{indent}{canvas.ticks()}".rstrip(),
        style.dim(f"{indent}cost, of what doing nothing costs"),
        style.dim(f"{indent}{_legend_of(points)}"),
    ]
    return [*lines, style.dim(f"{indent}{far_of(panel.far)}")] if panel.far else lines


def mark_of(point: Point) -> str:
    """The mark of a point."""
    if point["overWindow"] > 0:
        return FRONTIER_OVER if point["onFrontier"] else BEATEN_OVER
    return FRONTIER if point["onFrontier"] else BEATEN


def _legend_of(points: Sequence[Point]) -> str:
    said = [f"{FRONTIER} on the frontier"]
    if not all(point["onFrontier"] for point in points):
        said.append(f"{BEATEN} beaten")
    if any(point["overWindow"] > 0 for point in points):
        said.append(f"{FRONTIER_OVER} {BEATEN_OVER} the same, with requests larger than the window")
    return "   ".join(said)


def _painted(cells: Sequence[str], style: Style) -> str:
    def paint(cell: str) -> str:
        if cell == FRONTIER:
            return style.good(cell)
        return style.dim(cell) if cell in ("·", BEATEN, BEATEN_OVER) else cell

    return "".join(map(paint, cells))


class _Canvas:
    """The cells of a chart."""

    def __init__(self, width: int, x: Scale, y: Scale) -> None:
        self.cells = [[" "] * width for _ in range(_HEIGHT)]
        self._width = width
        self._x = x
        self._y = y

    def row(self, loss: float) -> int:
        """The row of a loss."""
        return _HEIGHT - 1 - _placed(loss, self._y, _HEIGHT)

    def _column(self, cost: float) -> int:
        return _placed(cost, self._x, self._width)

    def _place(self, point: Point) -> tuple[int, int]:
        return self.row(point["neededAgain"]), self._column(cost_of(point))

    def step(self, one: Point, other: Point) -> None:
        """What lies between two neighbours of the frontier: to the right at the same loss, then down."""
        (top, start), (bottom, end) = self._place(one), self._place(other)
        for column in range(start, end + 1):
            self.cells[top][column] = "·"
        for row in range(top, bottom + 1):
            self.cells[row][end] = "·"

    def mark(self, point: Point) -> None:
        """Draws a point."""
        row, column = self._place(point)
        self.cells[row][column] = mark_of(point)

    def label(self, point: Point, label: str) -> None:
        """Writes a label beside a point where there is room for it: right of it, left of it, above or below."""
        row, column = self._place(point)
        length = len(label)
        places = [
            (row, column + 2),
            (row, column - length - 1),
            (row - 1, column),
            (row + 1, column),
            (row - 1, column - length + 1),
            (row + 1, column - length + 1),
        ]
        free = next(((at, first) for at, first in places if self._is_free(at, first - 1, length + 2)), None)
        if free is not None:
            at, first = free
            self.cells[at][first : first + length] = label

    def _is_free(self, row: int, first: int, length: int) -> bool:
        if not 0 <= row < _HEIGHT or first < -1 or first + length > self._width + 1:
            return False
        cells, last = self.cells[row], first + length - 1
        around = [cells[at] for at in (first, last) if 0 <= at < self._width]
        is_blank = all(cell == " " for cell in cells[first + 1 : last])
        return is_blank and all(cell in (" ", "·", *_MARKS) for cell in around)

    def axis(self) -> str:
        """The line below the chart."""
        columns = {self._column(tick) for tick in self._x.ticks}
        return "└" + "".join("┬" if column in columns else "─" for column in range(self._width))

    def ticks(self) -> str:
        """The figures below the axis; one that would run into its neighbour is left out."""
        line = ""
        for tick in self._x.ticks:
            text = f"{amount(tick)} %"
            middle = self._column(tick) - len(text) // 2 + 1
            first = max(min(middle, self._width + 1 - len(text)), 0)
            if not line or first >= len(line) + 2:
                line = line.ljust(first) + text
        return line


def _placed(figure: float, scale: Scale, cells: int) -> int:
    """The cell of a figure on a scale."""
    return rounded((figure - scale.first) / (scale.last - scale.first) * (cells - 1))
