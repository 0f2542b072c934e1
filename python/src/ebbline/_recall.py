"""The tool with which a model gets a cleared output back."""

from __future__ import annotations

import json
from typing import Any

from ._errors import EbblineError
from ._recall_tools import RECALL_TOOLS, Spelling


def recall_tool(spelling: Spelling = "openai_chat") -> dict[str, Any]:
    """The definition of a tool with which a model gets a cleared output back, as a provider spells it. The agent answers a call of it
    with :meth:`ebbline.Compactor.recall` of its argument ``ref``."""
    if spelling not in RECALL_TOOLS:
        raise EbblineError("invalid_option", f"the spelling must be one of {', '.join(RECALL_TOOLS)}")
    return json.loads(RECALL_TOOLS[spelling])
