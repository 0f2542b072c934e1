"""What a command runs with: its arguments, and where it writes."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from .arguments import Values
from .exit import USAGE, FileError, UsageError, exit_code_of, message_of
from .files import said
from .javascript import number_of
from .output import Notes, Output
from .style import Style, printable, style_for

# The width of what is written to a file or a pipe.
_WIDTH = 100


@dataclass
class Run:
    """One run of the command line."""

    values: Values
    out: Output
    notes: Notes

    @property
    def is_json(self) -> bool:
        """Whether the results are for programs."""
        return bool(self.values.get("json"))

    def style(self) -> Style:
        """How to paint results."""
        return style_for(self.values.get("color"), self.out)

    def width(self) -> int:
        """How wide a table or a chart may be."""
        if self.out.columns is not None:
            return self.out.columns
        given = number_of(os.environ.get("COLUMNS", ""))
        return math.floor(given) if math.isfinite(given) and given != 0 else _WIDTH

    def tell(self, name: str, sentence: str) -> None:
        """Says something about a file on standard error."""
        self.notes.write(f"ebbline: {printable(said(name))}: {sentence}\n")


def complain(error: BaseException, name: str | None, notes: Notes) -> int:
    """Says in one line what is wrong, and returns the exit code."""
    code = exit_code_of(error)
    has_place = name is None or isinstance(error, FileError) or code == USAGE
    where = "" if has_place or name is None else f"{said(name)}: "
    notes.write(f"ebbline: {printable(where + message_of(error))}\n")
    if isinstance(error, UsageError):
        notes.write("Try `ebbline --help`.\n")
    return code
