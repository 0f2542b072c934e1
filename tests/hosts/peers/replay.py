"""Rules of Python libraries for `replay.mjs`: each line in is an opening or a list of messages, each line out what is sent.

`names` as a word answers with the libraries and their versions, `null` where one is not installed.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from types import SimpleNamespace
from typing import Any

Messages = list[dict[str, Any]]
Rule = Callable[[Messages, int, list[int]], Messages]


def hermes(window: int, overhead: int, summary: str) -> Rule:
    """The compressor of Hermes Agent with its defaults: from 75 % of a small window on, 85 % at 64,000 tokens."""
    from agent import context_compressor as module  # pyright: ignore[reportMissingImports]

    asked: list[int] = []

    def answer(**request: Any) -> Any:
        asked.append(len(json.dumps([message["content"] for message in request["messages"]], ensure_ascii=False)))
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=summary))])

    module.call_llm = answer
    compressor = module.ContextCompressor("scripted", quiet_mode=True, config_context_length=window)
    before: list[int] = []

    def rule(messages: Messages, tokens: int, costs: list[int]) -> Messages:
        # What the request before sent, as its provider reported it.
        if before:
            compressor.update_from_response({"prompt_tokens": before.pop()})
        sent = messages
        if compressor.should_compress(tokens):
            sent = compressor.compress(messages, current_tokens=tokens)
            if compressor._last_compression_made_progress:
                compressor.record_completed_compaction(used_fallback=compressor._last_summary_fallback_used)
                compressor._verify_compaction_cleared_threshold = True
        before.append(tokens - (size(messages) - size(sent)) // 4)
        costs += asked
        asked.clear()
        return sent

    return rule


def ctx_slim(window: int, overhead: int, summary: str) -> Rule:
    """Asked before every request, with its own rates for Claude and its default preset; it knows no window."""
    from context_slim import CacheAlignedContext

    def rule(messages: Messages, tokens: int, costs: list[int]) -> Messages:
        context = CacheAlignedContext(messages, model="anthropic/claude-opus-5")
        plan = context.plan()
        return context.apply(plan)[0] if plan.approved else messages

    return rule


def cutctx(window: int, overhead: int, summary: str) -> Rule:
    """Its default chain, once the context is larger than 85 % of the window, down to half of the window, or as far as it goes."""
    from cutctx import (
        BudgetUnsatisfiable,
        CompactionBudget,
        CompactionExecutor,
        Role,
        Transcript,
        TranscriptTurn,
        default_chain,
    )

    chain = default_chain(prompt_id="scripted")

    def rule(messages: Messages, tokens: int, costs: list[int]) -> Messages:
        if tokens <= window * 0.85:
            return messages
        by_name: dict[str, dict[str, Any]] = {}
        turns = []
        exchange: dict[str, str] = {}
        for at, message in enumerate(messages):
            name = f"t{at}"
            by_name[name] = message
            for call in message.get("tool_calls", ()):
                exchange[call["id"]] = name
            group = name if message.get("tool_calls") else exchange.get(message.get("tool_call_id", ""))
            text = message["content"]
            length = size([message])
            turns.append(TranscriptTurn(name, Role(message["role"]), text, length // 4 + 1, tool_call_id=group))
        transcript = Transcript(tuple(turns))
        try:
            plan = chain.decide(transcript, CompactionBudget(window // 2 - overhead))
        except BudgetUnsatisfiable:
            try:
                plan = chain.decide(transcript, CompactionBudget(int(window * 0.85) - overhead))
            except BudgetUnsatisfiable:
                return messages
        for request in plan.summarization_requests:
            costs.append(sum(len(turn.content) for turn in turns if turn.turn_id in request.turn_ids))
        view = CompactionExecutor().apply(transcript, plan, {it.group_id: summary for it in plan.summarization_requests})
        sent = []
        for turn in view.transcript.turns:
            message = by_name.get(turn.turn_id, {"role": turn.role.value})
            sent.append({**message, "content": turn.content})
        return sent

    return rule


def size(messages: Messages) -> int:
    """The characters of messages with their calls."""
    calls = [call["function"]["arguments"] for message in messages for call in message.get("tool_calls", ())]
    return sum(len(message["content"]) for message in messages) + sum(map(len, calls))


RULES = {"hermes-agent": hermes, "ctx-slim": ctx_slim, "cutctx": cutctx}
SAID = {
    "hermes-agent": "ContextCompressor",
    "ctx-slim": "plan and apply before every request",
    "cutctx": "default_chain at 85 %, to 50 %",
}


def named(word: str) -> str | None:
    """The library with its version; `None` if it is not installed."""
    try:
        return f"{word} {version(word)}, {SAID[word]}"
    except PackageNotFoundError:
        return None


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    home = tempfile.TemporaryDirectory(prefix="ebbline-peers-")
    os.environ["HERMES_HOME"] = home.name
    rule: Rule = lambda messages, tokens, costs: messages
    for line in sys.stdin:
        said = json.loads(line)
        if sys.argv[1] == "names":
            answer: dict[str, Any] = {word: named(word) for word in RULES}
        elif "window" in said:
            rule = RULES[sys.argv[1]](said["window"], said["overhead"], said["summary"])
            answer = {}
        else:
            costs: list[int] = []
            sent = rule(said["messages"], said["tokens"], costs)
            answer = {"sent": None if sent is said["messages"] else sent, "asked": costs}
        print(json.dumps(answer), file=out, flush=True)


main()
