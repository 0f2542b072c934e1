"""What was really lost by the compactions that sessions record, worst first."""

from __future__ import annotations

import json
from typing import Any

from .._engine import call
from .corpus import over_files
from .exit import WORK, worse
from .figures import amount, counted
from .files import named, said
from .javascript import stringify
from .options import READING, life_options
from .run import Run
from .style import Style, printable

# How many findings are listed, how many are shown, and the longest text of one.
_FINDINGS = 100
_SHOWN = 20
_LONGEST = 120
_KINDS = {
    "lost_order": "order lost",
    "lost_goal": "goal lost",
    "re_reference": "needed again",
    "re_read": "read again",
    "decision": "decision gone",
}

Loss = dict[str, Any]


def audit_all(files: list[str], run: Run) -> int:
    """Audits every session in files and folders."""
    audits: list[tuple[str, Loss]] = []
    options = {name: value for name, value in life_options(run.values).items() if name in READING}

    def show() -> None:
        audits.sort(key=lambda audit: _weights_of(audit[1]), reverse=True)
        if not run.is_json:
            run.out.write(_page_of(audits, run.style()))
            return
        for name, loss in audits:
            run.out.write(f"{stringify({'file': named(name), **loss})}\n")

    def work(text: str) -> Loss:
        return json.loads(call("audit", text, _FINDINGS, stringify(options)))

    code = over_files(files, run, work, lambda name, loss: audits.append((name, loss)), show)
    is_lost = any(loss["worst"] for _, loss in audits)
    return worse(code, WORK) if run.values.get("check") and is_lost else code


def _weights_of(loss: Loss) -> tuple[int, ...]:
    """How bad a loss is: first in the order of the kinds of findings, then of compactions."""
    return (
        loss["orders"]["lost"] or 0,
        loss["words"]["compactions"] - loss["words"]["goalKept"],
        loss["references"]["reReferenced"],
        loss["reReads"]["exact"],
        loss["decisions"]["neverReturn"],
        loss["compactions"],
    )


def _page_of(audits: list[tuple[str, Loss]], style: Style) -> str:
    is_one = len(audits) == 1
    quiet = sum(loss["compactions"] == 0 for _, loss in audits)
    shown = [(name, loss) for name, loss in audits if is_one or loss["compactions"] > 0]
    blocks = ["\n".join(_lines_of(name, loss, style)) for name, loss in shown]
    if not is_one and quiet > 0:
        blocks.append(style.dim(f"{counted(quiet, 'file')} record{'s' if quiet == 1 else ''} no compaction"))
    return "".join(f"{block}\n" for block in blocks)


def _lines_of(name: str, loss: Loss, style: Style) -> list[str]:
    compactions, orders, words, worst = loss["compactions"], loss["orders"], loss["words"], loss["worst"]
    title = style.strong(printable(said(name)))
    if compactions == 0:
        return [f"{title}  records no compaction"]
    lost = "not known" if orders["lost"] is None else amount(orders["lost"])
    again, repeated = amount(loss["references"]["reReferenced"]), amount(loss["reReads"]["exact"])
    lines = [
        title,
        f"{counted(compactions, 'compaction')} in {counted(loss['requests'], 'request')};"
        f" {counted(loss['departedOutputs'], 'output')} left the context",
        f"needed again: {again}; calls repeated: {repeated}; orders given: {amount(orders['given'])}, lost: {lost}",
        f"first goal kept at {words['goalKept']} of {counted(words['compactions'], 'compaction')}",
    ]
    for finding in worst[:_SHOWN]:
        text = ", ".join(finding["words"])
        short = f"{text[: _LONGEST - 1]}…" if len(text) > _LONGEST else text
        later = "" if finding["usedIn"] is None else f", used in message {finding['usedIn']}"
        kind = _KINDS.get(finding["kind"]) or str(finding["kind"])
        lines.append(f"  {style.pruned(kind)}  message {finding['message']}{later}: {printable(short)}")
    if len(worst) > _SHOWN:
        lines.append(style.dim(f"  and {amount(len(worst) - _SHOWN)} more: --json lists them"))
    return lines
