"""What a session is made of, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._engine import call
from .columns import Column, aligned_table, figure, known
from .engine import answer
from .exit import OK
from .figures import amount, counted
from .files import bytes_of_file, named, said, session_text
from .javascript import stringify
from .options import Options, plan_options
from .run import Run
from .style import Style, printable
from .violations import violation_rows

# How many outputs are named.
_LARGEST = 5
# How many violations are shown; `--json` has all of them.
_SHOWN = 20

Row = dict[str, Any]


def inspect_file(name: str, run: Run) -> int:
    """Messages, tokens, largest outputs, compactions, problems."""
    options = plan_options(run.values)
    content = bytes_of_file(name)
    found = _inspected(session_text(content, name), len(content), options)
    if run.is_json:
        run.out.write(f"{stringify({'file': named(name), **found})}\n")
    else:
        run.out.write(_page_of(said(name), found, run.style()))
    return OK


def _inspected(text: str, size: int, options: Options) -> Row:
    """Everything as plain data, in the order in which the command lines print it."""
    report = answer("read", text, options)
    sizes = answer("plan", text, options)
    checked = answer("validate", text, options)
    messages, counts = report["messages"], report["counts"]
    active = [(message, of) for message, of in zip(messages, sizes["messages"]) if message["active"]]
    roles = [(message["role"], of["tokensBefore"]) for message, of in active]
    kinds = [
        (part["kind"], of_part["tokensBefore"])
        for message, of in active
        for part, of_part in zip(message["parts"], of["parts"])
    ]
    return {
        "format": report["format"],
        "title": report["title"],
        "evidence": report["evidence"],
        "bytes": size,
        "messages": counts["messages"],
        "inactive": counts["inactive"],
        "tokens": sizes["tokensBefore"],
        "turns": sum(message.get("turn") == "person" for message, _ in active),
        "roles": _sums("role", "messages", roles),
        "kinds": _sums("kind", "parts", kinds),
        "largest": _largest(text, options, messages, sizes["messages"]),
        "images": counts["images"],
        "compactions": _compactions(report),
        "alreadyPruned": counts["alreadyPruned"],
        "problems": {
            "violations": checked["violations"],
            "pending": checked["pending"],
            "resultsWithoutCall": counts["resultsWithoutCall"],
            "callsWithoutResult": counts["callsWithoutResult"],
            "unreadable": report["problems"],
        },
    }


def _sums(name: str, what: str, all_of: list[tuple[str, int]]) -> list[Row]:
    sums: dict[str, list[int]] = {}
    for of, tokens in all_of:
        sums.setdefault(of, []).append(tokens)
    return [{name: of, what: len(tokens), "tokens": sum(tokens)} for of, tokens in sums.items()]


def _largest(text: str, options: Options, messages: list[Row], sizes: list[Row]) -> list[Row]:
    """The outputs that weigh most, with the ids by which ``recall`` finds them."""
    outputs = [
        (size["parts"][index]["tokensBefore"], at, part)
        for at, (message, size) in enumerate(zip(messages, sizes))
        if message["active"]
        for index, part in enumerate(message["parts"])
        if part["kind"] == "tool_result"
    ]
    largest = sorted(outputs, key=lambda output: -output[0])[:_LARGEST]
    calls = [part["call"] for _, _, part in largest if "call" in part]
    ids = dict(zip(calls, call("call-ids", text, calls, stringify(options)))) if calls else {}
    return [
        {"message": at, "tool": part.get("toolName"), "id": ids.get(part.get("call")) or None, "tokens": tokens}
        for tokens, at, part in largest
    ]


def _compactions(report: Row) -> Row:
    """What the file records of earlier compactions, by the agent's own names, and the summaries that are sent."""
    recorded: dict[str, Row] = {}
    for marker in report.get("markers", []):
        found = recorded.setdefault(marker["name"], {"kind": marker["kind"], "name": marker["name"], "count": 0})
        found["count"] += 1
    summaries = sum(bool(message["active"] and message.get("summary")) for message in report["messages"])
    return {"recorded": list(recorded.values()), "summaries": summaries}


