"""Files in several threads at once, in the order of their names, until they are done or somebody presses Ctrl-C.

A call of the component runs without Python's lock, so threads work at once.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._engine import call
from .._errors import EbblineError
from .exit import USAGE, FileError, exit_code_of, message_of
from .files import bytes_of_file, session_text
from .folders import Listed
from .output import Notes
from .progress import Progress
from .signals import heard

Work = Callable[[str], Any]
# How often a line about progress may change, in seconds.
_EVERY = 0.2


@dataclass(frozen=True)
class Done:
    """What became of a file: a value, nothing because no format recognises it, or a failure with its exit code.

    A failure is complete if its sentence names the file, or concerns all files.
    """

    value: Any = None
    is_skipped: bool = False
    failure: str | None = None
    code: int = 0
    is_complete: bool = False


def done(work: Work, file: Listed) -> Done:
    """Does one command's work on one file."""
    content: bytes | None = None
    try:
        content = bytes_of_file(file.name)
        return Done(value=work(session_text(content, file.name)))
    except Exception as error:
        if file.is_found and content is not None and not _is_session(content):
            return Done(is_skipped=True)
        code = exit_code_of(error)
        return Done(failure=message_of(error), code=code, is_complete=isinstance(error, FileError) or code == USAGE)


def each_of(
    files: list[Listed], work: Work, jobs: int | None, notes: Notes, take: Callable[[Listed, Done], None]
) -> int:
    """Does the work on every file, and hands out the results in the order of the files. A single file needs no thread.

    Returns how many files are missing because somebody pressed Ctrl-C.
    """
    if len(files) == 1:
        take(files[0], done(work, files[0]))
        return 0
    progress = Progress(notes, [file.size for file in files])
    results: queue.SimpleQueue[tuple[int, Done] | None] = queue.SimpleQueue()
    waiting = iter(range(len(files)))
    lock, is_over = threading.Lock(), threading.Event()

    def begin() -> None:
        while not is_over.is_set():
            with lock:
                at = next(waiting, None)
            if at is None:
                return
            results.put((at, done(work, files[at])))

    def interrupt(_: signal.Signals) -> None:
        is_over.set()
        results.put(None)

    early: dict[int, Done] = {}
    first = 0
    with heard((signal.SIGINT,), interrupt):
        try:
            for _ in range(min(jobs or os.cpu_count() or 1, len(files))):
                threading.Thread(target=begin, daemon=True).start()
            while first + len(early) < len(files):
                found = _next(results, progress)
                if found is None:
                    break
                early[found[0]] = found[1]
                progress.done(found[0])
                while first in early:
                    take(files[first], early.pop(first))
                    first += 1
        finally:
            is_over.set()
            notes.clear()
    missing = len(files) - first - len(early)
    for at in sorted(early):
        take(files[at], early[at])
    return missing


def _next(results: queue.SimpleQueue[tuple[int, Done] | None], progress: Progress) -> tuple[int, Done] | None:
    while True:
        try:
            return results.get(timeout=_EVERY)
        except queue.Empty:
            progress.show()


def _is_session(content: bytes) -> bool:
    """Whether a format recognises what a file holds: then something else is wrong with it."""
    try:
        call("detect", content.decode(errors="replace"))
        return True
    except EbblineError:
        return False
