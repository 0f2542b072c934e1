"""`ebbline` and `python -m ebbline` as a program: files, links, pipes, signals. What it says, tests/commands records."""

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

from command_line import CHAT, run
from ebbline import __version__


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


class Program(unittest.TestCase):
    def test_it_is_a_module_and_a_program(self) -> None:
        done = subprocess.run([sys.executable, "-m", "ebbline", "--version"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, __version__ + "\n"))
        done = subprocess.run(
            [sys.executable, "-m", "ebbline", "detect", "-"], input="{", capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^ebbline: standard input: .+\n$")

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


if __name__ == "__main__":
    unittest.main()
