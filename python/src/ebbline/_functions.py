"""The functions of whole sessions. A session is a list of messages, or the text of a session file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._arguments import (
    CompactOptions,
    CompareOptions,
    ErrorOptions,
    GridOptions,
    PlanOptions,
    ReadOptions,
    ReplayOptions,
    RequestOptions,
    RuleOptions,
    ShortcomingOptions,
)
from ._engine import call
from ._errors import EbblineError
from ._messages import Codec, FromJson, ToJson
from ._options import written
from ._plans import (
    Classification,
    Compacted,
    Detection,
    Outcome,
    Output,
    Plan,
    Profile,
    Repaired,
    Replaced,
    Replay,
    ReviewedSummary,
    SummaryRequest,
    Validation,
)
from ._reports import Loss, ReadReport

if TYPE_CHECKING:
    from typing_extensions import Unpack

Session = Sequence[Any] | str | bytes


def detect(session: Session) -> Detection:
    """The format of a session, and what shows it."""
    found = call("detect", text_of(session))
    return Detection(found.format, found.title, found.evidence)


def read(session: Session, *, to_json: ToJson | None = None, **options: Unpack[ReadOptions]) -> ReadReport:
    """What was read: the format, counts, the agent's own compactions, what could not be read, every message and part."""
    return json.loads(call("read", text_of(session, to_json), written(_rules(options))))


def count(session: Session, *, to_json: ToJson | None = None, **options: Unpack[ReadOptions]) -> dict[str, Any]:
    """``format`` and ``counts`` of what :func:`read` says, which cost less."""
    return json.loads(call("count", text_of(session, to_json), written(options)))


def plan(session: Session, *, to_json: ToJson | None = None, **options: Unpack[PlanOptions]) -> Plan:
    """Decides what should be done with a session: a fate and a reason for each message."""
    return Plan.of_json(call("plan", text_of(session, to_json), written(options)))


def compact(
    session: Session, *, to_json: ToJson | None = None, from_json: FromJson | None = None, **options: Unpack[CompactOptions]
) -> Compacted:
    """Plans, and carries the plan out on a copy. Messages that it leaves alone are the very same objects."""
    if isinstance(session, (str, bytes)):
        compacted = call("compact", text_of(session), written(options))
        replaced = tuple(Replaced(*figures) for figures in json.loads(compacted.replaced))
        return Compacted([], compacted.text, Plan.of_json(compacted.plan), replaced)
    codec = Codec(to_json, from_json)
    changed = call("compact-messages", codec.texts(session), written(options))
    return Compacted(codec.view(changed.view, session), None, Plan.of_json(changed.plan))


@dataclasses.dataclass(frozen=True)
class SummaryTask:
    """What to ask a model, and what to hand to :func:`finish_summary` with its answer."""

    request: SummaryRequest
    context: dict[str, Any] = dataclasses.field(repr=False)


def summary_request(session: Session, *, to_json: ToJson | None = None, **options: Unpack[RequestOptions]) -> SummaryTask | None:
    """The request for a summary of what the plan summarizes; ``None`` if it summarizes nothing."""
    found: str | None = call("summary-request", text_of(session, to_json), written(options))
    if found is None:
        return None
    task: dict[str, Any] = json.loads(found)
    return SummaryTask(SummaryRequest.of_json(json.dumps(task["request"])), task["context"])


def finish_summary(task: SummaryTask, answer: str, *, truncated: bool = False) -> str:
    """The summary that a model's answer makes; refuses one that must not replace history."""
    return review_summary(task, answer, truncated=truncated).summary


def review_summary(task: SummaryTask, answer: str, *, truncated: bool = False) -> ReviewedSummary:
    """The same as :func:`finish_summary`, with what is unusual about the summary. What it lacks of the messages that it replaces
    says :func:`summary_shortcomings`."""
    if not isinstance(task, SummaryTask):  # pyright: ignore[reportUnnecessaryIsInstance]
        why = "review_summary takes what summary_request gave, and the answer; what a summary lacks says summary_shortcomings"
        raise EbblineError("invalid_option", why)
    found = call("review-summary", json.dumps(task.context), answer, truncated)
    return ReviewedSummary(found.text, tuple(found.warnings))


