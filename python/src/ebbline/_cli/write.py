"""Writes a file so that nothing is lost: at every moment the name refers either to the complete old content or to the
complete new content.

The new content is written to a file beside it, flushed to the disk, and moved into place by a rename. Mode and, if the
system allows it, owner are preserved. A link stays a link, and its target is replaced. Other hard links keep the old
content, because a rename gives the name to a new file.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from errno import EACCES, ELOOP
from typing import Any

from .files import check_unchanged, name_of, path_of
from .refusal import Refused, refusal_of
from .signals import tidied

# How many bytes are written at a time; in between, signals are handled.
_CHUNK = 1 << 20
# The maximum number of links that the kernel follows.
_MOST_LINKS = 40
_DESCRIPTORS = re.compile(b"/(dev/fd|proc/[^/]+/fd)")


State = dict[str, Any]


def write_file_safely(name: bytes, content: bytes, unchanged: State | None) -> None:
    """Writes a file, or raises. If it is the one that was read as ``unchanged``, it must not have changed since."""
    found = _found(name)
    target = _target_of(name) if found is None or stat.S_ISREG(found.st_mode) else None
    if target is None:
        _write_directly(name, content)
    else:
        _replace(target, found, content, unchanged)


def refuse_changed(name: bytes, unchanged: State) -> None:
    """Refuses a file that was read as ``unchanged`` and has changed since."""
    target = _target_of(name)
    if target is not None:
        check_unchanged(unchanged, target)


def _found(name: bytes) -> os.stat_result | None:
    """What a name refers to, following links; ``None`` if it does not exist."""
    try:
        return os.stat(name)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _target_of(name: bytes) -> bytes | None:
    """The path of the file itself, behind all links, whether it exists or not. ``None`` if the name can only be opened:
    a descriptor of this process, or a name that means a folder."""
    path = name
    for _ in range(_MOST_LINKS):
        if path.endswith((b"/", os.sep.encode())):
            return None
        folder = os.path.realpath(os.path.dirname(path) or b".", strict=True)
        if _DESCRIPTORS.fullmatch(folder):
            return None
        path = os.path.join(folder, os.path.basename(path))
        if not os.path.islink(path):
            return path
        path = os.path.join(folder, os.readlink(path))
    raise OSError(ELOOP, "")


def _write_directly(name: bytes, content: bytes) -> None:
    """Writes in place: a pipe or a device has no old content, and what a descriptor is open on must stay the same."""
    descriptor = os.open(name, os.O_WRONLY | os.O_APPEND)
    try:
        _write_all(descriptor, content)
    finally:
        os.close(descriptor)


def _replace(target: bytes, found: os.stat_result | None, content: bytes, unchanged: State | None) -> None:
    # A file without write permission must not be replaced, even if its folder allows that.
    if found is not None and not os.access(target, os.W_OK):
        raise PermissionError(EACCES, "")
    folder = os.path.dirname(target)
    beside = os.path.join(folder, f".ebbline-{os.getpid()}-{secrets.token_hex(6)}.tmp".encode())

    def remove() -> None:
        try:
            os.unlink(beside)
        except FileNotFoundError:
            pass

    with tidied(remove):
        try:
            descriptor = _open_beside(beside, folder, found)
            try:
                _write_all(descriptor, content)
                if found is not None:
                    _take_over(descriptor, found)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            _move(beside, target, unchanged)
        except BaseException:
            remove()
            raise
    _sync_folder(folder)


def _move(beside: bytes, target: bytes, unchanged: State | None) -> None:
    """Moves a file into place, and takes along what is appended to the old one meanwhile."""
    if unchanged is None or path_of(unchanged["path"]) != target:
        os.replace(beside, target)
        return
    if os.name == "nt":  # an open file cannot be replaced there
        check_unchanged(unchanged, target)
        os.replace(beside, target)
        return
    with open(target, "rb") as old:
        check_unchanged(unchanged, target)
        os.replace(beside, target)
        old.seek(unchanged["size"])
        tail = old.read()
    if tail:
        with open(target, "ab") as new:
            new.write(tail)


def _open_beside(beside: bytes, folder: bytes, found: os.stat_result | None) -> int:
    # The replacement of a private file is private even before it gets the same mode.
    mode = 0o666 if found is None else 0o600
    try:
        return os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except OSError as error:
        raise Refused({"Beside": {"folder": name_of(folder), "why": refusal_of(error)}}) from None


def _take_over(descriptor: int, found: os.stat_result) -> None:
    """Gives a file another file's mode and, if the system allows it, owner."""
    if not hasattr(os, "fchmod"):
        return
    own = os.fstat(descriptor)
    is_same_owner = (own.st_uid, own.st_gid) == (found.st_uid, found.st_gid)
    if not is_same_owner:
        try:
            os.fchown(descriptor, found.st_uid, found.st_gid)
            is_same_owner = True
        except OSError:
            pass
    # With another owner, the set-user-ID bit would grant that owner's rights.
    os.fchmod(descriptor, stat.S_IMODE(found.st_mode) & (0o7777 if is_same_owner else 0o777))


def _write_all(descriptor: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left[:_CHUNK]) :]


def _sync_folder(folder: bytes) -> None:
    """Flushes the folder, so that the name is on the disk. Some systems cannot; the content is safe without it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError:
        pass
