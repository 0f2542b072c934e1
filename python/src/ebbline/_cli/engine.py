"""Calls of the component with options as the npm package writes them: the engine repeats values in what it says."""

from __future__ import annotations

import json
from typing import Any

from .._engine import call
from .javascript import stringify
from .options import Options


def answer(function: str, text: str, options: Options) -> Any:
    """What a function of whole sessions that answers JSON says."""
    return json.loads(call(function, text, stringify(options)))


def compared(text: str, policies: list[Options], options: Options) -> list[dict[str, Any]]:
    """The same life under several policies."""
    return json.loads(call("compare", text, stringify(policies), stringify(options)))


def profiles() -> list[dict[str, Any]]:
    """Every profile, the default first."""
    return json.loads(call("profiles"))
