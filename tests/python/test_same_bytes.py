"""The command line of Python beside that of npm: the same bytes on standard output and standard error, the same files,
the same exit codes. The cases are those of tests/npm/cli-both.test.mjs, which compares the native command line.

By hand, the tests of npm's command line run this one, too: see ebbline.sh.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from both_lines import ALL, CHAT, SOME, BothLines
from command_line import FIXTURES, PACKAGE, Case


class SameBytes(BothLines):
    def test_the_fixtures(self) -> None:
        asked: dict[str, list[list[str]]] = {
            "detect": [[], ["--json"]],
            "plan": [
                [],
                ["--json"],
                ["--color", "always", "--context", "3000", *SOME],
                ["--force", "--profile", "tunacode@0.2"],
            ],
            "inspect": [[], ["--json", "--profile", "pi@1.5"], ["--color", "always"]],
            "validate": [[], ["--json", "--also", "last_role", "--also", "empty_text"]],
            "repair": [[], ["--also", "alternation", "--also", "empty_text", "--json", "-o", self.out]],
            "compact": [
                ALL,
                [
                    "-o",
                    self.out,
                    "--json",
                    "--free-bytes",
                    "--summary",
                    self.summary,
                    "--now",
                    "2026-01-31T12:00Z",
                    *ALL,
                ],
                ["-o", self.out, "--summary", self.summary, *ALL],
            ],
            "summary-request": [ALL, ["--json", "--focus", 'the "yen"', *ALL], ["--answer", self.answer, *ALL]],
            "summarize": [["--with", "echo So it was mended.", "-o", self.out, "--record", self.record, *ALL]],
            "replay": [
                [],
                ["--json", "--context", "3000", "--rates", "0.5, 0x1,4"],
                ["--context", "3000", *SOME],
                ["--csv", "--context", "3000", "--moments", "system", "--cache-minimum", "1_024"],
                ["--cache-check"],
                ["--cache-check", "--json", "--context", "3000", "--cache-lives", "5"],
            ],
            "compare": [
                ["--loss", "--json", "--context", "3000", *SOME],
                ["--context", "3000", "--cache-lives", "5", "--set", "prune.placeholder=gone"],
            ],
            "sweep": [["--json", "--window", "3000"]],
            "audit": [["--json"]],
        }
        self.same(
            [
                Case([command, str(path), *way], files=[self.out, self.record])
                for command, ways in asked.items()
                for way in ways
                for path in FIXTURES
            ]
        )

    def test_options_of_any_kind(self) -> None:
        given = [
            ["--context", "9" * 400],
            ["--context", "9007199254740993"],
            ["--context", "1_000,000"],
            ["--output-limit", "-1"],
            ["--conversation", "4294967296"],
            ["--conversation", "1.5"],
            ["--overhead", "5"],
            ["--overhead", "9999999"],
            ["--idle", "300000"],
            ["--known-tokens", "0"],
            ["--strict"],
            ["--check"],
            ["--format", "pi"],
            ["--format", "__proto__"],
            ["--format", "x" * 10_000],
            ["--profile", ""],
            ["--profile", "\x1b[2J"],
            ["--profile", "x", "--format", "y"],
            ["--color"],
            ["--color", "red"],
            ["--force=1"],
            ["--force", "--json"],
            ["--profil=x"],
            ["--profile", "ebline@2"],
            ["--set", "--json"],
            ["-x"],
            ["-hV"],
            ["-Vx"],
            ["-hox"],
            ["--=x"],
            ["--"],
            ["--", "--json"],
            *(
                ["--set", setting]
                for setting in [
                    "",
                    "=1",
                    "prune=[]",
                    "prune.protcet=1",
                    "prune.protect",
                    "prune.protect=1e999",
                    "prune.protect=-1",
                    "prune.protect=-0",
                    "prune.protect= 3e4 ",
                    "prune.protect=18446744073709551616",
                    "prune.protect=0.000001234",
                    "prune.protect=1.5e-7",
                    "prune.protect=1000000%",
                    "prune.protect=[1e999, 1.50]",
                    'prune.protect={"b":1,"1":2,"b":3}',
                    "prune.protect=\ufeff1",
                    'prune.protectedTools=["a",1]',
                    "prune.protectedTools=a, b",
                    "trigger.fires=sometimes",
                    "estimator.perToken=0",
                    "retain.keep=10%",
                    "__proto__=1",
                ]
            ),
        ]
        columns = ["20", "60", "71", "72", "200", "wide", "", "-5", "60.5", " 0x40 "]
        self.same(
            [
                *(Case(["plan", CHAT, *args]) for args in given),
                *(Case(["plan", CHAT, *SOME], env={"COLUMNS": width}) for width in columns),
                *(Case(["replay", CHAT], env={"COLUMNS": width}) for width in columns),
            ]
        )

    def test_mistakes(self) -> None:
        moments = [
            "yesterday",
            "",
            "2026-02-31",
            "2026-13-01",
            "2026-01-31T24:00Z",
            "2026-01-31T12:00:00.5+23:59",
            "0001-01-01",
        ]
        self.same(
            [
                Case(args, files=[self.out])
                for args in [
                    [],
                    ["--version"],
                    ["profiles"],
                    ["profiles", "--json"],
                    ["profiles", "--color", "always"],
                    ["profiles", "x"],
                    ["shrink"],
                    ["plna", "x"],
                    ["sumary-request", "x"],
                    ["plan"],
                    ["plan", "."],
                    ["plan", "missing.json", f"{CHAT}/x", CHAT, "x" * 300],
                    ["detect", "--profile", "x", "y"],
                    ["detect", "/proc/self/mem"],
                    ["validate", "--also", "last_rol", CHAT],
                    ["compact"],
                    ["compact", "a", "b"],
                    ["compact", "-", "--summary", "-"],
                    ["compact", "--json", "a"],
                    ["compact", "--json", "-o", "/dev/stdout", "a"],
                    ["compact", "-o", "", "a"],
                    ["compact", CHAT, "-o", "no/such/folder/x"],
                    ["compact", CHAT, "-o", "/dev/full"],
                    ["compact", CHAT, "-o", "/proc/version"],
                    ["compact", CHAT, "-o", "."],
                    ["compact", CHAT, "--summary", "missing"],
                    ["compact", CHAT, "--record", ""],
                    ["compact", CHAT, "--record", "/dev/stdout"],
                    ["compact", CHAT, "--record", CHAT],
                    ["compact", CHAT, "--record", self.out, "-o", self.out],
                    ["compact", CHAT, "--record", "no/such/folder/x", "-o", self.out],
                    ["compact", CHAT, "--summary", self.file("blank", "\ufeff \u200b\u2060")],
                    ["compact", CHAT, "--summary", self.file("latin", b"caf\xe9")],
                    ["repair", "--json", "a"],
                    ["repair", "missing", "--also", "x"],
                    ["summary-request", "-", "--answer", "-"],
                    ["summary-request", CHAT],
                    ["summary-request", CHAT, *ALL, "--budget", "100"],
                    ["summary-request", CHAT, *ALL, "--answer", self.file("nothing", "## Goal\n(none)")],
                    ["summary-request", CHAT, *ALL, "--json", "--set", "model.output=0"],
                    ["undo", "a"],
                    ["undo", "-", "--record", "-"],
                    ["undo", CHAT, "--record", CHAT],
                    ["undo", CHAT, "--record", "missing"],
                    ["undo", CHAT, "--json", "--record", "a"],
                    ["undo", CHAT, "--record", self.file("newer", '{"ebbline":"compaction","version":2}')],
                    ["undo", CHAT, "--record", self.file("odd", '{"ebbline":"compaction","version":1,"edits":[]}')],
                    ["summarize", "a"],
                    ["summarize", "a", "--with", " "],
                    ["summarize", CHAT, "--json", "--with", "cat"],
                    ["summarize", CHAT, "--with", "cat", "--record", "-"],
                    ["summarize", CHAT, "--with", "cat", "--timeout", "0"],
                    ["summarize", CHAT, "--with", "exit 3"],
                    ["summarize", CHAT, "--with", "exit 3", *ALL],
                    ["summarize", CHAT, "--with", "kill -KILL $$", *ALL],
                    ["summarize", CHAT, "--with", "no-such-command-here 2> /dev/null", *ALL],
                    ["summarize", CHAT, "--with", "printf '\\377'", *ALL],
                    ["summarize", CHAT, "--with", "true", *ALL],
                    ["summarize", CHAT, "--with", "echo 'I cannot do that.'", *ALL],
                    ["summarize", CHAT, "--with", "printf '## Goal\\n(none)'", *ALL],
                    ["summarize", CHAT, "--with", f"cat > {self.out}; cat {self.answer}", *ALL],
                    ["summarize", CHAT, "--with", f"cat > {self.out}; grep -o 'Write it[^\"]*' {self.out}", *ALL],
                    ["summarize", CHAT, "--with", "yes word | head -c 17000000", *ALL],
                    ["replay", "missing", "--rates", "1,2"],
                    ["replay", CHAT, "--rates", "1,2"],
                    ["replay", CHAT, "--usage", "guessed"],
                    ["replay", CHAT, "--moments", "never"],
                    ["replay", CHAT, "--cache-lives", "x"],
                    ["replay", CHAT, "--cache-lives", "9007199254740991"],
                    ["replay", CHAT, "--cache-minimum", "-1"],
                    ["audit", CHAT, "--jobs", "0"],
                    ["recall", CHAT],
                    ["recall", CHAT, "x", "y"],
                    ["recall", CHAT, "x", "--force"],
                    ["recall", CHAT, "x", "--conversation", "y"],
                    ["recall", CHAT, ""],
                    ["recall", CHAT, "\x1b[2Jé"],
                    ["recall", "-", "x", "--record", "-"],
                    ["recall", "missing", "x"],
                    ["recall", self.file("nothing.txt", "nothing"), "x"],
                    ["recall", CHAT, "x", "--record", "missing"],
                    ["recall", CHAT, "x", "--record", CHAT],
                    *(["compact", CHAT, *ALL, f"--now={now}"] for now in moments),
                ]
            ]
        )

    def test_texts_of_any_kind(self) -> None:
        def message(text: str) -> str:
            return f'{{"role":"user","content":{text}}}'

        strange, steering = message(r'"\ud800 \u0000 \u2028 é😀"'), message(r'"\u001b[2J\n"')
        texts = [
            "",
            " \n",
            "\ufeff",
            "null",
            "[null,null]",
            "[1e21,-0,1e999]",
            f"[{strange},{steering}]",
            "\n".join([message('"a"'), '{"role":"us', message('"b"'), ""]),
            '[{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"\\u001b[2Jevil\\n\\u202e😀","arguments":"{}"}}]}]',
            "[" * 5_000,
        ]
        ways = [
            ["detect"],
            ["plan", *ALL],
            ["plan", "--json"],
            ["inspect"],
            ["inspect", "--json"],
            ["validate"],
            ["repair"],
        ]
        ways.append(["summary-request", "--json", "--force", "--set", "retain.keep=1"])
        files = [self.file(f"text-{at}", text) for at, text in enumerate(texts)]
        self.same([Case([*way, file]) for file in files for way in ways])

    def test_on_a_terminal(self) -> None:
        """Colours and widths are those of the terminal, and a session cannot steer it."""
        said = ["Why?", f"\x1b[2Jevil \u202e {'word ' * 3_000}", "No."]
        talk = [{"role": "assistant" if at == 1 else "user", "content": text} for at, text in enumerate(said)]
        steering = self.file("steering.json", json.dumps(talk))
        calls = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
        output = {"role": "tool", "tool_call_id": "c", "content": "\x1b[2Jevil\n\tfine"}
        called = [talk[0], {"role": "assistant", "content": None, "tool_calls": calls}, output]
        recalled = self.file("recalled.json", json.dumps(called))
        program = str(Path(PACKAGE) / "dist" / "cli.js")
        for args, columns, env in [
            (["plan", CHAT, *SOME], 130, {}),
            (["inspect", CHAT, "missing"], 80, {}),
            (["replay", CHAT], 40, {}),
            (["sweep", CHAT, "--policy", "pi@1.5"], 60, {}),
            (["recall", recalled, "c"], 80, {"NO_COLOR": "1"}),
            (["plan", CHAT, *SOME], 64, {"NO_COLOR": "1"}),
            (["summary-request", steering, "--force", "--set", "retain.keep=1"], 80, {"FORCE_COLOR": "1"}),
        ]:
            with self.subTest(" ".join(args)):
                expected = on_terminal(["node", program, *args], columns, env)
                self.assertEqual(on_terminal([sys.executable, "-m", "ebbline", *args], columns, env), expected)
                self.assertEqual("\x1b[" in expected[1], "NO_COLOR" not in env)
                self.assertNotIn("\x1b[2J", expected[1])


def on_terminal(command: list[str], columns: int, env: dict[str, str]) -> tuple[int, str]:
    """How a program ends whose standard output and standard error are a terminal, and what stands there."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    given = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "FORCE_COLOR")}
    given |= {"TERM": "xterm", **env}
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=given)
    os.close(theirs)
    pieces: list[bytes] = []
    # At the end, Linux says that the device failed.
    with contextlib.suppress(OSError):
        while piece := os.read(ours, 65_536):
            pieces.append(piece)
    os.close(ours)
    return program.wait(), b"".join(pieces).decode()


if __name__ == "__main__":
    unittest.main()
