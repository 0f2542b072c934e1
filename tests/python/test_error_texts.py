"""Texts of providers and servers as they were reported in public: they mean in Python what they mean in JavaScript."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

import ebbline

ROWS = json.loads((Path(__file__).parent.parent / "errors" / "texts.json").read_text("utf-8"))


class Texts(unittest.TestCase):
    def test_what_they_mean(self) -> None:
        """A text is what an exception says; members are those of a body."""
        for row in ROWS:
            error = row["error"]
            with self.subTest(row["ref"]):
                found = ebbline.classify_error(Exception(error) if isinstance(error, str) else error)
                window = (found.evidence or {}).get("window")
                self.assertEqual(
                    (found.kind, found.code, window), (row["kind"], row.get("code"), row.get("window")), found.evidence
                )


if __name__ == "__main__":
    unittest.main()
