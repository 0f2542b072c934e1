"""What a session is made of, and what is wrong with it: the JSON of ``ebbline inspect``."""

from __future__ import annotations

from typing import Any

from ._functions import call_ids, plan, read, validate

# How many outputs are named.
_LARGEST = 5


def inspected(text: str, options: dict[str, Any]) -> dict[str, Any]:
    """Everything as plain data, in the order in which the command lines print it."""
    report = read(text, **options)
    sizes = plan(text, **options).json
    checked = validate(text, **options)
    messages, counts = report["messages"], report["counts"]
    active = [(message, size) for message, size in zip(messages, sizes["messages"]) if message["active"]]
    return {
        "format": report["format"],
        "title": report["title"],
        "evidence": report["evidence"],
        "bytes": len(text.encode()),
        "messages": counts["messages"],
        "inactive": counts["inactive"],
        "tokens": sizes["tokensBefore"],
        "turns": sum(message.get("turn") == "person" for message, _ in active),
        "roles": _sums("role", "messages", [(message["role"], size["tokensBefore"]) for message, size in active]),
        "kinds": _sums(
            "kind",
            "parts",
            [
                (part["kind"], of_part["tokensBefore"])
                for message, size in active
                for part, of_part in zip(message["parts"], size["parts"])
            ],
        ),
        "largest": _largest(text, options, messages, sizes["messages"]),
        "images": counts["images"],
        "compactions": _compactions(report),
        "alreadyPruned": counts["alreadyPruned"],
        "problems": {
            "violations": checked.violations,
            "pending": checked.pending,
            "resultsWithoutCall": counts["resultsWithoutCall"],
            "callsWithoutResult": counts["callsWithoutResult"],
            "unreadable": report["problems"],
        },
    }


def _sums(name: str, what: str, all_of: list[tuple[str, int]]) -> list[dict[str, Any]]:
    sums: dict[str, list[int]] = {}
    for of, tokens in all_of:
        sums.setdefault(of, []).append(tokens)
    return [{name: of, what: len(tokens), "tokens": sum(tokens)} for of, tokens in sums.items()]


def _largest(text: str, options: dict[str, Any], messages: list[Any], sizes: list[Any]) -> list[dict[str, Any]]:
    """The outputs that weigh most, with the ids by which ``recall`` finds them."""
    outputs = [
        (size["parts"][index]["tokensBefore"], at, part)
        for at, (message, size) in enumerate(zip(messages, sizes))
        if message["active"]
        for index, part in enumerate(message["parts"])
        if part["kind"] == "tool_result"
    ]
    largest = sorted(outputs, key=lambda output: -output[0])[:_LARGEST]
    calls = [part["call"] for _, _, part in largest if part.get("call") is not None]
    ids = dict(zip(calls, call_ids(text, calls, **options))) if calls else {}
    return [
        {"message": at, "tool": part.get("toolName"), "id": ids.get(part.get("call")) or None, "tokens": tokens}
        for tokens, at, part in largest
    ]


def _compactions(report: dict[str, Any]) -> dict[str, Any]:
    """What the file records of earlier compactions, by the agent's own names, and the summaries that are sent."""
    named: dict[str, dict[str, Any]] = {}
    for marker in report.get("markers", []):
        found = named.setdefault(marker["name"], {"kind": marker["kind"], "name": marker["name"], "count": 0})
        found["count"] += 1
    summaries = sum(bool(message["active"] and message.get("summary")) for message in report["messages"])
    return {"recorded": list(named.values()), "summaries": summaries}
