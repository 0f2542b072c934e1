"""Where a session goes that a command has written: to a file, or to standard output."""

from __future__ import annotations

from .arguments import Values
from .exit import UsageError
from .output import is_standard_output
from .run import Run
from .file_state import FileState
from .write import write_file_safely


def is_delivered(command: str, values: Values) -> None:
    """Refuses options that leave no place for the session or the report."""
    name = values.get("out")
    if name == "":
        raise UsageError("-o needs the name of a file, or - for standard output")
    if values.get("json") and (name is None or is_standard_output(name)):
        raise UsageError(f"{command} --json needs -o OUT: standard output is either the session or the report")


def deliver(content: bytes, seen: FileState | None, run: Run) -> None:
    """Writes a session: a file is replaced as a whole or not at all. ``seen`` is the file that was read."""
    name = run.values.get("out")
    if name is None or is_standard_output(name):
        run.out.write(content)
    else:
        write_file_safely(name, content, seen)
