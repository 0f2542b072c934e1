"""A grid of policies over many sessions: what each point costs and loses, and which points stand on the frontier."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from .._sweep import Sweep
from .columns import Column, aligned_table, figure, known, known_figure
from .corpus import over_files
from .csv import csv_of
from .figures import amount, counted, percent
from .grid import grid_for, has_window
from .javascript import stringify
from .options import READING, Options, life_options
from .points import Point, cost_of, panels_of, settings_of
from .run import Run
from .scatter import FRONTIER, mark_of, scatter_of
from .style import Style, printable
from .window_note import note_window

# The widest chart.
_WIDTH = 100
# How many beaten points the table shows; `--json` and `--csv` have all.
_BEATEN = 40

Report = dict[str, Any]


class _Swept(Sweep):
    """A sweep whose grid and options are written as the npm package writes them."""

    def __init__(self, grid: Options, options: Options) -> None:
        self._open(stringify(grid), stringify(options))


class _Weighing:
    """Weighs sessions in several threads: each has a sweep of its own."""

    def __init__(self, grid: Options, options: Options) -> None:
        self._grid, self._options = grid, options
        self._own = threading.local()

    def figures(self, text: str) -> list[float]:
        """What one session does at each point."""
        made: _Swept | None = getattr(self._own, "sweep", None)
        # After a failure, nothing of an instance of the component may be used.
        self._own.sweep = None
        if made is None:
            made = _Swept(self._grid, self._options)
        figures = made.weigh(text)
        self._own.sweep = made
        return figures


def sweep_all(files: list[str], run: Run) -> int:
    """Sweeps over every session in files and folders."""
    values = run.values
    own = {name: value for name, value in values.items() if name not in ("set", "context")}
    options = life_options(own)
    options.pop("profile", None)
    grid = grid_for(values)
    # What is wrong with the grid is said before the sessions are read; what is wrong with a format, of each of them.
    sums = _Swept(grid, {name: value for name, value in options.items() if name not in READING})
    if not has_window(grid):
        note_window({"profile": grid.get("policy")}, run, "--window")
    reports: list[Report] = []

    def show() -> None:
        report = sums.report()
        reports.append(report)
        if run.is_json:
            run.out.write(f"{stringify(report)}\n")
        elif values.get("csv"):
            run.out.write(csv_of([_row_of(point, at) for at, point in enumerate(report["points"], 1)]))
        else:
            run.out.write(_page_of(report, min(_WIDTH, run.width()), run.style()))

    code = over_files(files, run, _Weighing(grid, options).figures, lambda _, found: sums.add(found), show)
    if "svg" in values and reports:
        from .svg import write_svg
        from .svg_sweep import sweep_svg

        write_svg(values["svg"], sweep_svg(reports[0]))
    return code


def _row_of(point: Point, number: int) -> dict[str, Any]:
    """A point as a row of a spreadsheet: one column for each knob of the grid."""
    settings: dict[str, Any] = point["set"]
    plain = {
        path: value if isinstance(value, (str, bool, int, float)) else stringify(value)
        for path, value in settings.items()
    }
    figures = {name: value for name, value in point.items() if name not in ("set", "profile")}
    beaten_by = None if point["beatenBy"] is None else point["beatenBy"] + 1
    return {"point": number, "profile": point["profile"], **plain, **figures, "beatenBy": beaten_by}


def _page_of(report: Report, width: int, style: Style) -> str:
    points: list[Point] = report["points"]
    requests = points[0]["requests"]
    sessions = counted(report["sessions"], "session")
    lines = [style.strong(f"{sessions}, {counted(requests, 'request')}, {counted(len(points), 'point')}"), ""]
    panels = panels_of(points) if requests > 0 else []
    for panel in panels:
        if len(panels) > 1:
            lines.append(style.strong(f"window {known(panel.window, amount)}"))
        lines += [*scatter_of(panel, width, style), ""]
    return "\n".join([*lines, *_table_of(points, style), "", *map(style.dim, _NOTES)]) + "\n"


def _beaten_by(point: Point) -> str:
    return "" if point["beatenBy"] is None else f"#{point['beatenBy'] + 1}"


_FIRST = (
    Column("", mark_of, True),
    Column("#", lambda point: str(point["number"])),
    Column("profile", lambda point: printable(point["profile"]), True),
    Column("window", known_figure("window")),
    Column("threshold", known_figure("threshold")),
    Column("cost", lambda point: known(point["ofNothing"], percent)),
    Column("needed again", figure("neededAgain")),
)
_SUMMARISED = Column("summarised", lambda point: amount(point["neededAgain"] - point["neededAgainPruned"]))
_LAST = (
    Column("read again", figure("readAgain")),
    Column("prunes", figure("prunes")),
    Column("summaries", figure("summaries")),
    Column("too large", figure("unfit")),
    Column("over window", lambda point: known(None if point["window"] is None else point["overWindow"], amount)),
    Column("beaten by", _beaten_by),
    Column("", lambda point: printable(settings_of(point)), True),
)


def _table_of(points: Sequence[Point], style: Style) -> list[str]:
    ranked = [point for panel in panels_of(points) for point in sorted([*panel.points, *panel.far], key=cost_of)]
    beaten = [point["number"] for point in ranked if not point["onFrontier"]]
    hidden = set(beaten[_BEATEN:])
    rows = [point for point in ranked if point["number"] not in hidden]
    is_split = any(point["neededAgain"] > point["neededAgainPruned"] for point in points)
    titles, *lines = aligned_table([*_FIRST, *([_SUMMARISED] if is_split else []), *_LAST], rows)
    shown = [style.good(line) if mark_of(point) == FRONTIER else line for point, line in zip(rows, lines)]
    more = f"and {counted(len(hidden), 'point')} more that are beaten: --json and --csv list them"
    return [style.dim(titles), *shown, *([style.dim(more)] if hidden else [])]


_NOTES = (
    "Cost: of what the same sessions cost without any compaction."
    " Needed again: outputs that left and that the assistant uses later;",
    "summarised: those of them for which a summary stood, though its words are not known."
    " A point is beaten if another is better in",
    "cost, in what is needed again or in requests over the window, and worse in none of them, in the same window."
    " Which of the others is",
    "best depends on what a lost output is worth: none is claimed."
    " The messages are fixed: figures compare policies, they predict no agent.",
)
