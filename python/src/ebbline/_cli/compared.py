"""Several policies over the same sessions, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from .columns import Column, Row, aligned_table, figure, known, known_figure
from .corpus import over_files
from .csv import csv_of
from .engine import compared, profiles
from .exit import UsageError
from .figures import amount, percent
from .files import named, said
from .javascript import stringify
from .options import Options, given_of, life_options
from .run import Run
from .style import Style, printable
from .window_note import note_window

# A session in which nothing happens: what is wrong with it is wrong with the command line.
_NOTHING = '[{"role":"user","content":""}]'


def compare_all(files: list[str], run: Run) -> int:
    """Compares policies over every session in files and folders."""
    values = run.values
    options, policies = _asked(run)
    note_window(values, run)
    style, rows, pages = run.style(), list[Row](), 0

    def work(text: str) -> list[Row]:
        return compared(text, policies, options)

    def take(name: str, outcomes: list[Row]) -> None:
        nonlocal pages
        if run.is_json:
            run.out.write(f"{stringify({'file': named(name), 'outcomes': outcomes})}\n")
        elif values.get("csv"):
            rows.extend({"file": named(name), **outcome} for outcome in outcomes)
        else:
            title = style.strong(printable(said(name)))
            page = "\n".join([*([""] if pages else []), title, *_outcome_table(outcomes, style)])
            run.out.write(f"{page}\n")
            pages += 1

    def show() -> None:
        if rows:
            run.out.write(csv_of(rows))
        elif pages:
            run.out.write("\n".join(map(style.dim, _NOTES)) + "\n")

    return over_files(files, run, work, take, show)


def _asked(run: Run) -> tuple[Options, list[Options]]:
    """What concerns all policies, and the policies. What is wrong with them is said before the sessions are read."""
    values, options = run.values, life_options(run.values)
    if "profile" in options:
        raise UsageError("compare takes every profile, or those of --policies NAME,NAME")
    given = values.get("policies")
    names = [profile["name"] for profile in profiles()] if given is None else given.split(",")
    own = given_of(set=options.pop("set", None))
    policies: list[Options] = [{"profile": name, **own} for name in names]
    if "loss" in values:
        options["loss"] = True
    plain = {name: value for name, value in options.items() if name not in ("format", "conversation")}
    compared(_NOTHING, policies, plain)
    return options, policies


_COLUMNS = (
    Column("profile", lambda outcome: outcome["profile"], True),
    Column("window", known_figure("window")),
    Column("threshold", known_figure("threshold")),
    Column("cost", lambda outcome: known(outcome["ofNothing"], percent)),
    Column("prunes", figure("prunes")),
    Column("summaries", figure("summaries")),
    Column("too large", figure("unfit")),
    Column("over window", known_figure("overWindow")),
    Column("largest", figure("peak")),
    Column("mean", figure("mean")),
)
# With `--loss`: outputs that are needed again, and calls that are made again.
_LOSSES = (
    Column("needed again", lambda outcome: amount(outcome["loss"]["references"]["reReferenced"])),
    Column("read again", lambda outcome: amount(outcome["loss"]["reReads"]["exact"])),
)
_NOTES = (
    "Cost: of what the same life costs without any compaction."
    " Too large: requests above the threshold, with nothing left to remove.",
    "Over window: requests that are larger than the window, which a provider refuses.",
)


def _outcome_table(outcomes: Sequence[Row], style: Style) -> list[str]:
    titles, *lines = aligned_table([*_COLUMNS, *(_LOSSES if "loss" in outcomes[0] else ())], outcomes)
    return [style.dim(titles), *lines]
