"""A session file as it was when it was read: an agent may append to it while it is compacted.

A file that changed since is not replaced, because what came since would be lost.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from .exit import FileError
from .figures import amount


class FileState(NamedTuple):
    """A file, and what would differ if somebody had written to it."""

    path: str
    state: os.stat_result


def seen_of(name: str) -> FileState | None:
    """The file of this name; ``None`` for standard input and what is no file. It must be called before the file is read."""
    if name == "-":
        return None
    try:
        path = os.path.realpath(name, strict=True)
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileState(path, found) if stat.S_ISREG(found.st_mode) else None


def check_unchanged(seen: FileState | None, target: str) -> None:
    """Refuses to write the file ``target`` if it is the one that was seen and has changed."""
    if seen is None or seen.path != target:
        return
    what = _change_of(seen.state, target)
    if what is not None:
        lost = "since it was read, and what came since would be lost"
        raise FileError(f"{what} {lost}; write to another file, or try again when nobody writes to it")


def _change_of(before: os.stat_result, target: str) -> str | None:
    try:
        now = os.stat(target)
    except FileNotFoundError:
        return "it is gone"
    if (now.st_ino, now.st_dev) != (before.st_ino, before.st_dev):
        return "another file took its place"
    if now.st_size != before.st_size:
        return f"it went from {amount(before.st_size)} to {amount(now.st_size)} bytes"
    return None if now.st_mtime_ns == before.st_mtime_ns else "it was written to"


def replace(beside: str, target: str, seen: FileState | None) -> None:
    """Moves a file into place, and takes along what is appended to the old one meanwhile."""
    if seen is None or seen.path != target:
        os.replace(beside, target)
        return
    if os.name == "nt":  # an open file cannot be replaced there
        check_unchanged(seen, target)
        os.replace(beside, target)
        return
    with open(target, "rb") as old:
        check_unchanged(seen, target)
        os.replace(beside, target)
        old.seek(seen.state.st_size)
        tail = old.read()
    if tail:
        with open(target, "ab") as new:
            new.write(tail)
