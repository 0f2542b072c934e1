"""Prints what the component costs in Python: the start, a call, and a request of an agent. Run it with PYTHONPATH=python/src."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import agent
import ebbline
from ebbline import _engine

START = """
import time; began = time.perf_counter()
import ebbline; imported = time.perf_counter()
ebbline.plan([{"role": "user", "content": "hello"}]); ended = time.perf_counter()
print(imported - began, ended - imported)
"""


def median(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def timed(call: Callable[[], Any], count: int) -> float:
    times: list[float] = []
    for _ in range(count):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return median(times)


def starts(folder: str) -> None:
    environment = {**os.environ, "EBBLINE_CACHE": folder}
    found: list[tuple[float, float]] = []
    for _ in range(8):
        done = subprocess.run([sys.executable, "-c", START], env=environment, check=True, capture_output=True, text=True)
        imported, called = map(float, done.stdout.split())
        found.append((imported, called))
    print(f"first start, compiling: {sum(found[0]) * 1e3:.0f} ms")
    later = found[1:]
    print(f"later starts: import {median([a for a, _ in later]) * 1e3:.0f} ms, first call {median([b for _, b in later]) * 1e3:.0f} ms,")
    print(f"  together {median([a + b for a, b in later]) * 1e3:.0f} ms (the quickest {min(a + b for a, b in later) * 1e3:.0f} ms)")


def calls() -> None:
    instance = _engine.Instance()
    handle = instance.call("[static]compactor.open", "{}")
    took = timed(lambda: instance.call("[method]compactor.changes", handle), 2_000)
    print(f"the smallest call (a handle, a number back): {took * 1e6:.0f} µs, {1 / took:,.0f} a second")
    took = timed(lambda: instance.call("[method]compactor.decide", handle), 2_000)
    print(f"a decision, a record of 8 members: {took * 1e6:.0f} µs, {1 / took:,.0f} a second")


def requests() -> None:
    session = ebbline.Session(model={"context": 200_000})
    compactor = ebbline.Compactor(summarize="deterministic", model={"context": 200_000})
    history: list[Any] = [agent.SYSTEM]
    of_session: list[float] = []
    of_compactor: list[float] = []
    for number in range(400):
        messages = agent.step(number)
        history.extend(messages)
        began = time.perf_counter()
        session.extend(messages)
        session.decide()
        middle = time.perf_counter()
        compactor.prepare(history)
        of_session.append(middle - began)
        of_compactor.append(time.perf_counter() - middle)
    size = len(json.dumps(history))
    print(f"a request of an agent, 400 steps, {size / 1e6:.1f} MB: Session {median(of_session) * 1e6:.0f} µs, Compactor {median(of_compactor) * 1e6:.0f} µs")
    print(f"  the dearest: Session {max(of_session) * 1e3:.1f} ms, Compactor {max(of_compactor) * 1e3:.1f} ms (it compacts)")
    text = json.dumps(history)
    took = timed(lambda: ebbline.plan(text, model={"context": 200_000}), 15)
    print(f"plan of its text: {took * 1e3:.1f} ms, {len(text) / took / 1e6:.0f} MB/s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        starts(cache)
    calls()
    requests()
