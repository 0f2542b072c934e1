"""Lines on a terminal that say how far long work is."""

from __future__ import annotations

import math
import threading
import time

from .figures import rounded
from .output import Notes

# How long nothing is said, and how often afterwards, in seconds.
_PATIENCE = 1.0
_EVERY = 0.2
# The size of a file that takes long enough for a line, in bytes.
_LONG = 8_000_000


class Progress:
    """A line that says how much is done, and how long the rest takes at the pace so far: all bytes take as long."""

    def __init__(self, notes: Notes, sizes: list[int]) -> None:
        self._notes = notes
        self._sizes = sizes
        self._whole = sum(sizes) + len(sizes)
        self._begun = time.monotonic()
        self._shown = self._begun + _PATIENCE - _EVERY
        self._bytes = 0
        self._count = 0

    def done(self, at: int) -> None:
        """A file is done."""
        self._bytes += self._sizes[at] + 1
        self._count += 1

    def show(self) -> None:
        """Shows the line, unless that was done only now."""
        now = time.monotonic()
        if now - self._shown < _EVERY:
            return
        self._shown = now
        pace = (now - self._begun) / self._bytes if self._bytes else None
        left = "" if pace is None else f", about {duration_of(pace * (self._whole - self._bytes))} left"
        share = math.floor(self._bytes / self._whole * 100)
        self._notes.show(f"ebbline: {share} %, {self._count} of {len(self._sizes)} files{left}")


class Waiting:
    """A line that says for how long something outside this program has been waited for."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._begun = time.monotonic()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        if notes.is_terminal:
            self._thread.start()

    def _show(self) -> None:
        while not self._end.wait(_PATIENCE):
            self._notes.show(f"ebbline: waiting for the command, {duration_of(time.monotonic() - self._begun)}")

    def end(self) -> None:
        """Removes the line."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()
        self._notes.clear()


def show_long_file(notes: Notes, name: str, size: int, at: int, of: int) -> None:
    """Says which long file is worked on. The engine works without a pause, so the line appears at once and stays."""
    if size >= _LONG:
        place = f"file {at + 1} of {of}, " if of > 1 else ""
        notes.show(f"ebbline: {place}{name} ({rounded(size / 1e6)} MB)")


def duration_of(seconds: float) -> str:
    """``8 s``, ``3 min``, ``2 h``"""
    whole = math.ceil(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes = math.ceil(whole / 60)
    return f"{minutes} min" if minutes < 100 else f"{math.ceil(minutes / 60)} h"
