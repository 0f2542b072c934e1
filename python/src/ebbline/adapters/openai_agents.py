"""OpenAI Agents SDK: a filter before each request, and a session. The session keeps all items.

>>> from ebbline.adapters.openai_agents import CompactedSession, compactor
>>> session = CompactedSession(SQLiteSession("1", "talk.db"), compactor(model={"context": 200_000}))  # doctest: +SKIP
>>> await Runner.run(agent, "Mend it.", session=session, **session.run_options())  # doctest: +SKIP

The library asks a session once, when a run begins. A run of many tool calls grows all the same, so the filter does the
work: it sees what is sent before each request. Hooks tell the compactor what the provider counted. Without a session:
``run_config=RunConfig(call_model_input_filter=input_filter(kept)), hooks=UsageHooks(kept)``. One compactor serves one conversation.

Filters and hooks hear of no errors. ``run_options`` therefore wraps the provider of models, so that a request that is refused as too
large is sent once more, smaller. A model that an agent holds itself is wrapped where the agent is made:

>>> agent = Agent(name="Mender", model=RecoveringModel(model, kept))  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from agents import Agent, Model, ModelProvider, ModelResponse, MultiProvider, RunConfig, RunContextWrapper, RunHooks
from agents import TResponseInputItem
from agents.memory import Session, SessionSettings
from agents.run_config import CallModelData, ModelInputData

from .._arguments import CompactorOptions
from .._compactor import Compactor

if TYPE_CHECKING:
    from typing_extensions import Unpack


def compactor(**options: Unpack[CompactorOptions]) -> Compactor:
    """A compactor of the items of the Responses API. Options: those of :class:`ebbline.Compactor`."""
    options.setdefault("format", "openai_responses")
    return Compactor(**options)


def input_filter(kept: Compactor) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """What gives the model what fits into its window, before each request."""

    async def fit(data: CallModelData[Any]) -> ModelInputData:
        items = await kept.aprepare(data.model_data.input)
        return ModelInputData(input=items, instructions=data.model_data.instructions)

    return fit


class RecoveringModel(Model):
    """A model of which a request that is refused as too large is sent once more, smaller."""

    def __init__(self, wrapped: Model, kept: Compactor) -> None:
        self.wrapped = wrapped
        self.kept = kept

    async def get_response(self, system_instructions: Any, input: Any, *others: Any, **more: Any) -> ModelResponse:
        """One answer."""
        try:
            return await self.wrapped.get_response(system_instructions, input, *others, **more)
        except Exception as error:
            return await self.wrapped.get_response(system_instructions, await self._smaller(error, input), *others, **more)

    async def stream_response(self, system_instructions: Any, input: Any, *others: Any, **more: Any) -> AsyncIterator[Any]:
        """The events of one answer. Only what comes before the answer begins can be taken back."""
        held: list[Any] | None = []
        try:
            async for event in self.wrapped.stream_response(system_instructions, input, *others, **more):
                if held is None:
                    yield event
                elif getattr(event, "type", None) in _OPENING:
                    held.append(event)
                else:
                    waiting, held = [*held, event], None
                    for each in waiting:
                        yield each
        except Exception as error:
            if held is None:
                raise
            view = await self._smaller(error, input)
        else:
            for event in held or []:
                yield event
            return
        async for event in self.wrapped.stream_response(system_instructions, view, *others, **more):
            yield event

    async def close(self) -> None:
        """Closes the model."""
        await self.wrapped.close()

    async def _smaller(self, error: Exception, input: Any) -> list[TResponseInputItem]:
        if isinstance(input, str):
            raise error
        return await self.kept.arecover(error, input)


# Events that say no more than that the provider has begun.
_OPENING = ("response.created", "response.in_progress", "response.queued")


class RecoveringProvider(ModelProvider):
    """A provider of models that recover from an overflow."""

    def __init__(self, wrapped: ModelProvider, kept: Compactor) -> None:
        self.wrapped = wrapped
        self.kept = kept

    def get_model(self, model_name: str | None) -> Model:
        """The model of this name."""
        return RecoveringModel(self.wrapped.get_model(model_name), self.kept)


class UsageHooks(RunHooks[Any]):
    """Tells a compactor how many tokens a request had, system prompt and tools included."""

    def __init__(self, kept: Compactor) -> None:
        self.kept = kept

    async def on_llm_end(self, context: RunContextWrapper[Any], agent: Agent[Any], response: ModelResponse) -> None:
        """Called by the library after each answer."""
        if response.usage.input_tokens:
            self.kept.usage(response.usage.input_tokens)


class CompactedSession:
    """A session that keeps all items in another one, and gives what fits."""

    def __init__(self, session: Session, kept: Compactor) -> None:
        self.session_id = session.session_id
        self.session_settings: SessionSettings | None = None
        self.whole = session
        self.kept = kept

    def run_options(self, **options: Any) -> dict[str, Any]:
        """What a run needs beside the session. Options: those of ``RunConfig``."""
        provider = options.pop("model_provider", None) or MultiProvider()
        options["model_provider"] = RecoveringProvider(provider, self.kept)
        config = RunConfig(call_model_input_filter=input_filter(self.kept), **options)
        return {"run_config": config, "hooks": UsageHooks(self.kept)}

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The newest items of the compacted view."""
        view = await self.kept.aprepare(await self.whole.get_items())
        return view if limit is None else view[max(0, len(view) - limit) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Adds items to the other session."""
        await self.whole.add_items(items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the newest item of the other session."""
        return await self.whole.pop_item()

    async def clear_session(self) -> None:
        """Removes all items of the other session."""
        await self.whole.clear_session()
