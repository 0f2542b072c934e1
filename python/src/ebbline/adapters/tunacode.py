"""TunaCode: ebbline in the place of its compaction.

>>> from ebbline.adapters.tunacode import install
>>> controller = install(state_manager)  # doctest: +SKIP
>>> await process_request(message, model, state_manager)  # doctest: +SKIP

TunaCode itself compacts when a request of the user begins, and never while the agent calls tools. Here the context is
looked at before each request to the model. Within a request of the user the history stays whole. When the next one begins, what
a summary stands for leaves the history, as in TunaCode, and the session file gets the record that TunaCode writes and reads.
Outputs that were pruned are whole in the file.

Summaries are written by TunaCode's own model, or ``summarize`` says by whom. Other options: those of
:class:`ebbline.Compactor`; the window is that of TunaCode's model, less what ``overhead`` says (system prompt and tools).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from tinyagent.agent_types import AgentMessage, TextContent, UserMessage
from tunacode.core.compaction.controller import CompactionController
from tunacode.core.compaction.summarizer import ContextSummarizer
from tunacode.core.compaction.types import (
    COMPACTION_CAPABILITY_SKIP_REASONS,
    COMPACTION_REASON_ALREADY_COMPACTED,
    COMPACTION_REASON_AUTO_DISABLED,
    COMPACTION_REASON_BELOW_THRESHOLD,
    COMPACTION_REASON_COMPACTED,
    COMPACTION_REASON_NO_VALID_BOUNDARY,
    COMPACTION_REASON_SUMMARIZATION_FAILED,
    COMPACTION_REASON_THRESHOLD_NOT_ALLOWED,
    COMPACTION_STATUS_COMPACTED,
    COMPACTION_STATUS_FAILED,
    COMPACTION_STATUS_SKIPPED,
    CompactionOutcome,
    CompactionRecord,
)
from tunacode.core.session.state import StateManager

from .._arguments import AdapterOptions
from .._compactor import Compactor
from ..events import Event
from .._errors import EbblineError
from .._functions import plan
from .._plans import SummaryRequest
from .tinyagent import compactor, to_json

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MARK = "compaction_summary"
_HEADER = "[Compaction summary]\n\n"


class ControllerOptions(AdapterOptions, total=False):
    """Options of a controller, besides TunaCode's own."""

    summarizer: ContextSummarizer | None
    keep_recent_tokens: int | None
    reserve_tokens: int | None
    auto_compact: bool


def install(state_manager: StateManager, **options: Unpack[ControllerOptions]) -> EbblineController:
    """Puts ebbline into a session. To be called again after ``reset_session``."""
    controller = EbblineController(state_manager=state_manager, **options)
    state_manager.session._compaction_controller = controller  # pyright: ignore[reportPrivateUsage]
    return controller


