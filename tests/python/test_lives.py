"""The adapters through the real packages of agents and providers, against a server as strict as these: the world of
tests/hosts/lives.test.mjs. Each turn of the user is a process of its own. With EBBLINE_LONG=1, a life has 300 steps."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TURN = 25
TURNS = 12 if os.environ.get("EBBLINE_LONG") == "1" else 2
NEEDED = ("pydantic_ai", "agents", "anthropic", "langchain", "langchain_openai", "langchain_anthropic")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]


@unittest.skipUnless(os.environ.get("EBBLINE_PACKAGE") and shutil.which("node"), "EBBLINE_PACKAGE names no npm package")
@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class Lives(unittest.TestCase):
    def live(self, host: str) -> None:
        program = ["node", str(HERE / "lives.mjs"), str(TURNS)]
        server = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        assert server.stdout is not None
        try:
            given = json.loads(server.stdout.readline())
            with tempfile.TemporaryDirectory() as folder:
                told = self.turns(host, given, str(Path(folder, "talk.json")))
            seen = json.loads(server.communicate("")[0])
        finally:
            server.kill()
            server.communicate()
        kinds = [event["type"] for event in told["events"]]
        print(f"{host}: {seen['requests']} requests, {seen['refused']} refused, {kinds.count('compacted')} compactions, {told['asked']} summaries asked for")
        self.assertEqual(seen["violations"], [])
        self.assertEqual(seen["requests"], TURNS * TURN)
        self.assertEqual(seen["lost"], [])
        self.assertNotIn("edited", kinds, [event for event in told["events"] if event["type"] == "edited"])
        # A window that is named is learnt at once, and the record takes it to the next process; Responses does not name it.
        most = 0 if host.startswith("processor") else 5 if host.endswith("responses") else 1
        self.assertIn(seen["refused"], range(min(most, 1), most + 1))
        self.assertEqual(kinds.count("overflow"), seen["refused"])
        self.assertGreaterEqual(kinds.count("compacted"), TURNS)
        self.assertGreaterEqual(told["asked"], TURNS // 3)

    def turns(self, host: str, given: dict[str, Any], store: str) -> dict[str, Any]:
        events: list[Any] = []
        asked = 0
        for turn, words in enumerate(given["words"]):
            program = [sys.executable, str(HERE / "life.py"), host, store]
            about = json.dumps(given | {"words": words, "asked": asked})
            ran = subprocess.run(program, input=about, capture_output=True, text=True, encoding="utf-8", timeout=600)
            self.assertEqual(ran.returncode, 0, ran.stderr[-3_000:])
            self.assertNotIn("began anew", ran.stderr)
            told = json.loads(ran.stdout.splitlines()[-1])
            self.assertTrue(told["said"].startswith(f"Part {turn + 1} is done"), told["said"])
            events, asked = events + told["events"], told["asked"]
        return {"events": events, "asked": asked}

    def test_pydantic_ai_with_openai(self) -> None:
        self.live("pydantic_ai chat")

    def test_pydantic_ai_with_responses(self) -> None:
        self.live("pydantic_ai responses")

    def test_pydantic_ai_with_anthropic(self) -> None:
        self.live("pydantic_ai anthropic")

    def test_pydantic_ai_with_a_processor(self) -> None:
        self.live("processor chat")

    def test_the_agents_sdk_with_responses(self) -> None:
        self.live("openai_agents responses")

    def test_the_agents_sdk_with_chat(self) -> None:
        self.live("openai_agents chat")

    def test_langchain_with_openai(self) -> None:
        self.live("langchain chat")

    def test_langchain_with_responses(self) -> None:
        self.live("langchain responses")

    def test_langchain_with_anthropic(self) -> None:
        self.live("langchain anthropic")


if __name__ == "__main__":
    unittest.main()
