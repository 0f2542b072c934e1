"""`ebbline` and `python -m ebbline` as a program: mistakes, files, threads, and numbers as JavaScript writes them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from command_line import CHAT, FIXTURES, HERE, run
from ebbline import __version__
from ebbline._cli.compacted import is_blank
from ebbline._cli.figures import amount, fixed, precise, rounded
from ebbline._cli.javascript import number_of, stringify


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """The command line as a program that runs."""
    command = [sys.executable, "-m", "ebbline", *arguments]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def is_gone(process: int) -> bool:
    """Whether a process ends; one whose parent has not taken notice yet has ended, too."""
    for _ in range(500):
        try:
            os.kill(process, 0)
            if ") Z " in Path(f"/proc/{process}/stat").read_text():
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


def of_qwen(turns: int) -> str:
    """A log of Qwen Code with so many questions and answers."""
    lines = []
    for at in range(2 * turns):
        role, kind = ("user", "user") if at % 2 == 0 else ("model", "assistant")
        line = {"uuid": f"u{at}", "parentUuid": None if at == 0 else f"u{at - 1}", "sessionId": "s", "cwd": "/w"}
        said = {"role": role, "parts": [{"text": f"Line {at} says what is in the cart. " * 30}]}
        when = {"timestamp": "2026-09-12T08:01:00.000Z", "version": "0.18.2"}
        lines.append(json.dumps({**line, **when, "type": kind, "message": said}))
    return "".join(f"{line}\n" for line in lines)


class Words(unittest.TestCase):
    def test_it_is_a_module_and_a_program(self) -> None:
        done = subprocess.run([sys.executable, "-m", "ebbline", "--version"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, __version__ + "\n"))
        done = subprocess.run(
            [sys.executable, "-m", "ebbline", "detect", "-"], input="{", capture_output=True, text=True
        )
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
            (["recall", "x"], 2, "recall needs a FILE and the ID of a call"),
            (["compact", "--record", "x", "x"], 2, "--record needs a file of its own"),
            (["sweep", "--grid", "x", "--window", "9", "y"], 2, "--grid FILE is a whole grid"),
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
            file.write_text(
                '[{"role": "user", "content": "ls"}, {"role": "tool", "tool_call_id": "c1", "content": "a"}]'
            )
            file.chmod(0o640)
            code, _, notes = run("repair", str(file), "-o", str(file))
            self.assertEqual((code, json.loads(file.read_text())), (0, [{"role": "user", "content": "ls"}]))
            self.assertIn("1 fault mended", notes)
            self.assertEqual((file.stat().st_mode & 0o777, os.listdir(folder)), (0o640, ["session.json"]))
            self.assertEqual(run("plan", "--check", str(file))[0], 0)
            self.assertEqual(run("plan", "--check", str(file), "-o", "x")[0], 2)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "there are no links and pipes with names")
    def test_links_pipes_and_descriptors_stay_what_they_are(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place, content = Path(folder), CHAT.read_bytes()
            (place / "deep").mkdir()
            (place / "deep" / "first").symlink_to("../later.json")
            (place / "second").symlink_to("deep/first")
            self.assertEqual(run("compact", str(CHAT), "-o", str(place / "second"))[0], 0)
            self.assertEqual((place / "later.json").read_bytes(), content)
            self.assertEqual(os.readlink(place / "second"), "deep/first")
            (place / "round").symlink_to("round")
            code, _, notes = run("compact", str(CHAT), "-o", str(place / "round"))
            self.assertEqual(
                (code, notes), (1, f"ebbline: cannot write {place}/round: its links go round in a circle\n")
            )
            os.mkfifo(place / "pipe")
            reader = subprocess.Popen(["cat", str(place / "pipe")], stdout=subprocess.PIPE)
            self.assertEqual(run("compact", str(CHAT), "-o", str(place / "pipe"))[0], 0)
            self.assertEqual(reader.communicate()[0], content)
            log = os.open(place / "log", os.O_WRONLY | os.O_CREAT)
            os.write(log, b"before\n")
            self.assertEqual(run("compact", str(CHAT), "-o", f"/dev/fd/{log}")[0], 0)
            os.close(log)
            self.assertEqual((place / "log").read_bytes(), b"before\n" + content)
            self.assertEqual(sorted(os.listdir(place)), ["deep", "later.json", "log", "pipe", "round", "second"])

    @unittest.skipUnless(hasattr(os, "killpg"), "there are no groups of processes")
    def test_ctrl_c_ends_the_command_of_summarize_and_writes_nothing(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            session, started = Path(folder) / "session.json", Path(folder) / "started"
            session.write_bytes(CHAT.read_bytes())
            how = ["--force", "--set", "retain.keep=60", "--with", f"sleep 60 & echo $! > {started}; wait"]
            command = ["summarize", str(session), *how, "-o", str(session)]
            program = start(*command)
            while not started.exists() or not started.read_text():
                time.sleep(0.02)
            program.send_signal(signal.SIGINT)
            out, notes = program.communicate()
            self.assertEqual((program.returncode, out), (130, b""), notes)
            self.assertEqual(notes.decode(), f"ebbline: {session}: interrupted; nothing was written\n")
            self.assertEqual(session.read_bytes(), CHAT.read_bytes())
            self.assertTrue(is_gone(int(started.read_text())))
            started.unlink()
            code, _, notes = run(*command, "--timeout", "1")
            said = "ebbline: the command gave no answer within 1 s, and nothing was written\n"
            self.assertEqual((code, notes), (1, said))
            self.assertTrue(is_gone(int(started.read_text())))

    @unittest.skipUnless(hasattr(os, "mkfifo"), "there are no pipes with names")
    def test_ctrl_c_leaves_what_is_done(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pipe = Path(folder) / "pipe"
            os.mkfifo(pipe)
            # Nobody writes to the pipe, so its file is never done.
            how = ["--json", "--policies", "pi@1.5", "--context", "9000"]
            program = start("compare", *how, str(CHAT), str(CHAT), str(pipe))
            assert program.stdout is not None
            first = [json.loads(program.stdout.readline())["file"] for _ in "ab"]
            program.send_signal(signal.SIGINT)
            out, notes = program.communicate()
            self.assertEqual((program.returncode, first, out), (130, [str(CHAT), str(CHAT)], b""), notes)
            self.assertEqual(notes, b"ebbline: interrupted: 1 of 3 files is missing from these results\n")

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

    def test_figures_are_rounded_as_javascript_rounds_them(self) -> None:
        for number, digits, text in [
            (0.25, 1, "0.3"),
            (0.35, 1, "0.3"),
            (1.005, 2, "1.00"),
            (-1.25, 1, "-1.3"),
            (1e21, 1, "1e+21"),
        ]:
            self.assertEqual(fixed(number, digits), text)
        for number, text in [
            (0, "0"),
            (1_234_567, "1,234,567"),
            (0.0005, "0.001"),
            (999.9999, "1,000"),
            (2**60, "1,152,921,504,606,847,000"),
        ]:
            self.assertEqual(amount(number), text)
        for number, digits, expected in [(0.1 + 0.2, 12, 0.3), (12.5, 2, 13.0), (99.6, 2, 100.0)]:
            self.assertEqual(precise(number, digits), expected)
        self.assertEqual([rounded(number) for number in (2.5, -2.5, 0.49999999999999994)], [3, -2, 0])

    def test_numbers_are_read_as_javascript_reads_them(self) -> None:
        for text, number in [
            ("", 0),
            (" 0x1f\ufeff", 31),
            (".5", 0.5),
            ("5.", 5),
            ("1e3", 1_000),
            ("-Infinity", float("-inf")),
        ]:
            self.assertEqual(number_of(text), number, text)
        for text in ["1_000", "0x", "0x_1", "-0x1", "nan", "inf", "1 2", "٣"]:
            self.assertNotEqual(number_of(text), number_of(text), text)

    def test_a_command_is_not_run_for_what_takes_no_summary(self) -> None:
        atif = next(path for path in FIXTURES if path.name == "atif.json").read_text()
        for content, says in [(atif, "ATIF has no place"), (of_qwen(8), "Qwen Code has no place")]:
            with tempfile.TemporaryDirectory() as folder:
                path, trace, out = str(Path(folder, "session")), Path(folder, "trace"), Path(folder, "out")
                Path(path).write_text(content)
                how = ["--force", "--set", "retain.keep=1", "-o", str(out)]
                code, _, errors = run("summarize", path, *how, "--with", f"echo asked > '{trace}'")
                self.assertEqual((code, trace.exists(), out.exists()), (1, False, False), errors)
                self.assertIn(says, errors)
                self.assertIn("the command was not run", errors)
                _, _, errors = run("compact", path, *how)
                self.assertIn(says, errors)
                self.assertNotIn("--summary", errors)

    def test_foreign_shapes_are_refused_and_stay(self) -> None:
        for shape in json.loads((HERE.parent / "foreign-shapes.json").read_text()):
            text = shape.get("text") or "".join(f"{json.dumps(line)}\n" for line in shape.get("lines", []))
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "session")
                path.write_text(text or json.dumps(shape["document"]))
                before = path.read_bytes()
                for command in [["detect"], ["compact", "-o", str(path)], ["repair", "-o", str(path)]]:
                    code, _, errors = run(*command, str(path))
                    self.assertEqual((code, path.read_bytes()), (1, before), errors)
                    self.assertIn("docs/convert.md", errors)

    def test_a_summary_that_shows_nothing_is_none(self) -> None:
        table = json.loads((HERE.parent / "blank-summaries.json").read_text())
        for kind, texts in table.items():
            self.assertEqual([is_blank(text) for text in texts], [kind == "blank"] * len(texts))


if __name__ == "__main__":
    unittest.main()
