"""The options, so that an editor shows every one of them. Durations and moments are seconds, as everywhere in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._knobs import DecisionMoments, FormatName, Knobs, Model, PolicyPart, ProfileName, RuleName, UsageFrom

if TYPE_CHECKING:
    from ._counter import CountTokens
    from ._hooks import Hooks
    from ._messages import FromJson, ToJson
    from ._model import Summarize
    from ._pins import Pin
    from ._talk import Store
    from .events import Event


class ModelLimits(Model, total=False):
    """The limits of a model."""

    name: str
    """``provider/model``, which selects the policy's overrides in ``models``."""


class Acceptance(TypedDict, total=False):
    """What a summary must have, beyond being one."""

    headings: bool
    """Whether it must have a heading of the outline; by default not."""
    language: bool
    """Whether it must be in the language in which the user writes; by default it must."""
    facts: float
    """The share of facts that it must contain, from 0 to 1; half of them by default."""


class When(TypedDict, total=False):
    """A test of the context, or several that must all hold."""

    tokens: int
    """From so many tokens on."""
    share: float
    """From this share of the window on."""
    reserve: int
    """When so few tokens are left in the window."""
    messages: int
    """From so many sent messages on."""
    turns: int
    """From so many turns on."""
    idle_seconds: float
    """After so many seconds without a request, as ``prepare`` is told by ``idle_seconds``."""
    all: Sequence[When]
    """All of these hold."""
    any: Sequence[When]
    """One of these holds."""


class Introduction(TypedDict, total=False):
    """What tells the model that a text is a summary, and who says it."""

    text: str
    """The text; ``""`` for none."""
    role: Literal["user", "system", "developer", "assistant"]
    """Whose message a summary is, where the format can have it."""
    answer: bool
    """Whether the model says "Understood." between a summary and a message of the user."""


class Background(TypedDict, total=False):
    """What becomes of a summary in the background when the history is edited."""

    on_edit: Literal["rebase", "drop"]
    """Whether it stays if the messages that it was asked for do, or is dropped."""


class Rates(TypedDict, total=False):
    """What tokens cost, as multiples of a fresh input token."""

    cached: float
    """An input token that is read from the cache."""
    written: float
    """An input token that is written to the cache."""
    output: float
    """An output token."""


class Cache(TypedDict, total=False):
    """How a provider's cache of prompts works."""

    minimum: int
    """The smallest prefix that is cached, in tokens."""
    block: int
    """A cached prefix is a multiple of this many tokens."""
    lives_seconds: float | None
    """How many seconds a prefix stays after its last use; without it, for ever."""


class PolicyOptions(TypedDict, total=False):
    """The sources of a policy; each overrides those before it."""

    profile: ProfileName | None
    """A profile's name; by default ``ebbline@3``."""
    policy: PolicyPart | Mapping[str, Any] | None
    """A policy, or any part of one."""
    model: ModelLimits | None
    """The model's limits. Its ``name`` selects the policy's overrides in ``models``."""
    set: Knobs | Mapping[str, Any] | None
    """Single knobs by their path, for example ``{"prune.protect": 30_000}``."""


class ReadOptions(TypedDict, total=False):
    """How a session is read."""

    format: FormatName | None
    """The format of the session; without it, the format is detected."""
    strict: bool | None
    """Whether messages that the format's own system refuses to load are refused."""
    conversation: int | None
    """Which conversation of a file of many is the session, counted from 0; by default the first."""


class DecisionOptions(TypedDict, total=False):
    """Options of one decision, as of :meth:`ebbline.Session.decide`."""

    force: bool | None
    """Compact regardless of how full the context is: requested by hand, or after an overflow."""
    known_tokens: int | None
    """The size of the context in tokens, as the provider reported it."""
    overhead: int | None
    """The tokens that every request sends beside the messages: system prompt, tools."""
    idle_seconds: float | None
    """The seconds since the last request: how cold the provider's cache is."""


class PlanOptions(PolicyOptions, ReadOptions, DecisionOptions, total=False):
    """Options of :func:`ebbline.plan`."""


class CompactOptions(PlanOptions, total=False):
    """Options of :func:`ebbline.compact`."""

    summary: str | None
    """The summary of the messages before the retention window. Without one, these messages stay."""
    now_seconds: float | None
    """The current time, in seconds since 1970 (``time.time()``), for formats that record it."""
    free_bytes: bool | None
    """Whether content that the agent does not send is also cleared."""


class RequestOptions(PlanOptions, total=False):
    """Options of :func:`ebbline.summary_request`."""

    focus: str | None
    """What the summary should focus on."""
    notes: str | None
    """What you know beside the messages, such as what you keep in a memory."""
    budget_tokens: int | None
    """The most tokens of a request for a summary, if another model than the agent's writes it."""


class ShortcomingOptions(PlanOptions, total=False):
    """Options of :func:`ebbline.summary_shortcomings`."""

    accept: Acceptance | Literal[False] | None
    """What a summary must have; ``False`` asks for nothing more than that it is one."""


class RuleOptions(PolicyOptions, ReadOptions, total=False):
    """Options of :func:`ebbline.validate` and :func:`ebbline.repair`."""

    also: Sequence[RuleName] | None
    """Rules that are checked in addition to those of the format."""
    except_: Sequence[RuleName] | None
    """Rules that are not checked."""


