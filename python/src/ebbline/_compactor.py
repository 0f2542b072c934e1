"""Keeps the session of an agent inside its context window."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any

from ._engine import Instance
from ._errors import EbblineError
from ._functions import classify_error
from ._messages import Codec, FromJson, ToJson
from ._options import written
from ._plans import Answer, Decision, SummaryRequest

Summarize = Callable[[SummaryRequest], "str | Answer | Awaitable[str | Answer]"]
Event = dict[str, Any]


class Compactor:
    """Takes the whole history before each request, and gives what to send.

    What was decided is remembered, so that a caller who keeps nothing gets the same view again. A caller who keeps the view
    and adds to it is understood as well. Messages that nothing was done to are the very same objects; they must not be
    changed in place once they were handed over.

    ``summarize`` is a function of a :class:`SummaryRequest` that asks a model and returns its text (or an :class:`Answer`),
    ``"deterministic"`` for summaries by rule, or ``None`` for none. The async methods (``aprepare`` and so on) also take
    an async one. Options: ``profile``, ``policy``, ``model``, ``set``, ``format``, ``overhead``, ``fallback``
    (``when_full``, ``deterministic`` or ``history``), ``budget_tokens``, ``auto``, ``failures``, ``cooldown``, ``accept``.
    """

    def __init__(
        self,
        *,
        summarize: Summarize | str | None = None,
        on_event: Callable[[Event], None] | None = None,
        clock: Callable[[], float] = time.time,
        to_json: ToJson | None = None,
        from_json: FromJson | None = None,
        **options: Any,
    ) -> None:
        if isinstance(summarize, str) and summarize != "deterministic":
            raise EbblineError("invalid_option", "summarize must be a function or 'deterministic'")
        self._ask: Summarize | None = None if isinstance(summarize, str) else summarize
        who = "deterministic" if isinstance(summarize, str) else "none" if summarize is None else "model"
        self._codec = Codec(to_json, from_json)
        self._on_event = on_event
        self._clock = clock
        self._instance = Instance()
        self._instance.handle = self._call("[static]compactor.open", written({**options, "summaries": who}), is_method=False)
        self._log: list[Any] = []
        self._view: list[Any] = []
        # What was made or changed, so that it is the same object each time.
        self._made: dict[str, Any] = {}
        self._is_changed = False
        self._changes = 0
        # The lists that the caller was given: it may come with one of them and more messages.
        self._given: list[Any] = []
        self._is_running = False

    def prepare(self, messages: Sequence[Any], *, idle: int | None = None) -> list[Any]:
        """What to send for a history: its own messages if nothing was ever changed, otherwise the same view until
        something is. Raises an :class:`EbblineError` if nothing makes the context fit."""
        with self._running():
            return self._sync(self._begin("prepare", messages, idle, self._now()))

    def recover(self, error: BaseException, messages: Sequence[Any]) -> list[Any]:
        """What to send instead, after the provider refused a request as too large. Any other error is raised again."""
        self._overflow(error)
        with self._running():
            return self._sync(self._begin("recover", messages, self._now()))

    def compact_now(self, messages: Sequence[Any], *, focus: str | None = None) -> list[Any]:
        """Compacts whatever the size of the context, and returns what to send."""
        with self._running():
            return self._sync(self._begin("compact-now", messages, focus, self._now()))

    async def aprepare(self, messages: Sequence[Any], *, idle: int | None = None) -> list[Any]:
        """As :meth:`prepare`, for an async agent."""
        with self._running():
            return await self._async(self._begin("prepare", messages, idle, self._now()))

    async def arecover(self, error: BaseException, messages: Sequence[Any]) -> list[Any]:
        """As :meth:`recover`, for an async agent."""
        self._overflow(error)
        with self._running():
            return await self._async(self._begin("recover", messages, self._now()))

    async def acompact_now(self, messages: Sequence[Any], *, focus: str | None = None) -> list[Any]:
        """As :meth:`compact_now`, for an async agent."""
        with self._running():
            return await self._async(self._begin("compact-now", messages, focus, self._now()))

    def usage(self, input_tokens: int) -> None:
        """Learns what is sent beside the messages: ``input_tokens`` are those that the provider reported for the last
        request, cached ones included."""
        self._call("[method]compactor.usage", input_tokens)

    def decide(self) -> Decision:
        """How full the context is."""
        return Decision.of_record(self._call("[method]compactor.decide"))

    def undo(self) -> bool:
        """Takes the newest compaction back. Nothing is compacted again until somebody asks, or the context overflows."""
        return self._turn("undo")

    def redo(self) -> bool:
        """Makes the compaction again that was taken back last."""
        return self._turn("redo")

    @property
    def messages(self) -> list[Any]:
        """What would be sent now."""
        return list(self._view)

    def _turn(self, way: str) -> bool:
        with self._running():
            is_done: bool = self._call(f"[method]compactor.{way}")
            if is_done:
                self._look()
            return is_done

    def _call(self, name: str, *arguments: Any, is_method: bool = True) -> Any:
        return self._instance.call(name, *((self._instance.handle,) if is_method else ()), *arguments)

    def _now(self) -> int:
        return int(self._clock() * 1000)

    def _running(self) -> _Running:
        if self._is_running:
            raise EbblineError("busy", "another call of this compactor is running: await it first")
        return _Running(self)

    def _run(self, is_running: bool, is_broken: bool) -> None:
        self._is_running = is_running
        if is_broken:
            # Cancelled while a model wrote: the summary is not waited for any more.
            self._call("[method]compactor.cancel")
        if not is_running and self._on_event is not None:
            # A summary that failed changes no view, and is told all the same.
            self._tell()

    @staticmethod
    def _overflow(error: BaseException) -> None:
        if classify_error(error).kind != "context_overflow":
            raise error

    def _begin(self, way: str, messages: Sequence[Any], *arguments: Any) -> str | None:
        added: Sequence[Any]
        keep, added = self._compared(messages)
        texts = self._codec.texts(added)
        # The log is what the component knows: it changes with it, or not at all.
        before = len(self._log)
        del self._log[keep:]
        self._log.extend(added)
        if keep < before:
            self._changes = -1
        try:
            request: str | None = self._call(f"[method]compactor.{way}", keep, texts, *arguments)
        except EbblineError:
            known: int = self._call("[method]compactor.known")
            if known < len(self._log):
                del self._log[known:]
                added = ()
            self._look(added)
            raise
        self._look(added)
        return request

    def _compared(self, messages: Sequence[Any]) -> tuple[int, list[Any]]:
        """How many messages of the log stand, and what is new behind them."""
        known = self._same(self._log, messages)
        if known < len(self._log) and self._is_changed:
            # The view that was given, or the one of now, with more behind it.
            for view in (self._given, self._view):
                if view and self._same(view, messages) == len(view):
                    return len(self._log), list(messages[len(view) :])
        return known, list(messages[known:])

    def _same(self, known: Sequence[Any], messages: Sequence[Any]) -> int:
        """How many of the first messages are those that are known: the same objects, or equal ones."""
        end = min(len(known), len(messages))
        for at in range(end):
            if known[at] is not messages[at] and not self._equal(known[at], messages[at]):
                return at
        return end

    def _equal(self, known: Any, message: Any) -> bool:
        try:
            if type(known) is type(message) and known == message:
                return True
        except Exception:  # an object that cannot be compared
            pass
        return self._codec.text(known) == self._codec.text(message)

    def _look(self, added: Sequence[Any] = ()) -> None:
        """Takes the component's view over, if it is another one than before."""
        changes: int = self._call("[method]compactor.changes")
        if changes == self._changes:
            self._view.extend(added)
            return
        view: list[Any] = []
        for entry in json.loads(self._call("[method]compactor.view")):
            if isinstance(entry, int):
                view.append(self._log[entry])
                continue
            key = json.dumps(entry)
            if key not in self._made:
                original = self._log[entry["from"]] if "from" in entry else None
                self._made[key] = self._codec.message(entry["message"], original)
            view.append(self._made[key])
        self._view = view
        self._changes = changes
        self._is_changed = True
        self._tell()

    def _tell(self) -> None:
        events: list[Event] = json.loads(self._call("[method]compactor.events"))
        if self._on_event is None:
            return
        for event in events:
            try:
                self._on_event(event)
            except Exception:  # whoever listens must not be able to break the agent
                pass

    def _done(self) -> list[Any]:
        self._look()
        self._given = list(self._view)
        return list(self._view)

    def _sync(self, request: str | None) -> list[Any]:
        while request is not None:
            try:
                answer: Any = self._asked(request)
                if hasattr(answer, "__await__"):
                    if hasattr(answer, "close"):
                        answer.close()
                    raise EbblineError("invalid_option", "summarize is async: call `aprepare`, or pass a plain function")
            except Exception as error:
                self._give_up_or_raise(error)
                request = self._call("[method]compactor.give-up", _words(error))
                continue
            request = self._answered(answer)
        return self._done()

    async def _async(self, request: str | None) -> list[Any]:
        while request is not None:
            try:
                answer: Any = self._asked(request)
                if hasattr(answer, "__await__"):
                    answer = await answer
            except Exception as error:
                request = self._call("[method]compactor.give-up", _words(error))
                continue
            request = self._answered(answer)
        return self._done()

    def _asked(self, request: str) -> Any:
        self._tell()
        if self._ask is None:
            raise EbblineError("invalid_option", "there is nobody to write a summary")
        return self._ask(SummaryRequest.of_json(request))

    @staticmethod
    def _give_up_or_raise(error: Exception) -> None:
        if isinstance(error, EbblineError) and error.code == "invalid_option":
            raise error

    def _answered(self, answer: Any) -> str | None:
        if isinstance(answer, str):
            answer = Answer(answer)
        if not isinstance(answer, Answer):
            raise EbblineError("invalid_option", "`summarize` must return the text of the answer, or an Answer")
        return self._call("[method]compactor.answer", answer.text, answer.truncated)


class _Running:
    """A call that runs: no other may, and one that is broken off leaves nothing behind."""

    def __init__(self, compactor: Compactor) -> None:
        self._compactor = compactor

    def __enter__(self) -> None:
        self._compactor._run(True, False)  # pyright: ignore[reportPrivateUsage]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._compactor._run(False, error is not None)  # pyright: ignore[reportPrivateUsage]


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".encode(errors="replace").decode()
