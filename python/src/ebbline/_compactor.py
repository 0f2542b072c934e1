"""Keeps the session of an agent inside its context window."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._arguments import Background, CallOptions, EngineOptions, PrepareOptions
from ._counter import Counter, CountTokens
from ._driver import Driver
from ._errors import EbblineError
from ._functions import classify_error
from ._hooks import Hooks
from ._messages import Codec, FromJson, ToJson
from ._model import PATIENCE, Model, Summarize
from ._options import refuse_former, written
from ._pins import Pin, Pins
from ._plans import Decision
from ._request_info import RequestInfo
from ._talk import Store, Talk
from ._usage import reported as reported_by
from .events import Event

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Compactor:
    """Takes the whole history before each request, and gives what to send.

    What was decided is remembered, so that a caller who keeps nothing gets the same view again. A caller who keeps any view
    that was given, and adds to it, is understood as well. Messages are the same if the model sees the same of them: their ids, times,
    metadata and cache marks are taken as the history has them, and so is a system prompt in front. Messages that nothing
    was done to are the very same objects; they must not be changed in place once they were handed over.

    ``summarize`` is a function of a :class:`SummaryRequest` that asks a model and returns its text (or an :class:`Answer`),
    ``"deterministic"`` for summaries by rule, ``"later"`` for a model that only some calls have (their own ``summarize``; until then
    it is done without summaries, as when one failed), or ``None`` for none. The async methods (``aprepare`` and so on) also take
    an async one. Of the options:

    ``accept``: what a summary must have: ``headings``, ``language``, ``facts``. Whatever it says, a refusal, an error message, a call
    and ``nothing`` (a placeholder such as ``undefined``, one word, an empty outline, an echo of the request) is refused; so is
    ``unrelated``, what is about something else than 1,000 tokens or more that it would replace, unless it is ``False``.

    ``pins``: what stays word for word (:class:`Pin`). Outputs that are pinned are never cleared. If a summary replaces a
    message, its pinned parts stand behind the summary, and behind every later one.

    ``when``: when to compact even if the policy does not ask for it, such as ``{"messages": 200}`` or ``{"any": [{"share":
    0.5}, {"idle_seconds": 300}]}``: ``tokens``, ``share``, ``reserve``, ``messages``, ``turns``, ``idle_seconds``. After a compaction,
    the context has to grow by an eighth first.

    ``introduction``: a text that tells the model what a summary is, ``""`` for none (:func:`ebbline.introductions`), or
    ``{"text": …, "role": …, "answer": True}``. With ``role``, a summary is not a message of the user but of the application
    (``system``, ``developer``) or of the model (``assistant``), where the format can have it. With ``answer``, the model says
    "Understood." between a summary and a message of the user. A format that cannot have it refuses it.

    ``chunks``: how a summary is written of messages that have more than twice the tokens of a request for a summary: in at most
    64 parts, each with a request of its own that fits. ``"rolling"``: the oldest part first; its summary is the earlier summary
    of the next part. ``"map_reduce"``: each part by itself, then one request joins the summaries. Without it, there is one
    request, which leaves out what does not fit; only where even that would be too large, parts are summarized as with
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

    ``count_tokens``: counts the tokens of a text instead of the policy's estimate, for example with a tokenizer. Values that are
    not text are counted as their JSON, each text once. It is a plain function, also for the async methods, which it holds up while
    it counts. Images and files, names of tools, and what stays of an output that is cut, are estimated all the same.

    ``hooks``: your own code inside a compaction (:class:`Hooks`). ``on_event`` hears what happens; what it raises is ignored.
    Without it, what is most likely a mistake becomes a warning (``RuntimeWarning``), once for each kind and compactor: a summary
    failed, the history shares nothing with the one before, two sessions take turns, no ``model`` was given, limits that cannot
    be. ``warn=False`` switches it off.

    ``record``: the :attr:`record` of an earlier compactor: this one goes on where that one was. The first history must have
    the messages that the record concerns; otherwise the first call raises ``mismatch`` (:func:`ebbline.resume` begins anew). With ``originals="record"`` the record
    holds the messages that are no longer sent as they are, so that an agent who kept only what was sent can undo as well.

    A copy (``copy.copy``, ``copy.deepcopy``, ``pickle``) is another compactor that goes on where this one is, as one with its
    :attr:`record` does, and knows the same history. Both go their own ways from there. Messages, functions and the store are
    the same objects, except in a pickle; a summary that is being asked for counts as cancelled in the copy.

    ``store``: where these messages are kept instead (:class:`Store`). If ``put`` fails, nothing is compacted. With it and a
    ``record``, an agent that kept only what it sent gets its whole history back. Keys and texts are those of the npm package.
    """

    def __init__(
        self,
        *,
        summarize: Summarize | Literal["deterministic", "later"] | None = None,
        on_event: Callable[[Event], None] | None = None,
        pins: Sequence[Pin | Mapping[str, Any]] = (),
        hooks: Hooks | None = None,
        record: Mapping[str, Any] | None = None,
        store: Store | None = None,
        background: bool | Background = False,
        timeout: float | Literal["default"] | None = "default",
        overlap: Literal["wait", "refuse"] = "wait",
        count_tokens: CountTokens | None = None,
        clock: Callable[[], float] = time.time,
        to_json: ToJson | None = None,
        from_json: FromJson | None = None,
        warn: bool = True,
        **options: Unpack[EngineOptions],
    ) -> None:
        if isinstance(summarize, str) and summarize not in ("deterministic", "later"):
            raise EbblineError("invalid_option", "summarize must be a function, 'deterministic' or 'later'")
        is_limited = timeout is not None and timeout != "default"
        if is_limited and (isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout <= 0):
            raise EbblineError("invalid_option", "the option timeout must be a number of seconds above 0, or None")
        limit = PATIENCE if isinstance(timeout, str) else timeout
        if overlap not in ("wait", "refuse"):
            raise EbblineError("invalid_option", "the option overlap must be wait or refuse")
        ask: Summarize | None = None if isinstance(summarize, str) else summarize
        who = summarize if isinstance(summarize, str) else "none" if summarize is None else "model"
        self._limits = limit, is_limited
        self._options: dict[str, Any] = {
            **options,
            "summarize": summarize,
            "on_event": on_event,
            "pins": pins,
            "hooks": hooks,
            "store": store,
            "background": background,
            "timeout": timeout,
            "overlap": overlap,
            "count_tokens": count_tokens,
            "clock": clock,
            "to_json": to_json,
            "from_json": from_json,
            "warn": warn,
        }
        counter = None if count_tokens is None else Counter(count_tokens)
        kept_pins = Pins(pins)
        hooks = hooks or Hooks()
        given: dict[str, Any] = {**options, "summaries": who}
        if kept_pins.rules:
            given["pins"] = kept_pins.rules
        if hooks.before is not None:
            given["hooks"] = True
        if record is not None:
            given["record"] = record
        if store is not None:
            if not callable(getattr(store, "get", None)) or not callable(getattr(store, "put", None)):
                raise EbblineError("invalid_option", "the option store must be an object with the functions `get` and `put`")
            given["store"] = True
        if counter is not None:
            given["countTokens"] = True
        if warn and on_event is None:
            given["notices"] = True
        if background is not False:
            given["background"] = _in_words(background)
        self._talk = Talk(
            written(given),
            codec=Codec(to_json, from_json),
            pins=kept_pins,
            hooks=hooks,
            store=store,
            model=None if ask is None else Model(ask, *self._limits),
            takes_models=who in ("model", "later"),
            counter=counter,
            on_event=on_event,
            clock=clock,
            is_restored=record is None,
            warns=warn and on_event is None,
        )
        self._driver = Driver(self._talk, overlap == "wait")
        # Why a record was not used, if :func:`ebbline.resume` began anew.
        self.begun_anew: str | None = None

    def prepare(self, messages: Sequence[Any], **options: Unpack[PrepareOptions]) -> list[Any]:
        """What to send for a history: its own messages if nothing was ever changed, otherwise the same view until
        something is. Raises an :class:`EbblineError` if nothing makes the context fit."""
        return self._driver.sync(self._talk.prepared_by(messages, self._about(options)))

    def recover(self, error: BaseException, messages: Sequence[Any], **options: Unpack[CallOptions]) -> list[Any]:
        """What to send instead, after the provider refused a request as too large. If it refused images, or too many bytes, older
        images are left out. Any other error is raised again."""
        _raise_unless_overflow(error)
        return self._driver.sync(self._talk.recovered(error, messages, self._about(options)))

    def compact_now(self, messages: Sequence[Any], **options: Unpack[CallOptions]) -> list[Any]:
        """Compacts whatever the size of the context, and returns what to send."""
        return self._driver.sync(self._talk.compacted(messages, self._about(options)))

    async def aprepare(self, messages: Sequence[Any], **options: Unpack[PrepareOptions]) -> list[Any]:
        """As :meth:`prepare`, for an async agent."""
        return await self._driver.in_loop(self._talk.prepared_by(messages, self._about(options)))

    async def arecover(self, error: BaseException, messages: Sequence[Any], **options: Unpack[CallOptions]) -> list[Any]:
        """As :meth:`recover`, for an async agent."""
        _raise_unless_overflow(error)
        return await self._driver.in_loop(self._talk.recovered(error, messages, self._about(options)))

    async def acompact_now(self, messages: Sequence[Any], **options: Unpack[CallOptions]) -> list[Any]:
        """As :meth:`compact_now`, for an async agent."""
        return await self._driver.in_loop(self._talk.compacted(messages, self._about(options)))

    def take(self, messages: Sequence[Any]) -> None:
        """Takes a history without a request, such as the one that a record is of: nothing is decided, and :meth:`recall` knows it."""
        self._driver.sync(self._talk.resumed(messages))

    async def atake(self, messages: Sequence[Any]) -> None:
        """As :meth:`take`, for an async agent."""
        await self._driver.in_loop(self._talk.resumed(messages))

    def usage(self, reported: object, *, answer: object = None) -> None:
        """Learns from the usage of the last request how many tokens are sent beside the messages: the number of all input tokens,
        cached ones included, or usage as OpenAI, Anthropic, Gemini, Bedrock, LangChain and the AI SDK report it, a dict or an
        object. With the ``answer`` that the usage was reported with, usage of an earlier request is refused.

        Where the provider compacts by itself, hand over its whole answer: what it cleared (``context_management.applied_edits``)
        then counts as gone until the next compaction, and an answer in which it compacted (a ``compaction`` block or item)
        teaches nothing."""
        found = reported_by(reported, answer)
        known = self._talk.log.messages
        if not known:
            raise EbblineError("no_messages", "usage is that of a request: call `prepare` before it")
        if answer is not None and any(message is answer for message in known[: self._talk.prepared]):
            raise EbblineError(
                "invalid_option", "this usage is of an earlier request: hand it over before the next `prepare`"
            )
        self._talk.call("usage", found.tokens, found.cleared)

    def decide(self) -> Decision:
        """How full the context is."""
        return Decision.of_record(self._talk.call("decide"))

    def undo(self) -> bool:
        """Takes the newest compaction back. Nothing is compacted again until somebody asks, or the context overflows."""
        with self._driver.running():
            return self._talk.turn("undo")

    def redo(self) -> bool:
        """Makes the compaction again that was taken back last."""
        with self._driver.running():
            return self._talk.turn("redo")

    def recall(self, id: str) -> str | None:
        """The whole output of a call, whatever became of it; ``None`` if there is no such call. ``id`` is the id of the call,
        or the reference that stands in place of its output (``kpbmgken`` of ``[ref kpbmgken]``): with it, a tool of your
        agent gives a model the output back."""
        output: str | None = self._talk.call("recall", id)
        return output

    @property
    def record(self) -> dict[str, Any]:
        """What was decided, as plain data that JSON can hold: with it, another compactor goes on where this one is, in another
        process as well. A summary that is being asked for counts as cancelled. The history itself is not in it. It is the
        record of the npm package."""
        return json.loads(self._talk.call("record"))

    def __getstate__(self) -> dict[str, Any]:
        known = list(self._talk.log.messages)
        return {"options": self._options, "record": self.record, "messages": known, "begun_anew": self.begun_anew}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(**state["options"], record=state["record"])  # type: ignore[misc]
        self.begun_anew = state["begun_anew"]
        if state["messages"]:
            self._driver.sync(self._talk.resumed(state["messages"], is_whole=True))

    def __copy__(self) -> Compactor:
        other = type(self).__new__(type(self))
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Compactor:
        return self.__copy__()

    def _about(self, options: Mapping[str, Any]) -> RequestInfo:
        refuse_former(options)
        return RequestInfo.of(self._limits, **options)

    @property
    def messages(self) -> list[Any]:
        """What would be sent now."""
        return list(self._talk.log.view)


def _raise_unless_overflow(error: BaseException) -> None:
    if classify_error(error).kind not in ("context_overflow", "media_limit", "payload_too_large"):
        raise error


def _in_words(background: bool | Mapping[str, object]) -> bool | dict[str, object]:
    # What is neither is refused by the component, by its sentence.
    if not isinstance(background, Mapping):
        return background
    return {"onEdit" if name == "on_edit" else name: value for name, value in background.items()}
