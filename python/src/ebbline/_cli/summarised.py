"""Asks a command for a summary, and compacts the session with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .._engine import call
from .._errors import EbblineError
from .asked import answered
from .compacted import check_record_name, no_place_in, write_compacted
from .deliver import is_delivered
from .exit import OK, FileError, UsageError
from .figures import counted
from .files import said, session_of_file
from .javascript import WHITE, stringify
from .options import Options, request_options, seconds_in
from .output import bytes_of
from .run import Run
from .file_state import seen_of
from .sentences import REMINDERS, WARNINGS

# How long a command may take for one answer, in seconds.
_PATIENCE = 600
# Why an answer is no summary at all.
_NO_SUMMARY = {
    "refusal": "the model refused to write it",
    "error_text": "it is an error message",
    "tool_call": "the model called a tool",
    "nothing": "it says nothing",
    "unrelated": "it is about something else than the messages",
}

Messages = list[dict[str, str]]


class _Refused(Exception):
    """An answer that must not replace history, why, and what to tell the command so that it answers again."""

    def __init__(self, error: Exception, reminder: str | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.reminder = reminder


def summarize_file(name: str, run: Run) -> int:
    """Compacts a session with a summary that a command of the user's writes."""
    command = run.values.get("with", "")
    if command.strip(WHITE) == "":
        gets = "it gets the request on standard input and answers on standard output"
        raise UsageError(f"summarize needs --with 'COMMAND': {gets}")
    is_delivered("summarize", run.values)
    check_record_name(name, run.values)
    timeout = seconds_in(run.values) or _PATIENCE
    options = request_options(run.values)
    seen = seen_of(name)
    text = session_of_file(name)
    found: str | None = call("summary-request", text, stringify(options))
    if found is None:
        run.tell(name, "nothing is to be summarised, so the command was not run")
        write_compacted(name, text, seen, options, None, run)
        return OK
    why_none = no_place_in(text, options)
    if why_none is not None:
        raise FileError(f"{said(name)}: {why_none}, so the command was not run; compact prunes without one")
    task = json.loads(found)

    def ask(messages: Messages) -> str:
        request = stringify({**task["request"], "messages": messages})
        return answered(command, bytes_of(request), timeout, run.notes)

    def review(said_of: str) -> Any:
        return _reviewed(text, options, task["context"], said_of)

    def second(answer: str, reminder: str) -> Messages:
        """The messages of the second request, within the budget of the first."""
        again = call("summary-again", text, stringify(options), answer, reminder)
        return json.loads(again)["messages"]

    summary = _accepted(ask(task["request"]["messages"]), lambda *refused: ask(second(*refused)), review, name, run)
    for warning in summary.warnings:
        run.tell(name, WARNINGS[warning])
    write_compacted(name, text, seen, options, summary.text, run)
    return OK


def _accepted(
    first: str, ask_again: Callable[[str, str], str], review: Callable[[str], Any], name: str, run: Run
) -> Any:
    """The summary of the first answer; if that must not replace history, of a second one."""
    try:
        return review(first)
    except _Refused as refused:
        if refused.reminder is None:
            raise refused.error from None
        run.tell(name, f"the answer is refused: {refused}; asked again")
        reminder = refused.reminder
    second = ask_again(first, reminder)
    try:
        return review(second)
    except _Refused as refused:
        count = counted(2, "answer")
        said_of = f"{count} of the command were refused, and nothing was written"
        raise FileError(f"{said(name)}: {said_of}: {refused}") from None


def _reviewed(text: str, options: Options, context: dict[str, Any], said_of: str) -> Any:
    """The summary of an answer, unless the answer is none."""
    lacks = json.loads(call("summary-shortcomings", text, said_of, stringify({**options, "accept": False})))
    if lacks["found"]:
        raise _Refused(FileError(_NO_SUMMARY[lacks["found"][0]]), lacks["reminder"])
    try:
        return call("review-summary", stringify(context), said_of, False)
    except EbblineError as error:
        raise _Refused(error, REMINDERS.get(error.code)) from None
