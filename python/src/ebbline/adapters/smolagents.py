"""smolagents: a model around the model. The agent's memory keeps all steps.

>>> from ebbline.adapters.smolagents import CompactedModel
>>> fits = CompactedModel(OpenAIModel("gpt-5"), model={"context": 200_000}, summarize="deterministic")  # doctest: +SKIP
>>> agent = ToolCallingAgent(tools, model=fits)  # doctest: +SKIP

Step callbacks see a step when it is over, and what they change in the memory is lost. The model sees each request, and is
also asked for plans and by managed agents: those are conversations of their own, known by their first message. An agent
writes calls and observations as texts; here they are a call and its result, so that old observations can give way.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, cast

from smolagents.models import (  # pyright: ignore[reportMissingTypeStubs]
    ChatMessage,
    ChatMessageStreamDelta,
    MessageRole,
    Model,
)

from .._arguments import AdapterOptions
from .._compactor import Compactor

if TYPE_CHECKING:
    from typing_extensions import Unpack

_CALLING = "Calling tools:\n"


class CompactedModel(Model):
    """A model that is sent what fits. Options: those of :class:`ebbline.Compactor`."""

    def __init__(self, inner: Model, /, **options: Unpack[AdapterOptions]) -> None:
        self.inner = inner
        self._options = options
        self._kept: dict[str, Compactor] = {}
        if hasattr(inner, "generate_stream"):
            self.generate_stream = self._generate_stream

    def __getattr__(self, name: str) -> Any:
        # Only what is not found here: what an agent asks of its model.
        if name in ("inner", "generate_stream"):
            raise AttributeError(name)
        return getattr(self.inner, name)

    def generate(self, messages: list[ChatMessage], *others: Any, **more: Any) -> ChatMessage:
        """Called by the agent for each answer."""
        kept = self.compactor_of(messages)
        items = _items(messages)
        ask: Callable[..., ChatMessage] = cast(Any, self.inner).generate
        view = _messages(kept.prepare(items), messages)
        try:
            answer = ask(view, *others, **more)
        except Exception as error:
            answer = ask(_messages(kept.recover(error, items), messages), *others, **more)
        if answer.token_usage is not None:
            kept.usage(answer.token_usage.input_tokens)
        return answer

    def parse_tool_calls(self, message: ChatMessage) -> ChatMessage:
        """What the other model reads from an answer."""
        return self.inner.parse_tool_calls(message)

    def to_dict(self) -> dict[str, Any]:
        """What the other model says about itself."""
        return cast("dict[str, Any]", self.inner.to_dict())  # pyright: ignore[reportUnknownMemberType]

    def compactor_of(self, messages: list[ChatMessage]) -> Compactor:
        """The compactor of a conversation."""
        key = str(messages[0].content) if messages else ""
        if key not in self._kept:
            options: AdapterOptions = {"format": "openai_chat", **self._options}
            self._kept[key] = Compactor(from_json=_from_json, **options)
        return self._kept[key]

    def _generate_stream(
        self, messages: list[ChatMessage], *others: Any, **more: Any
    ) -> Generator[ChatMessageStreamDelta, None, None]:
        kept = self.compactor_of(messages)
        items = _items(messages)
        ask: Any = cast(Any, self.inner).generate_stream
        view = _messages(kept.prepare(items), messages)
        is_begun = False
        try:
            for delta in ask(view, *others, **more):
                is_begun = True
                yield delta
        except Exception as error:
            if is_begun:
                raise
            yield from ask(_messages(kept.recover(error, items), messages), *others, **more)


class _Item(dict[str, Any]):
    """A message as chat messages are written, which knows its place in the memory."""

    at: int | None = None
    is_changed = False


def _items(messages: list[ChatMessage]) -> list[_Item]:
    items: list[_Item] = []
    for at, message in enumerate(messages):
        following = messages[at + 1].role if at + 1 < len(messages) else None
        is_answered = message.role == MessageRole.TOOL_CALL and following == MessageRole.TOOL_RESPONSE
        is_answer = message.role == MessageRole.TOOL_RESPONSE and at > 0 and "tool_calls" in items[-1]
        item = _Item(_answered(message, at) if is_answered else _said(message))
        if is_answer:
            item.update(role="tool", tool_call_id=f"step_{at - 1}")
        item.at = at
        items.append(item)
    return items


def _said(message: ChatMessage) -> dict[str, Any]:
    roles = {MessageRole.TOOL_CALL: "assistant", MessageRole.TOOL_RESPONSE: "user"}
    content: Any = message.content
    if isinstance(content, list):
        content = [_part(part) for part in cast("list[dict[str, Any]]", content)]
    return {"role": roles.get(message.role, str(message.role.value)), "content": content}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    # The image itself is not needed to decide: it is put back.
    return {"type": "image_url", "image_url": {"url": f"image:{id(part['image'])}"}} if part["type"] == "image" else part


def _answered(message: ChatMessage, at: int) -> dict[str, Any]:
    """A call. One for several, because their observations are one text."""
    text = _text(message.content)
    try:
        calls: list[dict[str, Any]] = ast.literal_eval(text.removeprefix(_CALLING))
        functions = [call["function"] for call in calls]
        name = str(functions[0]["name"])
        arguments = functions[0]["arguments"] if len(functions) == 1 else [each["arguments"] for each in functions]
    except (ValueError, SyntaxError, KeyError, IndexError, TypeError):
        name, arguments = "tools", text
    function = {"name": name, "arguments": json.dumps(arguments if isinstance(arguments, dict) else {"input": arguments})}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"step_{at}", "type": "function", "function": function}],
    }


def _from_json(data: Any, original: Any) -> _Item:
    item = _Item(data)
    item.at = original.at if isinstance(original, _Item) else None
    item.is_changed = True
    return item


def _messages(view: list[Any], messages: list[ChatMessage]) -> list[ChatMessage]:
    """The messages of a view: those of the memory, but for what was changed or made."""
    sent: list[ChatMessage] = []
    for item in cast("list[_Item]", view):
        original = messages[item.at] if item.at is not None else None
        if original is not None and not item.is_changed:
            sent.append(original)
            continue
        role = original.role if original is not None else MessageRole(item["role"])
        sent.append(ChatMessage(role=role, content=_content(item, original)))
    return sent


def _content(item: _Item, original: ChatMessage | None) -> list[dict[str, Any]]:
    if item.get("tool_calls"):
        (call,) = item["tool_calls"]
        function = {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}
        return [{"type": "text", "text": _CALLING + str([{**call, "function": function}])}]
    content: Any = item["content"]
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    images: dict[str, dict[str, Any]] = {}
    if original is not None and isinstance(original.content, list):
        images = {f"image:{id(part['image'])}": part for part in original.content if part["type"] == "image"}
    parts = cast("list[dict[str, Any]]", content)
    return [images.get(part["image_url"]["url"], part) if part["type"] == "image_url" else part for part in parts]


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in cast("list[dict[str, Any]]", content))
    return content or ""
