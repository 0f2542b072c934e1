"""The exit codes, and why a command fails."""

from __future__ import annotations

import errno
import os

from .._errors import EbblineError

OK, INPUT, USAGE, WORK, FAULT, INTERRUPTED = 0, 1, 2, 3, 4, 130
# Of several exit codes the later one counts: an error outranks work to do, which outranks success.
_ORDER = (OK, WORK, INPUT, USAGE, FAULT, INTERRUPTED)
# The last is what the component says of a rule that does not exist.
_ABOUT_OPTIONS = ("invalid_option", "invalid_policy", "unknown_profile", "unknown_format", "invalid_settings")

_REASONS = {
    errno.ENOENT: "there is no such file or folder",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is no folder",
    errno.EACCES: "it is not allowed",
    errno.EPERM: "it is not allowed",
    errno.EROFS: "the file system can only be read",
    errno.ENOSPC: "no space is left",
    errno.EDQUOT: "the quota is used up",
    errno.EFBIG: "it would be larger than a file may be",
    errno.EBUSY: "it is in use, or mounted by itself",
    errno.ELOOP: "its links go round in a circle",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EIO: "the device failed",
    errno.ENXIO: "it cannot be opened",
    errno.EMFILE: "too many files are open",
    errno.EPIPE: "nobody reads it any more",
}


class UsageError(Exception):
    """A mistake on the command line."""


class FileError(Exception):
    """A file that cannot be read or written, or whose content is not what was expected. The sentence names it."""


class OutputError(FileError):
    """Standard output cannot be written to, so all later output fails too."""


class Interrupted(Exception):
    """Somebody ended the program while it waited."""


# What a command may fail with: everything else is a fault of ebbline.
Failure = (UsageError, FileError, Interrupted, EbblineError)


def worse(one: int, other: int) -> int:
    """Of two files' exit codes, the one that counts."""
    return max(one, other, key=_ORDER.index)


def exit_code_of(error: BaseException) -> int:
    """The exit code of an error: a mistake on the command line, in a file, or in ebbline."""
    if isinstance(error, Interrupted):
        return INTERRUPTED
    if isinstance(error, UsageError) or (isinstance(error, EbblineError) and error.code in _ABOUT_OPTIONS):
        return USAGE
    is_broken = isinstance(error, EbblineError) and error.code == "broken_package"
    return INPUT if isinstance(error, (FileError, EbblineError)) and not is_broken else FAULT


def message_of(error: BaseException) -> str:
    """The error as a sentence."""
    return fault_of(error) if exit_code_of(error) == FAULT else str(error)


def fault_of(error: BaseException) -> str:
    """An unexpected error in one line."""
    what = str(error).split("\n")[0]
    name = type(error).__name__
    return f"a fault of ebbline itself: {name}: {what}; please report it with the command that led to it"


def why_of(error: OSError) -> str:
    """Why the operating system refused something, in words."""
    if error.errno in _REASONS:
        return _REASONS[error.errno]
    return os.strerror(error.errno) if error.errno is not None else str(error)
