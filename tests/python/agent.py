"""A scripted agent: its messages depend on the number of the step alone."""

from __future__ import annotations

import json
from typing import Any

SYSTEM = {"role": "system", "content": "You mend programs. Answer with tool calls until the work is done."}


def step(number: int) -> list[dict[str, Any]]:
    """The messages of a step: now and then a word of the user, a call, its result, sometimes a remark."""
    messages: list[dict[str, Any]] = []
    if number % 20 == 0:
        messages.append({"role": "user", "content": f"Now mend src/part{number}.py. Never push to main."})
    call = {
        "id": f"call_{number}",
        "type": "function",
        "function": {"name": "read", "arguments": json.dumps({"path": f"src/part{number}.py"})},
    }
    remark = f"I look at part {number}. " + f"It imports module m{number % 17} and fails with E{number % 9}. " * (12 * (number % 7))
    messages.append({"role": "assistant", "content": remark, "tool_calls": [call]})
    output = f"def f{number}(value):\n    return value + {number}\n" * (20 + 37 * (number % 11))
    messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})
    if number % 5 == 4:
        messages.append({"role": "assistant", "content": f"Part {number} works now: f{number} adds {number}."})
    return messages


def history(steps: int) -> list[dict[str, Any]]:
    """All messages of so many steps."""
    messages: list[dict[str, Any]] = [SYSTEM]
    for number in range(steps):
        messages.extend(step(number))
    return messages
