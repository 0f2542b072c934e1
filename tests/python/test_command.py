"""`ebbline` and `python -m ebbline`: the words, the exit codes and, for programs, the bytes of the npm command line."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from ebbline import _command, __version__
from ebbline._javascript import stringify

HERE = Path(__file__).parent
FIXTURES = sorted((HERE.parent / "formats").glob("*/*.json*"))
PACKAGE = os.environ.get("EBBLINE_PACKAGE", "")

PRUNES = [
    argument
    for name in ("prune.protect=0", "prune.minimum=0", "prune.minimumTurns=0", "prune.protectedTurns=0", "prune.downTo=0")
    for argument in ("--set", name)
]
ALL = ["--force", *PRUNES, "--set", "prune.onlyWhenFull=false", "--set", "retain.keep=60"]


class Streams:
    """Standard output and standard error as bytes."""

    def __init__(self) -> None:
        self.buffer = io.BytesIO()

    def write(self, text: str) -> None:
        self.buffer.write(text.encode())

    def flush(self) -> None:
        pass


def run(*arguments: str) -> tuple[int, bytes, str]:
    """What the command line answers, in this process."""
    out, notes = Streams(), Streams()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(notes):  # type: ignore[type-var]
        code = _command.main(list(arguments))
    return code, out.buffer.getvalue(), notes.buffer.getvalue().decode()


class Words(unittest.TestCase):
    def test_it_is_a_module_and_a_program(self) -> None:
        done = subprocess.run([sys.executable, "-m", "ebbline", "--version"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, __version__ + "\n"))
        done = subprocess.run([sys.executable, "-m", "ebbline", "detect", "-"], input="{", capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^ebbline: standard input: .+\n$")

    def test_mistakes_are_told(self) -> None:
        for arguments, code, sentence in [
            ([], 2, "there is no command"),
            (["plna", "x"], 2, "did you mean plan?"),
            (["plan"], 2, "plan needs a FILE"),
            (["plan", "--profil", "x", "y"], 2, "did you mean --profile?"),
            (["plan", "--context", "many", "y"], 2, "--context must be a number of tokens, not many"),
            (["plan", "--context"], 2, "argument missing"),
            (["plan", "--json=1", "x"], 2, "does not take an argument"),
            (["undo", "x"], 2, "`npx ebbline undo` has it"),
            (["compact", "--record", "x", "y"], 2, "no compact --record"),
            (["compact", "--json", "x"], 2, "compact --json needs -o OUT"),
            (["compact", "a", "b"], 2, "takes one FILE"),
            (["compact", "--now", "yesterday", "a"], 2, "--now must be"),
            (["plan", "no-such-file"], 1, "cannot read no-such-file: there is no such file or folder"),
            (["plan", "--profile", "ebbline@0", str(FIXTURES[0])], 2, "ebbline@0"),
            (["plan", str(HERE)], 1, "it is a folder"),
        ]:
            found = run(*arguments)
            self.assertEqual((found[0], found[1]), (code, b""), arguments)
            self.assertIn(sentence, found[2], arguments)
        self.assertIn("npx ebbline", run("--help")[1].decode())

    def test_a_file_is_replaced_as_a_whole(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "session.json"
            file.write_text('[{"role": "user", "content": "ls"}, {"role": "tool", "tool_call_id": "c1", "content": "a"}]')
            file.chmod(0o640)
            code, _, notes = run("repair", str(file), "-o", str(file))
            self.assertEqual((code, json.loads(file.read_text())), (0, [{"role": "user", "content": "ls"}]))
            self.assertIn("1 faults mended", notes)
            self.assertEqual((file.stat().st_mode & 0o777, os.listdir(folder)), (0o640, ["session.json"]))
            self.assertEqual(run("plan", "--check", str(file))[0], 0)
            self.assertEqual(run("plan", "--check", str(file), "-o", "x")[0], 2)

    def test_json_is_written_as_javascript_writes_it(self) -> None:
        for value, text in [
            (1.0, "1"),
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (0.00001234, "0.00001234"),
            (1.5e-7, "1.5e-7"),
            (-2.5e-5, "-0.000025"),
            ({"b": None, "10": True, "9": []}, '{"9":[],"10":true,"b":null}'),
            ("\ud83d \u2028 \u00e9 \x07", '"\\ud83d \u2028 \u00e9 \\u0007"'),
        ]:
            self.assertEqual(stringify(value), text)


ASKED = [
    ["detect", "--json"],
    ["plan", "--json"],
    ["plan", "--json", "--force", "--profile", "tunacode@0.2"],
    ["plan", "--json", "--context", "3_000", *ALL],
    ["inspect", "--json", "--profile", "pi@1.5"],
    ["validate", "--json", "--also", "last_role", "--also", "empty_text"],
    ["repair", "--also", "empty_text", "--json", "-o", "OUT"],
    ["compact", *ALL],
    ["compact", "-o", "OUT", "--json", "--free-bytes", "--summary", "SUMMARY", "--now", "2026-01-31T12:00Z", *ALL],
    ["summary-request", "--json", "--focus", 'the "yen"', *ALL],
    ["summary-request", "--answer", "ANSWER", *ALL],
    ["replay", "--json", "--context", "3000", "--rates", "0.5,1,4"],
]


@unittest.skipUnless(PACKAGE and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
class Bytes(unittest.TestCase):
    """Both command lines on every fixture. The one of npm takes many files at once, so a start of Node is paid seldom."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        folder = Path(cls.folder.name)
        (folder / "summary").write_text("## Goal\nMend what was asked for.\n")
        (folder / "answer").write_text("<think>Short.</think>Mend it; it is all fine now.\n")
        cls.places = {"SUMMARY": str(folder / "summary"), "ANSWER": str(folder / "answer"), "OUT": str(folder / "out")}
        manifest = json.loads((Path(PACKAGE) / "package.json").read_text())
        cls.program = ["node", str(Path(PACKAGE) / manifest["bin"]["ebbline"])]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def npm(self, arguments: list[str]) -> tuple[int, bytes, bytes]:
        done = subprocess.run([*self.program, *arguments], capture_output=True)
        return done.returncode, done.stdout, done.stderr

    def written(self) -> bytes | None:
        out = Path(self.places["OUT"])
        content = out.read_bytes() if out.exists() else None
        out.unlink(missing_ok=True)
        return content

    def same(self, arguments: list[str]) -> None:
        code, out, _ = self.npm(arguments)
        expected = (code, out, self.written())
        found = run(*arguments)
        self.assertEqual((found[0], found[1], self.written()), expected, arguments)

    def test_for_every_fixture_the_same_bytes(self) -> None:
        for way in ASKED:
            arguments = [self.places.get(argument, argument) for argument in way]
            one_each = way[0] in ("compact", "repair", "summary-request")
            # A start of Node is dear: commands that write one session take one of three fixtures, in turn.
            files = [str(path) for path in FIXTURES][len(way) % 3 :: 3] if one_each else [str(path) for path in FIXTURES]
            with self.subTest(" ".join(way)[:60]):
                if not one_each:
                    self.same([*arguments, *files])
                    continue
                for file in files:
                    self.same([*arguments, file])

    def test_the_audit_and_the_profiles(self) -> None:
        self.same(["profiles"])
        self.same(["profiles", "--json"])
        fine = [str(path) for path in FIXTURES if run("detect", str(path))[0] == 0]
        self.same(["audit", "--json", *fine])
        self.same(["audit", "--json", "--check", *fine])


if __name__ == "__main__":
    unittest.main()
