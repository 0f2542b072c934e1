"""pydantic-ai: a history processor.

>>> from ebbline.adapters.pydantic_ai import compactor, history_processor
>>> kept = compactor(model={"context": 200_000}, summarize="deterministic")
>>> agent = Agent(model, capabilities=[ProcessHistory(history_processor(kept))])  # doctest: +SKIP

Earlier versions take ``history_processors=[history_processor(kept)]``. One compactor serves one conversation.

pydantic-ai goes on with what the processor gave: outputs that were cleared are cleared in ``result.all_messages()`` as well. So the
``record`` holds the messages that are no longer there, and a compactor with it, in another process, has all of them again.

A processor hears of no errors. A model that is wrapped recovers from an overflow, learns from usage, and needs no processor; the
library's own log then stays whole:

>>> agent = Agent(CompactedModel(model, kept))  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from .._arguments import AdapterOptions
from .._compactor import Compactor

if TYPE_CHECKING:
    from typing_extensions import Unpack


def to_json(message: ModelMessage) -> Any:
    """A message as pydantic-ai itself writes it."""
    return ModelMessagesTypeAdapter.dump_python([message], mode="json")[0]


def from_json(data: Any, original: Any) -> ModelMessage:
    """The message of such data."""
    return ModelMessagesTypeAdapter.validate_python([data])[0]


def compactor(**options: Unpack[AdapterOptions]) -> Compactor:
    """A compactor of pydantic-ai's messages. Options: those of :class:`ebbline.Compactor`."""
    options.setdefault("format", "pydantic_ai")
    options.setdefault("originals", "record")
    return Compactor(to_json=to_json, from_json=from_json, **options)


def history_processor(kept: Compactor) -> Callable[[list[ModelMessage]], Awaitable[list[ModelMessage]]]:
    """What gives the model what fits into its window, before each request."""

    async def process(messages: list[ModelMessage]) -> list[ModelMessage]:
        return await kept.aprepare(messages)

    return process


class CompactedModel(WrapperModel):
    """A model that gets what fits into its window. What it refuses as too large is sent once more, smaller."""

    def __init__(self, wrapped: Model, kept: Compactor) -> None:
        super().__init__(wrapped)
        self.kept = kept

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One answer."""
        view = await self.kept.aprepare(messages)
        try:
            answer = await self.wrapped.request(view, model_settings, model_request_parameters)
        except Exception as error:
            view = await self.kept.arecover(error, messages)
            answer = await self.wrapped.request(view, model_settings, model_request_parameters)
        self._learn(answer)
        return answer

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: Any = None,
    ) -> AsyncIterator[StreamedResponse]:
        """One answer that comes in parts. An overflow is recovered from where the answer begins."""
        view = await self.kept.aprepare(messages)
        async with AsyncExitStack() as stack:

            async def opened(sent: list[ModelMessage]) -> StreamedResponse:
                asked = self.wrapped.request_stream(sent, model_settings, model_request_parameters, run_context)
                return await stack.enter_async_context(asked)

            try:
                stream = await opened(view)
            except Exception as error:
                stream = await opened(await self.kept.arecover(error, messages))
            yield stream
            self._learn(stream.get())

    def _learn(self, answer: ModelResponse) -> None:
        tokens = answer.usage.input_tokens
        if tokens:
            self.kept.usage(tokens)
