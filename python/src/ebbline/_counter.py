"""The caller's own function that counts tokens."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ._errors import EbblineError
from ._model import Misuse

CountTokens = Callable[[str], "int | float"]


class Counter:
    """Counts what the component asks for."""

    def __init__(self, count: CountTokens) -> None:
        if not callable(count):
            raise EbblineError("invalid_option", "the option count_tokens must be a function of a text that returns its tokens")
        self._count = count

    def counted(self, request: str) -> str:
        """The tokens of the texts of a request, as JSON."""
        return json.dumps([self._tokens(text) for text in json.loads(request)["count"]])

    def _tokens(self, text: str) -> int | float:
        try:
            tokens: Any = self._count(text)
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
            raise Misuse("invalid_option", f"the option count_tokens raised an error: {words}") from error
        if isinstance(tokens, (int, float)) and not isinstance(tokens, bool):
            if 0 <= tokens < float("inf"):
                return tokens
            what = repr(tokens)
        else:
            what = f"a value of type {type(tokens).__name__}"
            close: Any = getattr(tokens, "close", None)
            if callable(close):
                close()  # a coroutine, which nobody awaits
        raise Misuse("invalid_option", f"the option count_tokens must return a number of 0 or more, not {what}")


def is_count(request: str | None) -> bool:
    """Whether the component asks for texts to be counted."""
    return request is not None and request.startswith('{"count":')
