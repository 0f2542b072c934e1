"""A session's life under a policy: what it would have done, and what that would have cost."""

from __future__ import annotations

from typing import Any

from .csv import csv_of
from .engine import answer
from .exit import OK
from .figures import amount, counted, fixed, precise, rounded
from .files import named, said, session_of_file
from .javascript import stringify, written
from .options import life_options
from .run import Run
from .style import Style, printable
from .svg import write_svg
from .svg_replay import replay_svg
from .window_note import note_window

_BARS = "▁▂▃▄▅▆▇█"
# The least width of a chart, and its rows.
_NARROWEST = 20
_HEIGHT = 8
_KNOWN = {
    "whole": "",
    "restored": ", its own compactions undone",
    "tail": "; what was before its summary is not known",
}

Life = dict[str, Any]


def replay_file(name: str, run: Run) -> int:
    """What a policy would have done over the session's whole life, request by request."""
    note_window(run.values, run)
    text = session_of_file(name)
    options = life_options(run.values)
    if "cache-check" in run.values:
        options["cacheCheck"] = True
    life = answer("replay", text, options)
    if "svg" in run.values:
        write_svg(run.values["svg"], replay_svg(said(name), life))
    if run.is_json:
        run.out.write(f"{stringify({'file': named(name), **life})}\n")
    elif run.values.get("csv"):
        run.out.write(csv_of(_rows_of(life)))
    else:
        style = run.style()
        chart = _chart_of(life, max(_NARROWEST, run.width()), style)
        run.out.write("\n".join([*_account_of(name, life, style), "", *chart]) + "\n")
    return OK


def _account_of(name: str, life: Life, style: Style) -> list[str]:
    answered = [request for request in life["requests"] if request["charge"] is not None]
    prunes = sum(compaction["prune"]["applied"] for compaction in life["compactions"])
    summaries = sum(compaction["retain"]["applied"] for compaction in life["compactions"])
    peak = max((request["tokens"] for request in life["requests"]), default=0)
    unfit = sum(not request["fits"] for request in answered)
    over = sum(bool(request["overWindow"]) for request in answered)
    total = life["total"]
    given = total["fresh"] + total["cached"] + total["written"]
    share = 0 if given == 0 else rounded(total["cached"] / given * 100)
    stuck = f"; {counted(unfit, 'request')} above the threshold, with nothing left to remove" if unfit > 0 else ""
    refused = f"; {counted(over, 'request')} larger than the window, which a provider refuses" if over > 0 else ""
    made = f"{amount(summaries)} {'summary' if summaries == 1 else 'summaries'}"
    return [
        style.strong(f"{printable(said(name))}  {life['profile']}"),
        f"{counted(life['messages'], 'message')}, {counted(len(answered), 'request')}{_KNOWN[life['known']]}",
        f"{counted(prunes, 'prune')}, {made}; largest request {amount(peak + life['overhead'])} tokens{stuck}",
        f"{_limits_of(life)}{refused}",
        f"input {amount(given)} tokens, {share} % of them from the cache; output {amount(total['output'])};"
        f" {amount(total['broken'])} cached tokens lost to changes",
        f"cost {amount(rounded(life['cost']))} fresh input tokens",
        *(_check_lines(life["cacheCheck"]) if "cacheCheck" in life else ()),
    ]


def _check_lines(check: Life | None) -> list[str]:
    """How far the rules of the cache are off from what the provider reported."""
    if check is None:
        return ["the session reports no cache reads"]
    predicted, reported = amount(check["predicted"]), amount(check["reported"])
    error, estimated = _error_of(check["medianError"]), _error_of(check["medianErrorEstimated"])
    missed, unexpected = amount(check["missed"]), amount(check["unexpected"])
    beside = f"sent beside the messages: {amount(check['overhead'])} tokens"
    return [
        f"cache reads of {counted(len(check['requests']), 'request')}: predicted {predicted}, reported {reported};"
        f" median error {error}, by estimated sizes {estimated}",
        f"{missed} predicted and not reported, {unexpected} reported and not predicted; {beside};"
        f" {fixed(check['ratio'], 2)} tokens for each estimated",
    ]


def _error_of(share: float) -> str:
    return f"{written(precise(share * 100, 2))} %"


def _limits_of(life: Life) -> str:
    if life["window"] is None:
        return "the context window is not known"
    return f"window {amount(life['window'])} tokens, full from {amount(life['threshold'])}"


def _chart_of(life: Life, width: int, style: Style) -> list[str]:
    """The size of the context over the requests; where a compaction was carried out, a mark stands below."""
    sizes = [request["tokens"] + life["overhead"] for request in life["requests"]]
    largest = max([1, *sizes])
    label = len(amount(largest))
    columns = max(1, min(len(sizes), width - label - 3))

    def of(column: int) -> tuple[int, int]:
        first = column * len(sizes) // columns
        return first, max((column + 1) * len(sizes) // columns, first + 1)

    heights = [max(sizes[slice(*of(column))], default=0) / largest for column in range(columns)]
    rows: list[str] = []
    for row in range(_HEIGHT):
        bottom = (_HEIGHT - 1 - row) / _HEIGHT
        cells = "".join(_cell_of((height - bottom) * _HEIGHT) for height in heights)
        title = amount(largest) if row == 0 else "0" if row == _HEIGHT - 1 else ""
        rows.append(f"{title.rjust(label)} {style.dim('│')}{cells}")
    marks = "".join(_mark_of(life["compactions"], *of(column), style) for column in range(columns))
    legend = f"{' ' * label}  {counted(len(sizes), 'request')}; p: outputs pruned, S: summary made"
    return [*rows, f"{' ' * label} {style.dim('└')}{marks}", style.dim(legend)]


def _mark_of(compactions: list[Life], first: int, end: int, style: Style) -> str:
    done = [compaction for compaction in compactions if first <= compaction["request"] < end]
    if any(compaction["retain"]["applied"] for compaction in done):
        return style.summarised("S")
    return style.pruned("p") if done else " "


def _cell_of(filled: float) -> str:
    if filled <= 0:
        return " "
    return _BARS[min(len(_BARS), max(1, rounded(filled * len(_BARS)))) - 1]


def _rows_of(life: Life) -> list[dict[str, Any]]:
    members = ("message", "tokens", "unchanged", "output", "compaction", "fits", "overWindow")
    return [
        {"request": at, **{name: request[name] for name in members}, **(request["charge"] or {})}
        for at, request in enumerate(life["requests"])
    ]
