"""The command line of Python beside that of npm: the same bytes on standard output and standard error, the same files,
the same exit codes. The cases are those of tests/npm/cli-both.test.mjs, which compares the native command line.

By hand, the tests of npm's command line run this one, too: see ebbline.sh.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import command_line
from command_line import FIXTURES, PACKAGE, Case, Told, of_npm, of_python

CHAT = str(command_line.CHAT)


def knobs(*settings: str) -> list[str]:
    return [argument for setting in settings for argument in ("--set", setting)]


PRUNES = knobs("prune.protect=0", "prune.minimum=0", "prune.minimumTurns=0", "prune.protectedTurns=0", "prune.downTo=0")
ALL = ["--force", *PRUNES, *knobs("prune.onlyWhenFull=false", "retain.keep=60")]
SOME = knobs("prune.protect=200", "prune.minimum=10", "prune.onlyWhenFull=false", "retain.keep=300")
GRID = ["--policy", "pi@1.5", *knobs("prune.protect=300,3000", "prune.minimum=10", "retain.keep=500,10%")]
# The ids of calls in a fixture.
IDS = re.compile(rb'"(?:id|call_id|tool_call_id|tool_use_id|toolCallId|callID)":\s*"([^"]+)"')


@unittest.skipUnless(PACKAGE and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
class SameBytes(unittest.TestCase):
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

    def test_what_was_recorded_is_undone_and_recalled(self) -> None:
        place = Path(self.folder.name) / "undone"
        place.mkdir()
        names = [path.name for path in FIXTURES]
        made = [(str(place / f"now-{name}"), str(place / f"record-{name}")) for name in names]

        def compacting(of: int, *how: str) -> Case:
            now, record = made[of]
            return Case(["compact", str(FIXTURES[of]), *ALL, *how, "-o", now, "--record", record], files=[now, record])

        told = self.same([compacting(of, "--summary", self.summary) for of in range(len(made))])
        # Formats that are never continued have no place for a summary.
        self.same([compacting(of) for of, one in enumerate(told) if one.code != 0])
        message = b'{"role":"user","content":"And \xff now?","parentId":"PARENT","parentUuid" :"PARENT"}\n'
        cases: list[Case] = []
        for path, (now, record) in zip(FIXTURES, made):
            content = Path(now).read_bytes()
            ids = re.findall(rb'"(?:uu)?id":\s*"([^"]+)"', content)
            grown = self.file(
                f"undone/grown-{path.name}", content + b"\n" + message.replace(b"PARENT", (ids or [b"x"])[-1])
            )
            torn = self.file(f"undone/torn-{path.name}", content.rstrip(b"]} \n"))
            cases += [
                Case(["undo", now, "--record", record]),
                Case(["undo", now, "--record", record, "--json", "-o", self.out], files=[self.out]),
                Case(["undo", grown, "--record", record, "-o", self.out], files=[self.out]),
                Case(["undo", torn, "--record", record]),
                Case(["undo", str(path), "--record", record]),
                Case(["undo", now, "--record", made[0][1]]),
            ]
            for call in list(dict.fromkeys(IDS.findall(path.read_bytes())))[:3]:
                cases += [
                    Case(["recall", name, call.decode(), *how])
                    for name, how in (
                        (str(path), ["--json"]),
                        (now, []),
                        (now, ["--record", record]),
                        (str(path), ["--record", record]),
                    )
                ]
        said = "".join(told.errors for told in self.same(cases))
        self.assertGreater(said.count("follow what the compaction followed"), 2)
        self.assertGreater(said.count("pass the record of the compaction with --record"), 2)
        first, record = made[0]
        damaged = json.loads(Path(record).read_text())
        damages = [
            {"edits": [{"at": 10**9, "length": 5, "text": ""}]},
            {"edits": [{"at": 0, "length": 1, "base64": "aGk"}]},
            {"edits": [{"at": 0, "length": 1, "base64": "!a_G-k==x"}]},
            {"edits": [{"at": True, "length": 1, "text": ""}]},
            {"edits": [{"at": 0, "length": -1, "text": ""}]},
            {"after": {"bytes": 1}},
            {"version": "1"},
        ]
        by = [self.file(f"damaged-{at}", json.dumps({**damaged, **damage})) for at, damage in enumerate(damages)]
        self.same([Case(["undo", first, "--record", name]) for name in by])

    def corpus(self) -> str:
        """A folder with sessions of several formats, and with files that are none; the text in it is the test's own."""
        place = Path(self.folder.name) / "corpus"
        if place.exists():
            return str(place)
        (place / "deep" / "er").mkdir(parents=True)
        names = ["claude-code-compacted.jsonl", "pi-v3.jsonl", "codex-legacy.jsonl", "openai-chat.json"]
        for at, name in enumerate(names):
            fixture = next(path for path in FIXTURES if path.name == name)
            shutil.copy(fixture, place / ["", "deep", "deep/er"][at % 3] / name)
        messages: list[dict[str, Any]] = [{"role": "user", "content": "Where is the port set?"}]
        for call in range(40):
            asked = {"name": "read", "arguments": json.dumps({"path": f"f{call % 7}"})}
            calls = [{"id": f"c{call}", "type": "function", "function": asked}]
            output = f"config/{call}/listen.toml {'x ' * (100 + 37 * (call % 11))}"
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            messages.append({"role": "tool", "tool_call_id": f"c{call}", "content": output})
        messages.append({"role": "assistant", "content": "It is in config/0/listen.toml."})
        (place / 'a <b> & "c".json').write_text(json.dumps(messages))
        (place / "notes.md").write_text("# Notes\n")
        (place / "deep" / "photo.png").write_bytes(b"\x89PNG\r\n\xff\xfe")
        (place / "link").symlink_to("deep/er")
        (place / "gone.json").symlink_to("nothing")
        return str(place)

    def test_folders(self) -> None:
        place = self.corpus()
        long = f'{place}/a <b> & "c".json'
        messages = json.loads(Path(long).read_text())
        endless = self.file("endless.json", json.dumps(messages[:1] + messages[1:-1] * 25))
        nothing = self.file("nothing.json", '[{"role":"user","content":""}]')
        empty = Path(self.folder.name) / "empty"
        empty.mkdir()
        self.same(
            [
                Case(args, files=[self.out])
                for args in [
                    ["audit", place],
                    ["audit", place, "--check"],
                    ["audit", place, "--check", "--color", "always"],
                    ["audit", place, "--json", "--jobs", "3"],
                    ["audit", f"{place}/claude-code-compacted.jsonl"],
                    ["audit", long, long],
                    ["audit", "missing", place, f"{place}/notes.md"],
                    ["audit", str(empty), "--json"],
                    ["audit", str(empty), long],
                    ["compare"],
                    ["compare", place, "--context", "9000", "--loss"],
                    ["compare", place, "--context", "9000", "--loss", "--json", "--cache-lives", "5"],
                    ["compare", place, "--strict", "--moments", "system"],
                    ["compare", place, "--moments", "never"],
                    ["audit", place, "--strict", "--conversation", "1"],
                    ["audit", place, "--format", "claude_code"],
                    ["audit", place, "--format", "nope"],
                    ["audit", place, "--conversation", "x"],
                    ["compare", place, "--context", "9000", "--json", "--jobs", "2"],
                    ["compare", place, long, "--context", "9000", "--policies", "pi@1.5,ebbline@2", "--csv", *SOME],
                    [
                        "compare",
                        long,
                        "--color",
                        "always",
                        "--output-limit",
                        "900",
                        "--overhead",
                        "7",
                        "--usage",
                        "recorded",
                    ],
                    ["compare", long, "--set", "model.context=0", "--json", "--rates", "1,1,1"],
                    ["compare", long, "--set", "model.context=0"],
                    ["compare", long, "--context", "9000", "--loss", "--csv", *SOME],
                    [
                        "compare",
                        long,
                        "--context",
                        "9000",
                        "--json",
                        "--set",
                        "estimator.image=9",
                        "--output-limit",
                        "500",
                    ],
                    ["compare", *map(str, FIXTURES[::3]), "--context", "2000", "--json", *SOME],
                    ["compare", place, "--profile", "pi@1.5"],
                    ["compare", place, "--policies", "pi@9"],
                    ["compare", place, "--policies", ""],
                    ["compare", place, "--format", "nope"],
                    ["compare", place, "--format", "pi"],
                    ["compare", place, "--usage", "guessed"],
                    ["compare", place, "--set", "prune.protcet=1"],
                    ["compare", "missing", str(empty), "--csv"],
                    ["replay", long, "--context", "9000", "--profile", "pi@1.5", "--color", "always"],
                    ["replay", f"{place}/claude-code-compacted.jsonl", long, "--json"],
                    ["replay", long, long, "--svg", self.out],
                    ["replay", long, "--svg", "-"],
                    ["replay", long, "--svg", self.out, "--json"],
                    ["replay", long, "--context", "9000", "--profile", "pi@1.5", "--svg", self.out, *SOME],
                    ["replay", long, "--context", "6000", "--svg", self.out],
                    ["replay", endless, "--context", "12000", "--overhead", "300", "--svg", self.out],
                    ["replay", nothing, "--set", "model.context=0", "--svg", self.out],
                    ["replay", long, "--context", "9000", "--overhead", "500", "--usage", "nothing", "--csv"],
                ]
            ]
        )

    def test_sweeps(self) -> None:
        place = self.corpus()
        long = f'{place}/a <b> & "c".json'
        svg = ["--svg", self.out]
        many = knobs(
            "prune.protect=100,300,500,800,1200,2000,4000", "retain.keep=200,500,900", "prune.minimum=0,100,500"
        )
        grids = [
            '{"policies":[{"profile":"pi@1.5","set":{"retain.keep":50}},"ebbline@2"],"windows":[9000]}',
            '{"policy":null,"set":{"prune.protectedTools":[["a"],["b","c"]],"prune.protect":[1.50,1e3]}}',
            '{"windows":[8000]}',
            "{}",
            "[]",
            '{"polic":1}',
            '{"policy":5}',
            '{"policies":[7]}',
            '{"policies":[]}',
            '{"policies":null}',
            '{"windows":null}',
            '{"windows":[1.5]}',
            '{"set":null}',
            '{"set":{"prune.protect":5}}',
            '{"set":{"prune.protect":[]}}',
            '{"policy":"pi@1.5","set":{"a":[1e999]}}',
        ]
        files = [self.file(f"grid-{at}", grid) for at, grid in enumerate(grids)]
        nothing = self.file("nothing.json", '[{"role":"user","content":""}]')
        # Every output is needed again, and where the cache is dear, whoever prunes pays more than who does not.
        needed = self.file("needed.json", json.dumps(read_and_told(60)))
        protect = ",".join(map(str, [*range(300, 800, 10), 100_000]))
        always = knobs("prune.onlyWhenFull=false", f"prune.protect={protect}", "prune.minimum=1")
        dear = ["--policy", "opencode@2025-12", "--rates", "0,10,1", "--window", "200000", *always, *PRUNES[4:]]
        cases = [
            [needed, *dear, "--color", "always", *svg],
            [place, *GRID, "--policies", "ebbline@2", "--window", "6000,9000", *svg],
            [place, *GRID, "--color", "always", "--jobs", "1", "--strict"],
            [place, *GRID, "--context", "9000", "--json", *svg],
            [place, *GRID, "--context", "9000", "--csv", "--output-limit", "500"],
            [place, *GRID[2:], "--policies", "all", "--context", "3_000", "--color", "always", *svg],
            [place, *GRID, "--cache-lives", "5", "--moments", "system", "--rates", "0,1,1", "--usage", "recorded"],
            [place, "--overhead", "9007199254740991", *svg],
            [f"{place}/deep/er", "--overhead", "9007199254740991"],
            [long, *many, "--window", "7000", *svg],
            [long, *many, "--window", "7000", "--csv"],
            [long, "--set", "model.context=4000,0", *svg],
            [long, "--set", 'prune.protectedTools=[["skill"],["skill","task"]]', "--window", "9000"],
            [nothing, *svg],
            *([place, "--grid", file, "--output-limit", "900"] for file in files),
            [place, "--grid", files[2], "--json"],
            [place, "--grid", files[3], "--window", "9"],
            [place, "--grid", "missing"],
            [],
            ["missing", *svg],
            ["missing", f"{place}/notes.md", long],
            [long, "--svg", "-"],
            [place, "--format", "nope"],
            [place, "--format", "pi"],
            [place, "--usage", "guessed"],
            [long, "--policy", "a", "--profile", "b"],
            [long, "--policy", "pi@9"],
            [long, "--policies", ""],
            [long, "--window", "1", "--context", "2"],
            [long, "--window", "0"],
            [long, "--window", "1,x"],
            [long, "--set", "prune.protcet=1"],
            [long, "--set", "prune.protect"],
            [long, "--set", "prune.protect=1e999,-1"],
            [long, "--set", f"prune.protect={','.join(map(str, range(1_001)))}"],
        ]
        said = self.same([Case(["sweep", *args], files=[self.out]) for args in cases])
        self.assertIn("far above", said[0].out)
        self.assertIn("more that are beaten", said[0].out)
        self.same(
            [Case(["sweep", place, *GRID, "--window", "9000"], {"COLUMNS": width}) for width in ("20", "50", "300")]
        )

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


def read_and_told(calls: int) -> list[dict[str, Any]]:
    """A session that reads files, and then names all of them."""
    paths = [f"config/{at}/listen{at}.toml" for at in range(calls)]
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Where is the port set?"}]
    for at, path in enumerate(paths):
        asked = {"name": "list", "arguments": json.dumps({"at": at})}
        calls_of = [{"id": f"c{at}", "type": "function", "function": asked}]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls_of})
        messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": f"{path} {'x ' * 300}"})
    return [*messages, {"role": "assistant", "content": f"In {', '.join(paths)}."}]


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
