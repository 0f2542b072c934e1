"""Several policies over the same sessions, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from .arguments import refuse
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
_NO_COMPACTION = {"prune.enabled": False, "retain.enabled": False}
# The input of a request, by where it comes from.
_INPUT = ("fresh", "cached", "written")


def compare_all(files: list[str], run: Run) -> int:
    """Compares policies over every session in files and folders."""
    values = run.values
    options, policies = _asked(run)
    note_window(values, run)
    style, rows, pages = run.style(), list[Row](), 0
    has_loss = bool(values.get("loss")) and not values.get("csv")

    def work(text: str) -> list[Row]:
        outcomes = _outcomes_of(text, policies, options)
        for outcome, point in zip(outcomes, weighed(text, policies, options) if has_loss else []):
            outcome["loss"] = point
        return outcomes

    def take(name: str, outcomes: list[Row]) -> None:
        nonlocal pages
        if run.is_json:
            run.out.write(f"{stringify({'file': named(name), 'outcomes': outcomes})}\n")
        elif values.get("csv"):
            rows.extend({"file": named(name), **outcome} for outcome in outcomes)
        else:
            title = style.strong(printable(said(name)))
            page = "\n".join([*([""] if pages else []), title, *_outcome_table(outcomes, has_loss, style)])
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
    if run.is_json and "loss" in values:
        refuse("compare --json with --loss", "compare")
    # Replays read a session by the placeholder of their own policy; npm's compare reads it once.
    if "prune.placeholder" in options.get("set", {}):
        refuse("compare with the knob prune.placeholder", "compare")
    given = values.get("policies")
    names = [profile["name"] for profile in profiles()] if given is None else given.split(",")
    own = {name: options.pop(name) for name in _OF_POLICY if name in options}
    policies: list[Options] = [{"profile": name, **own} for name in names]
    plain = {name: value for name, value in options.items() if name not in ("format", "conversation")}
    for policy in policies:
        answer("replay", _NOTHING, {**plain, **policy})
    return options, policies


def _outcomes_of(text: str, policies: list[Options], options: Options) -> list[Row]:
    """What policies do over the life of a session, and what that costs."""
    estimators = {profile["name"]: stringify(profile["policy"]["estimator"]) for profile in profiles()}
    # What a life costs without any compaction: nothing of a policy but its estimator changes that.
    without: dict[str, float] = {}
    outcomes: list[Row] = []
    for policy in policies:
        estimator = estimators[policy["profile"]]
        if estimator not in without:
            nothing = {**policy, "set": {**policy.get("set", {}), **_NO_COMPACTION}}
            without[estimator] = answer("replay", text, {**options, **nothing})["cost"]
        outcomes.append(_outcome_of(answer("replay", text, {**options, **policy}), without[estimator]))
    return outcomes


def _outcome_of(life: Row, without: float) -> Row:
    """The sums of a life, in the order of npm's outcomes. Requests without an answer do not count."""
    answered = [request for request in life["requests"] if request["charge"] is not None]
    done = [compaction for compaction in life["compactions"] if compaction["request"] < len(answered)]
    inputs = [sum(request["charge"][kind] for kind in _INPUT) for request in answered]
    return {
        "profile": life["profile"],
        "window": life["window"],
        "threshold": life["threshold"],
        "requests": len(answered),
        "prunes": sum(compaction["prune"]["applied"] for compaction in done),
        "summaries": sum(compaction["retain"]["applied"] for compaction in done),
        "outputs": sum(compaction["prune"]["outputs"] for compaction in done),
        "unfit": sum(not request["fits"] for request in answered),
        "overWindow": None if life["window"] is None else sum(bool(request["overWindow"]) for request in answered),
        "peak": max(inputs, default=0),
        "mean": sum(inputs) // max(len(answered), 1),
        "charge": life["total"],
        "cost": life["cost"],
        "without": without,
        "ofNothing": life["cost"] / without if without > 0 else None,
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
