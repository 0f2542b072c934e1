"""The streams of results and of everything else."""

from __future__ import annotations

import os
import select
import sys
from typing import Any


class Stream:
    """One of the streams of this process, or what a caller put in its place: then it has a ``buffer`` to write to."""

    def __init__(self, stream: Any) -> None:
        self._stream: Any = stream
        self._is_closed = False
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

    def write(self, content: bytes) -> bool:
        """Writes every byte, or raises ``OSError``. Whether somebody still reads: a reader that closes the pipe has seen
        enough, as in ``ebbline plan … | head``."""
        if self._is_closed:
            return False
        try:
            self._put(content)
        except BrokenPipeError:
            self._is_closed = True
        return not self._is_closed

    def _put(self, content: bytes) -> None:
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
