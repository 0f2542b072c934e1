"""Files in several threads at once, until they are done or somebody presses Ctrl-C.

A call of the component runs without Python's lock, so threads work at once.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
from contextlib import ExitStack
from typing import Any

from .._engine import COMMANDS, Instance
from .content import content_of
from .files import read
from .refusal import refusal_of
from .signals import heard

# A memory never shrinks: an instance that has read a longer file than this is dropped.
_LONGEST_KEPT = 8 << 20


class Pool:
    """Files that are worked on. A single one needs no thread."""

    def __init__(self, work: dict[str, Any], instance: Instance) -> None:
        # The one of the command, which waits meanwhile: it says what becomes of a file on which another one failed.
        self._instance = instance
        self._task = json.dumps(work["task"])
        self._files: list[Any] = work["files"]
        self._news: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._waiting = iter(range(len(self._files)))
        self._lock = threading.Lock()
        self._is_over = False
        self._signals = ExitStack()
        if len(self._files) == 1:
            self._work()
            return
        self._signals.enter_context(heard((signal.SIGINT,), lambda _: self._news.put('"Interrupted"')))
        for _ in range(min(work["threads"] or os.cpu_count() or 1, len(self._files))):
            threading.Thread(target=self._work, daemon=True).start()

    def next(self, within: float) -> str:
        """The next news within so many seconds, in JSON."""
        try:
            return self._news.get(timeout=within)
        except queue.Empty:
            return '"Nothing"'

    def end(self) -> None:
        """Ends the work: what is begun is done, and nobody hears of it."""
        self._is_over = True
        self._signals.close()

    def _work(self) -> None:
        """Works until no file is left."""
        worker: _Worker | None = None
        while not self._is_over:
            with self._lock:
                at = next(self._waiting, None)
            if at is None:
                return
            try:
                worker = worker or _Worker(self._task)
                result = worker.result_of(self._files[at])
                worker = None if worker.is_spent else worker
            except Exception as error:
                # After a fault of the engine its memory may be in any state.
                worker, result = None, self._instance.call("broken-file", json.dumps(self._files[at]), str(error))
            self._news.put(f'{{"Finished":[{at},{result}]}}')


class _Worker:
    """An instance with a task."""

    def __init__(self, task: str) -> None:
        self._instance = Instance(COMMANDS)
        self._task: Any = self._instance.call("[constructor]task", task)
        self.is_spent = False

    def result_of(self, file: dict[str, Any]) -> str:
        """What becomes of a file, in JSON."""
        given = json.dumps(file)
        try:
            found = read(file["name"])
        except Exception as error:
            return self._instance.call("unread-file", given, json.dumps(refusal_of(error)))
        self.is_spent = len(found) > _LONGEST_KEPT
        return self._instance.call("[method]task.run", self._task, given, content_of(self._instance, found))
