"""Many files at once: audits, comparisons and sweeps print the same bytes as those of npm, and draw the same charts."""

from __future__ import annotations

import json
import shutil
import unittest
from pathlib import Path
from typing import Any

from both_lines import PRUNES, SOME, BothLines, knobs
from command_line import FIXTURES, Case

GRID = ["--policy", "pi@1.5", *knobs("prune.protect=300,3000", "prune.minimum=10", "retain.keep=500,10%")]


class SameFolders(BothLines):
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


if __name__ == "__main__":
    unittest.main()
