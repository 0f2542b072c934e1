"""Runs both command lines: that of Python in this process, and that of npm in one other process for many cases."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from ebbline._cli.main import main

HERE = Path(__file__).parent
FIXTURES = sorted((HERE.parent / "formats").glob("*/*.json*"))
CHAT = next(path for path in FIXTURES if path.name == "openai-chat.json")
PACKAGE = os.environ.get("EBBLINE_PACKAGE", "")


@dataclasses.dataclass(frozen=True)
class Case:
    """Arguments, what is different in the environment, and the files that are written."""

    args: Sequence[str]
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    files: Sequence[str] = ()


@dataclasses.dataclass(frozen=True)
class Told:
    """What a command line said and wrote; bytes are letters of Latin-1."""

    code: int
    out: str
    errors: str
    written: list[str | None]


class Kept:
    """A stream that keeps what is written to it."""

    def __init__(self) -> None:
        self.buffer = io.BytesIO()

    def text(self) -> str:
        return self.buffer.getvalue().decode("latin-1")


def run(*arguments: str) -> tuple[int, bytes, str]:
    """What the command line of Python answers."""
    told = of_python(Case(arguments))
    return told.code, told.out.encode("latin-1"), told.errors.encode("latin-1").decode()


def of_python(case: Case) -> Told:
    out, notes = Kept(), Kept()
    for path in case.files:
        Path(path).unlink(missing_ok=True)
    streams: Any = (contextlib.redirect_stdout(out), contextlib.redirect_stderr(notes))  # type: ignore[type-var]
    with streams[0], streams[1], mock.patch.dict(os.environ, case.env):
        code = main(list(case.args))
    written = [Path(path).read_bytes().decode("latin-1") if os.path.exists(path) else None for path in case.files]
    return Told(code, out.text(), notes.text(), written)


def of_npm(cases: Iterable[Case]) -> Iterator[Told]:
    given = json.dumps([dataclasses.asdict(case) for case in cases])
    program = ["node", str(HERE / "commands.mjs")]
    done = subprocess.run(program, input=given.encode(), stdout=subprocess.PIPE, check=True)
    return (Told(**told) for told in json.loads(done.stdout))
