"""Keeps the session of an agent inside its context window."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, Protocol, cast

from ._engine import Instance
from ._errors import EbblineError
from ._functions import classify_error
from ._hooks import Event, Hooks, Proposal, wish_as_json
from ._log import Log
from ._messages import Codec, FromJson, ToJson
from ._model import PATIENCE, Misuse, Model, Summarize, Writing, refuse_async
from ._options import written
from ._pins import Pin, Pins
from ._plans import Answer, Decision, SummaryRequest


class Store(Protocol):
    """Keeps texts by their names. One store serves one session. For the async methods of a compactor its methods may be async."""

    def get(self, key: str) -> str | None | Awaitable[str | None]:
        """The text with this name, if there is one."""
        ...

    def put(self, key: str, text: str) -> object:
        """Keeps a text."""
        ...


# What a call does: what is yielded may be awaitable, and its value comes back.
Work = Generator[Any, Any, list[Any]]


class Compactor:
    """Takes the whole history before each request, and gives what to send.

    What was decided is remembered, so that a caller who keeps nothing gets the same view again. A caller who keeps the view
    and adds to it is understood as well. Messages that nothing was done to are the very same objects; they must not be
    changed in place once they were handed over.

    ``summarize`` is a function of a :class:`SummaryRequest` that asks a model and returns its text (or an :class:`Answer`),
    ``"deterministic"`` for summaries by rule, or ``None`` for none. The async methods (``aprepare`` and so on) also take
    an async one. Options: ``profile``, ``policy``, ``model``, ``set``, ``format``, ``overhead``, ``fallback``
    (``when_full``, ``deterministic`` or ``history``), ``budget_tokens``, ``auto``, ``failures``, ``cooldown``, ``accept``,
    and:

    ``pins``: what stays word for word (:class:`Pin`). Outputs that are pinned are never cleared. If a summary replaces a
    message, its pinned parts stand behind the summary, and behind every later one.

    ``when``: when to compact even if the policy does not ask for it, such as ``{"messages": 200}`` or ``{"any": [{"share":
    0.5}, {"idle": 300_000}]}``: ``tokens``, ``share``, ``reserve``, ``messages``, ``turns``, ``idle``. After a compaction,
    the context has to grow by an eighth first.

    ``introduction``: a text that tells the model what a summary is, ``""`` for none (:func:`ebbline.introductions`), or
    ``{"text": …, "role": …, "answer": True}``. With ``role``, a summary is not a message of the user but of the application
    (``system``, ``developer``) or of the model (``assistant``), where the format can have it. With ``answer``, the model says
    "Understood." between a summary and a message of the user. A format that cannot have it refuses it.

    ``chunks``: how a summary is written of messages that have more than twice the tokens of a request for a summary: in at most
    64 parts, each with a request of its own that fits. ``"rolling"``: the oldest part first; its summary is the earlier summary
    of the next part. ``"map_reduce"``: each part by itself, then one request joins the summaries. Without it, there is one
    request, which leaves out what does not fit; only where even that would be too large, parts are summarised as with
    ``"rolling"``. If a part fails, the summary failed.

    ``background``: whether the agent goes on while a model writes a summary. The summary is taken over by a later
    :meth:`prepare`; messages that came in between stay. It is waited for only if the context would exceed the window. If the
    history is edited meanwhile, ``{"on_edit": "rebase"}``, which is the same as ``True``, keeps the summary if the messages
    that it was asked for are still there; ``{"on_edit": "drop"}`` drops it at any edit. The async methods ask in a task, which goes
    on by itself as long as its event loop runs; the others in a thread that calls nothing but ``summarize``, one request between
    two calls.

    ``timeout``: how many seconds a model may take for an answer, which may be that of one part; ``None`` for any time. By default,
    an async function and one that is called in the background have 10 minutes, and a plain one, which is called in your thread, any
    time. With a number, a plain one is called in a thread of its own, so that it can be given up.

    ``overlap``: whether an async call waits while another one is running (``"wait"``), or is refused with the code ``busy``
    (``"refuse"``), as the others always are.

    ``hooks``: your own code inside a compaction (:class:`Hooks`). ``on_event`` hears what happens; what it raises is ignored.

    ``record``: the :attr:`record` of an earlier compactor: this one goes on where that one was. The first history must have
    the messages that the record concerns; otherwise the first call raises ``mismatch``. With ``originals="record"`` the record
    holds the messages that are no longer sent as they are, so that an agent who kept only what was sent can undo as well.

    ``store``: where these messages are kept instead (:class:`Store`). If ``put`` fails, nothing is compacted. With it and a
    ``record``, an agent that kept only what it sent gets its whole history back. Keys and texts are those of the npm package.
    """

    def __init__(
        self,
        *,
        summarize: Summarize | str | None = None,
        on_event: Callable[[Event], None] | None = None,
        pins: Sequence[Pin | Mapping[str, Any]] = (),
        hooks: Hooks | None = None,
        record: Mapping[str, Any] | None = None,
        store: Store | None = None,
        background: bool | Mapping[str, str] = False,
        timeout: float | Literal["default"] | None = "default",
        overlap: Literal["wait", "refuse"] = "wait",
        clock: Callable[[], float] = time.time,
        to_json: ToJson | None = None,
        from_json: FromJson | None = None,
        **options: Any,
    ) -> None:
        if isinstance(summarize, str) and summarize != "deterministic":
            raise EbblineError("invalid_option", "summarize must be a function or 'deterministic'")
        is_limited = timeout is not None and timeout != "default"
        if is_limited and (isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout <= 0):
            raise EbblineError("invalid_option", "the option timeout must be a number of seconds above 0, or None")
        limit = PATIENCE if isinstance(timeout, str) else timeout
        if overlap not in ("wait", "refuse"):
            raise EbblineError("invalid_option", "the option overlap must be wait or refuse")
        ask: Summarize | None = None if isinstance(summarize, str) else summarize
        self._model: Model | None = None if ask is None else Model(ask, limit, is_limited)
        who = "deterministic" if isinstance(summarize, str) else "none" if summarize is None else "model"
        self._codec = Codec(to_json, from_json)
        self._on_event = on_event
        self._clock = clock
        self._pins = Pins(pins)
        self._hooks = hooks or Hooks()
        # What hooks have still to hear.
        self._unheard: list[Event] = []
        self._listens = on_event is not None or self._hooks.after is not None or self._hooks.failed is not None
        self._is_restored = record is None
        options["summaries"] = who
        if self._pins.rules:
            options["pins"] = self._pins.rules
        if self._hooks.before is not None:
            options["hooks"] = True
        if record is not None:
            options["record"] = record
        if store is not None:
            if not callable(getattr(store, "get", None)) or not callable(getattr(store, "put", None)):
                raise EbblineError("invalid_option", "the option store must be an object with the functions `get` and `put`")
            options["store"] = True
        self._store = store
        if background is not False:
            options["background"] = _in_words(background)
        self._instance = Instance()
        self._instance.handle = self._call("[static]compactor.open", written(options), is_method=False)
        self._log = Log(self._codec)
        self._is_running = False
        # The summary that a model writes while the agent goes on, and whether a call waits for it.
        self._writing: Writing | None = None
        self._is_awaited = False
        # What async calls wait for, if they do, and the event loop that it belongs to.
        self._turns: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None
        self._waits = overlap == "wait"

    def prepare(self, messages: Sequence[Any], *, idle: int | None = None) -> list[Any]:
        """What to send for a history: its own messages if nothing was ever changed, otherwise the same view until
        something is. Raises an :class:`EbblineError` if nothing makes the context fit."""
        return self._sync(self._prepared(messages, idle))

    def recover(self, error: BaseException, messages: Sequence[Any]) -> list[Any]:
        """What to send instead, after the provider refused a request as too large. Any other error is raised again."""
        _raise_unless_overflow(error)
        return self._sync(self._recovered(error, messages))

    def compact_now(self, messages: Sequence[Any], *, focus: str | None = None) -> list[Any]:
        """Compacts whatever the size of the context, and returns what to send."""
        return self._sync(self._compacted(messages, focus))

    async def aprepare(self, messages: Sequence[Any], *, idle: int | None = None) -> list[Any]:
        """As :meth:`prepare`, for an async agent."""
        return await self._async(self._prepared(messages, idle))

    async def arecover(self, error: BaseException, messages: Sequence[Any]) -> list[Any]:
        """As :meth:`recover`, for an async agent."""
        _raise_unless_overflow(error)
        return await self._async(self._recovered(error, messages))

    async def acompact_now(self, messages: Sequence[Any], *, focus: str | None = None) -> list[Any]:
        """As :meth:`compact_now`, for an async agent."""
        return await self._async(self._compacted(messages, focus))

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

    def recall(self, id: str) -> str | None:
        """The whole output of a call, whatever became of it; ``None`` if there is no such call. ``id`` is the id of the call,
        or the reference that stands in place of its output (``kpbmgken`` of ``[ref kpbmgken]``): with it, a tool of your
        agent gives a model the output back."""
        output: str | None = self._call("[method]compactor.recall", id)
        return output

    @property
    def record(self) -> dict[str, Any]:
        """What was decided, as plain data that JSON can hold: with it, another compactor goes on where this one is, in another
        process as well. A summary that is being asked for counts as cancelled. The history itself is not in it. It is the
        record of the npm package."""
        return json.loads(self._call("[method]compactor.record"))

    @property
    def messages(self) -> list[Any]:
        """What would be sent now."""
        return list(self._log.view)

    def _turn(self, way: str) -> bool:
        with self._running():
            is_done: bool = self._call(f"[method]compactor.{way}")
            self._forget()
            if is_done:
                self._look()
                self._tell()
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
        self._is_awaited = False
        if is_broken:
            # Cancelled while a model wrote: the summary is not waited for any more.
            self._call("[method]compactor.cancel")
            # A summary that failed is told, though the call failed as well.
            self._tell()
            self._unheard.clear()

    def _begin(self, way: str, messages: Sequence[Any], *arguments: Any) -> str | None:
        added: Sequence[Any]
        keep, added = self._log.compared(messages)
        texts = self._codec.texts(added)
        for rule, meant in self._pins.meant(added, keep):
            self._call("[method]compactor.pin", rule, meant)
        # The log is what the component knows: it changes with it, or not at all.
        self._log.take(keep, added)
        try:
            request: str | None = self._call(f"[method]compactor.{way}", keep, texts, *arguments)
        except EbblineError:
            self._forget()
            known: int = self._call("[method]compactor.known")
            if self._log.cut(known):
                added = ()
            if known > 0:
                self._restore(added)
            self._look(added)
            self._log.hand_out()
            raise
        self._forget()
        self._restore(added)
        self._look(added)
        # If the call fails, the caller comes again with what it gave now.
        self._log.hand_out()
        return request

    def _restore(self, added: Sequence[Any]) -> None:
        """Takes the whole history over that a record has made of what was sent."""
        if self._is_restored:
            return
        self._is_restored = True
        restored: str | None = self._call("[method]compactor.restored")
        if restored is not None:
            self._log.restore(restored, added)

    def _look(self, added: Sequence[Any] = ()) -> None:
        """Takes the component's view over, if it is another one than before."""
        changes: int = self._call("[method]compactor.changes")
        if self._log.look(changes, lambda: self._call("[method]compactor.view"), added):
            self._tell()

    def _tell(self) -> None:
        events: list[Event] = json.loads(self._call("[method]compactor.events"))
        self._unheard.extend(event for event in events if event["type"] in ("compacted", "summary_failed"))
        if self._on_event is None:
            return
        for event in events:
            try:
                self._on_event(event)
            except Exception:  # whoever listens must not be able to break the agent
                pass

    def _prepared(self, messages: Sequence[Any], idle: int | None) -> Work:
        yield from self._fetched()
        request = self._hand_over()
        if request is not None:
            yield _Going(request)
        return (yield from self._work(self._begin("prepare", messages, idle, self._now())))

    def _recovered(self, error: BaseException, messages: Sequence[Any]) -> Work:
        yield from self._fetched()
        self._call("[method]compactor.overflowed", _words(error))
        return (yield from self._work(self._begin("recover", messages, self._now())))

    def _compacted(self, messages: Sequence[Any], focus: str | None) -> Work:
        yield from self._fetched()
        return (yield from self._work(self._begin("compact-now", messages, focus, self._now())))

    def _fetched(self) -> Generator[Any, Any, None]:
        """Fetches the messages of a record from the store, in case the history lacks them."""
        if self._store is None or self._is_restored:
            return
        texts: list[str | None] = []
        for key in json.loads(self._call("[method]compactor.lacks")):
            text: Any = yield self._store.get(key)
            texts.append(text if isinstance(text, str) else None)
        if texts:
            self._call("[method]compactor.found", json.dumps(texts))

    def _stored(self, texts: Sequence[Mapping[str, str]]) -> Generator[Any, Any, str | None]:
        """Stores messages that will no longer be sent as they are. Returns the next request."""
        stored = 0
        try:
            for one in texts:
                if self._store is not None:
                    yield self._store.put(one["key"], one["text"])
                    stored += 1
        except Exception:
            self._call("[method]compactor.stored", stored)
            raise
        return self._call("[method]compactor.stored", stored)

    def _work(self, request: str | None) -> Work:
        """Does what the component asks for. What is yielded may be awaitable, and its value comes back."""
        while request is not None:
            asked: dict[str, Any] = json.loads(request)
            if "compaction" in asked:
                before = self._hooks.before
                wish: Any = None if before is None else (yield before(Proposal.of_json(asked["compaction"])))
                request = self._call("[method]compactor.allow", wish_as_json(wish))
                continue
            if "store" in asked:
                request = cast("str | None", (yield from self._stored(asked["store"])))
                continue
            self._tell()
            if "background" not in asked:
                request = self._handed((yield _Question(SummaryRequest.of_json(request))))
                continue
            if "awaited" not in asked:
                yield _Going(request)
                break
            if self._writing is None:
                yield _Going(request)
            self._is_awaited = True
            yield self._writing
            self._is_awaited = False
            request = self._hand_over()
        self._look()
        if self._listens:
            # A summary that failed changes no view, and is told all the same.
            self._tell()
        view = self._log.hand_out()
        unheard, self._unheard = self._unheard, []
        for event in unheard:
            hook = self._hooks.after if event["type"] == "compacted" else self._hooks.failed
            if hook is not None:
                yield hook(event)
        return view

    def _handed(self, answer: Answer | Exception) -> str | None:
        """Hands over what a model answered, or why it did not. Returns the next request."""
        if isinstance(answer, Misuse):
            raise answer
        if isinstance(answer, Exception):
            return self._call("[method]compactor.give-up", _words(answer))
        return self._call("[method]compactor.answer", answer.text, answer.truncated)

    def _hand_over(self) -> str | None:
        """Hands over what was written meanwhile, if it is there. Returns the next request."""
        writing = self._writing
        if writing is None or not writing.is_over(self._asking().limit):
            return None
        self._writing = None
        answer: Answer | Exception | None
        try:
            answer = writing.answer()
        except Misuse as error:
            self._call("[method]compactor.give-up", _words(error))
            raise
        except Exception as error:
            answer = error
        return None if answer is None else self._handed(answer)

    def _forget(self) -> None:
        """Cancels the summary that is written meanwhile, if nobody wants it any more."""
        if self._writing is not None and not self._call("[method]compactor.is-wanted"):
            self._writing.cancel()
            self._writing = None

    def _sync(self, work: Work) -> list[Any]:
        with self._running():
            try:
                value: Any = next(work)
                while True:
                    answer: Any = value
                    try:
                        if isinstance(value, _Question):
                            answer = self._asking().asked(value.request)
                        elif isinstance(value, _Going):
                            self._writing = Writing(self._asking().in_thread(SummaryRequest.of_json(value.request)))
                        elif isinstance(value, Writing):
                            value.wait(self._asking().limit)
                        else:
                            refuse_async(value)
                    except Exception as error:
                        value = work.send(error) if isinstance(value, _Question) else work.throw(error)
                    else:
                        value = work.send(answer)
            except StopIteration as done:
                return done.value

    async def _async(self, work: Work) -> list[Any]:
        if not self._waits:
            return await self._alone(work)
        loop = asyncio.get_running_loop()
        if self._turns is None or self._turns[0] is not loop:
            self._turns = loop, asyncio.Lock()
        async with self._turns[1]:
            return await self._alone(work)

    async def _alone(self, work: Work) -> list[Any]:
        with self._running():
            try:
                value: Any = next(work)
                while True:
                    answer: Any = value
                    try:
                        if isinstance(value, _Question):
                            answer = await self._asking().asked_async(value.request)
                        elif isinstance(value, _Going):
                            self._writing = Writing(asyncio.ensure_future(self._write(value.request)))
                        elif isinstance(value, Writing):
                            await value.wait_async(self._asking().limit)
                        elif hasattr(value, "__await__"):
                            answer = await value
                    except Exception as error:
                        value = work.send(error) if isinstance(value, _Question) else work.throw(error)
                    else:
                        value = work.send(answer)
            except StopIteration as done:
                return done.value

    def _asking(self) -> Model:
        if self._model is None:
            raise Misuse("invalid_option", "there is nobody to write a summary")
        return self._model

    async def _write(self, request: str | None) -> Answer | None:
        """Asks for a summary until it is there. What is answered to a call that waits is handed over by that call."""
        writing = self._writing
        while request is not None:
            answer: Answer | Exception
            try:
                answer = await self._asking().asked_async(SummaryRequest.of_json(request), goes_on=True)
            except Exception as error:
                answer = error
            if writing is not self._writing:
                return None
            if self._is_awaited or isinstance(answer, Misuse):
                if isinstance(answer, Exception):
                    raise answer
                return answer
            request = self._handed(answer)
            self._tell()
        self._writing = None
        return None


class _Question:
    """A request for a summary whose answer is waited for."""

    def __init__(self, request: SummaryRequest) -> None:
        self.request = request


class _Going:
    """A request for a summary that is written while the agent goes on."""

    def __init__(self, request: str) -> None:
        self.request = request


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


def _raise_unless_overflow(error: BaseException) -> None:
    if classify_error(error).kind != "context_overflow":
        raise error


def _in_words(background: bool | Mapping[str, str]) -> bool | dict[str, str]:
    # What is neither is refused by the component, by its sentence.
    if not isinstance(background, Mapping):
        return background
    return {"onEdit" if name == "on_edit" else name: value for name, value in background.items()}


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".encode(errors="replace").decode()
