"""Written by `cargo xtask gen` from the engine's definitions. Change those, not this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

FormatName = Literal["tunacode", "tinyagent", "pydantic_ai", "pi", "opencode", "openai_chat", "anthropic_messages", "claude_code", "codex", "gemini_cli", "gemini_contents", "openai_responses", "vercel_model", "vercel_ui", "langchain", "openhands", "swe_agent", "atif", "copilot_cli", "cline", "inspect_ai", "bedrock_converse", "openai_agents", "mastra", "goose", "kimi_cli", "google_adk", "sharegpt", "tau2", "agent_framework", "semantic_kernel", "autogen", "droid", "amp", "vscode_chat", "cursor", "kiro_cli"]

ProfileName = Literal["ebbline@3", "ebbline@2", "ebbline@1", "pi@0.58", "pi@0.84", "pi@1.5", "opencode@2025-12", "opencode@2026-01", "opencode@2026-06", "opencode-v2@2026-06", "opencode-v2@later", "tunacode@2026-01", "tunacode@2026-01/local", "tunacode@2026-02", "tunacode@0.2", "claude-code@2.1", "codex@0.171", "gemini-cli@0.61", "brutus@2026-01"]

RuleName = Literal["result_without_call", "call_without_result", "result_before_call", "duplicate_call", "duplicate_result", "split_batch", "summary_in_batch", "result_not_first", "wrong_role", "first_role", "last_role", "alternation", "system_not_first", "unknown_role", "empty_text", "empty_message", "empty_result", "unsigned_thinking", "thinking_after_call", "thinking_not_first", "thinking_last", "empty_list", "empty_calls", "call_without_id", "call_id", "call_name", "call_input", "image_in_answer", "cache_marks", "signature_changed", "thinking_parted"]

UsageFrom = Literal["estimate", "recorded", "nothing"]

DecisionMoments = Literal["every_request", "system"]

Verdict = Literal["noop", "refuse", "prune", "summarize", "prune_then_summarize"]

VerdictReason = Literal["empty", "disabled", "too_few_turns", "context_small", "not_full", "deferred", "nothing_to_prune", "below_minimum", "outputs_beyond_protection", "room_needed", "overhead_fills_window", "too_large", "needless", "below_threshold", "over_threshold", "forced", "history_below_keep", "no_valid_boundary", "nothing_gained", "nothing_new"]

Fate = Literal["kept", "pruned", "summarized", "already_pruned", "inactive"]

Reason = Literal["not_tool_output", "protected_by_budget", "newest_outputs", "newest_turns", "protected_tool", "error_output", "sealed_output", "short_output", "before_summary", "before_pruned", "too_few_turns", "context_small", "not_full", "below_minimum", "deferred", "overhead_fills_window", "nothing_gained", "prune_disabled", "crossed_boundary", "beyond_boundary", "room_needed", "too_large", "repeated", "superseded", "old_thinking", "long_arguments", "old_image", "already_pruned", "before_window", "in_window", "system_message", "inactive", "always_sent"]

Role = Literal["system", "user", "assistant", "tool", "other"]


class Model(TypedDict, total=False):
    """The model's limits, in tokens."""

    context: int
    """The context window: what a request and its answer may fill together. 0 in JSON when it is not known: then summarizing never fires."""
    output: int
    """The limit of an answer; 0 in JSON if it is not known."""
    input: int
    """The limit of a request, if the provider limits requests separately from the window; otherwise 0 in JSON."""
    cacheLives: int
    """How many milliseconds the provider's cache keeps what a request sent (``prune.coldAfter``); 0 in JSON if it is not known. A model's name that begins with its provider says it: ``anthropic/`` 5 minutes, ``openai/`` 10 minutes, ``google/`` and ``gemini/`` an hour."""


class Estimator(TypedDict, total=False):
    """How text becomes tokens."""

    unit: Literal["utf16", "code_points", "bytes", "classes", "classes_of_json"]
    """The unit in which text is measured."""
    perToken: int
    """How many of these units make one token."""
    rounding: Literal["floor", "nearest", "ceil"]
    """How fractions are rounded."""
    rounded: Literal["part", "message"]
    """Whether parts or whole messages are rounded."""
    separator: int
    """The number of characters between the texts of a message when they are joined for measuring."""
    calls: Literal["nothing", "arguments", "name_and_arguments"]
    """What of a tool call is counted."""
    image: int | None
    """How many characters an image counts as, in ``unit``; ``null`` measures its URL or base64 data like text."""
    nativeNotation: bool
    """Whether a part is measured in the notation of the format's own system where that is another than compact JSON: for pydantic-ai's results Python's ``repr``, for pi's arguments exactly what ``JSON.stringify`` writes."""
    calibrate: bool
    """Whether usage that the provider reported corrects the estimate, as far as there is any."""


