"""Written by `cargo xtask gen` from the engine's definitions. Change those, not this file."""

from __future__ import annotations

# Why a message or part has its fate.
REASONS: dict[str, str] = {
    "not_tool_output": "no tool output",
    "protected_by_budget": "among the newest outputs",
    "newest_turns": "in one of the newest turns",
    "protected_tool": "output of a protected tool",
    "error_output": "output of a failed call",
    "sealed_output": "must go back to the provider as it came",
    "short_output": "no longer than the placeholder",
    "before_summary": "before a summary",
    "before_pruned": "before an already pruned output",
    "too_few_turns": "the session has too few turns",
    "context_small": "beyond the boundary, but the context is small enough",
    "not_full": "beyond the boundary, but the context is not full",
    "below_minimum": "beyond the boundary, but too little would be reclaimed",
    "deferred": "beyond the boundary, but the cache is worth more",
    "overhead_fills_window": "beyond the boundary, but no request fits",
    "nothing_gained": "the placeholders would take as much room",
    "prune_disabled": "pruning is off",
    "crossed_boundary": "crosses the protection boundary",
    "beyond_boundary": "beyond the protection boundary",
    "room_needed": "protected, but a summary would be the alternative",
    "too_large": "larger than the room for it",
    "repeated": "a newer output repeats it",
    "superseded": "a newer call reads or writes the file",
    "old_thinking": "thinking of an older answer",
    "long_arguments": "arguments with long texts",
    "old_image": "an older image",
    "already_pruned": "pruned before",
    "before_window": "before the retention window",
    "in_window": "in the retention window",
    "system_message": "system messages are always kept",
    "inactive": "not sent now",
    "always_sent": "always sent by the agent",
}

# A fate's mark and word.
FATES: dict[str, tuple[str, str]] = {
    "kept": ("●", "kept"),
    "pruned": ("○", "pruned"),
    "summarised": ("◌", "summarised"),
    "already_pruned": ("◦", "pruned before"),
    "inactive": ("·", "inactive"),
}

# Why nothing is done; figures stand in braces.
VERDICT_REASONS: dict[str, str] = {
    "empty": "there are no messages",
    "disabled": "the policy has it switched off",
    "too_few_turns": "the session has too few turns",
    "context_small": "the context is smaller than the policy asks for before it prunes",
    "not_full": "the context is not full",
    "deferred": "pruning would break more of the provider's cache than it frees",
    "nothing_to_prune": "no tool output lies beyond the protection boundary",
    "below_minimum": "only {candidates} lie beyond the protection boundary",
    "outputs_beyond_protection": "enough tool output lies beyond the protection boundary",
    "room_needed": "protected outputs give way as well",
    "overhead_fills_window": "what is sent beside the messages (system prompt, tools) alone fills the context window",
    "too_large": "outputs that are larger than the room for them are cut to head and tail",
    "needless": "what newer content makes needless gives way",
    "below_threshold": "{measured} are below the threshold of {threshold}",
    "over_threshold": "{measured} exceed {threshold}",
    "forced": "asked for",
    "history_below_keep": "the whole history is smaller than the retention window",
    "no_valid_boundary": "there is no place where the history could be cut",
    "nothing_gained": "what could be done would make it no smaller",
    "nothing_new": "nothing was added since the last summary",
}

# What is unusual about a summary that is accepted all the same.
WARNINGS: dict[str, str] = {
    "no_headings": "the summary has none of the headings that were asked for",
    "very_short": "the summary is very short for the messages that it replaces: the model may have refused to write it",
    "reasoning_removed": "the model's reasoning in front of the summary was removed",
}

# What to tell a model whose answer is refused.
REMINDERS: dict[str, str] = {
    "empty_summary": "Your answer contains no summary. Write the summary that was asked for, as plain text, and call no tool.",
    "truncated_summary": "Your answer was cut off. Write the whole summary again, at most half as long.",
    "larger_summary": "Your summary is longer than the messages that it replaces. Write it again, at most a quarter as long.",
}

# What pruning has to say of an output; a policy that does not prune has no boundary and protects nothing.
OF_PRUNING = frozenset(
    [
        "protected_by_budget",
        "newest_turns",
        "protected_tool",
        "error_output",
        "short_output",
        "before_summary",
        "before_pruned",
        "too_few_turns",
        "context_small",
        "not_full",
        "below_minimum",
        "deferred",
        "overhead_fills_window",
        "nothing_gained",
    ]
)
