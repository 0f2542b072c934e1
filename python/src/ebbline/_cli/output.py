"""Where results are written, and where everything else is."""

from __future__ import annotations

import os
import re
import select
import sys
from typing import Any

from .exit import OutputError, why_of

_STANDARD_OUTPUT = re.compile(r"/(dev/stdout|dev/fd/1|proc/self/fd/1)")
_HALF = re.compile("[\ud800-\udfff]")
# Clears the line and goes to its beginning.
_CLEAR = "\r\x1b[K"


def is_standard_output(name: str) -> bool:
    """Whether a name means standard output."""
    return name == "-" or _STANDARD_OUTPUT.fullmatch(name) is not None


def bytes_of(text: str) -> bytes:
    """A text as UTF-8, as JavaScript writes it: halves of a character become U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _HALF.sub("\ufffd", text).encode()


class Stream:
    """One of the streams of this process, or what a caller put in its place: then it has a ``buffer`` to write to."""

    def __init__(self, stream: Any) -> None:
        self._stream: Any = stream
        # Not through Python's buffer, which would complain once more at the end of what it could not write.
        self._descriptor: int | None = None
        if stream is not None and any(stream is own for own in (sys.__stdout__, sys.__stderr__)):
            self._descriptor = stream.fileno()
        self.is_terminal: bool = self._descriptor is not None and os.isatty(self._descriptor)

    @property
    def columns(self) -> int | None:
        """The width of the terminal."""
        if not self.is_terminal or self._descriptor is None:
            return None
        try:
            return os.get_terminal_size(self._descriptor).columns or None
        except OSError:
            return None

    def put(self, content: bytes) -> None:
        """Writes every byte, or raises ``OSError``."""
        if self._descriptor is None:
            if self._stream is not None:
                self._stream.buffer.write(content)
            return
        left = memoryview(content)
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])


class Notes(Stream):
    """The stream of what is no result. If nobody hears it, the command itself may still succeed."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self._is_line_shown = False

    def write(self, text: str) -> None:
        """Writes a text."""
        self.clear()
        self._put_quietly(text)

    def show(self, line: str) -> None:
        """On a terminal, shows a line that says how far long work is, in the place of the line before."""
        if self.is_terminal:
            self._put_quietly(f"{_CLEAR}{line}")
            self._is_line_shown = True

    def clear(self) -> None:
        """Removes the line about long work."""
        if self._is_line_shown:
            self._is_line_shown = False
            self._put_quietly(_CLEAR)

    def _put_quietly(self, text: str) -> None:
        try:
            self.put(bytes_of(text))
        except OSError:
            pass


class Output(Stream):
    """The stream of results. Before anything is written to it, the line about long work goes."""

    def __init__(self, stream: Any, notes: Notes) -> None:
        super().__init__(stream)
        self._notes = notes

    def write(self, content: str | bytes) -> None:
        """Writes every byte. Raises ``BrokenPipeError`` if the reader has seen enough, which is no error."""
        self._notes.clear()
        try:
            self.put(content if isinstance(content, bytes) else bytes_of(content))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"cannot write standard output: {why_of(error)}") from None
