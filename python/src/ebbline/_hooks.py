"""The caller's own code inside a compaction."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

from ._errors import EbblineError
from ._plans import Plan
from .events import Cause, Compacted, SummaryFailed


@dataclass(frozen=True)
class Proposal:
    """A compaction that is about to be made."""

    cause: Cause
    """Why: the context is full, the caller's own trigger holds, the provider refused it, or somebody asked."""
    step: Literal["prune", "summarize"]
    """Whether outputs are pruned without a summary, or a summary is to be asked for."""
    plan: Plan

    @staticmethod
    def of_json(asked: dict[str, Any]) -> Proposal:
        """What the component asks."""
        return Proposal(cast(Cause, asked["cause"]), asked["step"], Plan.of_json(json.dumps(asked["plan"])))


@dataclass(frozen=True)
class Wish:
    """What the caller wishes of a compaction."""

    focus: str | None = None
    """What the summary should focus on."""
    summary: str | None = None
    """The summary, so that no model is asked."""


@dataclass(frozen=True)
class Hooks:
    """The caller's own functions. For the async methods of a compactor they may be async. What they raise is raised by the
    call that compacts."""

    before: Callable[[Proposal], Wish | bool | None | Awaitable[Wish | bool | None]] | None = None
    """Called before each compaction. ``False`` forbids it; a :class:`Wish` says what it should be. If it raises, nothing is
    changed."""
    after: Callable[[Compacted], Any] | None = None
    """Called after each compaction with its ``compacted`` event. If it raises, the compaction stays."""
    failed: Callable[[SummaryFailed], Any] | None = None
    """Called with its ``summary_failed`` event after there was no summary."""


def wish_as_json(wish: Any) -> str | None:
    """What ``before`` answered, as the component reads it."""
    if wish is False:
        return None
    if wish is None or wish is True:
        return "{}"
    if not isinstance(wish, Wish):
        raise EbblineError("invalid_option", "`before` must return a Wish, False or None")
    return json.dumps({name: value for name, value in vars(wish).items() if value is not None})
