"""Mends what a provider would refuse, and says what was done."""

from __future__ import annotations

import json
from typing import Any

from .._engine import call
from .deliver import deliver, is_delivered
from .exit import INPUT, OK
from .figures import counted
from .files import named, said, session_of_file
from .javascript import stringify
from .options import plan_options
from .run import Run
from .file_state import seen_of
from .style import Style, printable, style_for
from .violations import violation_rows


def repair_file(name: str, run: Run) -> int:
    """Writes the session without its faults. If some cannot be mended, the exit code is that of an invalid file."""
    is_delivered("repair", run.values)
    seen = seen_of(name)
    text = session_of_file(name)
    found = call("repair", text, stringify(plan_options(run.values)))
    report = json.loads(found.report)
    deliver(found.text.encode(), seen, run)
    if run.is_json:
        run.out.write(f"{stringify({'file': named(name), 'out': named(run.values['out']), **report})}\n")
    else:
        style = style_for(run.values.get("color"), run.notes)
        run.notes.write(_account_of(name, report["done"], report["left"], style))
    return INPUT if report["left"] else OK


def _account_of(name: str, done: list[Any], left: list[Any], style: Style) -> str:
    nothing = "nothing changed" if left else "nothing to mend"
    what = f"{counted(len(done), 'fault')} mended" if done else nothing
    rest = f"; {counted(len(left), 'violation')} cannot be mended" if left else ""
    lines = [f"ebbline: {printable(said(name))}: {what}{rest}", *violation_rows(done, style)]
    if left:
        lines += ["not mended, in the session as it is now:", *violation_rows(left, style)]
    return "\n".join(lines) + "\n"
