"""The one class of errors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A place in a text: the line, counted from 1, and the offset in bytes, counted from 0."""

    line: int
    byte: int


class EbblineError(Exception):
    """Why a call failed: a stable ``code``, a sentence, and the place if the input is at fault."""

    def __init__(self, code: str, message: str, place: Place | None = None) -> None:
        where = f" (line {place.line}, byte {place.byte})" if place is not None else ""
        super().__init__(message + where)
        self.code = code
        self.message = message
        self.place = place

    def __reduce__(self) -> tuple[type[EbblineError], tuple[str, str, Place | None]]:
        return (EbblineError, (self.code, self.message, self.place))
