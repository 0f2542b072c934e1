"""The plan's words as text for people."""

from __future__ import annotations

import re
from typing import Any

from .figures import amount, counted, rounded
from .sentences import FATES, OF_PRUNING, REASONS, VERDICT_REASONS

_FIGURE = re.compile(r"\{(\w+)\}")


def reason_of(message: dict[str, Any], pruning: str) -> str:
    """Why a message has its fate. ``pruning`` is the reason of the plan's pruning."""
    reason = message["reason"]
    why = "prune_disabled" if pruning == "disabled" and reason in OF_PRUNING else reason
    return REASONS.get(why, why) + (", its output pruned first" if message.get("prunedFirst") else "")


def fate_of(fate: str) -> tuple[str, str]:
    """A fate's mark and word."""
    return FATES.get(fate, ("?", fate))


def verdict_of(plan: dict[str, Any]) -> str:
    """The verdict and its reason, in one or two sentences."""
    prune, retain, trigger, verdict = plan["prune"], plan["retain"], plan["trigger"], plan["verdict"]
    outputs, candidates = counted(prune["outputs"], "output"), tokens(prune["candidates"])
    pruning = f"Prune {outputs}: {candidates} lie beyond the protection boundary."
    is_forced = retain["reason"] == "forced"
    why = "asked for" if is_forced else f"{_measured(trigger)} exceed {amount(trigger['threshold'])}"
    messages = f"{counted(retain['messages'], 'message')} ({tokens(retain['summarised'])})"
    if verdict == "prune":
        return pruning
    if verdict == "summarise":
        return f"Summarise {messages}: {why}."
    if verdict == "prune_then_summarise":
        return f"{pruning} Then summarise {messages}: {why}."
    if verdict == "refuse":
        return f"The context is full, but nothing safe can be done: {_verdict_reason(plan)}."
    return f"Nothing to do: {_verdict_reason(plan)}."


def totals_of(sizes: dict[str, Any]) -> str:
    """``12,345 → 8,000 tokens (−35 %)``"""
    before, after, allowance = sizes["tokensBefore"], sizes["tokensAfter"], sizes["summaryAllowance"]
    if before == after:
        return tokens(before)
    change = 0 if before == 0 else rounded((after / before - 1) * 100)
    sign = "−" if change < 0 else "+"
    of_them = f", {amount(allowance)} of them for the summary" if allowance > 0 else ""
    return f"{amount(before)} → {tokens(after)} ({sign}{abs(change)} %{of_them})"


def tokens(number: int) -> str:
    """``1 token``, ``3 tokens``"""
    return counted(number, "token")


def _measured(trigger: dict[str, Any]) -> str:
    """The size that is compared with the threshold, and its source unless that is the estimate."""
    size = tokens(trigger["tokens"])
    return f"{size} by the usage that the provider reported" if trigger["source"] == "reported" else size


def _never_fires(trigger: dict[str, Any]) -> str | None:
    """Why summarising does not fire however full the context is; ``None`` if it would."""
    if trigger["context"] == 0:
        return "the context window is not known, so summarising never fires"
    if trigger["source"] == "nothing":
        return "the profile triggers on reported usage alone, and none was reported"
    return "the policy never summarises by itself" if trigger["tokens"] > trigger["threshold"] else None


def _verdict_reason(plan: dict[str, Any]) -> str:
    reason, trigger = plan["reason"], plan["trigger"]
    idle = _never_fires(trigger) if reason == "below_threshold" else None
    if idle is not None:
        return idle
    figures = {
        "candidates": tokens(plan["prune"]["candidates"]),
        "measured": _measured(trigger),
        "threshold": amount(trigger["threshold"]),
    }
    return _FIGURE.sub(lambda figure: figures[figure[1]], VERDICT_REASONS.get(reason, reason))
