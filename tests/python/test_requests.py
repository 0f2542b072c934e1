"""What hosts ask of one request (`tests/requests.json`): a target, a known size, a model that comes later, notes. npm and Rust run the
same rows. And what a copy of a compactor is, and the tool that gets outputs back."""

from __future__ import annotations

import copy
import json
import pickle
import unittest
from pathlib import Path
from typing import Any

import ebbline

ROWS = json.loads(Path(__file__).parents[1].joinpath("requests.json").read_text())["rows"]
SUMMARY = "The agent read some files. The fault is not found yet."


def session(steps: int) -> list[Any]:
    """A request, and so many steps of a call and its result."""
    messages: list[Any] = [{"role": "user", "content": "Mend the login test."}]
    for at in range(steps):
        call = {"id": f"c{at}", "type": "function", "function": {"name": "read", "arguments": "{}"}}
        said = f"I read file {at}. {'It may be this one. ' * 20}"
        messages.append({"role": "assistant", "content": said, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": f"line {at} of the file " * 90})
    return messages


POOL = session(60)


def history(steps: int) -> list[Any]:
    """The beginning of the session: the same objects each time."""
    return POOL[: 1 + 2 * steps]


class Requests(unittest.TestCase):
    def run_row(self, name: str, options: dict[str, Any], calls: list[Any], answer: str | None = None) -> None:
        asked: list[str] = []

        def summarize(request: ebbline.SummaryRequest) -> str:
            asked.append(request.messages[0]["content"])
            return answer or ""

        given = {"none": None, "later": "later"}
        who: Any = given[options["summaries"]] if "summaries" in options else summarize
        others: Any = {name: value for name, value in options.items() if name != "summaries"}
        compactor = ebbline.Compactor(summarize=who, warn=False, **others)
        for call in calls:
            known, expect = history(call["steps"]), call["expect"]
            how: Any = {name: call[name] for name in ("target", "notes", "focus") if name in call}
            if "knownTokens" in call:
                how["known_tokens"] = call["knownTokens"]
            if call.get("model"):
                how["summarize"] = summarize
            run = compactor.prepare if call["do"] == "prepare" else compactor.compact_now
            if "error" in expect:
                with self.assertRaises(ebbline.EbblineError) as refused:
                    run(known, **how)
                self.assertEqual(refused.exception.code, expect["error"])
                continue
            view = run(known, **how)
            if "asked" in expect:
                self.assertEqual(len(asked), expect["asked"], (name, call))
            if "changed" in expect:
                is_changed = any(all(one is not other for other in known) for one in view)
                self.assertEqual(is_changed, expect["changed"], (name, call))
            if "tokensAtMost" in expect:
                tokens = ebbline.plan(view, format="openai_chat").tokens_before
                self.assertLessEqual(tokens, expect["tokensAtMost"], (name, call))
            for said in expect.get("said", ()):
                self.assertIn(said, asked[-1])
            for unsaid in expect.get("unsaid", ()):
                self.assertNotIn(unsaid, asked[-1])

    def test_every_row(self) -> None:
        for row in ROWS:
            with self.subTest(row["name"]):
                self.run_row(row["name"], row["options"], row["calls"], row.get("answer"))

    def test_what_is_no_option_of_a_call_is_refused(self) -> None:
        compactor = ebbline.Compactor(summarize=written)
        for wrong in [{"target": -1}, {"target": True}, {"known_tokens": "many"}, {"notes": 7}, {"summarize": "later"}]:
            with self.assertRaises(ebbline.EbblineError) as refused:
                compactor.prepare(history(1), **wrong)  # type: ignore[arg-type]
            self.assertEqual(refused.exception.code, "invalid_option", wrong)


def written(request: ebbline.SummaryRequest) -> str:
    return SUMMARY


class Copies(unittest.TestCase):
    def test_a_copy_goes_on_by_itself(self) -> None:
        limits: Any = {"model": {"context": 16_000, "output": 2_000}, "accept": False, "set": {"retain.keep": 2000, "prune.enabled": False}}
        copied: list[Any] = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
        for make in copied:
            first = ebbline.Compactor(summarize=written, **limits)
            view = first.compact_now(history(20))
            self.assertNotEqual(view, history(20))
            other = make(first)
            self.assertEqual(other.messages, view)
            self.assertEqual(other.record, first.record)
            self.assertEqual(other.recall("c1"), first.recall("c1"))
            self.assertEqual(other.prepare(history(20)), view)
            # What one decides is none of the other's.
            self.assertTrue(other.undo())
            self.assertEqual(other.messages, history(20))
            self.assertEqual(first.messages, view)
            self.assertEqual(first.prepare([*view, {"role": "user", "content": "Go on."}])[:-1], view)
            self.assertEqual(len(other.compact_now(history(30))), len(first.compact_now(history(30))))

    def test_a_copy_before_anything_was_sent_is_a_new_one(self) -> None:
        first = ebbline.Compactor(summarize="deterministic", model={"context": 16_000, "output": 2_000})
        other = copy.deepcopy(first)
        self.assertEqual(other.prepare(history(2)), history(2))
        self.assertEqual(first.messages, [])


class RecallTool(unittest.TestCase):
    def test_each_provider_has_its_spelling(self) -> None:
        self.assertEqual(ebbline.recall_tool()["function"]["name"], "recall_output")
        self.assertEqual(ebbline.recall_tool("anthropic_messages")["input_schema"]["required"], ["ref"])
        self.assertIs(ebbline.recall_tool("openai_responses")["strict"], True)
        with self.assertRaises(ebbline.EbblineError):
            ebbline.recall_tool("cohere")  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
