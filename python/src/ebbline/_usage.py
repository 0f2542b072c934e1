"""The tokens of a request, by what a provider reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from ._errors import EbblineError

# The members that together are the input of a request, for each provider's way to report it. A member has several names where a
# provider's library for Python has another one than its JSON.
_WAYS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("prompt_tokens",),),
    (("promptTokenCount", "prompt_token_count"),),
    (("input_tokens",), ("cache_read_input_tokens",), ("cache_creation_input_tokens",)),
    (("inputTokens",), ("cacheReadInputTokens",), ("cacheWriteInputTokens",)),
)
_LARGEST = 2**53 - 1
_MISSING = object()


@dataclass(frozen=True)
class Reported:
    """What a provider reported of a request."""

    tokens: int | None
    """The tokens of its whole input, 0 if nothing is said of them; ``None`` if the provider compacted it while it answered, so
    that they are not those of what was sent."""
    cleared: int | None
    """How many tokens the provider cleared before the model saw it; ``None`` if it was not asked to clear any."""


def reported(given: Any, answer: Any = None) -> Reported:
    """What ``given`` says: a number, usage as providers write it, or a whole answer with its ``usage``."""
    inside = _member(given, "usage", _MISSING)
    if inside is None:
        return Reported(0, None)
    usage, about = (inside, given) if inside is not _MISSING and _is_object(inside) else (given, answer)
    is_compacted = any(
        _has_compaction(list_)
        for list_ in (_member(about, "content"), _member(about, "output"), _member(usage, "iterations"))
    )
    tokens = _tokens(_sampled(usage))
    if is_compacted:
        return Reported(None, None)
    return Reported(tokens, _cleared(_member(about, "context_management")))


def _tokens(usage: Any) -> int:
    """0 for streams and aborted answers, which report nothing or members without a value."""
    amount = _amount(usage)
    if amount is not None or usage is None or _is_nan(usage):
        return amount or 0
    for first, *others in _WAYS:
        amount = _amount_in(usage, first)
        if amount is not None:
            return amount + sum(_amount_in(usage, names) or 0 for names in others)
    if any(_says_nothing(_member(usage, name, _MISSING)) for first, *_ in _WAYS for name in first):
        return 0
    raise EbblineError(
        "invalid_option",
        "the usage must be the number of input tokens, or what the provider reports: an object or a dict with input_tokens, "
        f"prompt_tokens, inputTokens or promptTokenCount, not {_named(usage)}",
    )


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and value != value


def _says_nothing(amount: Any) -> bool:
    """Whether a member is there that has no value, or an object without a total."""
    if amount is _MISSING:
        return False
    return amount is None or _is_nan(amount) or (_is_object(amount) and _says_nothing(_member(amount, "total", _MISSING)))


def _sampled(usage: Any) -> Any:
    """Of several samplings in one answer, the first one got what was sent; later ones got more."""
    iterations = (entry for entry in _list(_member(usage, "iterations")) if _member(entry, "type") == "message")
    return next(iterations, usage)


def _cleared(management: Any) -> int | None:
    edits = _member(management, "applied_edits")
    if not isinstance(edits, (list, tuple)):
        return None
    return sum(_amount_in(edit, ("cleared_input_tokens",)) or 0 for edit in _list(edits))


def _has_compaction(value: Any) -> bool:
    return any(
        _member(entry, "type") == "compaction" and _member(entry, "content", _MISSING) is not None
        for entry in _list(value)
    )


def _amount_in(value: Any, names: tuple[str, ...]) -> int | None:
    for name in names:
        amount = _member(value, name)
        amount = _amount(_member(amount, "total") if _is_object(amount) else amount)
        if amount is not None:
            return amount
    return None


def _amount(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _LARGEST:
        return None
    return int(value)


def _member(value: Any, name: str, default: Any = None) -> Any:
    """A member of a dict, or an attribute of an object."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value).get(name, default)
    return getattr(value, name, default) if _is_object(value) else default


def _is_object(value: Any) -> bool:
    return value is not None and not isinstance(value, (str, bytes, int, float, list, tuple))


def _list(value: Any) -> list[Any]:
    return list(cast("list[Any]", value)) if isinstance(value, (list, tuple)) else []


def _named(value: Any) -> str:
    return repr(value) if value is None or isinstance(value, (int, float)) else f"a value of type {type(value).__name__}"
