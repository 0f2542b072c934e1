"""The component answers as the npm package does, on every fixture of every format."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path
from typing import Any

import ebbline

HERE = Path(__file__).parent


def answers() -> list[dict[str, Any]]:
    program = ["node", str(HERE / "answers.mjs")]
    printed = subprocess.run(program, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    return [json.loads(line) for line in printed.split("\n") if line]


@unittest.skipUnless(os.environ.get("EBBLINE_PACKAGE") and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.answers = answers()

    def test_texts(self) -> None:
        compared = 0
        for expected in self.answers:
            if "input" not in expected:
                continue
            with self.subTest(expected["name"], **{"profile": expected["options"].get("profile")}):
                try:
                    found = ebbline.compact(expected["input"], **expected["options"])
                except ebbline.EbblineError as error:
                    self.assertEqual(error.code, expected.get("code"))
                    continue
                self.assertEqual(found.plan.json, expected["plan"])
                self.assertEqual(found.text, expected["text"])
                compared += 1
        self.assertGreater(compared, 50)

    def test_live_messages(self) -> None:
        compared = 0
        for expected in self.answers:
            if "messages" not in expected:
                continue
            with self.subTest(expected["name"], **{"profile": expected["options"].get("profile")}):
                messages = expected["messages"]
                try:
                    found = ebbline.compact(messages, **expected["options"])
                except ebbline.EbblineError as error:
                    self.assertEqual(error.code, expected.get("code"))
                    continue
                self.assertEqual(found.plan.json, expected["plan"])
                self.assertEqual(found.messages, expected["output"])
                kept = [next((at for at, known in enumerate(messages) if known is it), -1) for it in found.messages]
                self.assertEqual(kept, expected["kept"])
                compared += 1
        self.assertGreater(compared, 30)

    def test_what_a_function_counts(self) -> None:
        compared = 0
        for expected in self.answers:
            if "counted" not in expected:
                continue
            plans: list[ebbline.Plan] = []

            def before(proposal: ebbline.Proposal, plans: list[ebbline.Plan] = plans) -> bool:
                plans.append(proposal.plan)
                return False

            compactor = ebbline.Compactor(
                # In UTF-16, as JavaScript has it.
                count_tokens=lambda text: len(text.encode("utf-16-le")) // 2 * 0.37,
                summarize=lambda request: "",
                hooks=ebbline.Hooks(before=before),
                **expected["options"],
            )
            compactor.compact_now(expected["counted"])
            for plan in plans:
                messages: list[Any] = plan.json["messages"]
                parts = [[at, part["kind"], part["tokensBefore"]] for at, message in enumerate(messages) for part in message["parts"]]
                self.assertEqual(len(parts), len(expected["parts"]), expected["name"])
                for found, part in zip(parts, expected["parts"]):
                    if part[1] not in ("image", "file"):
                        self.assertEqual(found, part, expected["name"])
                        compared += 1
        self.assertGreater(compared, 300)
