"""Why something cannot be done, as the commands have it."""

from __future__ import annotations

import errno
import os
from typing import Any


class Refused(Exception):
    """An error that says so itself."""

    def __init__(self, refusal: dict[str, Any]) -> None:
        super().__init__()
        self.refusal = refusal


def refusal_of(error: Exception) -> dict[str, Any]:
    """The refusal of an error: what the system says has a code."""
    if isinstance(error, Refused):
        return error.refusal
    if isinstance(error, OSError) and error.errno is not None:
        return {"System": {"code": errno.errorcode.get(error.errno, ""), "words": os.strerror(error.errno)}}
    if isinstance(error, ValueError):  # of names with a byte of zero
        return {"Reason": "its name holds a byte of zero"}
    return {"System": {"code": "", "words": str(error)}}
