"""Many files for one command: those of folders, in several threads, with a line for what was left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .exit import INPUT, INTERRUPTED, OK, USAGE, exit_code_of, worse
from .figures import amount, counted
from .files import said
from .folders import Listed, listed
from .options import jobs_in
from .pool import Done, Work, each_of
from .run import Run
from .style import printable


def over_files(
    names: list[str], run: Run, work: Work, take: Callable[[str, Any], object], show: Callable[[], None] | None = None
) -> int:
    """Does a command's work on every file, and returns the exit code.

    ``take`` gets the results in the order of the files; ``show`` is called when there will be no more.
    """
    corpus = _Corpus(run)
    files = listed(names, lambda error: corpus.complain(exit_code_of(error), str(error)))
    if not files:
        return corpus.worst

    def take_file(file: Listed, result: Done) -> None:
        if result.failure is not None:
            where = "" if result.is_complete else f"{said(file.name)}: "
            corpus.complain(result.code, where + result.failure)
        elif not result.is_skipped:
            take(file.name, result.value)
        elif run.values.get("strict"):
            corpus.complain(INPUT, f"{said(file.name)}: no format recognises it")
        else:
            corpus.skipped += 1

    missing = each_of(files, work, jobs_in(run.values), run.notes, take_file)
    if show is not None:
        show()
    if corpus.skipped > 0:
        reason = f"no format recognises {'it' if corpus.skipped == 1 else 'them'}"
        files_skipped = counted(corpus.skipped, "file")
        run.notes.write(f"ebbline: {files_skipped} skipped: {reason} (--strict makes this an error)\n")
    if missing == 0:
        return corpus.worst
    are = "is" if missing == 1 else "are"
    run.notes.write(
        f"ebbline: interrupted: {amount(missing)} of {counted(len(files), 'file')} {are} missing from these results\n"
    )
    return INTERRUPTED


class _Corpus:
    """What was wrong with files."""

    def __init__(self, run: Run) -> None:
        self.worst = OK
        self.skipped = 0
        self._notes = run.notes
        self._said: set[str] = set()

    def complain(self, code: int, sentence: str) -> None:
        """Says what is wrong with a file. A mistake on the command line is the same for every file."""
        self.worst = worse(self.worst, code)
        if code != USAGE or sentence not in self._said:
            self._notes.write(f"ebbline: {printable(sentence)}\n")
        self._said.add(sentence)
