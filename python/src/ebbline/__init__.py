"""ebbline keeps an LLM agent's session inside its context window.

>>> import ebbline
>>> ebbline.plan([{"role": "user", "content": "hello"}]).verdict
'noop'

The engine is a WebAssembly component inside this package. It reads no file, no clock and no network, and calls no model.
"""

from ._compactor import Compactor
from ._counter import CountTokens
from ._errors import EbblineError, Place
from ._functions import (
    SummaryTask,
    ask_system,
    audit,
    classify_error,
    compact,
    compare,
    count,
    detect,
    deterministic_summary,
    finish_summary,
    introductions,
    output_of_call,
    plan,
    profiles,
    read,
    repair,
    replay,
    review_summary,
    summary_request,
    validate,
    weigh,
)
from ._hooks import Event, Hooks, Proposal, Wish
from ._messages import Codec
from ._model import Summarize
from ._pins import Pin
from ._plans import (
    Answer,
    Classification,
    Compacted,
    Decision,
    Detection,
    MessagePlan,
    Output,
    PartPlan,
    Plan,
    Profile,
    Repaired,
    Replaced,
    SummaryRequest,
    Validation,
    Verdict,
)
from ._resume import aresume, resume
from ._session import Session
from ._sweep import Sweep, sweep
from ._talk import Store

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Classification",
    "Codec",
    "Compacted",
    "Compactor",
    "CountTokens",
    "Decision",
    "Detection",
    "EbblineError",
    "Event",
    "Hooks",
    "MessagePlan",
    "Output",
    "PartPlan",
    "Pin",
    "Place",
    "Plan",
    "Profile",
    "Proposal",
    "Repaired",
    "Replaced",
    "Session",
    "Store",
    "Summarize",
    "SummaryRequest",
    "SummaryTask",
    "Sweep",
    "Validation",
    "Verdict",
    "Wish",
    "aresume",
    "ask_system",
    "audit",
    "classify_error",
    "compact",
    "compare",
    "count",
    "detect",
    "deterministic_summary",
    "finish_summary",
    "introductions",
    "output_of_call",
    "plan",
    "profiles",
    "read",
    "repair",
    "replay",
    "resume",
    "review_summary",
    "summary_request",
    "sweep",
    "validate",
    "weigh",
]
