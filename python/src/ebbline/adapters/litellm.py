"""LiteLLM: ``completion`` and ``acompletion`` that send what fits, or a callback for many conversations.

>>> from ebbline.adapters.litellm import compactor, completion
>>> complete = completion(compactor(model={"context": 200_000}, summarize="deterministic"))
>>> answer = complete(model="gpt-5", messages=history, tools=tools)  # doctest: +SKIP

The function takes what LiteLLM's takes, and tries once more with less when the provider says that the context is too
large. A callback serves a router or a proxy, where conversations are told apart by ``litellm_session_id``:

>>> litellm.callbacks = [Hook(summarize="deterministic")]  # doctest: +SKIP

LiteLLM calls it (``async_pre_call_deployment_hook``) for ``acompletion`` only, never for ``completion``, and also without
its proxy. One compactor serves one conversation; ``Hook`` makes them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import litellm as library
from litellm.integrations.custom_logger import CustomLogger

from .._arguments import AdapterOptions, ModelLimits
from .._compactor import Compactor
from .._errors import EbblineError

if TYPE_CHECKING:
    from typing_extensions import Unpack


def to_json(message: Any) -> Any:
    """A message as it is sent: a dict, or the message of one of LiteLLM's answers."""
    return message if isinstance(message, dict) else message.model_dump(mode="json", exclude_none=True)  # pyright: ignore[reportUnknownVariableType]


def compactor(**options: Unpack[AdapterOptions]) -> Compactor:
    """A compactor of chat messages. Options: those of :class:`ebbline.Compactor`."""
    options.setdefault("format", "openai_chat")
    return Compactor(to_json=to_json, from_json=lambda data, original: data, **options)


def window_of(model: str) -> ModelLimits:
    """The window of a model, as LiteLLM knows it."""
    try:
        tokens = library.get_model_info(model).get("max_input_tokens")  # pyright: ignore[reportUnknownMemberType]
    except Exception as error:
        raise EbblineError("invalid_option", f"LiteLLM does not know the window of {model}: pass `model`") from error
    if not tokens:
        raise EbblineError("invalid_option", f"LiteLLM does not know the window of {model}: pass `model`")
    return {"context": tokens}


def completion(kept: Compactor) -> Callable[..., Any]:
    """``litellm.completion`` with what fits. Messages are passed by name."""

    def complete(*, messages: list[Any], **options: Any) -> Any:
        call: Callable[..., Any] = library.completion  # pyright: ignore[reportUnknownMemberType]
        view = kept.prepare(messages)
        try:
            answer = call(messages=view, **options)
        except Exception as error:
            answer = call(messages=kept.recover(error, messages), **options)
        _learn(kept, answer)
        return answer

    return complete


def acompletion(kept: Compactor) -> Callable[..., Awaitable[Any]]:
    """``litellm.acompletion`` with what fits. Messages are passed by name."""

    async def complete(*, messages: list[Any], **options: Any) -> Any:
        call: Callable[..., Any] = library.acompletion  # pyright: ignore[reportUnknownMemberType]
        view = await kept.aprepare(messages)
        try:
            answer = await call(messages=view, **options)
        except Exception as error:
            answer = await call(messages=await kept.arecover(error, messages), **options)
        _learn(kept, answer)
        return answer

    return complete


class Hook(CustomLogger):
    """A callback: a compactor for each ``litellm_session_id``. Requests without one are sent as they are.

    Options: those of :class:`ebbline.Compactor`; without ``model``, LiteLLM says the window of each model. The decisions of
    the ``conversations`` that were used last are remembered.
    """

    def __init__(self, *, conversations: int = 1000, **options: Unpack[AdapterOptions]) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self._options = options
        self._most = conversations
        self._kept: OrderedDict[tuple[str, str], Compactor] = OrderedDict()

    def compactor_of(self, session: str, model: str) -> Compactor:
        """The compactor of a conversation with a model."""
        kept = self._kept.get((session, model))
        if kept is None:
            options = self._options.copy()
            if "model" not in options:
                options["model"] = window_of(model)
            kept = compactor(**options)
            self._kept[session, model] = kept
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end((session, model))
        return kept

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: Any) -> dict[str, Any] | None:
        """Called by LiteLLM before it sends a request."""
        session = kwargs.get("litellm_session_id")
        messages = kwargs.get("messages")
        if not session or not messages:
            return None
        kept = self.compactor_of(str(session), str(kwargs.get("model")))
        return {**kwargs, "messages": await kept.aprepare(messages)}


def _learn(kept: Compactor, answer: Any) -> None:
    tokens = getattr(getattr(answer, "usage", None), "prompt_tokens", None)
    if tokens:
        kept.usage(tokens)
