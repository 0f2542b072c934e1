"""Runs a command of the person's: text in, text out."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import ExitStack
from typing import IO, Any

from .signals import ENDING, heard

# How long a command may take to end after it was told to, and how often its state is looked at, in seconds.
_GRACE = 2.0
_EVERY = 0.1
# How often somebody is told that it still runs, in seconds.
_TOLD = 1.0
# How many bytes are read at a time.
_CHUNK = 1 << 16


class Running:
    """A command that runs."""

    def __init__(self, run: dict[str, Any]) -> None:
        self._begun = time.monotonic()
        self._until = self._begun + run["seconds"]
        self._most: int = run["most"]
        self._why: str | None = None
        self._killed_at = float("inf")
        self._child: subprocess.Popen[bytes] | None = None
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._is_open = True
        self.answer = bytearray()
        # Before the command starts: a signal right after that would end the program and leave the command running.
        self._signals = ExitStack()
        self._signals.enter_context(heard(ENDING, lambda _: self._stop("Interrupted")))
        # A group of its own, so that whatever the shell starts ends with it.
        self._child = child = subprocess.Popen(
            run["command"], shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert child.stdin is not None and child.stdout is not None
        request = run["input"].encode()
        threading.Thread(target=_write, args=(child.stdin, request), daemon=True).start()
        threading.Thread(target=_read, args=(child.stdout, self._pieces), daemon=True).start()
        if self._why is not None:
            self._end()

    def reply(self) -> Any:
        """What came of it, or that it still runs."""
        assert self._child is not None
        told_at = time.monotonic() + _TOLD
        while self._is_open or self._child.poll() is None:
            now = time.monotonic()
            if now >= self._until:
                self._stop("TooSlow")
            if now >= self._killed_at:
                # What left the group may keep the pipe open.
                self._send("SIGKILL")
                break
            if now >= told_at:
                return {"Waiting": duration_of(now - self._begun)}
            self._take()
        code = self._child.wait()
        self._signals.close()
        if self._why is not None:
            return self._why
        if code == 0:
            return {"Answer": []}
        return {"Code": code} if code > 0 else {"Signal": signal.Signals(-code).name}

    def _take(self) -> None:
        try:
            piece = self._pieces.get(timeout=_EVERY)
        except queue.Empty:
            return
        self._is_open = self._is_open and piece != b""
        self.answer += piece
        if len(self.answer) > self._most:
            self._stop("TooLong")

    def _stop(self, why: str) -> None:
        """Ends a command and what it started: first asks, then insists."""
        self._why = self._why or why
        if self._child is not None:
            self._end()

    def _end(self) -> None:
        if self._killed_at == float("inf"):
            self._killed_at = time.monotonic() + _GRACE
            self._send("SIGTERM")

    def _send(self, name: str) -> None:
        assert self._child is not None
        try:
            if hasattr(os, "killpg"):
                os.killpg(self._child.pid, getattr(signal, name))
            else:
                self._child.terminate()
        except (ProcessLookupError, PermissionError):
            # It has ended.
            pass


def duration_of(seconds: float) -> dict[str, int]:
    """A duration as the commands have it."""
    return {"secs": int(seconds), "nanos": int(seconds % 1 * 1e9)}


def _write(pipe: IO[bytes], request: bytes) -> None:
    """A command need not read its request."""
    try:
        with pipe:
            pipe.write(request)
    except OSError:
        pass


def _read(pipe: IO[bytes], pieces: queue.SimpleQueue[bytes]) -> None:
    """An empty piece says that there will be no more."""
    with pipe:
        while piece := os.read(pipe.fileno(), _CHUNK):
            pieces.put(piece)
    pieces.put(b"")
