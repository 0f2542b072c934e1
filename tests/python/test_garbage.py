"""What is no summary never replaces history, and what is one does: the table of tests/npm/garbage.test.mjs."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any

import ebbline

TABLE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "summaries.json").read_text("utf-8"))


def messages_of(story: list[list[Any]]) -> list[dict[str, Any]]:
    """The messages of a story: who says what how often; what is no role is a tool."""
    messages: list[dict[str, Any]] = []
    for at, (role, said, *more) in enumerate(story):
        if role in ("user", "assistant"):
            messages.append({"role": role, "content": said})
            continue
        function = {"name": role, "arguments": json.dumps({"command": said})}
        call = {"id": f"c{at}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": more[0] * more[1]})
    return messages


def refused(story: list[list[Any]], text: str) -> bool:
    """Whether a summary that a model gives is refused."""
    messages = messages_of(story)

    def answer(request: ebbline.SummaryRequest) -> str:
        return text.replace("$SYSTEM", request.system).replace("$REQUEST", request.messages[0]["content"])

    compactor = ebbline.Compactor(
        model={"context": 100_000},
        set={"retain.keep": 1, "prune.enabled": False},
        fallback="history",
        summarize=answer,
        on_event=lambda event: None,
    )
    try:
        return len(compactor.compact_now(messages)) >= len(messages)
    except ebbline.EbblineError:
        return True


class Garbage(unittest.TestCase):
    def test_no_garbage_is_taken(self) -> None:
        for language, story in TABLE["sessions"].items():
            taken = [what for what, text in TABLE["garbage"].items() if not refused(story, text)]
            self.assertEqual(taken, [], language)

    def test_no_honest_summary_is_refused(self) -> None:
        for language, story in TABLE["sessions"].items():
            self.assertEqual([text for text in TABLE["honest"][language] if refused(story, text)], [], language)


if __name__ == "__main__":
    unittest.main()
