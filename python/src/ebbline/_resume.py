"""A compactor that goes on with a record, or begins anew and says why."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._compactor import Compactor
from ._errors import EbblineError

Create = Callable[[Mapping[str, Any] | None], Compactor]

# What belongs to the history that the record was made of.
_OF_HISTORY = ("checksum", "originals")


def resume(create: Create, record: Mapping[str, Any] | None, messages: Sequence[Any]) -> Compactor:
    """The compactor of a stored session, in a process that makes one anew: ``create`` makes it with a record, if there is one. If
    the history is another one, so that the record does not fit, it starts over: then its ``begun_anew`` says why, and so does a
    warning."""
    if record is None:
        return create(None)
    try:
        kept = create(record)
        # A record is compared with the first history.
        kept.take(messages)
        return kept
    except EbblineError as error:
        return _begun_anew(create, record, error)


async def aresume(create: Create, record: Mapping[str, Any] | None, messages: Sequence[Any]) -> Compactor:
    """As :func:`resume`, for an async agent."""
    if record is None:
        return create(None)
    try:
        kept = create(record)
        await kept.atake(messages)
        return kept
    except EbblineError as error:
        return _begun_anew(create, record, error)


def _begun_anew(create: Create, record: Mapping[str, Any], error: EbblineError) -> Compactor:
    if error.code != "mismatch":
        raise error
    # What was learnt of the provider, such as what is sent beside the messages, is still the same.
    learnt = {name: value for name, value in record.items() if name not in _OF_HISTORY}
    kept = create({**learnt, "messages": 0, "controller": [], "changes": []})
    kept.begun_anew = str(error)
    warnings.warn(f"ebbline: a compactor began anew: {error}", stacklevel=3)
    return kept
