"""The component answers as npm does wherever the conformance tests ask: vectors of other systems' answers, and real sessions.

They lie beside the project, in ../shared; where they are missing, nothing is compared. The tests of npm compare the package with them,
and recorder.mjs writes down what they ask and what the package answers. Here the component is asked the same.
"""

from __future__ import annotations

import collections
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import ebbline
from ebbline import _engine

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("EBBLINE_SHARED", HERE.parent.parent.parent / "shared"))
# What is asked about may be a string that is no data as JSON.
ABOUT_TEXTS = ("opencode.isContextOverflow", "tunacode.isContextOverflow", "opencode.title", "opencode.fromError")
NAMES = {"summaryRequest": "summary-request", "classifyError": "classify-error"}


class Unasked(Exception):
    """What the component is not asked, and why."""


class Record:
    """A folder of recorded calls."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def calls(self) -> Any:
        with (self._folder / "calls").open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def text(self, told: Any) -> str:
        """A text that was given, or a value as JSON."""
        if isinstance(told, dict) and "$file" in told:
            try:
                return (self._folder / told["$file"]).read_bytes().decode()
            except UnicodeDecodeError:
                raise Unasked("the session is no UTF-8") from None
        return told if isinstance(told, str) else json.dumps(told)

    @staticmethod
    def same_text(text: str, told: Any) -> bool:
        if isinstance(told, dict):
            return hashlib.sha256(text.encode()).hexdigest() == told["$file"]
        return text == told


def asked(record: Record, name: str, given: list[Any]) -> Any:
    """What the component answers to a call of the npm package."""
    options = json.dumps((given[1] if len(given) > 1 else None) or {})
    if "." in name:
        system, question = name.split(".")
        text = json.dumps(given[0]) if name in ABOUT_TEXTS else record.text(given[0])
        return json.loads(_engine.call("ask-system", system, question, text, options))
    is_list = isinstance(given[0], list)
    if name == "classifyError":
        return json.loads(_engine.call("classify-error", json.dumps(given[0]), options))
    if name == "read" and is_list:
        raise Unasked("live messages stand in no text: package.mjs finds out which fixtures are such lists")
    text = record.text(given[0])
    if name == "detect":
        found = _engine.call("detect", text)
        return {"format": found.format, "title": found.title, "supported": True, "evidence": found.evidence}
    if name == "compact":
        if is_list:
            raise Unasked("live messages are compared by test_answers.py")
        found = _engine.call("compact", text, options)
        return {"text": found.text, "plan": json.loads(found.plan)}
    answer = _engine.call(NAMES.get(name, name), text, options)
    return answer if answer is None else json.loads(answer)


def differs(record: Record, name: str, answer: Any, expected: Any) -> str | None:
    """What is different; ``None`` if nothing is."""
    if name == "compact":
        if not record.same_text(answer["text"], expected["text"]):
            return "the texts differ"
        return None if answer["plan"] == expected["plan"] else "the plans differ"
    if name == "summaryRequest" and answer is not None:
        request = {member: value for member, value in answer["request"].items() if value is not None}
        answer, expected = {**answer, "request": request}, {name: expected[name] for name in ("request", "context")}
    if isinstance(expected, dict) and "$file" in expected:
        return None if record.same_text(answer, expected) else "the texts differ"
    return None if answer == expected else f"ours {json.dumps(answer)[:300]}, expected {json.dumps(expected)[:300]}"


@unittest.skipUnless(os.environ.get("EBBLINE_PACKAGE") and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
class Conformance(unittest.TestCase):
    def compare(self, suite: str) -> None:
        folder = SHARED / suite
        if not folder.is_dir():
            self.skipTest(f"there is no folder {folder}")
        compared = 0
        unasked: collections.Counter[str] = collections.Counter()
        differing: collections.Counter[str] = collections.Counter()
        first: dict[str, str] = {}
        with tempfile.TemporaryDirectory() as into:
            subprocess.run(["node", str(HERE / "recorder.mjs"), suite, str(folder), into], check=True, stdout=subprocess.DEVNULL)
            record = Record(Path(into))
            for call in record.calls():
                name = call["name"]
                try:
                    try:
                        answer = asked(record, name, call["given"])
                    except ebbline.EbblineError as error:
                        why = None if error.code == call.get("code") else f"ours {error.code}: {error.message}, expected {call.get('code')}"
                    else:
                        why = f"expected {call['code']}" if "code" in call else differs(record, name, answer, call["answer"])
                except Unasked as reason:
                    unasked[str(reason)] += 1
                    continue
                compared += 1
                if why is not None:
                    differing[name] += 1
                    first.setdefault(name, f"{name}({json.dumps(call['given'])[:400]}): {why}")
        print(f"{suite}: {compared:,} answers are those of npm" + "".join(f"; {count:,} not asked: {why}" for why, count in unasked.items()))
        self.assertEqual(differing, {}, "\n".join(first.values()))
        self.assertGreater(compared, 1_000)

    @unittest.skipUnless(os.environ.get("EBBLINE_LONG") == "1", "EBBLINE_LONG=1 asks for the vectors, which take two minutes")
    def test_the_answers_of_other_systems(self) -> None:
        self.compare("golden")

    def test_real_sessions(self) -> None:
        self.compare("sessions")


if __name__ == "__main__":
    unittest.main()