def summary_shortcomings(
    session: Session, summary: str, *, to_json: ToJson | None = None, **options: Unpack[ShortcomingOptions]
) -> dict[str, Any]:
    """What a summary lacks of what it replaces: ``found``, ``facts``, ``language``, ``reminder``. What is no summary at all has one of
    ``refusal``, ``error_text``, ``tool_call``, ``nothing`` and ``unrelated`` (about something else) in ``found``.
    """
    return json.loads(call("summary-shortcomings", text_of(session, to_json), summary, written(options)))


def deterministic_summary(
    session: Session, *, to_json: ToJson | None = None, **options: Unpack[PlanOptions]
) -> str | None:
    """The summary that needs no model; ``None`` if the plan summarizes nothing."""
    return call("deterministic-summary", text_of(session, to_json), written(options))


def validate(session: Session, *, to_json: ToJson | None = None, **options: Unpack[RuleOptions]) -> Validation:
    """Says whether a session is a request that its provider accepts."""
    found: dict[str, Any] = json.loads(call("validate", text_of(session, to_json), written(_rules(options))))
    return Validation(found["valid"], found["format"], found["violations"], found["pending"])


def repair(
    session: Session, *, to_json: ToJson | None = None, from_json: FromJson | None = None, **options: Unpack[RuleOptions]
) -> Repaired:
    """Mends what :func:`validate` finds. Messages that need nothing are the very same objects."""
    codec = Codec(to_json, from_json)
    is_text = isinstance(session, (str, bytes))
    parts: list[str] = [] if is_text else [codec.text(message) for message in session]
    text = text_of(session) if is_text else "[" + ",".join(parts) + "]"
    found = call("repair", text, written(_rules(options)))
    report: dict[str, Any] = json.loads(found.report)
    messages: list[Any] = []
    if not is_text:
        messages = list(session) if found.text == text else _matched(found.text, session, parts, codec)
    return Repaired(messages, found.text, report["done"], report["left"])


def _matched(text: str, session: Sequence[Any], parts: Sequence[str], codec: Codec) -> list[Any]:
    """The messages of a repaired list. Repairs keep the order, so what stayed is found from left to right."""
    known = [json.loads(part) for part in parts]
    messages: list[Any] = []
    at = 0
    for data in json.loads(text):
        found = next((index for index in range(at, len(known)) if known[index] == data), None)
        if found is None:
            messages.append(codec.message(data, None))
        else:
            messages.append(session[found])
            at = found + 1
    return messages


def classify_error(error: Any, **options: Unpack[ErrorOptions]) -> Classification:
    """Says whether an error means that the context was too large, or something that compacting would not help.

    ``error`` is an exception of any client, a response's body, or a text.
    """
    found: dict[str, Any] = json.loads(call("classify-error", json.dumps(looked_at(error)), written(options)))
    return Classification(found["kind"], found.get("evidence"), found.get("recoverableLength", False), found.get("code"))


def profiles() -> list[Profile]:
    """Every profile, the default first."""
    return [Profile(row["name"], row["about"], row["policy"]) for row in json.loads(call("profiles"))]


def introductions() -> dict[str, str]:
    """Sentences that tell a model what a summary is: ebbline's own (``default``), and those of agents, word for word."""
    return json.loads(call("introductions"))


def output_of_call(session: Session, id: str, *, to_json: ToJson | None = None, **options: Unpack[ReadOptions]) -> Output | None:
    """The output of a call, also if it was pruned and the session has a copy of it; ``None`` if no result answers the call.

    ``id`` is the id of the call, or the reference that stands in place of its output.
    """
    found: str | None = call("output-of-call", text_of(session, to_json), id, written(options))
    return None if found is None else Output(**json.loads(found))


def replay(session: Session, *, to_json: ToJson | None = None, **options: Unpack[ReplayOptions]) -> Replay:
    """The life of a session under a policy: every request, every compaction, and what they cost."""
    return json.loads(call("replay", text_of(session, to_json), written(options)))


