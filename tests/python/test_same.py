"""Which message is which: what no model sees makes no difference, and any view that was ever given is known."""

from __future__ import annotations

import copy
import json
import unittest
import warnings
from collections.abc import Callable
from typing import Any

import ebbline

TURNS = 14
OPTIONS: dict[str, Any] = {"model": {"context": 16_000, "output": 1_000}, "summarize": "deterministic", "format": "openai_chat"}


def told(turns: int, system: str = "You check ledgers.", call: str = "c{}") -> list[Any]:
    """A history of so many turns."""
    messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": "Check the ledger."}]
    for at in range(turns):
        function = {"name": "read", "arguments": json.dumps({"page": at})}
        messages += [
            {"role": "assistant", "content": f"Page {at}.", "tool_calls": [{"id": call.format(at), "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": call.format(at), "content": f"MARK-{at} " + "a line of the ledger is fine " * 400},
        ]
    return messages


def other(messages: list[Any], turn: int) -> list[Any]:
    """The same messages with other ids, times and members of a host's own, in another order."""
    own = {"_db_persisted": True, "timestamp": turn, "reasoning": None}
    return [dict(reversed(list({**message, **own, "id": f"m{turn}-{at}"}.items()))) for at, message in enumerate(messages)]


HOSTS: dict[str, Callable[[int], list[Any]]] = {
    "copies": lambda turn: copy.deepcopy(told(turn)),
    "ids, times and members of its own": lambda turn: other(told(turn), turn),
    "a system prompt that holds the time": lambda turn: told(turn, f"You check ledgers. 10:{turn}"),
}


class Same(unittest.TestCase):
    def test_nothing_is_taken_for_an_edit_in_turns_with_two_restarts(self) -> None:
        for name, history in HOSTS.items():
            with self.subTest(name):
                events: list[Any] = []
                kept = ebbline.Compactor(on_event=events.append, **OPTIONS)
                for turn in range(1, TURNS + 1):
                    messages = history(turn)
                    view = kept.prepare(messages)
                    self.assertEqual(view[0], messages[0])
                    if turn % 5 == 0:
                        record = json.loads(json.dumps(kept.record))
                        kept = ebbline.Compactor(on_event=events.append, record=record, **OPTIONS)
                self.assertTrue(events)
                self.assertEqual({event["type"] for event in events}, {"compacted"})
                self.assertTrue((kept.recall("c0") or "").startswith("MARK-0 "))

    def test_any_view_that_was_ever_given_is_known(self) -> None:
        whole = told(TURNS)
        for begin in (3, 6, 9):
            events: list[Any] = []
            kept = ebbline.Compactor(on_event=events.append, **OPTIONS)
            base: list[Any] = []
            for turn in range(1, begin + 1):
                base = kept.prepare(told(turn))
            for turn in range(begin + 1, TURNS + 1):
                kept.prepare([*copy.deepcopy(base), *whole[2 + 2 * begin : 2 + 2 * turn]])
            self.assertEqual({event["type"] for event in events}, {"compacted"})
            self.assertTrue((kept.recall("c0") or "").startswith("MARK-0 "))
            while kept.undo():
                pass
            self.assertEqual(kept.prepare(whole), whole)

    def test_a_reference_leads_to_what_stood_at_its_place(self) -> None:
        kept = ebbline.Compactor(**{**OPTIONS, "set": {"retain.enabled": False}})
        view = kept.prepare(told(24, call="call_0"))
        cleared = [(at, message["content"]) for at, message in enumerate(view) if "[ref " in str(message["content"])]
        self.assertGreater(len(cleared), 5)
        for at, content in cleared:
            output = kept.recall(content[-9:-1]) or ""
            self.assertTrue(output.startswith(f"MARK-{(at - 3) // 2} "), f"{content}: {output[:20]}")

    def test_marks_of_the_cache_are_those_of_the_history(self) -> None:
        kept = ebbline.Compactor(model={"context": 8_000, "output": 500}, format="anthropic_messages")
        messages: list[Any] = [{"role": "user", "content": [{"type": "text", "text": "Check the ledger."}]}]
        for at in range(20):
            output = f"page {at} " * (100 if at % 3 else 3000)
            messages += [
                {"role": "assistant", "content": [{"type": "tool_use", "id": f"t{at}", "name": "read", "input": {"at": at}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"t{at}", "content": output}]},
            ]
            history = copy.deepcopy(messages)
            for message in history[-3::2]:
                message["content"][-1]["cache_control"] = {"type": "ephemeral"}
            view = kept.prepare(history)
            self.assertLessEqual(json.dumps(view).count("cache_control"), 2)

    def test_a_record_that_does_not_fit_begins_anew_and_says_why(self) -> None:
        kept = ebbline.Compactor(**OPTIONS)
        kept.prepare(told(TURNS))
        record = kept.record
        same = ebbline.resume(lambda record: ebbline.Compactor(record=record, **OPTIONS), record, told(TURNS))
        self.assertIsNone(same.begun_anew)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            anew = ebbline.resume(
                lambda record: ebbline.Compactor(record=record, **OPTIONS), record, [{"role": "user", "content": "Something else."}]
            )
        self.assertIn("the record does not fit", anew.begun_anew or "")
        self.assertEqual(len(said), 1)
        damaged = json.loads(json.dumps(record).replace("cleared", "Cleared", 1).replace("Compaction", "compaction", 1))
        with self.assertRaises(ebbline.EbblineError) as raised:
            ebbline.Compactor(record=damaged, **OPTIONS)
        self.assertEqual(raised.exception.code, "mismatch")


if __name__ == "__main__":
    unittest.main()
