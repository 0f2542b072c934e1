"""Writes a compacted session, and says what was done."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from .._engine import call
from .._errors import EbblineError
from .arguments import Values
from .deliver import deliver, is_delivered
from .engine import answer
from .exit import OK, FileError, UsageError
from .figures import amount, counted
from .files import named, said, session_of_file, text_of_file
from .javascript import stringify
from .options import Options, plan_options
from .output import bytes_of, is_standard_output
from .record import record_of
from .run import Run
from .file_state import FileState, seen_of
from .style import printable
from .words import totals_of
from .write import refuse_changed, write_file_safely

# A summary that is only written to find out whether one can be.
_STAND_IN = "."
# Marks and joiners that only control how other characters are shown.
_UNSEEN = frozenset(
    [0xAD, 0x34F, 0x61C, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
    + [*range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)]
)


def compact_file(name: str, run: Run) -> int:
    """Compacts a session with a summary from a file, or without one."""
    is_delivered("compact", run.values)
    check_record_name(name, run.values)
    if name == "-" and run.values.get("summary") == "-":
        raise UsageError("the session and its summary cannot both come from standard input")
    options = plan_options(run.values)
    seen = seen_of(name)
    text = session_of_file(name)
    summary = _summary_of(run.values["summary"]) if "summary" in run.values else None
    write_compacted(name, text, seen, options, summary, run)
    return OK


def check_record_name(name: str, values: Values) -> None:
    """The record must not go where the session goes."""
    record = values.get("record")
    if record is None:
        return
    if record == "" or is_standard_output(record):
        raise UsageError("--record needs the name of a file")
    if record in (name, values.get("out")):
        raise UsageError("--record needs a file of its own: the session would be lost")


def write_compacted(
    name: str, text: str, seen: FileState | None, options: Options, summary: str | None, run: Run
) -> None:
    """Compacts a session with a summary, or without one, and says what was done."""
    given = options if summary is None else {**options, "summary": summary}
    found = call("compact", text, stringify(given))
    plan = json.loads(found.plan)
    prune, retain = plan["prune"], plan["retain"]
    applied = {
        "pruned": prune["outputs"] if prune["applied"] else 0,
        "summarised": retain["messages"] if retain["applied"] and summary is not None else 0,
    }
    is_needed = retain["applied"] and summary is None
    sizes = _sizes_of(found.text, applied["summarised"] > 0, plan, options)
    after = found.text.encode()
    if "record" in run.values:
        if "out" in run.values:
            refuse_changed(run.values["out"], seen)
        about = {
            "profile": plan["profile"],
            **applied,
            **{size: sizes[size] for size in ("tokensBefore", "tokensAfter")},
        }
        record = record_of(text.encode(), after, json.loads(found.replaced), about)
        # First the record: a session without one could not be undone.
        write_file_safely(run.values["record"], bytes_of(f"{stringify(record)}\n"))
    deliver(after, seen, run)
    if run.is_json:
        report = {"applied": applied, "summaryNeeded": is_needed, "tokensAfter": sizes["tokensAfter"], "plan": plan}
        run.out.write(f"{stringify({'file': named(name), 'out': named(run.values['out']), **report})}\n")
    else:
        why_none = no_place_in(text, options) if is_needed else None
        run.notes.write(_account_of(name, applied, is_needed, plan, sizes, why_none))


def no_place_in(text: str, options: Options) -> str | None:
    """Why a session takes no summary, found out by writing one; ``None`` if it takes one."""
    try:
        call("compact", text, stringify({**options, "summary": _STAND_IN}))
    except EbblineError as error:
        if error.code == "no_place_for_summary":
            return str(error)
    return None


def _sizes_of(text: str, is_summarised: bool, plan: dict[str, Any], options: Options) -> dict[str, Any]:
    """The tokens before and after, and how many of these the summary has. A plan only assumes them: it is made before
    there is a summary."""
    if not is_summarised:
        return plan
    after = answer("plan", text, {name: value for name, value in options.items() if name != "force"})["tokensBefore"]
    allowance = max(0, after - (plan["tokensAfter"] - plan["summaryAllowance"]))
    return {"tokensBefore": plan["tokensBefore"], "tokensAfter": after, "summaryAllowance": allowance}


def _summary_of(name: str) -> str:
    """A caller that passes a summary wants it used, so an empty one is a mistake."""
    summary = text_of_file(name)
    if is_blank(summary):
        raise FileError(f"{said(name)} holds no summary: it is empty, or only white space")
    return summary


def is_blank(text: str) -> bool:
    """Whether a text shows nothing, by the engine's rule (crates/ebbline/src/blank.rs)."""
    return all(map(_is_unseen, text))


def _is_unseen(letter: str) -> bool:
    is_control = unicodedata.category(letter) in ("Cc", "Zs", "Zl", "Zp")
    return is_control or ord(letter) in _UNSEEN


def _account_of(
    name: str,
    applied: dict[str, int],
    is_needed: bool,
    plan: dict[str, Any],
    sizes: dict[str, Any],
    why_none: str | None,
) -> str:
    """What was done, in one or two lines."""
    done: list[str] = []
    if applied["pruned"] > 0:
        done.append(f"{counted(applied['pruned'], 'output')} pruned")
    if applied["summarised"] > 0:
        done.append(f"{counted(applied['summarised'], 'message')} summarised")
    what = ", ".join(done) or "nothing changed"
    totals = "" if is_needed else f", {totals_of(sizes)}"
    account = f"ebbline: {printable(said(name))}: {what}{totals}\n"
    if not is_needed:
        return account
    retain = plan["retain"]
    wanted = f"{counted(retain['messages'], 'message')} ({amount(retain['summarised'])} tokens) should be summarised"
    advice = ": pass the summary with --summary FILE, or use summarize" if why_none is None else f", but {why_none}"
    return f"{account}ebbline: {wanted}{advice}\n"