class PrunePolicy(TypedDict, total=False):
    """When and how old tool outputs are cleared."""

    enabled: bool
    """Whether outputs are pruned."""
    protect: int
    """The newest tokens of tool output that are protected. The output that crosses the limit is pruned whole."""
    minimum: int
    """Outputs are pruned only if together they have this many tokens."""
    minimumIs: Literal["above", "at_least"]
    """Whether exactly ``minimum`` is enough."""
    minimumContext: int
    """A context with fewer tokens is left alone. Its size is measured as for summarizing (``trigger.measure``), before anything is pruned; where no usage was reported to measure it by, it is the estimate. 0: pruned at any size."""
    onlyWhenFull: bool
    """Whether outputs are pruned only when the context is full, by the same test as for summarizing (``trigger``), or when compaction is forced."""
    coldAfter: int
    """After how many milliseconds without a request the provider's cache is cold (``idle`` of a plan's options): then a prune breaks nothing, and waits neither for a full context nor for ``breaksAtMost``. Where it is known how long the provider's cache lives (``model.cacheLives``), that counts instead. 0: never."""
    breaksAtMost: int
    """How many tokens a prune may break out of the provider's cache for each token that it frees, while the context is not full: all tokens from the first pruned output on have to be written again. A prune pays for itself after ``breaks / frees * (written - cached) / cached`` requests; with a cache that reads at a tenth of the price and writes at 1.25, 4 means 46 requests. With ``onlyWhenFull``, such a prune does not wait; without it, every other one does. 0: the cache is not considered."""
    downTo: int
    """The size down to which protected outputs give way. Everything beyond the boundary is pruned first. If the context is then still full, or larger than this, newer outputs follow, oldest first, although ``protect`` and ``protectedTurns`` protect them. Pruning ends when ``minimum`` is reached and the context is neither. Outputs that no answer has followed stay. A forced compaction goes down to half of the context where that is less, and summarizes only if pruning does not get there. The size is measured as for ``minimumContext``. 0: protected outputs stay."""
    preview: int
    """The most tokens that outputs without a later answer may have together, once they are cut to their head and tail. They are cut where the context is full, or compaction is forced, with everything pruned that may be, and a summary of everything older would not make enough room for them: the largest first, down to a common size. Above 0, no output without an answer is pruned or summarized otherwise. 0: nothing is cut."""
    minimumTurns: int
    """A session with fewer turns is left alone."""
    protectedTurns: int
    """How many of the newest turns keep their outputs, which are not counted either. ``downTo`` may still prune them."""
    keepOutputs: int
    """How many of the newest outputs stay, whatever their size. ``downTo`` may still prune them."""
    countSyntheticTurns: bool
    """Whether messages that the agent wrote in the user's name count as turns."""
    protectedTools: Sequence[str]
    """Tools whose outputs are never pruned nor counted."""
    errors: bool
    """Whether the outputs of failed calls are counted and may be pruned."""
    shortOutputs: bool
    """Whether outputs that are not longer than the placeholder are pruned as well."""
    stopAtSummary: bool
    """Whether everything before a summary is left alone."""
    stopAtPruned: bool
    """Whether everything before an already pruned output is left alone."""
    repeated: bool
    """Whether an output gives way that a newer output of the same tool repeats word for word. This and the next four knobs are passes: they come before the protection boundary is drawn, only where the context is full, or compaction is forced, and only if they free ``minimum`` together or pruning goes on behind them. What no answer has followed, what is pinned and what is signed stay."""
    superseded: bool
    """Whether the output of reading a file gives way once the same part of it is read again or the whole file is written, and the text in the arguments of a write once the whole file is written or read again. Only calls that succeeded count."""
    thinking: int | None
    """How many of the newest answers keep their thinking; older thinking is removed. Thinking stays as long as the run of calls goes on that it belongs to. ``null``: all keep it."""
    arguments: int
    """Texts in the arguments of calls beyond the protection boundary that have more tokens are cut to head and tail. 0: none is cut."""
    images: int | None
    """How many of the newest images stay; older ones are replaced by a note. ``null``: all stay."""
    excerpt: int
    """How many tokens of its head and tail a pruned output keeps in front of the placeholder, where a reference stands behind it (``reference``). 0: the placeholder alone. A note between head and tail says what is missing; with less than about 40 tokens there is room for nothing else, so the placeholder stands alone as well."""
    names: int
    """The most tokens of identifiers that stand behind the placeholder, where a reference stands behind them (``reference``): paths, ids, error codes and names in code that stood only in the output. They take at most a tenth of what it had. 0: none."""
    placeholder: str
    """The text that replaces a pruned output. ``{tool}`` in it stands for the name of the tool, ``{argument}`` for what the call was about (a command, a path), ``{size}`` for the number of characters that are gone, ``{outcome}`` for ``, failed:`` or ``, ended:`` and the line that says how a command ended. No other name may stand in braces. A plan assumes the longest text that this may become. A text with braces takes at most a twentieth of an output. Where it has no room, or no reference stands behind it (``reference``), ``[Old tool result content cleared]`` stands there. Where the agent has a field for pruned outputs, its own text stands there."""
    reference: bool
    """Whether a reference to the call stands behind the placeholder where a format has no field for what is pruned: `` [ref kpbmgken]``. By it ebbline knows a pruned output again; no tool can write it, because no tool is told the id of its call. Without it, an output that only reads as the placeholder does cannot be told from one that was pruned. ``ebbline@1``."""


