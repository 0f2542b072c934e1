"""What is done when somebody ends the program: by Ctrl-C, by ``kill``, by closing the terminal."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

# The signals that end a program without a handler.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def heard(signals: tuple[signal.Signals, ...], react: Callable[[signal.Signals], None]) -> Generator[None, None, None]:
    """While it lasts, signals are told to ``react``. Threads other than the main one hear none."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: dict[signal.Signals, Any] = {}

    def handler(number: int, _: Any) -> None:
        react(signal.Signals(number))

    try:
        for each in signals:
            before[each] = signal.signal(each, handler)
        yield
    finally:
        for each, former in before.items():
            signal.signal(each, former)


@contextmanager
def tidied(tidy: Callable[[], None]) -> Generator[None, None, None]:
    """While it lasts, a signal that ends the program also tidies up."""

    def end(number: signal.Signals) -> None:
        tidy()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    with heard(ENDING, end):
        yield
