"""Files and folders. Names cross as the bytes that they have."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any

from .refusal import Refused, refusal_of

Name = list[int]
# The name of standard input.
_STDIN = [0x2D]


def name_of(path: bytes) -> Name:
    """A path as it crosses."""
    return list(path)


def path_of(name: Name) -> bytes:
    """The path of a name."""
    return bytes(name)


def is_stdin(name: Name) -> bool:
    """Whether a name is that of standard input."""
    return name == _STDIN


def read(name: Name) -> bytes:
    """The bytes of a file, or of standard input."""
    if is_stdin(name):
        return sys.stdin.buffer.read() if sys.stdin is not None else b""
    with open(path_of(name), "rb") as file:
        return file.read()


def kind_of(name: Name) -> Any:
    """What a name refers to, behind all links."""
    found = _found(path_of(name))
    if found is None:
        return {"Other": 0}
    if stat.S_ISDIR(found.st_mode):
        return "Folder"
    return {"File" if stat.S_ISREG(found.st_mode) else "Other": found.st_size}


def listing_of(name: Name) -> Any:
    """What a folder holds, or how large a file is."""
    found = _found(path_of(name))
    if found is None or not stat.S_ISDIR(found.st_mode):
        return {"File": 0 if found is None else found.st_size}
    try:
        with os.scandir(path_of(name)) as entries:
            return {"Folder": [listed for listed in map(_listed, entries) if listed is not None]}
    except OSError as error:
        return {"Unread": refusal_of(error)}


def _listed(entry: os.DirEntry[bytes]) -> Any:
    """Something in a folder; ``None`` for what is neither file nor folder."""
    try:
        if entry.is_dir(follow_symlinks=False):
            return {"name": name_of(entry.name), "kind": "Folder"}
        found = os.stat(entry.path)
    except (OSError, ValueError):
        return None
    # Windows numbers no files where it cannot.
    number = f"{found.st_dev}:{found.st_ino}" if found.st_ino else None
    if not stat.S_ISREG(found.st_mode):
        return None
    return {"name": name_of(entry.name), "kind": {"File": {"size": found.st_size, "number": number}}}


def _found(path: bytes) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def state_of(name: Name) -> dict[str, Any] | None:
    """The file of a name as it is now; ``None`` for what is no file."""
    try:
        path = os.path.realpath(path_of(name), strict=True)
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return _state(path, found) if stat.S_ISREG(found.st_mode) else None


def _state(path: bytes, found: os.stat_result) -> dict[str, Any]:
    number = [found.st_dev, found.st_ino]
    return {"path": name_of(path), "size": found.st_size, "changed": found.st_mtime_ns, "number": number}


def check_unchanged(unchanged: dict[str, Any] | None, target: bytes) -> None:
    """Refuses to write the file ``target`` if it is the one that was read and has changed."""
    if unchanged is None or path_of(unchanged["path"]) != target:
        return
    try:
        now = _state(target, os.stat(target))
    except FileNotFoundError:
        now = None
    if now != unchanged:
        raise Refused({"Changed": {"before": unchanged, "now": now}})
