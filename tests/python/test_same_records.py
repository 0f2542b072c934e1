"""Records of compactions, what they give back, and outputs that are recalled: the same bytes as those of npm."""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path

from both_lines import ALL, BothLines
from command_line import FIXTURES, Case

# The ids of calls in a fixture.
IDS = re.compile(rb'"(?:id|call_id|tool_call_id|tool_use_id|toolCallId|callID)":\s*"([^"]+)"')


class SameRecords(BothLines):
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


if __name__ == "__main__":
    unittest.main()