class EbblineController(CompactionController):
    """TunaCode's controller, with ebbline's decisions."""

    def __init__(
        self,
        *,
        state_manager: StateManager,
        summarizer: ContextSummarizer | None = None,
        keep_recent_tokens: int | None = None,
        reserve_tokens: int | None = None,
        auto_compact: bool = True,
        **options: Unpack[AdapterOptions],
    ) -> None:
        given: dict[str, Any] = {"keep_recent_tokens": keep_recent_tokens, "reserve_tokens": reserve_tokens}
        given = {name: value for name, value in given.items() if value is not None}
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            state_manager=state_manager, summarizer=summarizer, auto_compact=auto_compact, **given
        )
        self._state: StateManager = state_manager
        knobs = {"retain.keep": keep_recent_tokens, "trigger.reserve": reserve_tokens}
        knobs = {name: value for name, value in knobs.items() if value is not None}
        self._listener: Callable[[Event], None] | None = options.pop("on_event", None)
        self._summarize = options.pop("summarize", None)
        self._options: dict[str, Any] = {**options, "set": {**knobs, **(options.get("set") or {})}}
        self._ebbline: Compactor | None = None
        self._window = 0
        # All messages that the compactor knows. TunaCode's history is what is behind the first `_gone` of them.
        self._whole: list[AgentMessage] = []
        self._gone = 0
        self._record: CompactionRecord | None = None
        self._recorded: AgentMessage | None = None
        self._signal: asyncio.Event | None = None
        self._error: Exception | None = None
        self._failure: str | None = None

    def should_compact(
        self, messages: list[AgentMessage], *, max_tokens: int, reserve_tokens: int | None = None
    ) -> bool:
        """Whether ebbline would do anything."""
        if max_tokens <= 0:
            return False
        options = {name: self._options[name] for name in ("profile", "policy", "set") if name in self._options}
        if reserve_tokens is not None:
            options["set"] = {**options["set"], "trigger.reserve": reserve_tokens}
        found = plan(messages, to_json=to_json, format="tinyagent", model={"context": max_tokens}, **options)
        return found.verdict not in ("noop", "refuse")

    async def check_and_compact(
        self,
        messages: list[AgentMessage],
        *,
        max_tokens: int,
        signal: asyncio.Event | None,
        force: bool = False,
        allow_threshold: bool = True,
    ) -> CompactionOutcome:
        """Before a request to the model (``allow_threshold=False``) gives what to send. Otherwise says what is left of the
        history, and sets the record."""
        if not force and allow_threshold:
            if self._compacted_this_request:
                return self._build_skip_outcome(messages, COMPACTION_REASON_ALREADY_COMPACTED)
            if not self.auto_compact:
                return self._build_skip_outcome(messages, COMPACTION_REASON_AUTO_DISABLED)
        if not messages:
            return self._left_alone(messages, force)
        self._signal = signal
        self._error = None
        self._failure = None
        kept = self._compactor(max_tokens)
        whole = self._all(messages)
        self._whole = whole
        if not force and not allow_threshold:
            view: list[Any] = await kept.aprepare(whole)
            return self._build_skip_outcome(view, COMPACTION_REASON_THRESHOLD_NOT_ALLOWED)
        try:
            view = await (kept.acompact_now(whole) if force else kept.aprepare(whole))
        except EbblineError as error:
            # The history does not fit. The request itself says so, unless it is smaller by then.
            return CompactionOutcome(
                COMPACTION_STATUS_FAILED, COMPACTION_REASON_SUMMARIZATION_FAILED, str(error), list(messages)
            )
        return self._settled(messages, view, force)

    def inject_summary_message(self, messages: list[AgentMessage]) -> list[AgentMessage]:
        """Nothing to do where ebbline's view is given: the summary is in it."""
        if any(_is_summary(message) for message in messages):
            return list(messages)
        return super().inject_summary_message(messages)

    def _compactor(self, window: int) -> Compactor:
        if self._ebbline is None or window != self._window:
            # Another model: what was summarized stays so, by the record.
            who: Any = self._summarize if self._summarize is not None else self._asked
            options: dict[str, Any] = {"model": {"context": window}, "auto": self.auto_compact, **self._options}
            self._ebbline = compactor(summarize=who, on_event=self._heard, **options)
            self._window = window
            self._whole = []
            self._gone = 0
            self._record = None
        return self._ebbline

    def _all(self, messages: list[AgentMessage]) -> list[AgentMessage]:
        """The history with what has left it."""
        record = self._state.session.compaction
        if record is None or not record.summary.strip():
            self._gone = 0
            return list(messages)
        if record is not self._record:
            # Another session was loaded. The compactor sees the summary that its file has.
            stored = UserMessage(content=[TextContent(text=_HEADER + record.summary.strip())])
            self._recorded = stored.model_copy(update={_MARK: True})
            self._record = record
            self._whole = [self._recorded]
            self._gone = 1
        if self._gone and messages and messages[0] is self._whole[0]:
            # What was left was not taken over.
            return list(messages)
        return [*self._whole[: self._gone], *messages]

    def _settled(self, messages: list[AgentMessage], view: list[Any], force: bool) -> CompactionOutcome:
        """What is left of the history if there is a new summary, and the record."""
        at = max((at for at, message in enumerate(view) if _is_summary(message)), default=-1)
        if at < 0 or view[at] is self._recorded:
            return self._left_alone(messages, force)
        left = len(view) - at - 1
        # The messages themselves, not what pruning made of them.
        retained = list(messages[len(messages) - left :]) if left else []
        self._recorded = view[at]
        self._update_compaction_record(
            all_messages=messages,
            retained_messages=retained,
            compacted_message_count=len(messages) - left,
            summary=_text_of(view[at]),
        )
        self._record = self._state.session.compaction
        self._gone = len(self._whole) - left
        self._compacted_this_request = True
        return CompactionOutcome(COMPACTION_STATUS_COMPACTED, COMPACTION_REASON_COMPACTED, None, retained)

    def _left_alone(self, messages: list[AgentMessage], force: bool) -> CompactionOutcome:
        reason = getattr(self._error, "reason", None)
        if reason in COMPACTION_CAPABILITY_SKIP_REASONS:
            return self._build_skip_outcome(messages, reason, detail=getattr(self._error, "detail", None))
        if self._failure is not None:
            return CompactionOutcome(
                COMPACTION_STATUS_FAILED, COMPACTION_REASON_SUMMARIZATION_FAILED, self._failure, list(messages)
            )
        reason = COMPACTION_REASON_NO_VALID_BOUNDARY if force else COMPACTION_REASON_BELOW_THRESHOLD
        return CompactionOutcome(COMPACTION_STATUS_SKIPPED, reason, None, list(messages))

    async def _asked(self, request: SummaryRequest) -> str:
        """Asks TunaCode's own model. Its questions are one text."""
        words = [request.system, *(message["content"] for message in request.messages)]
        self._announce_compaction_start()
        try:
            return await self._summarizer._summary_generator("\n\n".join(words), self._signal)  # pyright: ignore[reportPrivateUsage]
        except Exception as error:
            self._error = error
            raise
        finally:
            self._announce_compaction_end()

    def _heard(self, event: Event) -> None:
        if event["type"] == "summary_failed":
            self._failure = event["message"]
        if self._listener is not None:
            self._listener(event)


def _is_summary(message: Any) -> bool:
    return isinstance(message, UserMessage) and getattr(message, _MARK, None) is True


def _text_of(message: AgentMessage) -> str:
    text = "".join(part.text or "" for part in cast(UserMessage, message).content if isinstance(part, TextContent))
    head, _, rest = text.partition("\n\n")
    return rest if head.startswith("[") else text
