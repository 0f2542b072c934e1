"""The calls of calls.mjs through the component in wasmtime: prints the median time of each in nanoseconds, as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import ebbline

SMALL = 10


def timed(count: int, call: Callable[[int], Any]) -> int:
    times: list[int] = []
    for at in range(count):
        began = time.perf_counter_ns()
        call(at)
        times.append(time.perf_counter_ns() - began)
    return sorted(times)[len(times) // 2]


def main() -> None:
    file, length, turns, plans = sys.argv[1], *map(int, sys.argv[2:])
    with open(file, encoding="utf-8") as source:
        messages: list[Any] = json.load(source)
    first = messages[:length]
    options: dict[str, Any] = {"model": {"context": 100_000_000}, "format": "openai_chat"}
    session = ebbline.Session(**options)
    session.push(first)
    compactor = ebbline.Compactor(**options)
    history = list(first)
    compactor.prepare(history)

    def new(at: int) -> list[Any]:
        return messages[length + 2 * at : length + 2 * at + 2]

    def turn(at: int) -> None:
        session.push(new(at))
        session.decide()

    def prepare(at: int) -> None:
        history.extend(new(at))
        compactor.prepare(history)

    found = {
        "decision": timed(turns, lambda at: session.decide()),
        "small": timed(turns, lambda at: ebbline.plan(messages[:SMALL], **options)),
        "plan": timed(plans, lambda at: ebbline.plan(first, **options)),
        "turn": timed(turns, turn),
        "prepare": timed(turns, prepare),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
