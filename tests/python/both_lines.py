"""What the tests share that compare the command line of Python with that of npm."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
import unittest
from pathlib import Path

import command_line
from command_line import PACKAGE, Case, Told, of_npm, of_python

CHAT = str(command_line.CHAT)


def knobs(*settings: str) -> list[str]:
    return [argument for setting in settings for argument in ("--set", setting)]


PRUNES = knobs("prune.protect=0", "prune.minimum=0", "prune.minimumTurns=0", "prune.protectedTurns=0", "prune.downTo=0")
ALL = ["--force", *PRUNES, *knobs("prune.onlyWhenFull=false", "retain.keep=60")]
SOME = knobs("prune.protect=200", "prune.minimum=10", "prune.onlyWhenFull=false", "retain.keep=300")


@unittest.skipUnless(PACKAGE and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
class BothLines(unittest.TestCase):
    """Cases for both command lines, and a folder for their files."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.summary = cls.file("summary.txt", "## Goal\nMend what was asked for.\n")
        cls.answer = cls.file("answer.txt", "<think>Short.</think>Mend it; it is all fine now.\n")
        cls.out = str(Path(cls.folder.name) / "out")
        cls.record = str(Path(cls.folder.name) / "record")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    @classmethod
    def file(cls, name: str, content: str | bytes) -> str:
        path = Path(cls.folder.name) / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def same(self, cases: list[Case]) -> list[Told]:
        """Asserts that both say the same, and returns what they say."""
        all_of = list(of_npm(cases))
        self.assertEqual(len(all_of), len(cases))
        for case, expected in zip(cases, all_of):
            with self.subTest(" ".join(case.args)[-200:]):
                told = of_python(case)
                # What only the other command lines have stands at the end of the help.
                told = dataclasses.replace(told, out=told.out.split("\nOnly in `npx ebbline`")[0])
                self.assertEqual(told, expected)
        return all_of
