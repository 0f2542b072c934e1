"""Runs a command of the user's: text in, text out."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
import time
from typing import IO

from .exit import FileError, Interrupted
from .files import no_text
from .output import Notes
from .progress import Waiting
from .signals import ENDING, heard

# A longer answer is no summary of anything.
_LARGEST = 16 << 20
# How long a command may take to end after it was told to, and how often its state is looked at, in seconds.
_GRACE = 2.0
_EVERY = 0.1
# How many bytes are read at a time.
_CHUNK = 1 << 16
# What a shell answers if it finds no such command.
_NO_COMMAND = 127


def answered(command: str, request: bytes, timeout: int, notes: Notes) -> str:
    """What a command of the shell answers. It may take so many seconds."""
    # Before the command starts: a signal right after that would end the program and leave the command running.
    asking = _Asking()
    interrupted = Interrupted("interrupted; nothing was written")
    with heard(ENDING, lambda _: asking.stop(interrupted)):
        line = Waiting(notes)
        try:
            code, answer = asking.run(command, request, timeout)
        finally:
            line.end()
    if code != 0:
        raise FileError(f"the command {_failure_of(code)}, and nothing was written")
    why = no_text(answer)
    if why is not None:
        raise FileError(f"the answer of the command cannot be read: {why}")
    return answer.decode().removeprefix("\ufeff")


class _Asking:
    """A command that runs, and why it was told to end."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._why: Exception | None = None
        self._killed_at = float("inf")

    def run(self, command: str, request: bytes, timeout: int) -> tuple[int, bytes]:
        """How the command ends, and what it answered."""
        # A group of its own, so that whatever the shell starts ends with it.
        self._child = child = subprocess.Popen(
            command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert child.stdin is not None and child.stdout is not None
        pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=_write, args=(child.stdin, request), daemon=True).start()
        threading.Thread(target=_read, args=(child.stdout, pieces), daemon=True).start()
        until = time.monotonic() + timeout
        if self._why is not None:
            self.stop(self._why)
        answer, is_open = bytearray(), True
        while is_open or child.poll() is None:
            now = time.monotonic()
            if now >= until:
                self.stop(FileError(f"the command gave no answer within {timeout} s, and nothing was written"))
            if now >= self._killed_at:
                # What left the group may keep the pipe open.
                self._send("SIGKILL")
                break
            piece = _next(pieces)
            if piece is None:
                continue
            is_open = is_open and piece != b""
            answer += piece
            if len(answer) > _LARGEST:
                self.stop(FileError(f"the command answered more than {_LARGEST >> 20} MiB, which is no summary"))
        code = child.wait()
        if self._why is not None:
            raise self._why
        return code, bytes(answer)

    def stop(self, why: Exception) -> None:
        """Ends the command and what it started: first asks, then insists."""
        self._why = self._why or why
        if self._child is not None and self._killed_at == float("inf"):
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


def _next(pieces: queue.SimpleQueue[bytes]) -> bytes | None:
    try:
        return pieces.get(timeout=_EVERY)
    except queue.Empty:
        return None


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


def _failure_of(code: int) -> str:
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    reason = ": the shell found no such command" if code == _NO_COMMAND else ""
    return f"ended with exit code {code}{reason}"
