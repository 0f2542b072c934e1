"""LangChain's messages in LangGraph: a hook before the model. The graph's state keeps all messages.

>>> from ebbline.adapters.langgraph import compactor, pre_model_hook
>>> kept = compactor(model={"context": 200_000}, summarize="deterministic")
>>> agent = create_react_agent(model, tools, pre_model_hook=pre_model_hook(kept))  # doctest: +SKIP

One compactor serves one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from .._arguments import AdapterOptions
from .._compactor import Compactor

if TYPE_CHECKING:
    from typing_extensions import Unpack

_CLASSES: dict[str, type[BaseMessage]] = {
    "human": HumanMessage,
    "ai": AIMessage,
    "system": SystemMessage,
    "tool": ToolMessage,
}


def to_json(message: BaseMessage) -> Any:
    """A message as its model writes it."""
    return message.model_dump(mode="json")


def from_json(data: Any, original: Any) -> BaseMessage:
    """The message of such data, of the class of the one that was changed."""
    if isinstance(original, BaseMessage):
        return original.__class__.model_validate(data)
    return _CLASSES[data["type"]].model_validate(data)


def compactor(**options: Unpack[AdapterOptions]) -> Compactor:
    """A compactor of LangChain's messages. Options: those of :class:`ebbline.Compactor`."""
    options.setdefault("format", "langchain")
    return Compactor(to_json=to_json, from_json=from_json, **options)


def pre_model_hook(kept: Compactor) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What gives the model what fits into its window, before each request."""

    def hook(state: dict[str, Any]) -> dict[str, Any]:
        return {"llm_input_messages": kept.prepare(state["messages"])}

    return hook


def async_pre_model_hook(kept: Compactor) -> Callable[[dict[str, Any]], Any]:
    """The same for graphs that are run by ``ainvoke``; ``summarize`` may be async."""

    async def hook(state: dict[str, Any]) -> dict[str, Any]:
        return {"llm_input_messages": await kept.aprepare(state["messages"])}

    return hook
