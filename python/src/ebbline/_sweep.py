"""A grid of policies over many sessions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._arguments import GridOptions
from ._engine import Instance
from ._errors import EbblineError
from ._functions import grid_json, text_of
from ._options import written
from ._reports import SweepReport

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Sweep:
    """What each point of a grid costs and loses over many sessions, and which points stand on the frontier.

    Grid and options are those of :func:`ebbline.weigh`. Sessions may be weighed in other processes: hand what :meth:`weigh` of a
    sweep of the same grid and options returned there to :meth:`add` here.
    """

    def __init__(self, grid: Mapping[str, Any] | None = None, **options: Unpack[GridOptions]) -> None:
        self._open(grid_json(grid), written(options))

    def _open(self, grid: str, options: str) -> None:
        self._instance = Instance()
        self._instance.handle = self._instance.call("[static]sweep.open", grid, options)

    def weigh(self, session: str | bytes) -> list[float]:
        """The figures of one session, the text of a file."""
        return list(self._instance.call("[method]sweep.weigh", self._instance.handle, text_of(session)))

    def add(self, figures: Sequence[float]) -> None:
        """Adds the figures of one session."""
        self._instance.call("[method]sweep.add", self._instance.handle, [float(figure) for figure in figures])

    def report(self) -> SweepReport:
        """The sums: ``sessions``, and ``points`` with ``set``, cost, losses, ``onFrontier`` and ``beatenBy``."""
        report: Any = json.loads(self._instance.call("[method]sweep.report", self._instance.handle))
        for point in report["points"]:
            # At the end, as in the npm package.
            settings = point.pop("set")
            point["set"] = {path: json.loads(value) for path, value in settings}
        return report


def sweep(
    sessions: Iterable[str | bytes], grid: Mapping[str, Any] | None = None, **options: Unpack[GridOptions]
) -> SweepReport:
    """The policies of a grid over many sessions, each the text of a file, and which of them stand on the frontier of cost and loss."""
    if isinstance(sessions, (str, bytes)):
        raise EbblineError("invalid_option", "sweep needs a list of sessions, each as its text or its bytes: put this one into a list")
    made = Sweep(grid, **options)
    for session in sessions:
        made.add(made.weigh(session))
    return made.report()
