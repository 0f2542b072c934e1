"""pydantic-ai: a history processor.

>>> from ebbline.adapters.pydantic_ai import compactor, history_processor
>>> kept = compactor(model={"context": 200_000}, summarize="deterministic")
>>> agent = Agent(model, capabilities=[ProcessHistory(history_processor(kept))])  # doctest: +SKIP

Earlier versions take ``history_processors=[history_processor(kept)]``. One compactor serves one conversation.

pydantic-ai goes on with what the processor gave: outputs that were cleared are cleared in ``result.all_messages()`` as well. So the
``record`` holds the messages that are no longer there, and a compactor with it, in another process, has all of them again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter

from .._compactor import Compactor


def to_json(message: ModelMessage) -> Any:
    """A message as pydantic-ai itself writes it."""
    return ModelMessagesTypeAdapter.dump_python([message], mode="json")[0]


def from_json(data: Any, original: Any) -> ModelMessage:
    """The message of such data."""
    return ModelMessagesTypeAdapter.validate_python([data])[0]


def compactor(**options: Any) -> Compactor:
    """A compactor of pydantic-ai's messages. Options: those of :class:`ebbline.Compactor`."""
    options.setdefault("format", "pydantic_ai")
    options.setdefault("originals", "record")
    return Compactor(to_json=to_json, from_json=from_json, **options)


def history_processor(kept: Compactor) -> Callable[[list[ModelMessage]], Awaitable[list[ModelMessage]]]:
    """What gives the model what fits into its window, before each request."""

    async def process(messages: list[ModelMessage]) -> list[ModelMessage]:
        return await kept.aprepare(messages)

    return process
