"""LangChain's agents: a middleware. The agent's state keeps all messages.

>>> from ebbline.adapters.langchain import Middleware, compactor
>>> fits = Middleware(compactor(model={"context": 200_000}, summarize="deterministic"))
>>> agent = create_agent(model, tools, middleware=[fits])  # doctest: +SKIP

The request that the provider refuses as too large is made once more with less. One compactor serves one thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse

from .._compactor import Compactor
from .langgraph import compactor as compactor
from .langgraph import from_json as from_json
from .langgraph import to_json as to_json


class Middleware(AgentMiddleware[Any, Any, Any]):
    """Gives the model what fits into its window."""

    def __init__(self, kept: Compactor) -> None:
        super().__init__()
        self.kept = kept

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Called by LangChain around each request to the model."""
        fitting = request.override(messages=self.kept.prepare(request.messages))
        try:
            return handler(fitting)
        except Exception as error:
            return handler(request.override(messages=self.kept.recover(error, request.messages)))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """The same for agents that are run by ``ainvoke``; ``summarize`` may be async."""
        fitting = request.override(messages=await self.kept.aprepare(request.messages))
        try:
            return await handler(fitting)
        except Exception as error:
            return await handler(request.override(messages=await self.kept.arecover(error, request.messages)))
