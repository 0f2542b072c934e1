"""The caller's model: asked in the caller's own loop or in a thread, and given up after a while."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import inspect
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

from ._errors import EbblineError
from ._plans import Answer, SummaryRequest

# How many seconds a model has for an answer, if nobody says how many.
PATIENCE = 600.0

Summarize = Callable[[SummaryRequest], "str | Answer | Awaitable[str | Answer]"]


class Misuse(EbblineError):
    """A mistake of the caller: no summary that failed."""


class Writing:
    """A summary that is written while the agent goes on."""

    def __init__(self, future: asyncio.Task[Answer | None] | concurrent.futures.Future[Answer]) -> None:
        self._future = future
        self._since = time.monotonic()

    def is_over(self, limit: float | None) -> bool:
        """Whether the model has answered, failed, or taken too long."""
        return self._future.done() or self._is_late(limit)

    def answer(self) -> Answer | None:
        """What the model answered; ``None`` if that was handed over already. Raises what the model raised."""
        if not self._future.done():
            raise _late()
        try:
            return self._future.result()
        except asyncio.CancelledError:
            raise RuntimeError("the event loop in which it was written ended") from None

    def wait(self, limit: float | None) -> None:
        """Waits in this thread."""
        if isinstance(self._future, asyncio.Task):
            if not self._future.done():
                raise Misuse("invalid_option", "an async function writes the summary: call `aprepare`")
            return
        concurrent.futures.wait([self._future], self._left(limit))

    async def wait_async(self, limit: float | None) -> None:
        """Waits in the event loop. Whoever stops waiting leaves the model to go on."""
        if isinstance(self._future, asyncio.Task):
            await asyncio.wait([self._future])
        else:
            await asyncio.wait([asyncio.wrap_future(self._future)], timeout=self._left(limit))

    def cancel(self) -> None:
        """Nobody wants it any more. A thread that asks a model ends by itself."""
        self._future.cancel()

    def _is_late(self, limit: float | None) -> bool:
        # A task knows by itself when its model is late.
        return isinstance(self._future, concurrent.futures.Future) and self._left(limit) == 0.0

    def _left(self, limit: float | None) -> float | None:
        return None if limit is None else max(0.0, self._since + limit - time.monotonic())


class Model:
    """Asks the caller's function, which may take ``limit`` seconds for an answer. ``is_strict``: also a plain one that a sync method
    waits for."""

    def __init__(self, ask: Summarize, limit: float | None, is_strict: bool) -> None:
        self._ask = ask
        self.limit = limit
        self._is_strict = is_strict

    def asked(self, request: SummaryRequest) -> Answer:
        """The answer. A function cannot be given up in this thread, so it gets its own if there is a limit for it."""
        if not self._is_strict:
            return self._plain(request)
        future = self.in_thread(request)
        concurrent.futures.wait([future], self.limit)
        if not future.done():
            raise _late()
        return future.result()

    async def asked_async(self, request: SummaryRequest, *, goes_on: bool = False) -> Answer:
        """The answer of a function that may be async. While the agent ``goes_on``, a plain one gets its own thread."""
        given: Any
        if goes_on and not _is_async(self._ask):
            future: concurrent.futures.Future[Any] = _in_thread(self._ask, request)
            given = await self._limited(asyncio.wrap_future(future))
        else:
            given = self._ask(request)
        if hasattr(given, "__await__"):
            given = await self._limited(given)
        return _answer_of(given)

    def in_thread(self, request: SummaryRequest) -> concurrent.futures.Future[Answer]:
        """The answer of a plain function, in a thread that keeps no program from ending."""
        return _in_thread(self._plain, request)

    def _plain(self, request: SummaryRequest) -> Answer:
        given: Any = self._ask(request)
        refuse_async(given)
        return _answer_of(given)

    async def _limited(self, awaitable: Any) -> Any:
        # What the model itself raises is another error than that it is late.
        task = asyncio.ensure_future(awaitable)
        task.add_done_callback(_heard)
        try:
            await asyncio.wait([task], timeout=self.limit)
        finally:
            if not task.done():
                task.cancel()
        if not task.done():
            raise _late()
        return task.result()


def refuse_async(given: Any) -> None:
    """Refuses what a sync method cannot wait for."""
    if hasattr(given, "__await__"):
        if hasattr(given, "close"):
            given.close()
        raise Misuse("invalid_option", "summarize, a hook or the store is async: call `aprepare`, or pass plain functions")


def _in_thread(ask: Callable[[SummaryRequest], Any], request: SummaryRequest) -> concurrent.futures.Future[Any]:
    future: concurrent.futures.Future[Any] = concurrent.futures.Future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            answer = context.run(ask, request)
        except BaseException as error:
            _settled(future, None, error)
        else:
            _settled(future, answer, None)

    threading.Thread(target=run, name="ebbline-summary", daemon=True).start()
    return future


def _settled(future: concurrent.futures.Future[Any], answer: Any, error: BaseException | None) -> None:
    # One that was cancelled meanwhile takes no answer.
    if not future.set_running_or_notify_cancel():
        return
    if error is None:
        future.set_result(answer)
    else:
        future.set_exception(error)


def _heard(task: asyncio.Future[Any]) -> None:
    """Nobody waits any more for what a model that was cancelled raises."""
    if not task.cancelled():
        task.exception()


def _is_async(ask: Any) -> bool:
    return inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(getattr(ask, "__call__", None))


def _answer_of(given: Any) -> Answer:
    if isinstance(given, str):
        return Answer(given)
    if not isinstance(given, Answer):
        raise Misuse("invalid_option", "`summarize` must return the text of the answer, or an Answer")
    return given


def _late() -> TimeoutError:
    return TimeoutError("the model did not answer in time")
