"""Replays, comparisons, audits, sweeps and compacted texts are those of the npm package; outputs are what `recall` prints."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ebbline
from command_line import run

HERE = Path(__file__).parent
# The id of a call, as most formats write it.
_CALL_ID = re.compile(r'"(?:tool_call_id|toolCallId|callID|call_id|tool_use_id|id)" ?: ?"([\w-]+)"')


def told(ask: Callable[[], Any]) -> Any:
    """What a call returns, or the code of its error."""
    try:
        return ask()
    except ebbline.EbblineError as error:
        return {"code": error.code}


@unittest.skipUnless(os.environ.get("EBBLINE_PACKAGE") and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
class Lives(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        program = ["node", str(HERE / "life.mjs")]
        printed = subprocess.run(program, check=True, capture_output=True, text=True, encoding="utf-8").stdout
        *cls.lives, cls.sums = [json.loads(line) for line in printed.split("\n") if line]
        cache = cls.sums["life"]["cache"]
        cache["lives_seconds"] = cache.pop("lives") / 1000

    def test_every_life_is_the_same(self) -> None:
        life = self.sums["life"] | {"model": {"context": 2_000, "output": 200}}
        self.assertGreater(len(self.lives), 50)
        for expected in self.lives:
            text = expected["input"]
            with self.subTest(expected["name"]):
                self.assertEqual(told(lambda: ebbline.replay(text, loss=True, cache_check=True, **life)), expected["replay"])
                self.assertEqual(told(lambda: ebbline.compare(text, self.sums["policies"], loss=True, **life)), expected["compare"])
                self.assertEqual(told(lambda: ebbline.audit(text, strict=True)), expected["audit"])

    def test_every_change_of_a_text_is_the_same(self) -> None:
        changed = 0
        for expected in self.lives:
            with self.subTest(expected["name"]):
                compacted = told(lambda: ebbline.compact(expected["input"], **self.sums["forced"]))
                if isinstance(compacted, dict):
                    self.assertEqual(compacted, expected["compacted"])
                    continue
                self.assertEqual(compacted.text, expected["compacted"])
                grown = sum(one.length - (one.end - one.start) for one in compacted.replaced)
                self.assertEqual(len(expected["input"].encode()) + grown, len(compacted.text.encode()))
                changed += len(compacted.replaced)
        self.assertGreater(changed, 50)

    def test_every_output_is_what_recall_prints(self) -> None:
        there = 0
        for expected in self.lives:
            for id in sorted(set(_CALL_ID.findall(expected["input"])))[:4]:
                with self.subTest(expected["name"], id=id), tempfile.TemporaryDirectory() as folder:
                    file = Path(folder, "session")
                    file.write_text(expected["input"], encoding="utf-8")
                    found = told(lambda: ebbline.output_of_call(expected["input"], id))
                    if isinstance(found, dict):
                        continue
                    code, printed, _ = run("recall", str(file), id)
                    whole = found.text.encode() if found is not None and found.whole else None
                    self.assertEqual(whole, printed if code == 0 else None)
                    there += whole is not None
        self.assertGreater(there, 50)

    def test_a_sweep_is_the_same_also_in_parts(self) -> None:
        grid, life, sessions = self.sums["grid"], self.sums["life"], self.sums["sessions"]
        self.assertEqual(ebbline.sweep(sessions, grid, **life), self.sums["sweep"])
        # A grid without a policy, and a model for the policies that name none.
        self.assertEqual(ebbline.sweep(sessions, {"set": grid["set"]}, model={"context": 3_000}), self.sums["plain"])
        halves = [ebbline.Sweep(grid, **life), ebbline.Sweep(grid, **life)]
        figures = [halves[at % 2].weigh(session) for at, session in enumerate(sessions)]
        whole = ebbline.Sweep(grid, **life)
        for one in figures:
            whole.add(one)
        self.assertEqual(whole.report(), self.sums["sweep"])
        with self.assertRaisesRegex(ebbline.EbblineError, "these figures are of another grid"):
            whole.add(figures[0][1:])


class Grids(unittest.TestCase):
    def test_no_grid_is_every_profile_and_one_without_a_policy_is_the_default(self) -> None:
        text = '[{"role": "user", "content": "hello"}]'
        every = [profile.name for profile in ebbline.profiles()]
        self.assertEqual([point["profile"] for point in ebbline.weigh(text)["points"]], every)
        self.assertEqual([point["profile"] for point in ebbline.Sweep().report()["points"]], every)
        points = ebbline.sweep([text], {}, model={"context": 9_000})["points"]
        self.assertEqual([(point["profile"].rstrip("*"), point["window"]) for point in points], [(every[0], 9_000)])


class Mistakes(unittest.TestCase):
    def test_what_is_no_grid_and_no_policy_is_refused_with_a_sentence(self) -> None:
        for ask, sentence in [
            (lambda: ebbline.Sweep({"window": [1]}), "there is no option window: did you mean windows\\?"),
            (lambda: ebbline.compare("[]", []), "compare needs a list of policies: names of profiles"),
            (lambda: ebbline.compare("[]", "pi@1.5"), "put this one into a list"),
            (lambda: ebbline.compare("[]", ["pi@1.5"] * 257), "compare takes at most 256 policies at once"),
            (lambda: ebbline.compare("[]", [7], model={"context": 9_000}), "the options must be an object"),  # pyright: ignore[reportArgumentType]
            (lambda: ebbline.sweep("[]"), "sweep needs a list of sessions"),
            (lambda: ebbline.compare("[]", [object()]), "this cannot be written as JSON"),  # pyright: ignore[reportArgumentType]
            (lambda: ebbline.replay("[]", moments="never"), "the option moments must be one of every_request, system"),
            (lambda: ebbline.replay("[]", cache={"live": 1}), "there is no option live: did you mean lives\\?"),
        ]:
            with self.assertRaisesRegex(ebbline.EbblineError, sentence):
                ask()
