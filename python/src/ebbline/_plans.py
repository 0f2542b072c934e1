"""What the engine answers, as dataclasses; reports as the dictionaries that their JSON is."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ._reports import CacheCheck, Loss, PendingCall, PolicyOutcome, ReplayReport, Violation

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from ._knobs import Fate, Reason, Role, Verdict, VerdictReason


@dataclass(frozen=True)
class Decision:
    """What is to be done before a request, and the figures behind it."""

    verdict: Verdict
    reason: VerdictReason
    tokens_before: int
    tokens_after: int
    fits: bool
    tokens: int
    threshold: int
    window: int | None

    @staticmethod
    def of_record(record: Any) -> Decision:
        """The decision of the component's record."""
        return Decision(
            verdict=cast("Verdict", record.verdict.replace("-", "_")),
            reason=record.reason,
            tokens_before=getattr(record, "tokens-before"),
            tokens_after=getattr(record, "tokens-after"),
            fits=record.fits,
            tokens=record.tokens,
            threshold=record.threshold,
            window=record.window,
        )


@dataclass(frozen=True)
class PartPlan:
    """What happens to a part of a message, and why."""

    fate: Fate
    reason: Reason
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True)
class MessagePlan:
    """What happens to a message, and why."""

    role: Role
    fate: Fate
    reason: Reason
    tokens_before: int
    tokens_after: int
    parts: tuple[PartPlan, ...]


@dataclass(frozen=True)
class Plan:
    """A plan: its totals, and the fate of every message. ``json`` is all of it, as docs/plan.schema.json has it."""

    profile: str
    verdict: Verdict
    reason: VerdictReason
    tokens_before: int
    tokens_after: int
    fits: bool
    json: dict[str, Any] = field(repr=False)

    @staticmethod
    def of_json(text: str) -> Plan:
        """The plan that the engine wrote."""
        plan: dict[str, Any] = json.loads(text)
        return Plan(
            profile=plan["profile"],
            verdict=cast("Verdict", plan["verdict"]),
            reason=plan["reason"],
            tokens_before=plan["tokensBefore"],
            tokens_after=plan["tokensAfter"],
            fits=plan["fits"],
            json=plan,
        )

    @property
    def messages(self) -> tuple[MessagePlan, ...]:
        """The fate of every message."""
        return tuple(
            MessagePlan(
                role=message["role"],
                fate=message["fate"],
                reason=message["reason"],
                tokens_before=message["tokensBefore"],
                tokens_after=message["tokensAfter"],
                parts=tuple(
                    PartPlan(part["fate"], part["reason"], part["tokensBefore"], part["tokensAfter"])
                    for part in message["parts"]
                ),
            )
            for message in self.json["messages"]
        )


@dataclass(frozen=True)
class Replaced:
    """A range of a text that a plan changed, in bytes: its first, the one behind its last, and how many stand there now."""

    start: int
    end: int
    length: int


@dataclass(frozen=True)
class Compacted:
    """A session with its plan carried out: a list if a list was given, otherwise a text, of which ``replaced`` says what changed."""

    messages: list[Any]
    text: str | None
    plan: Plan
    replaced: tuple[Replaced, ...] = ()


@dataclass(frozen=True)
class Output:
    """The output of a call; ``whole`` unless it was pruned and the session has no copy of it."""

    text: str
    whole: bool


@dataclass(frozen=True)
class Validation:
    """Whether a session is a valid request, and which rules it breaks where."""

    valid: bool
    format: str
    violations: list[Violation]
    pending: list[PendingCall]


@dataclass(frozen=True)
class Repaired:
    """A session after repairs, what was done, and what no repair can mend."""

    messages: list[Any]
    text: str
    done: list[dict[str, Any]]
    left: list[Violation]


class Replay(ReplayReport):
    """The life of a session under a policy: every request, every compaction, and what they cost."""

    loss: NotRequired[Loss]
    """What is lost, if ``loss`` was asked for."""
    cacheCheck: NotRequired[CacheCheck | None]
    """How well ``cache`` predicts what was reported, if ``cache_check`` was asked for; ``None`` if nothing was reported."""


class Outcome(PolicyOutcome):
    """What a policy does over the life of a session, and what that costs."""

    loss: NotRequired[Loss]
    """What is lost, if ``loss`` was asked for, without the single findings."""


@dataclass(frozen=True)
class Classification:
    """What a failed request means. ``context_overflow`` is helped by compacting, ``media_limit`` by leaving out images; ``code`` is
    ``over_rate_limit`` where waiting does not help."""

    kind: str
    evidence: dict[str, Any] | None
    recoverable_length: bool
    code: str | None = None


@dataclass(frozen=True)
class Detection:
    """The format of a session, and what shows it."""

    format: str
    title: str
    evidence: str


@dataclass(frozen=True)
class Profile:
    """A policy with a name."""

    name: str
    about: str
    policy: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class SummaryRequest:
    """What to ask a model for a summary: an instruction, messages ``{"role", "content"}``, and how long the answer may be."""

    system: str
    messages: list[dict[str, str]]
    max_tokens: int | None
    json: dict[str, Any] = field(repr=False)

    @staticmethod
    def of_json(text: str) -> SummaryRequest:
        """The request that the engine wrote."""
        request: dict[str, Any] = json.loads(text)
        return SummaryRequest(request["system"], request["messages"], request.get("maxTokens"), request)


@dataclass(frozen=True)
class ReviewedSummary:
    """A summary, and what is unusual about it: ``no_headings``, ``very_short``, ``reasoning_removed``."""

    summary: str
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """A model's answer to a request for a summary; ``truncated`` if it ended at the output limit."""

    text: str
    truncated: bool = False
