"""``detect``, ``plan``, ``validate``, ``summary-request`` and ``profiles``."""

from __future__ import annotations

import json
from typing import Any

from .._engine import call
from .engine import answer, profiles
from .exit import INPUT, OK, WORK, UsageError
from .files import named, said, session_of_file, text_of_file
from .javascript import stringify
from .options import plan_options, request_options
from .run import Run
from .sentences import WARNINGS
from .style import printable, printable_lines
from .table import plan_table
from .violations import violation_list


def detect_file(name: str, run: Run) -> int:
    """Which format a session is of, and what shows it."""
    found = call("detect", session_of_file(name))
    if run.is_json:
        detected = {"format": found.format, "title": found.title, "supported": True, "evidence": found.evidence}
        run.out.write(f"{stringify({'file': named(name), **detected})}\n")
    else:
        run.out.write(f"{printable(said(name))}: {found.title} ({found.format}); {printable(found.evidence)}\n")
    return OK


def plan_file(name: str, run: Run) -> int:
    """What would be pruned and summarised, message by message, and why."""
    options = plan_options(run.values)
    text = session_of_file(name)
    planned = answer("plan", text, options)
    if run.is_json:
        run.out.write(f"{stringify(planned)}\n")
    else:
        report = answer("read", text, options)
        run.out.write(plan_table(said(name), report, planned, run.width(), run.style()))
    is_to_do = planned["prune"]["applied"] or planned["retain"]["applied"]
    return WORK if run.values.get("check") and is_to_do else OK


def validate_file(name: str, run: Run) -> int:
    """Whether the provider would accept a session, and where it breaks which rule."""
    options = plan_options(run.values)
    text = session_of_file(name)
    found = answer("validate", text, options)
    if run.is_json:
        run.out.write(f"{stringify({'file': named(name), **found})}\n")
    else:
        title = answer("read", text, options)["title"]
        run.out.write(violation_list(said(name), title, found, run.style()))
    return OK if found["valid"] else INPUT


def request_file(name: str, run: Run) -> int:
    """Prints the request for a summary, or the summary made of its answer."""
    if name == "-" and run.values.get("answer") == "-":
        raise UsageError("the session and the answer cannot both come from standard input")
    options = request_options(run.values)
    text = session_of_file(name)
    found: str | None = call("summary-request", text, stringify(options))
    if found is None:
        run.tell(name, "nothing is to be summarised")
        return OK
    task = json.loads(found)
    if "answer" in run.values:
        summary = call("review-summary", stringify(task["context"]), text_of_file(run.values["answer"]), False)
        for warning in summary.warnings:
            run.tell(name, WARNINGS[warning])
        run.out.write(f"{summary.text}\n")
    elif run.is_json:
        run.out.write(f"{stringify({'file': named(name), **task, 'plan': answer('plan', text, options)})}\n")
    else:
        run.out.write(_conversation(task["request"], run))
    return OK


def _conversation(request: dict[str, Any], run: Run) -> str:
    style = run.style()
    messages = [{"role": "system", "content": request["system"]}, *request["messages"]]
    # To a file or a pipe, texts are written unchanged.
    shown = printable_lines if run.out.is_terminal else str
    return "\n".join(f"{style.strong('# ' + message['role'])}\n\n{shown(message['content'])}\n" for message in messages)


def list_profiles(run: Run) -> int:
    """The policies there are."""
    style = run.style()
    for profile in profiles():
        about = f"{style.strong(profile['name'])}\n  {profile['about']}\n"
        run.out.write(f"{stringify(profile)}\n" if run.is_json else about)
    return OK