class LifeOptions(ReadOptions, total=False):
    """How the life of a session is weighed."""

    overhead: int | None
    """The tokens that every request sends beside the messages: system prompt, tools."""
    usage: UsageFrom | None
    """Where reported usage comes from."""
    moments: DecisionMoments | None
    """When the policy decides."""
    rates: Rates | None
    """What tokens cost, as multiples of a fresh input token."""
    cache: Cache | None
    """How the provider's cache of prompts works."""


class GridOptions(LifeOptions, total=False):
    """Options of :func:`ebbline.weigh` and :func:`ebbline.sweep`."""

    model: ModelLimits | None
    """The model's limits, for the policies that name none."""
    carried: Literal["nothing", "by_rule"] | int | None
    """What the summaries carry, which nobody wrote: nothing, what the deterministic summary says, or so many tokens of names."""


class CompareOptions(PolicyOptions, LifeOptions, total=False):
    """Options of :func:`ebbline.compare`."""

    loss: bool | None
    """Whether to measure what is lost."""


class ReplayOptions(CompareOptions, total=False):
    """Options of :func:`ebbline.replay`."""

    cache_check: bool | None
    """Whether to compare the rules of the cache with what the provider reported."""


class ErrorOptions(TypedDict, total=False):
    """Options of :func:`ebbline.classify_error`."""

    profile: ProfileName | None
    """The profile whose rules apply."""
    provider: str | None
    """The provider, if the error does not say it."""
    context_window: int | None
    """The context window, in tokens."""
    desired_max_output: int | None
    """The requested output limit, in tokens."""


class SessionOptions(PolicyOptions, total=False):
    """Options of :class:`ebbline.Session`."""

    format: FormatName | None
    """The format of the session; without it, the format is detected."""


class EngineOptions(SessionOptions, total=False):
    """Options of :class:`ebbline.Compactor` that are plain data."""

    overhead: int | None
    """The tokens that every request sends beside the messages: system prompt, tools."""
    budget_tokens: int | None
    """The most tokens of a request for a summary, if another model than the agent's writes it."""
    accept: Acceptance | Literal[False] | None
    """What a summary must have; ``False`` asks for nothing more than that it is one."""
    fallback: Literal["when_full", "deterministic", "history"] | None
    """What becomes of messages whose summary failed."""
    auto: bool | None
    """Whether ``prepare`` compacts by itself; by default it does."""
    failures: int | None
    """After how many failed summaries in a row none is asked for during ``cooldown`` requests; 3 by default."""
    cooldown: int | None
    """For how many requests no summary is asked for after that; 10 by default."""
    when: When | None
    """When to compact even if the policy does not ask for it."""
    introduction: str | Introduction | None
    """What tells the model that a text is a summary; ``""`` for nothing."""
    chunks: Literal["rolling", "map_reduce"] | None
    """How a summary is written of more than fits into one request."""
    originals: Literal["record", "nowhere"] | None
    """Whether the record holds the messages that are no longer sent as they are."""


class CallOptions(TypedDict, total=False):
    """Options of :meth:`ebbline.Compactor.recover` and :meth:`ebbline.Compactor.compact_now`."""

    focus: str | None
    """What a summary should focus on that is asked for now."""
    notes: str | None
    """What you know beside the messages, such as what you keep in a memory; the request for a summary contains it unchanged."""
    summarize: Summarize | None
    """Asks a model for the summaries of this call, instead of the compactor's own, which must be a function or ``"later"``."""
    target: int | None
    """How many tokens the messages alone may have. It is best effort: what cannot be made so small is sent all the same, and with a target
    nothing is raised because the context does not fit, except by :meth:`ebbline.Compactor.recover`."""
    known_tokens: int | None
    """How many tokens the context has now, with what is sent beside the messages, if you have counted it."""


class PrepareOptions(CallOptions, total=False):
    """Options of :meth:`ebbline.Compactor.prepare`."""

    idle_seconds: float | None
    """The seconds since the last request."""
    model: ModelLimits | None
    """The limits of the model from now on, if it is another one than before."""


class AdapterOptions(EngineOptions, total=False):
    """Options of a :class:`ebbline.Compactor` whose messages are those of a library."""

    summarize: Summarize | Literal["deterministic", "later"] | None
    """Asks a model for a summary."""
    on_event: Callable[[Event], None] | None
    """Hears what happens."""
    pins: Sequence[Pin | Mapping[str, Any]]
    """What stays word for word."""
    hooks: Hooks | None
    """Your own code inside a compaction."""
    record: Mapping[str, Any] | None
    """The record of an earlier compactor."""
    store: Store | None
    """Where the messages are kept that are no longer sent as they are."""
    background: bool | Background
    """Whether the agent goes on while a model writes a summary."""
    timeout: float | Literal["default"] | None
    """How many seconds a model may take for an answer."""
    overlap: Literal["wait", "refuse"]
    """Whether an async call waits while another one is running."""
    count_tokens: CountTokens | None
    """Counts the tokens of a text."""
    clock: Callable[[], float]
    """The current time, in seconds since 1970."""
    warn: bool
    """Whether what is most likely a mistake becomes a warning."""


class CompactorOptions(AdapterOptions, total=False):
    """Options of :class:`ebbline.Compactor`, which describes them."""

    to_json: ToJson | None
    """A message as JSON."""
    from_json: FromJson | None
    """JSON as a message."""
