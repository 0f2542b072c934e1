"""How the work of a call is driven: in the caller's thread, or in its event loop."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

from ._errors import EbblineError
from ._model import Misuse, Writing, refuse_async
from ._plans import Answer, SummaryRequest
from ._talk import Going, Question, Talk, Work


class Driver:
    """Runs one call at a time. ``waits``: whether an async call waits while another one is running."""

    def __init__(self, talk: Talk, waits: bool) -> None:
        self._talk = talk
        self._waits = waits
        self._is_running = False
        # What async calls wait for, if they do, and the event loop that it belongs to.
        self._turns: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None

    def running(self) -> Driver:
        """A call, as a context: no other may run, and one that is broken off leaves nothing behind."""
        if self._is_running:
            raise EbblineError("busy", "another call of this compactor is running: await it first")
        return self

    def __enter__(self) -> None:
        self._is_running = True
        self._talk.end(False)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_running = False
        self._talk.end(error is not None)

    def sync(self, work: Work) -> list[Any]:
        """Does the work in this thread."""
        with self.running():
            try:
                value: Any = next(work)
                while True:
                    answer: Any = value
                    try:
                        if isinstance(value, Question):
                            answer = self._talk.model.asked(value.request)
                        elif isinstance(value, Going):
                            request = SummaryRequest.of_json(value.request)
                            self._talk.writing = Writing(self._talk.model.in_thread(request))
                        elif isinstance(value, Writing):
                            value.wait(self._talk.model.limit)
                        else:
                            refuse_async(value)
                    except Exception as error:
                        value = work.send(error) if isinstance(value, Question) else work.throw(error)
                    else:
                        value = work.send(answer)
            except StopIteration as done:
                return done.value

    async def in_loop(self, work: Work) -> list[Any]:
        """Does the work in this event loop."""
        if not self._waits:
            return await self._alone(work)
        loop = asyncio.get_running_loop()
        if self._turns is None or self._turns[0] is not loop:
            self._turns = loop, asyncio.Lock()
        async with self._turns[1]:
            return await self._alone(work)

    async def _alone(self, work: Work) -> list[Any]:
        with self.running():
            try:
                value: Any = next(work)
                while True:
                    answer: Any = value
                    try:
                        if isinstance(value, Question):
                            answer = await self._talk.model.asked_async(value.request)
                        elif isinstance(value, Going):
                            self._talk.writing = Writing(asyncio.ensure_future(self._write(value.request)))
                        elif isinstance(value, Writing):
                            await value.wait_async(self._talk.model.limit)
                        elif hasattr(value, "__await__"):
                            answer = await value
                    except Exception as error:
                        value = work.send(error) if isinstance(value, Question) else work.throw(error)
                    else:
                        value = work.send(answer)
            except StopIteration as done:
                return done.value

    async def _write(self, request: str | None) -> Answer | None:
        """Asks for a summary until it is there. What is answered to a call that waits is handed over by that call."""
        talk = self._talk
        writing = talk.writing
        while request is not None:
            answer: Answer | Exception
            try:
                answer = await talk.model.asked_async(SummaryRequest.of_json(request), goes_on=True)
            except Exception as error:
                answer = error
            if writing is not talk.writing:
                return None
            if talk.is_awaited or isinstance(answer, Misuse):
                if isinstance(answer, Exception):
                    raise answer
                return answer
            request = talk.handed(answer)
            talk.tell()
        talk.writing = None
        return None
