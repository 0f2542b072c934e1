"""A summarizer that fails leaves an agent no worse off than none: tests/npm/worse.test.mjs in short."""

from __future__ import annotations

import random
import unittest
from collections.abc import Iterator
from typing import Any

import ebbline

AGENTS = 24
# So many tokens a summary by rule may add where nothing else gives way.
FEW = 16
SETS: list[dict[str, Any]] = [{}, {"prune.enabled": False}, {"retain.keep": 600}, {"prune.protect": 300, "prune.minimum": 0}]
TRIGGERS: list[dict[str, Any]] = [{}, {"when": {"messages": 9}}, {"when": {"share": 0.4}}]
FALLBACKS = ["when_full", "deterministic", "history"]
OVERFLOW = RuntimeError("prompt is too long: 213462 tokens > 200000 maximum")


def failing(request: ebbline.SummaryRequest) -> str:
    raise RuntimeError("the model is down")


ANSWERS: list[Any] = [failing, lambda request: "[object Object]", lambda request: "I'm sorry, but I cannot help with that."]


def histories(draw: random.Random) -> Iterator[list[dict[str, Any]]]:
    history: list[dict[str, Any]] = [{"role": "user", "content": "Mend the login test. " + "It fails. " * draw.randrange(40)}]
    for step in range(24):
        function = {"name": "read", "arguments": f'{{"path":"src/c{step}.rs"}}'}
        call = {"id": f"c{step}", "type": "function", "function": function}
        output = f"line {step} of the file, which says {step * 7919}\n" * draw.randrange(160 if draw.randrange(4) == 0 else 40)
        history.append({"role": "assistant", "content": None, "tool_calls": [call]})
        history.append({"role": "tool", "tool_call_id": f"c{step}", "content": output})
        if draw.randrange(5) == 0:
            history.append({"role": "user", "content": f"And part {step}? " + "Look well. " * draw.randrange(120)})
        if draw.randrange(4) == 0:
            yield list(history)


class Worse(unittest.TestCase):
    def test_a_failing_summarizer_is_never_worse_than_none(self) -> None:
        for seed in range(AGENTS):
            draw = random.Random(seed)
            window = 3_000 + draw.randrange(5) * 1_500
            common = {"model": {"context": window}, "set": draw.choice(SETS), "warn": False, **draw.choice(TRIGGERS)}
            failed = {**common, "summarize": draw.choice(ANSWERS), "fallback": draw.choice(FALLBACKS)}
            for history in histories(draw):
                is_refused = draw.randrange(8) == 0
                alone, left = (self.left(options, history, is_refused) for options in (common, failed))
                said = f"seed {seed}, {len(history)} messages, {is_refused}: {left} tokens, without {alone} of {window}"
                if alone is not None:
                    self.assertIsNotNone(left, said)
                    assert left is not None
                    self.assertLessEqual(left, alone + FEW, said)

    @staticmethod
    def left(options: dict[str, Any], history: list[dict[str, Any]], is_refused: bool) -> int | None:
        """How large the view is; nothing if there is none."""
        compactor = ebbline.Compactor(**options)
        try:
            view = compactor.recover(OVERFLOW, history) if is_refused else compactor.prepare(history)
        except ebbline.EbblineError:
            return None
        return ebbline.plan(view).tokens_before


if __name__ == "__main__":
    unittest.main()