def compare(
    session: Session, policies: Sequence[str | Mapping[str, Any]], *, to_json: ToJson | None = None, **options: Unpack[CompareOptions]
) -> list[Outcome]:
    """The same life under several policies, side by side: names of profiles, or options such as ``{"profile": .., "set": ..}``.

    The option ``model`` is that of the policies that name none.
    """
    if isinstance(policies, (str, Mapping)):
        raise EbblineError("invalid_option", "compare needs a list of policies: put this one into a list")
    return json.loads(call("compare", text_of(session, to_json), _json(list(policies)), written(options)))


def weigh(session: str | bytes, grid: Mapping[str, Any] | None = None, **options: Unpack[GridOptions]) -> dict[str, Any]:
    """What each policy of a grid would have cost and lost over the life of a session: ``format``, ``messages``, ``points``.

    The grid is as in a file for ``ebbline sweep --grid``: ``policy`` with ``set``, ``policies`` beside it, ``windows``; one that names
    no policy has the default one. Without a grid, it is every profile.
    """
    return json.loads(call("weigh", text_of(session), grid_json(grid), written(options)))


def audit(session: str | bytes, *, findings: int = 100, **options: Unpack[ReadOptions]) -> Loss:
    """What was lost by the compactions that a session file records."""
    return json.loads(call("audit", text_of(session), findings, written(options)))


def ask_system(system: str, question: str, data: Any, **options: Any) -> Any:
    """What another system would do with its own data (docs/compatibility.md)."""
    text = data if isinstance(data, str) else json.dumps(data)
    return json.loads(call("ask-system", system, question, text, json.dumps(options)))


def grid_json(grid: Mapping[str, Any] | None) -> str:
    """A grid as JSON; without one, that of every profile."""
    return _json({"policies": [profile.name for profile in profiles()]} if grid is None else dict(grid))


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise EbblineError("invalid_option", f"this cannot be written as JSON: {error}") from error


def _rules(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name.rstrip("_"): value for name, value in options.items()}


def text_of(session: Session, to_json: ToJson | None = None) -> str:
    """A session as one text."""
    if isinstance(session, str):
        return session
    if isinstance(session, bytes):
        try:
            return session.decode()
        except UnicodeDecodeError as error:
            from ._errors import Place

            line = session.count(b"\n", 0, error.start) + 1
            raise EbblineError("not_utf8", "the bytes are not UTF-8", Place(line, error.start)) from None
    return Codec(to_json).texts(session)


# Of an error, as much is read as shows what it means: requests and sockets, which errors often hold, are not.
_DEEPEST = 6
_LONGEST = 65_536
_SKIPPED = {"request", "_request", "headers", "history", "stream", "__traceback__", "_response"}


def looked_at(error: Any) -> Any:
    """An error as plain data."""
    return _look(error, 0, set())


def _look(value: Any, depth: int, seen: set[int]) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value if not isinstance(value, float) or value == value else None
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value[:_LONGEST]).decode(errors="replace")
    if isinstance(value, str):
        value = value.encode(errors="replace").decode()
        half = _LONGEST // 2
        return value if len(value) <= _LONGEST else value[:half] + "\n" + value[-half:]
    if depth > _DEEPEST or id(value) in seen:
        return None
    seen.add(id(value))
    if isinstance(value, Mapping):
        pairs: list[tuple[Any, Any]] = list(value.items())[:64]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        return {str(name): _look(member, depth + 1, seen) for name, member in pairs if name not in _SKIPPED}
    if isinstance(value, (list, tuple)):
        items: list[Any] = list(value)[:64]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        return [_look(member, depth + 1, seen) for member in items]
    looked: dict[str, Any] = {}
    if isinstance(value, BaseException):
        looked["name"] = type(value).__name__
        looked["message"] = _look(str(value), depth, seen)
        looked["cause"] = _look(value.__cause__, depth + 1, seen)
    for name, member in list(getattr(value, "__dict__", {}).items())[:64]:
        if name not in _SKIPPED and not callable(member):
            looked.setdefault(name, _look(member, depth + 1, seen))
    status = getattr(value, "status_code", None)
    if isinstance(status, int):
        looked["status"] = status
    return looked