_TOKENS = Column("tokens", figure("tokens"))
_ROLES = (Column("role", lambda row: row["role"], True), Column("messages", figure("messages")), _TOKENS)
_KINDS = (Column("kind", lambda row: row["kind"], True), Column("parts", figure("parts")), _TOKENS)
_OUTPUTS = (
    Column("largest outputs", lambda row: printable(known(row["tool"], str)), True),
    Column("id", lambda row: printable(known(row["id"], str)), True),
    Column("message", figure("message")),
    _TOKENS,
)


def _page_of(name: str, found: Row, style: Style) -> str:
    head = f"{style.strong(printable(name))}  {found['title']}: {printable(found['evidence'])}"
    lines = [head, _sum_of(found)]
    lines += ["", *_table(_ROLES, found["roles"], style)]
    lines += ["", *_table(_KINDS, found["kinds"], style)]
    if found["largest"]:
        lines += ["", *_table(_OUTPUTS, found["largest"], style)]
    lines += ["", _compaction_line(found), *_problem_lines(found["problems"], style)]
    return "\n".join(lines) + "\n"


def _table(columns: Sequence[Column], rows: list[Row], style: Style) -> list[str]:
    titles, *lines = aligned_table(columns, rows)
    return [style.dim(titles), *lines]


def _sum_of(found: Row) -> str:
    inactive, images = found["inactive"], found["images"]
    beside = f" ({amount(inactive)} not sent)" if inactive > 0 else ""
    pictures = f", {counted(images, 'image')}" if images > 0 else ""
    sizes = [counted(found[f"{noun}s"], noun) for noun in ("turn", "token", "byte")]
    return f"{counted(found['messages'], 'message')}{beside}, {', '.join(sizes)}{pictures}"


def _compaction_line(found: Row) -> str:
    compactions, pruned = found["compactions"], found["alreadyPruned"]
    marks = [f"{amount(mark['count'])} × {printable(mark['name'])}" for mark in compactions["recorded"]]
    said_of = f"compactions: {', '.join(marks)}" if marks else "compactions: none recorded"
    summaries, sent = compactions["summaries"], list[str]()
    if summaries > 0:
        sent.append("1 summary" if summaries == 1 else f"{amount(summaries)} summaries")
    if pruned > 0:
        sent.append(counted(pruned, "pruned output"))
    return f"{said_of}; sent: {', '.join(sent)}" if sent else said_of


def _problem_lines(problems: Row, style: Style) -> list[str]:
    violations, pending, unreadable = problems["violations"], problems["pending"], problems["unreadable"]
    calls, results = problems["callsWithoutResult"], problems["resultsWithoutCall"]
    facts: list[str] = []
    if violations:
        facts.append(counted(len(violations), "violation"))
    if pending:
        facts.append(f"{counted(len(pending), 'call')} without a result yet")
    if calls > len(pending):
        facts.append(f"{counted(calls, 'call')} without a result in the whole file")
    if results > 0:
        facts.append(f"{counted(results, 'result')} without a call in the whole file")
    if unreadable:
        facts.append(f"{counted(len(unreadable), 'place')} that cannot be read")
    if not facts:
        return [f"problems: {style.good('none')}"]
    all_of = [
        *violations,
        *({**call, "rule": "pending"} for call in pending),
        *({"line": fault["line"], "text": fault["message"], "rule": fault["code"]} for fault in unreadable),
    ]
    rows = violation_rows(all_of[:_SHOWN], style)
    hidden = (
        [style.dim(f"  and {amount(len(all_of) - _SHOWN)} more: --json lists them")] if len(all_of) > _SHOWN else []
    )
    return [f"problems: {', '.join(facts)}", *rows, *hidden]
