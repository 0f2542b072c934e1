"""ebbline keeps an LLM agent's session inside its context window.

>>> import ebbline
>>> ebbline.plan([{"role": "user", "content": "hello"}]).verdict
'noop'

The engine is a WebAssembly component inside this package. It reads no file, no clock and no network, and calls no model.
"""

from ._arguments import (
    CallOptions,
    CompactOptions,
    CompactorOptions,
    CompareOptions,
    DecisionOptions,
    GridOptions,
    PlanOptions,
    PrepareOptions,
    ReadOptions,
    ReplayOptions,
    RequestOptions,
    RuleOptions,
    SessionOptions,
    When,
)
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
    summary_shortcomings,
    validate,
    weigh,
)
from ._hooks import Hooks, Proposal, Wish
from ._knobs import Fate, Reason, Role, Verdict, VerdictReason
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
    Outcome,
    Output,
    PartPlan,
    Plan,
    Profile,
    Repaired,
    Replaced,
    Replay,
    ReviewedSummary,
    SummaryRequest,
    Validation,
)
from ._recall import recall_tool
from ._reports import Loss, SweepReport
from ._resume import aresume, resume
from ._session import Session
from ._sweep import Sweep, sweep
from ._talk import Store
from .events import Event

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "CallOptions",
    "Classification",
    "Codec",
    "CompactOptions",
    "Compacted",
    "Compactor",
    "CompactorOptions",
    "CompareOptions",
    "CountTokens",
    "Decision",
    "DecisionOptions",
    "Detection",
    "EbblineError",
    "Event",
    "Fate",
    "GridOptions",
    "Hooks",
    "Loss",
    "MessagePlan",
    "Outcome",
    "Output",
    "PartPlan",
    "Pin",
    "Place",
    "Plan",
    "PlanOptions",
    "PrepareOptions",
    "Profile",
    "Proposal",
    "ReadOptions",
    "Reason",
    "Repaired",
    "Replaced",
    "Replay",
    "ReplayOptions",
    "RequestOptions",
    "ReviewedSummary",
    "Role",
    "RuleOptions",
    "Session",
    "SessionOptions",
    "Store",
    "Summarize",
    "SummaryRequest",
    "SummaryTask",
    "Sweep",
    "SweepReport",
    "Validation",
    "Verdict",
    "VerdictReason",
    "When",
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
    "recall_tool",
    "repair",
    "replay",
    "resume",
    "review_summary",
    "summary_request",
    "summary_shortcomings",
    "sweep",
    "validate",
    "weigh",
]
