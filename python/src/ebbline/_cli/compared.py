"""Several policies over the same sessions, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from .arguments import Values, refuse
from .columns import Column, Row, aligned_table, figure, known, known_figure
from .corpus import over_files
from .csv import csv_of
from .engine import answer, profiles, weighed
from .exit import UsageError
from .figures import amount, percent
from .files import named, said
from .javascript import stringify
from .options import Options, life_options
from .run import Run
from .style import Style, printable
from .window_note import note_window

# A session in which nothing happens: what is wrong with it is wrong with the command line.
_NOTHING = '[{"role":"user","content":""}]'
# What a policy is; everything else concerns all of them.
_OF_POLICY = ("set", "model")


def compare_all(files: list[str], run: Run) -> int:
    """Compares policies over every session in files and folders."""
    values, options = run.values, life_options(run.values)
    if "profile" in options:
        raise UsageError("compare takes every profile, or those of --policies NAME,NAME")
    if run.is_json:
        _check_json(values, options)
    given = values.get("policies")
    names = [profile["name"] for profile in profiles()] if given is None else given.split(",")
    own = {name: options.pop(name) for name in _OF_POLICY if name in options}
    policies: list[Options] = [{"profile": name, **own} for name in names]
    plain = {name: value for name, value in options.items() if name not in ("format", "conversation")}
    weighed(_NOTHING, policies, plain)
    thresholds = [answer("replay", _NOTHING, policy)["threshold"] for policy in policies]
    note_window(values, run)
    rows: list[Row] = []
    style, pages = run.style(), 0

    def work(text: str) -> list[Row]:
        points = weighed(text, policies, options)
        lives = [answer("replay", text, {**options, **policy}) for policy in policies] if run.is_json else None
        return [
            _outcome_of(point, threshold, None if lives is None else lives[at]["total"])
            for at, (point, threshold) in enumerate(zip(points, thresholds))
        ]

    def take(name: str, outcomes: list[Row]) -> None:
        nonlocal pages
        if run.is_json:
            listed = [{key: value for key, value in outcome.items() if key != "loss"} for outcome in outcomes]
            run.out.write(f"{stringify({'file': named(name), 'outcomes': listed})}\n")
        elif values.get("csv"):
            rows.extend({"file": named(name), **outcome} for outcome in outcomes)
        else:
            table = _outcome_table(outcomes, bool(values.get("loss")), style)
            page = "\n".join([style.strong(printable(said(name))), *table])
            run.out.write(f"{chr(10) if pages else ''}{page}\n")
            pages += 1

    def show() -> None:
        if values.get("csv") and not run.is_json and rows:
            run.out.write(csv_of(rows))
        elif pages:
            run.out.write("\n".join(map(style.dim, _NOTES)) + "\n")

    return over_files(files, run, work, take, show)


def _check_json(values: Values, options: Options) -> None:
    """What the component says of several policies has no report on losses. It has no charges either: they are those of
    replays, which read a session by the placeholder of their own policy."""
    for what, is_asked in [
        ("--loss", "loss" in values),
        ("prune.placeholder", "prune.placeholder" in options.get("set", {})),
    ]:
        if is_asked:
            refuse(f"compare --json with {what}", "compare")


def _outcome_of(point: Row, threshold: int | None, charge: Row | None) -> Row:
    """What a policy does over the life of a session, and what that costs, in the order of npm's outcomes."""
    requests, window, cost, without = point["requests"], point["window"], point["cost"], point["without"]
    return {
        "profile": point["profile"],
        "window": window,
        "threshold": threshold,
        "requests": requests,
        **{name: point[name] for name in ("prunes", "summaries", "outputs", "unfit")},
        "overWindow": None if window is None else point["overWindow"],
        "peak": point["peak"],
        "mean": point["input"] // max(requests, 1),
        **({} if charge is None else {"charge": charge}),
        "cost": cost,
        "without": without,
        "ofNothing": cost / without if without > 0 else None,
        "loss": {"neededAgain": point["neededAgain"], "readAgain": point["readAgain"]},
    }


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
    Column("needed again", lambda outcome: amount(outcome["loss"]["neededAgain"])),
    Column("read again", lambda outcome: amount(outcome["loss"]["readAgain"])),
)
_NOTES = (
    "Cost: of what the same life costs without any compaction."
    " Too large: requests above the threshold, with nothing left to remove.",
    "Over window: requests that are larger than the window, which a provider refuses.",
)


def _outcome_table(outcomes: Sequence[Row], has_loss: bool, style: Style) -> list[str]:
    titles, *lines = aligned_table([*_COLUMNS, *(_LOSSES if has_loss else ())], outcomes)
    return [style.dim(titles), *lines]
