"""What a compactor tells: one class for each kind of event, told apart by ``type``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

Cause = Literal["full", "triggered", "overflow", "asked"]
NoticeKind = Literal["summary_failed", "replaced", "two_sessions", "no_model", "no_window", "large_output"]


class Compacted(TypedDict):
    """A compaction was made."""

    type: Literal["compacted"]
    cause: Cause
    pruned: int
    """How many outputs were cleared or cut."""
    summarized: int
    """How many messages a summary replaced."""
    orders: NotRequired[int]
    """How many standing orders of the user stand behind the summary."""
    pins: NotRequired[int]
    """How many pinned texts stand behind the summary."""
    byRule: bool
    """Whether the summary was written by rule."""
    tokensBefore: int
    tokensAfter: int


class SummaryRequested(TypedDict):
    """A model is asked for a summary."""

    type: Literal["summary_requested"]
    cause: Cause
    messages: int
    """How many messages it replaces."""
    tokens: int
    part: int
    """Which part of them it is about, from 1."""
    parts: int


class SummaryFailed(TypedDict):
    """There is no summary. What could be pruned is pruned, and the rest of the history stays."""

    type: Literal["summary_failed"]
    cause: Cause
    code: str
    message: str


class Overflow(TypedDict):
    """The provider refused a request as too large."""

    type: Literal["overflow"]
    message: str


class GaveUp(TypedDict):
    """Nothing makes the context fit."""

    type: Literal["gave_up"]
    code: str
    message: str


class OverWindow(TypedDict):
    """What is sent is estimated at more than the window, because nothing more could be cleared or summarized."""

    type: Literal["over_window"]
    tokens: int
    window: int
    message: str


class Edited(TypedDict):
    """Known messages were changed or are gone; what they made invalid was dropped."""

    type: Literal["edited"]
    messages: int
    """How many messages are sent now."""
    kept: int
    """How many of the known messages are as they were."""
    known: int
    reason: str


class Reversed(TypedDict):
    """A compaction was taken back, or made again."""

    type: Literal["undone", "redone"]
    messages: int
    """How many messages are sent now."""


class NoticeGiven(TypedDict):
    """Something is most likely a mistake of the caller."""

    type: Literal["notice"]
    kind: NoticeKind
    message: str


Event = Union[
    Compacted, SummaryRequested, SummaryFailed, Overflow, GaveUp, OverWindow, Edited, Reversed, NoticeGiven
]
