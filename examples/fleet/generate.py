"""Writes sessions, the same ones for the same seed: ``python generate.py FOLDER --seed 7 --bytes 10GB``.

Half of them are logs of pi that record compactions, the other half lists of OpenAI messages. Each file depends on the seed and its
number alone, so a larger fleet begins with the smaller one.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

WORDS = "the value of a part is read by import from test and then return it when error line path".split()
SIZES = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
IN_A_FOLDER = 1_000


def session(seed: int, number: int) -> tuple[str, str]:
    """The name and the text of a session."""
    chance = random.Random(f"{seed}:{number}")
    steps = max(3, min(1_500, int(chance.lognormvariate(4.2, 1.0))))
    is_log = number % 2 == 0
    text = log(chance, steps) if is_log else chat(chance, steps)
    return f"{number // IN_A_FOLDER:05}/{number:08}.json{'l' if is_log else ''}", text


def output(chance: random.Random, step: int) -> str:
    """What a tool says: lines of which some are said again by later tools."""
    lines = [f"src/part{chance.randrange(step + 9)}/listen_{chance.randrange(99)}.rs:{n}: " for n in range(12)]
    body = [" ".join(chance.choices(WORDS, k=9)) for _ in range(8)]
    count = max(1, min(1_200, int(chance.lognormvariate(3.4, 1.1))))
    return "\n".join(chance.choice(lines) + body[at % 8] for at in range(count))


def remark(chance: random.Random, step: int) -> str:
    return f"I look at src/part{chance.randrange(step + 9)}/listen_{chance.randrange(99)}.rs. " + " ".join(chance.choices(WORDS, k=30))


def chat(chance: random.Random, steps: int) -> str:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You mend programs."}]
    for step in range(steps):
        if step % 25 == 0:
            messages.append({"role": "user", "content": f"Mend part {step}. Never push to main."})
        function = {"name": "read", "arguments": json.dumps({"path": f"src/part{step}.rs"})}
        call = {"id": f"call_{step}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": remark(chance, step), "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"call_{step}", "content": output(chance, step)})
    return json.dumps(messages)


def log(chance: random.Random, steps: int) -> str:
    """A log of pi. When about 150,000 tokens have come, it was compacted."""
    entries: list[dict[str, Any]] = [
        {"type": "session", "version": 1, "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/work"}
    ]

    def say(role: str, content: list[dict[str, Any]], **more: Any) -> int:
        entries.append({"type": "message", "message": {"role": role, "content": content, **more}})
        return len(json.dumps(content))

    size = 0
    for step in range(steps):
        if step % 25 == 0:
            size += say("user", [{"type": "text", "text": f"Mend part {step}. Never push to main."}])
        call = {"type": "toolCall", "id": f"call_{step}", "name": "read", "arguments": {"path": f"src/part{step}.rs"}}
        size += say("assistant", [{"type": "text", "text": remark(chance, step)}, call])
        size += say("toolResult", [{"type": "text", "text": output(chance, step)}], toolCallId=f"call_{step}", toolName="read")
        if size > 600_000:
            kept = max(1, len(entries) - 40)
            while entries[kept].get("message", {}).get("role") != "assistant":
                kept += 1
            summary = f"## Goal\nMend the parts up to {step}.\n"
            entries.append(
                {"type": "compaction", "summary": summary, "firstKeptEntryIndex": kept, "tokensBefore": size // 4}
            )
            size = 0
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def write(folder: Path, seed: int, size: int) -> tuple[int, int]:
    """Writes sessions until they have so many bytes together. Returns how many files and bytes there are."""
    number = written = 0
    while written < size:
        name, text = session(seed, number)
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        written += len(text)
        number += 1
    return number, written


def size_of(text: str) -> int:
    for unit, times in SIZES.items():
        if text.endswith(unit):
            return int(float(text.removesuffix(unit)) * times)
    return int(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bytes", type=size_of, default=10_000_000, help="such as 200MB or 10GB (default: 10MB)")
    given = parser.parse_args()
    files, total = write(given.folder, given.seed, given.bytes)
    print(f"{files:,} sessions, {total:,} bytes, in {given.folder}")
