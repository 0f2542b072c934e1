"""Runs one command of the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module

from .arguments import parse
from .exit import OK, OutputError, UsageError, worse
from .files import said
from .help import help_text
from .options import jobs_in
from .output import Notes, Output
from .progress import show_long_file
from .run import Run, complain
from .style import printable

# The commands for each file by itself, by the module that has them: what a command does not need takes time to import.
_OF_EACH = {
    "detect": ("commands", "detect_file"),
    "plan": ("commands", "plan_file"),
    "inspect": ("inspected", "inspect_file"),
    "compact": ("compacted", "compact_file"),
    "summarize": ("summarised", "summarize_file"),
    "undo": ("undone", "undo_file"),
    "repair": ("repaired", "repair_file"),
    "validate": ("commands", "validate_file"),
    "summary-request": ("commands", "request_file"),
    "replay": ("replayed", "replay_file"),
}
# Those that write one session, or print what is of one.
_OF_ONE = ("compact", "summarize", "undo", "repair", "summary-request")
# The commands that work on many sessions at once, and take folders.
_OF_MANY = {
    "audit": ("audited", "audit_all"),
    "compare": ("compared", "compare_all"),
    "sweep": ("swept", "sweep_all"),
}


def main(arguments: list[str] | None = None) -> int:
    """Runs a command, and returns the exit code."""
    notes = Notes(sys.stderr)
    codes = [OK]
    try:
        _run(sys.argv[1:] if arguments is None else arguments, notes, codes)
    except BrokenPipeError:
        # A reader that closes the pipe, as in `ebbline plan … | head`, has seen enough: that is not an error.
        pass
    except Exception as error:
        codes.append(complain(error, None, notes))
    worst = OK
    for code in codes:
        worst = worse(worst, code)
    return worst


def _run(arguments: list[str], notes: Notes, codes: list[int]) -> None:
    command, files, values = parse(arguments)
    jobs_in(values)
    run = Run(values, Output(sys.stdout, notes), notes)
    if values.get("help"):
        return run.out.write(help_text())
    if values.get("version"):
        from .. import __version__

        return run.out.write(f"{__version__}\n")
    if command is None:
        raise UsageError("there is no command")
    if command == "profiles":
        if files:
            raise UsageError("profiles takes no file")
        codes.append(_function("commands", "list_profiles")(run))
        return None
    if not files:
        raise UsageError(f"{command} needs a FILE, or - for standard input")
    if command in _OF_MANY:
        codes.append(_function(*_OF_MANY[command])(files, run))
        return None
    if command == "recall":
        if len(files) != 2:
            raise UsageError("recall needs a FILE and the ID of a call")
        codes.append(_function("undone", "recall_output")(*files, run))
        return None
    if command in _OF_ONE and len(files) > 1:
        raise UsageError(f"{command} takes one FILE at a time")
    if "svg" in values and len(files) > 1:
        raise UsageError(f"{command} --svg takes one FILE")
    handle = _function(*_OF_EACH[command])
    for at, name in enumerate(files):
        show_long_file(notes, printable(said(name)), _size_of(name), at, len(files))
        try:
            codes.append(handle(name, run))
        except (BrokenPipeError, OutputError):
            raise
        except Exception as error:
            codes.append(complain(error, name, notes))
        notes.clear()
    return None


def _function(module: str, name: str) -> Callable[..., int]:
    return getattr(import_module(f".{module}", __package__), name)


def _size_of(name: str) -> int:
    try:
        return 0 if name == "-" else os.stat(name).st_size
    except (OSError, ValueError):
        # The command that reads the file says why it cannot be read.
        return 0
