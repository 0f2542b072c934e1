"""What a compactor of the component is told and asks for: its requests are carried out with the caller's hooks, store, model and
function that counts, and its view becomes the caller's own messages."""

from __future__ import annotations

import json
import warnings
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from typing import Any, Protocol, cast

from ._counter import Counter, is_count
from ._engine import Instance
from ._errors import EbblineError
from ._functions import looked_at
from ._hooks import Hooks, Proposal, wish_as_json
from ._log import Log
from ._messages import Codec
from ._model import Misuse, Model, Writing
from ._options import written
from ._pins import Pins
from ._plans import Answer, SummaryRequest
from ._request_info import RequestInfo
from .events import Event


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


class Question:
    """A request for a summary whose answer is waited for."""

    def __init__(self, request: SummaryRequest) -> None:
        self.request = request


class Going:
    """A request for a summary that is written while the agent goes on."""

    def __init__(self, request: str) -> None:
        self.request = request


class Talk:
    """A compactor of the component, and the caller's code that it needs."""

    def __init__(
        self,
        options: str,
        *,
        codec: Codec,
        pins: Pins,
        hooks: Hooks,
        store: Store | None,
        model: Model | None,
        takes_models: bool,
        counter: Counter | None,
        on_event: Callable[[Event], None] | None,
        clock: Callable[[], float],
        is_restored: bool,
        warns: bool = False,
    ) -> None:
        self._codec = codec
        self._pins = pins
        self._hooks = hooks
        self._store = store
        # Who writes summaries unless a call says it, whether calls may say it, and who does so in the newest call.
        self._own = self._model = model
        self._takes_models = takes_models
        self._counter = counter
        # Whether the newest call was not made, because its texts could not be counted.
        self._is_uncounted = False
        self._on_event = on_event
        self._clock = clock
        self._is_restored = is_restored
        # What hooks have still to hear.
        self._unheard: list[Event] = []
        self._listens = warns or on_event is not None or hooks.after is not None or hooks.failed is not None
        # How many messages the history had before the newest request.
        self.prepared = 0
        # The summary that a model writes while the agent goes on, and whether a call waits for it.
        self.writing: Writing | None = None
        self.is_awaited = False
        self._instance = Instance()
        self._instance.handle = self._instance.call("[static]compactor.open", options)
        self.log = Log(codec, lambda messages: self.call("seen", messages))

    @property
    def model(self) -> Model:
        """Who writes summaries."""
        if self._model is None:
            raise Misuse("invalid_option", "there is nobody to write a summary")
        return self._model

    def call(self, name: str, *arguments: Any) -> Any:
        """What a method of the component answers."""
        return self._instance.call(f"[method]compactor.{name}", self._instance.handle, *arguments)

    def _request(self, name: str, *arguments: Any) -> str | None:
        """What the component asks for next, once it knows the tokens of all texts."""
        request: str | None = self.call(name, *arguments)
        while self._counter is not None and is_count(request):
            try:
                tokens = self._counter.counted(cast(str, request))
            except BaseException:
                self._is_uncounted = True
                self.call("cancel")
                raise
            request = self.call("counted", tokens)
        return request

    def end(self, is_broken: bool) -> None:
        """A call begins or ends; one that is broken off leaves nothing behind."""
        self.is_awaited = False
        if is_broken:
            # Cancelled while a model wrote: the summary is not waited for any more.
            self.call("cancel")
            # A summary that failed is told, though the call failed as well.
            self.tell()
            self._unheard.clear()

    def turn(self, way: str) -> bool:
        """Takes the newest compaction back, or makes it again."""
        is_done: bool = self.call(way)
        self._forget()
        if is_done:
            self._look()
            self.tell()
        return is_done

    def prepared_by(self, messages: Sequence[Any], about: RequestInfo) -> Work:
        """What is sent before a request."""
        self._asks(about)
        yield from self._fetched()
        request = self._hand_over()
        if request is not None:
            yield Going(request)
        request = self._begin("prepare", messages, self._known(about))
        self.prepared = len(self.log.messages)
        return (yield from self._work(request))

    def recovered(self, error: BaseException, messages: Sequence[Any], about: RequestInfo) -> Work:
        """What is sent after a request was refused as too large."""
        self._asks(about)
        yield from self._fetched()
        self.call("overflowed", json.dumps({"message": words_of(error), "error": looked_at(error)}))
        try:
            request = self._begin("recover", messages, self._known(about))
        except EbblineError as refusal:
            if refusal.code == "no_overflow":
                raise error from None
            raise
        return (yield from self._work(request))

    def compacted(self, messages: Sequence[Any], about: RequestInfo) -> Work:
        """What is sent after somebody asked for a compaction."""
        self._asks(about)
        yield from self._fetched()
        return (yield from self._work(self._begin("compact-now", messages, self._known(about))))

    def resumed(self, messages: Sequence[Any], *, is_whole: bool = False) -> Work:
        """Takes a history without a request; one that ``is_whole`` needs nothing of the store."""
        if not is_whole:
            yield from self._fetched()
        return (yield from self._work(self._begin("resume", messages)))

    def _asks(self, about: RequestInfo) -> None:
        """Takes the model that a call names."""
        if about.asks is not None and not self._takes_models:
            said = "a call has the option summarize only where the compactor's is a function or 'later'"
            raise EbblineError("invalid_option", said)
        # A summary in the background may still be that of an earlier call's.
        self._model = about.asks or self._own or self._model

    def _known(self, about: RequestInfo) -> str:
        return written({**about.members, "now_seconds": self._clock()})

    def _begin(self, way: str, messages: Sequence[Any], *arguments: Any) -> str | None:
        if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
            raise EbblineError("no_messages", "pass the whole history: a list of messages")
        added: Sequence[Any]
        keep, added, renewed = self.log.compared(messages)
        texts = self._codec.texts(added)
        if renewed:
            self.call("renew", list(renewed), self._codec.texts(list(renewed.values())))
        for rule, meant in self._pins.meant(added, keep):
            self.call("pin", rule, meant)
        before = [] if self._counter is None else list(self.log.messages)
        self._is_uncounted = False
        # The log is what the component knows: it changes with it, or not at all.
        self.log.renew(renewed)
        self.log.take(keep, added)
        try:
            request = self._request(way, keep, texts, *arguments)
        except BaseException as error:
            if self._is_uncounted:
                self.log.messages = before
            elif isinstance(error, EbblineError):
                self._forget()
                known: int = self.call("known")
                if self.log.cut(known):
                    added = ()
                if known > 0:
                    self._restore(added)
                self._look(added)
            raise
        self._forget()
        self._restore(added)
        self._look(added)
        return request

    def _restore(self, added: Sequence[Any]) -> None:
        """Takes the whole history over that a record has made of what was sent."""
        if self._is_restored:
            return
        self._is_restored = True
        restored: str | None = self.call("restored")
        if restored is not None:
            self.log.restore(restored, added)

    def _look(self, added: Sequence[Any] = ()) -> None:
        """Takes the component's view over, if it is another one than before."""
        changes: int = self.call("changes")
        if self.log.look(changes, lambda: self.call("view"), added):
            self.tell()

    def tell(self) -> None:
        """Tells whoever listens what happened."""
        events: list[Event] = json.loads(self.call("events"))
        for event in events:
            if event["type"] == "notice":
                said = f"{event['message']} (`on_event` hears of such things, `warn=False` is silent.)"
                warnings.warn(said, RuntimeWarning, stacklevel=2)
        self._unheard.extend(event for event in events if event["type"] in ("compacted", "summary_failed"))
        if self._on_event is None:
            return
        for event in events:
            try:
                self._on_event(event)
            except Exception:  # whoever listens must not be able to break the agent
                pass

    def _fetched(self) -> Generator[Any, Any, None]:
        """Fetches the messages of a record from the store, in case the history lacks them."""
        if self._store is None or self._is_restored:
            return
        texts: list[str | None] = []
        for key in json.loads(self.call("lacks")):
            text: Any = yield self._store.get(key)
            texts.append(text if isinstance(text, str) else None)
        if texts:
            self.call("found", json.dumps(texts))

    def _stored(self, texts: Sequence[Mapping[str, str]]) -> Generator[Any, Any, str | None]:
        """Stores messages that will no longer be sent as they are. Returns the next request."""
        stored = 0
        try:
            for one in texts:
                if self._store is not None:
                    yield self._store.put(one["key"], one["text"])
                    stored += 1
        except Exception:
            self._request("stored", stored)
            raise
        return self._request("stored", stored)

    def _work(self, request: str | None) -> Work:
        """Does what the component asks for. What is yielded may be awaitable, and its value comes back."""
        while request is not None:
            asked: dict[str, Any] = json.loads(request)
            if "compaction" in asked:
                before = self._hooks.before
                wish: Any = None if before is None else (yield before(Proposal.of_json(asked["compaction"])))
                request = self._request("allow", wish_as_json(wish))
                continue
            if "store" in asked:
                request = yield from self._stored(asked["store"])
                continue
            self.tell()
            if "background" not in asked:
                request = self.handed((yield Question(SummaryRequest.of_json(request))))
                continue
            if "awaited" not in asked:
                yield Going(request)
                break
            if self.writing is None:
                yield Going(request)
            self.is_awaited = True
            yield self.writing
            self.is_awaited = False
            request = self._hand_over()
        self._look()
        if self._listens:
            # A summary that failed changes no view, and is told all the same.
            self.tell()
        view = self.log.hand_out()
        unheard, self._unheard = self._unheard, []
        for event in unheard:
            if event["type"] == "compacted" and self._hooks.after is not None:
                yield self._hooks.after(event)
            if event["type"] == "summary_failed" and self._hooks.failed is not None:
                yield self._hooks.failed(event)
        return view

    def handed(self, answer: Answer | Exception) -> str | None:
        """Hands over what a model answered, or why it did not. Returns the next request."""
        if isinstance(answer, Misuse):
            raise answer
        if isinstance(answer, Exception):
            return self._request("give-up", words_of(answer))
        return self._request("answer", answer.text, answer.truncated)

    def _hand_over(self) -> str | None:
        """Hands over what was written meanwhile, if it is there. Returns the next request."""
        writing = self.writing
        if writing is None or not writing.is_over(self.model.limit):
            return None
        self.writing = None
        answer: Answer | Exception | None
        try:
            answer = writing.answer()
        except Misuse as error:
            self._request("give-up", words_of(error))
            raise
        except Exception as error:
            answer = error
        return None if answer is None else self.handed(answer)

    def _forget(self) -> None:
        """Cancels the summary that is written meanwhile, if nobody wants it any more."""
        if self.writing is not None and not self.call("is-wanted"):
            self.writing.cancel()
            self.writing = None


def words_of(error: BaseException) -> str:
    """An error as a sentence."""
    return f"{type(error).__name__}: {error}".encode(errors="replace").decode()
