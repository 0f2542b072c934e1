"""Runs the command line of Python in this process."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

from ebbline._cli.main import main

HERE = Path(__file__).parent
CHAT = HERE.parent / "formats" / "openai_chat" / "openai-chat.json"


class Kept:
    """A stream that keeps what is written to it."""

    def __init__(self) -> None:
        self.buffer = io.BytesIO()


def run(*arguments: str) -> tuple[int, bytes, str]:
    """What the command line answers: exit code, output and errors."""
    out, notes = Kept(), Kept()
    streams: Any = (contextlib.redirect_stdout(out), contextlib.redirect_stderr(notes))  # type: ignore[type-var]
    with streams[0], streams[1]:
        code = main(list(arguments))
    return code, out.buffer.getvalue(), notes.buffer.getvalue().decode()