class RetainPolicy(TypedDict, total=False):
    """Which newest messages stay word for word when the rest is summarized."""

    enabled: bool
    """Whether older messages are summarized."""
    keep: int
    """The number of newest tokens in the retention window; ``fill`` says whether it is a minimum or a maximum."""
    keepShare: str | None
    """The largest size of the window as a share of the trigger's threshold; ``null`` for no limit."""
    keepFloor: int
    """What ``keepShare`` never goes below, in tokens."""
    fill: Literal["at_least", "at_most"]
    """Whether ``keep`` is the smallest or the largest size of the window."""
    turns: int
    """The largest number of turns in the window; 0 for no limit."""
    snap: Literal["older", "newer", "newer_or_last", "nearest"]
    """The direction in which the boundary moves away from a place where it must not be."""
    cut: Literal["anywhere", "before_message", "after_ended_message", "before_turn", "at_end"]
    """Where the boundary may be; never between a call and its result."""
    summarizeAllThatFits: bool
    """Whether everything is summarized when the whole history fits the window, instead of nothing. OpenCode."""
    forcedKeepsNothing: bool
    """Whether a forced compaction (by hand, or after an overflow) keeps nothing at all."""
    summaryAllowance: int
    """The size that a plan's totals assume for the summary, in tokens: the summary does not exist yet."""
    userWords: int
    """The largest size of what a summary carries of the user's own words, word for word, in tokens: the first request, the request that the agent is working on, then the newest words. 0 for none."""
    names: int
    """The most tokens of identifiers that a summary takes over: what only the messages name that it replaces, such as paths, ids and error codes. The request for a summary names them, and those that the answer leaves out stand behind it. First come those that the agent has used, the newest use first. 0: none."""


class TriggerPolicy(TypedDict, total=False):
    """When the context counts as full."""

    enabled: bool
    """Whether compaction fires by itself. A forced one (by hand, or after an overflow) runs in any case."""
    measure: Literal["estimate", "anchored", "reported"]
    """What is compared with the threshold."""
    limit: Literal["less_reserve", "less_output", "input_else_less_output", "input_less_reserve_else_less_output", "less_larger", "smaller_of_both"]
    """How the threshold is computed from the limits and the reserve."""
    reserve: int
    """What is kept free of the context window, in tokens. A negative reserve moves the threshold up by that much, even beyond the window: pi takes one from its settings, and TunaCode 0.2.3 takes one as an argument of ``should_compact``. TunaCode refuses a negative reserve in its settings; so does ``settings``(crate::settings) where it reads them."""
    reserveWithinOutput: bool
    """Whether the reserve is at most the output limit."""
    outputCap: int
    """A cap on the model's output limit, which also replaces an unknown limit; 0 for no cap."""
    lessKeep: bool
    """Whether the retention window's ``keep`` is also subtracted from the threshold, as in TunaCode 0.2."""
    floor: int
    """The threshold is never below this. In a window smaller than output limit and reserve the systems' own arithmetic gives 0, and an empty context counts as full."""
    floorBelow: int
    """The floor applies only where limits and reserve give less than this; 0: wherever they give less than the floor."""
    fires: Literal["above", "at_least"]
    """Whether a context of exactly the threshold fires."""


