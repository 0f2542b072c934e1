"""Runs one command: it says what it asks for, and gets answers until it is done."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from .._engine import COMMANDS, Instance
from .content import bytes_of, content_of
from .files import Name, is_stdin, kind_of, listing_of, path_of, read, state_of
from .output import Stream
from .refusal import refusal_of

# The exit code of a fault of ebbline itself.
_FAULT = 4
_NOTHING = '"Nothing"'

Answer = tuple[str, Any]


def main(arguments: list[str] | None = None) -> int:
    """Runs a command, and returns the exit code."""
    notes = Stream(sys.stderr)
    try:
        return _Host(notes).exit_code(sys.argv[1:] if arguments is None else arguments)
    except Exception as error:
        what = str(error).split("\n")[0]
        fault = f"a fault of ebbline itself: {type(error).__name__}: {what}"
        _note(notes, f"ebbline: {fault}; please report it with the command that led to it\n")
        return _FAULT


class _Host:
    """Answers by the names of what is asked."""

    def __init__(self, notes: Stream) -> None:
        self._begun = time.monotonic()
        self._notes = notes
        self._out = Stream(sys.stdout)
        self._instance = Instance(COMMANDS)
        self._command: Any = None
        self._running: Any = None
        self._pool: Any = None

    def exit_code(self, arguments: Sequence[str]) -> int:
        """Runs the command of the arguments."""
        terminal = {
            "out_is_terminal": self._out.is_terminal,
            "columns": self._out.columns,
            "notes_are_terminal": self._notes.is_terminal,
            "environment": {name.lower(): os.environ.get(name, "") for name in ("NO_COLOR", "TERM", "COLUMNS")},
        }
        names = [list(os.fsencode(argument)) for argument in arguments]
        self._command = self._instance.call("[constructor]command", json.dumps(names), json.dumps(terminal))
        answer: Answer = (_NOTHING, None)
        while True:
            ask: Any = json.loads(self._instance.call("[method]command.step", self._command, *answer))
            kind, value = (ask, None) if isinstance(ask, str) else next(iter(ask.items()))
            if kind == "Done":
                return self._instance.call("[method]command.code", self._command)
            answer = getattr(self, kind.lower())(value)

    def variable(self, name: str) -> Answer:
        return _json({"Text": os.environ.get(name)})

    def clock(self, _: None) -> Answer:
        from .shell import duration_of

        return _json({"Time": duration_of(time.monotonic() - self._begun)})

    def kind(self, name: Name) -> Answer:
        return _json({"Kind": kind_of(name)})

    def state(self, name: Name) -> Answer:
        return _json({"State": None if is_stdin(name) else state_of(name)})

    def read(self, name: Name) -> Answer:
        try:
            found = read(name)
        except (OSError, ValueError) as error:
            return _json({"Bytes": {"Err": refusal_of(error)}})
        return '{"Bytes":{"Ok":[]}}', content_of(self._instance, found)

    def list(self, name: Name) -> Answer:
        return _json({"Listing": listing_of(name)})

    def write(self, write: dict[str, Any]) -> Answer:
        from .write import write_file_safely

        return self._finished(write_file_safely, path_of(write["to"]), self._bytes(), write["unchanged"])

    def check(self, check: dict[str, Any]) -> Answer:
        from .write import refuse_changed

        return self._finished(refuse_changed, path_of(check["to"]), check["unchanged"])

    def run(self, run: dict[str, Any]) -> Answer:
        from .shell import Running

        self._running = Running(run)
        return self.wait(None)

    def wait(self, _: None) -> Answer:
        reply = self._running.reply()
        is_answer = isinstance(reply, dict) and "Answer" in reply
        content = content_of(self._instance, bytes(self._running.answer)) if is_answer else None
        return json.dumps({"Reply": reply}), content

    def out(self, _: Any) -> Answer:
        try:
            return _json({"Output": {"Ok": self._out.write(self._bytes())}})
        except OSError as error:
            return _json({"Output": {"Err": refusal_of(error)}})

    def note(self, text: str) -> Answer:
        _note(self._notes, text)
        return _NOTHING, None

    def work(self, work: dict[str, Any]) -> Answer:
        from .pool import Pool

        def begin() -> None:
            self._pool = Pool(work, self._instance)

        return self._finished(begin)

    def next(self, within: dict[str, int]) -> Answer:
        return f'{{"News":{self._pool.next(within["secs"] + within["nanos"] / 1e9)}}}', None

    def halt(self, _: None) -> Answer:
        self._pool.end()
        return _NOTHING, None

    def _bytes(self) -> bytes:
        return bytes_of(self._instance.call("[method]command.content", self._command))

    def _finished(self, work: Any, *arguments: Any) -> Answer:
        try:
            work(*arguments)
        except Exception as error:
            return _json({"Finished": {"Err": refusal_of(error)}})
        return _json({"Finished": {"Ok": None}})


def _json(answer: Any) -> Answer:
    return json.dumps(answer), None


def _note(notes: Stream, text: str) -> None:
    """If nobody hears notes, the command itself may still succeed."""
    try:
        notes.write(text.encode())
    except OSError:
        pass
