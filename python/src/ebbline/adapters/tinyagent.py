"""TinyAgent: its ``transform_context``. The agent's state keeps all messages.

>>> from ebbline.adapters.tinyagent import compactor, transform_context
>>> kept = compactor(model={"context": 200_000}, summarize="deterministic")
>>> agent = Agent(AgentOptions(stream_fn=stream, transform_context=transform_context(kept)))  # doctest: +SKIP

One compactor serves one agent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from tinyagent.agent_types import (
    AgentMessage,
    AssistantMessage,
    CustomAgentMessage,
    ToolResultMessage,
    UserMessage,
)

from .._arguments import AdapterOptions
from .._compactor import Compactor

if TYPE_CHECKING:
    from typing_extensions import Unpack

_CLASSES: dict[str, type[UserMessage | AssistantMessage | ToolResultMessage]] = {
    "user": UserMessage,
    "assistant": AssistantMessage,
    "tool_result": ToolResultMessage,
}


def to_json(message: AgentMessage) -> Any:
    """A message as TinyAgent itself writes it."""
    return message.model_dump(mode="json", exclude_none=True)


def from_json(data: Any, original: Any) -> AgentMessage:
    """The message of such data."""
    message = _CLASSES.get(data["role"], CustomAgentMessage).model_validate(data)
    if isinstance(message, ToolResultMessage) and isinstance(original, ToolResultMessage):
        # TinyAgent does not write this field.
        message.terminate = original.terminate
    return message


def compactor(**options: Unpack[AdapterOptions]) -> Compactor:
    """A compactor of TinyAgent's messages. Options: those of :class:`ebbline.Compactor`."""
    options.setdefault("format", "tinyagent")
    return Compactor(to_json=to_json, from_json=from_json, **options)


def transform_context(
    kept: Compactor,
) -> Callable[[list[AgentMessage], asyncio.Event | None], Awaitable[list[AgentMessage]]]:
    """What gives the model what fits into its window, before each request."""

    async def transform(messages: list[AgentMessage], signal: asyncio.Event | None) -> list[AgentMessage]:
        return await kept.aprepare(messages)

    return transform