class PolicyPart(TypedDict, total=False):
    """A policy, or any part of one, as it is stored."""

    model: Model
    """The model's limits, in tokens."""
    estimator: Estimator
    """How text becomes tokens."""
    prune: PrunePolicy
    """When and how old tool outputs are cleared."""
    retain: RetainPolicy
    """Which newest messages stay word for word when the rest is summarized."""
    trigger: TriggerPolicy
    """When the context counts as full."""
    profile: str
    """The profile that it came from."""
    shares: Mapping[str, str]
    """Knobs given as a share of the context window."""
    models: Mapping[str, Any]
    """Partial policies for single models."""

Knobs = TypedDict(
    "Knobs",
    {
        "model.context": int,
        "model.output": int,
        "model.input": int,
        "model.cacheLives": int,
        "estimator.unit": Literal["utf16", "code_points", "bytes", "classes", "classes_of_json"],
        "estimator.perToken": int,
        "estimator.rounding": Literal["floor", "nearest", "ceil"],
        "estimator.rounded": Literal["part", "message"],
        "estimator.separator": int,
        "estimator.calls": Literal["nothing", "arguments", "name_and_arguments"],
        "estimator.image": int | None,
        "estimator.nativeNotation": bool,
        "estimator.calibrate": bool,
        "prune.enabled": bool,
        "prune.protect": int | str,
        "prune.minimum": int | str,
        "prune.minimumIs": Literal["above", "at_least"],
        "prune.minimumContext": int | str,
        "prune.onlyWhenFull": bool,
        "prune.coldAfter": int,
        "prune.breaksAtMost": int,
        "prune.downTo": int | str,
        "prune.preview": int | str,
        "prune.minimumTurns": int,
        "prune.protectedTurns": int,
        "prune.keepOutputs": int,
        "prune.countSyntheticTurns": bool,
        "prune.protectedTools": Sequence[str] | str,
        "prune.errors": bool,
        "prune.shortOutputs": bool,
        "prune.stopAtSummary": bool,
        "prune.stopAtPruned": bool,
        "prune.repeated": bool,
        "prune.superseded": bool,
        "prune.thinking": int | None,
        "prune.arguments": int | str,
        "prune.images": int | None,
        "prune.excerpt": int | str,
        "prune.names": int,
        "prune.placeholder": str,
        "prune.reference": bool,
        "retain.enabled": bool,
        "retain.keep": int | str,
        "retain.keepShare": str | None,
        "retain.keepFloor": int,
        "retain.fill": Literal["at_least", "at_most"],
        "retain.turns": int,
        "retain.snap": Literal["older", "newer", "newer_or_last", "nearest"],
        "retain.cut": Literal["anywhere", "before_message", "after_ended_message", "before_turn", "at_end"],
        "retain.summarizeAllThatFits": bool,
        "retain.forcedKeepsNothing": bool,
        "retain.summaryAllowance": int,
        "retain.userWords": int | str,
        "retain.names": int,
        "trigger.enabled": bool,
        "trigger.measure": Literal["estimate", "anchored", "reported"],
        "trigger.limit": Literal["less_reserve", "less_output", "input_else_less_output", "input_less_reserve_else_less_output", "less_larger", "smaller_of_both"],
        "trigger.reserve": int | str,
        "trigger.reserveWithinOutput": bool,
        "trigger.outputCap": int,
        "trigger.lessKeep": bool,
        "trigger.floor": int | str,
        "trigger.floorBelow": int | str,
        "trigger.fires": Literal["above", "at_least"],
    },
    total=False,
)
"""Single knobs by their path. An amount of tokens may also be a share of the window, such as ``\"10%\"``."""
