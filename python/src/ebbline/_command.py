"""The command line. For programs (``--json``) it prints what ``npx ebbline`` prints, byte for byte."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import ebbline

from ._arguments import UsageError, Values, options_of, parse
from ._errors import EbblineError
from ._inspection import inspected
from ._javascript import stringify

OK, INPUT, USAGE, WORK, FAULT, INTERRUPTED = 0, 1, 2, 3, 4, 130
# Of several exit codes, the later one counts.
_ORDER = [OK, WORK, INPUT, USAGE, FAULT, INTERRUPTED]
_ABOUT_OPTIONS = ("invalid_option", "invalid_policy", "unknown_profile", "unknown_format")

HELP = """\
ebbline keeps an LLM agent's session inside its context window.

Usage: ebbline detect  [--json] FILE...
       ebbline plan    [options] FILE...
       ebbline inspect [options] FILE...
       ebbline compact [options] [-o OUT] FILE
       ebbline validate [--also RULE] [--except RULE] FILE...
       ebbline repair  [--also RULE] [--except RULE] [-o OUT] FILE
       ebbline summary-request [options] [--answer ANSWER] FILE
       ebbline replay  [options] FILE...
       ebbline audit   [--check] FILE...
       ebbline profiles [--json]

This is the command line of the Python package. Its commands and options mean what they mean in `npx ebbline`, whose
`--help` explains each, and their --json is the same, byte for byte. plan, inspect, validate, replay and audit print JSON with
and without --json: the tables and charts for people are in `npx ebbline`. These are only there as well:

  summarize, undo, recall, compare, sweep; compact --record; folders for audit; charts, --csv, and the
  rules of a provider's cache for replay; files that are no UTF-8

Policy        --profile NAME, --set PATH=VALUE, --context N, --output-limit N, --known-tokens N, --overhead N, --idle MS,
              --force
Input         --format NAME, --conversation N, --strict, --also RULE, --except RULE; FILE is - for standard input
Output        -o OUT, --summary FILE, --now MOMENT, --free-bytes, --focus WORDS, --budget N, --answer ANSWER, --json, --check
Replay        --usage WORD, --rates A,B,C
Others        -h, --help, -V, --version

Exit codes
  0  done, or nothing to do
  1  a file cannot be read or written, is no session, or is not valid (repair: something cannot be mended)
  2  the command line is wrong
  3  plan --check: something is to be done; audit --check: something was lost
  4  a fault of ebbline itself
  130  interrupted
"""


class _FileError(Exception):
    """A file that cannot be read or written."""


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns the exit code."""
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except BrokenPipeError:
        # A reader that closes the pipe has seen enough. Python would complain once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    except (UsageError, EbblineError, _FileError) as error:
        return _complain(error, None)
    except Exception as error:
        _note(f"a fault of ebbline itself: {type(error).__name__}: {error}; please report it with the command that led to it")
        return FAULT


def _run(arguments: list[str]) -> int:
    command, files, values = parse(arguments)
    if values.get("help"):
        return _print(HELP)
    if values.get("version"):
        return _print(f"{ebbline.__version__}\n")
    if command is None:
        raise UsageError("there is no command")
    if command == "profiles":
        if files:
            raise UsageError("profiles takes no file")
        return _profiles(values)
    if not files:
        raise UsageError(f"{command} needs a FILE, or - for standard input")
    if command in ("compact", "repair", "summary-request") and len(files) > 1:
        raise UsageError(f"{command} takes one FILE at a time")
    worst = OK
    if command == "audit":
        return _audit(files, values)
    handle = _OF_EACH[command]
    for name in files:
        try:
            code = handle(name, values, options_of(values))
        except (UsageError, EbblineError, _FileError) as error:
            code = _complain(error, name)
        worst = _worse(worst, code)
    return worst


def _worse(one: int, other: int) -> int:
    return max(one, other, key=_ORDER.index)


def _complain(error: Exception, name: str | None) -> int:
    is_usage = isinstance(error, UsageError) or (isinstance(error, EbblineError) and error.code in _ABOUT_OPTIONS)
    where = "" if name is None or is_usage or isinstance(error, _FileError) else f"{_said(name)}: "
    _note(f"{where}{error}")
    if isinstance(error, UsageError):
        sys.stderr.write("Try `ebbline --help`.\n")
    return USAGE if is_usage else INPUT


def _note(sentence: str) -> None:
    printable = "".join(letter if letter.isprintable() else "\ufffd" for letter in sentence)
    sys.stderr.buffer.write(f"ebbline: {printable}\n".encode(errors="replace"))
    sys.stderr.flush()


def _print(text: str) -> int:
    sys.stdout.buffer.write(text.encode(errors="replace"))
    sys.stdout.flush()
    return OK


def _said(name: str) -> str:
    return "standard input" if name == "-" else name


def _bytes(name: str) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise _FileError(f"cannot read {_said(name)}: {_why(error)}") from None


def _why(error: OSError) -> str:
    reasons: dict[type, str] = {
        FileNotFoundError: "there is no such file or folder",
        IsADirectoryError: "it is a folder",
        NotADirectoryError: "a part of its path is no folder",
        PermissionError: "it is not allowed",
    }
    return reasons.get(type(error), str(error.strerror or error))


def _text(name: str) -> str:
    return _utf8(name).removeprefix("\ufeff")


def _utf8(name: str) -> str:
    content = _bytes(name)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _FileError(
            f"cannot read {_said(name)}: line {line}, byte {error.start} is no UTF-8; `npx ebbline` reads such files"
        ) from None


def _json(value: Any) -> int:
    return _print(stringify(value) + "\n")


def _detect(name: str, values: Values, _: dict[str, Any]) -> int:
    found = ebbline.detect(_utf8(name))
    if values.get("json"):
        return _json({"file": name, "format": found.format, "title": found.title, "supported": True, "evidence": found.evidence})
    return _print(f"{_said(name)}: {found.title} ({found.format}); {found.evidence}\n")


def _plan(name: str, values: Values, options: dict[str, Any]) -> int:
    plan = ebbline.plan(_utf8(name), **options).json
    _json(plan)
    return WORK if values.get("check") and (plan["prune"]["applied"] or plan["retain"]["applied"]) else OK


def _inspect(name: str, _: Values, options: dict[str, Any]) -> int:
    return _json({"file": name, **inspected(_utf8(name), options)})


def _validate(name: str, _: Values, options: dict[str, Any]) -> int:
    found = ebbline.validate(_utf8(name), **options)
    _json({"file": name, "valid": found.valid, "format": found.format, "violations": found.violations, "pending": found.pending})
    return OK if found.valid else INPUT


def _replay(name: str, _: Values, options: dict[str, Any]) -> int:
    return _json({"file": name, **ebbline.replay(_utf8(name), **options)})


def _audit(files: list[str], values: Values) -> int:
    found: list[tuple[str, dict[str, Any]]] = []
    worst = OK
    for name in files:
        try:
            found.append((name, ebbline.audit(_utf8(name))))
        except (EbblineError, _FileError) as error:
            worst = _worse(worst, _complain(error, name))
    found.sort(key=lambda one: _weights(one[1]), reverse=True)
    for name, lost in found:
        _json({"file": name, **lost})
    is_lost = any(lost["worst"] for _, lost in found)
    return _worse(worst, WORK) if values.get("check") and is_lost else worst


def _weights(lost: dict[str, Any]) -> tuple[int, ...]:
    """How bad a loss is: first in the order of the kinds of findings, then of compactions."""
    return (
        lost["orders"]["lost"] or 0,
        lost["words"]["compactions"] - lost["words"]["goalKept"],
        lost["references"]["reReferenced"],
        lost["reReads"]["exact"],
        lost["decisions"]["neverReturn"],
        lost["compactions"],
    )


def _compact(name: str, values: Values, options: dict[str, Any]) -> int:
    _check_out("compact", values)
    if name == "-" and values.get("summary") == "-":
        raise UsageError("the session and its summary cannot both come from standard input")
    text = _utf8(name)
    summary = None
    if "summary" in values:
        summary = _text(values["summary"])
        if not summary.strip():
            raise _FileError(f"{_said(values['summary'])} holds no summary: it is empty, or only white space")
    found = ebbline.compact(text, summary=summary, **options)
    plan, compacted = found.plan.json, found.text or ""
    retain = plan["retain"]
    is_needed = retain["applied"] and summary is None
    summarised = retain["messages"] if retain["applied"] and summary is not None else 0
    applied = {"pruned": plan["prune"]["outputs"] if plan["prune"]["applied"] else 0, "summarised": summarised}
    after = plan["tokensAfter"]
    if summarised:
        # A plan is made before there is a summary, and only assumes its size.
        after = ebbline.plan(compacted, **{**options, "force": None}).tokens_before
    _deliver(compacted, values)
    if values.get("json"):
        return _json(
            {"file": name, "out": values["out"], "applied": applied, "summaryNeeded": is_needed, "tokensAfter": after, "plan": plan}
        )
    _note(f"{_said(name)}: {applied['pruned']:,} outputs pruned, {summarised:,} messages summarised, {after:,} tokens are left")
    if is_needed:
        _note(f"{retain['messages']:,} messages should be summarised: pass the summary with --summary FILE")
    return OK


def _repair(name: str, values: Values, options: dict[str, Any]) -> int:
    _check_out("repair", values)
    found = ebbline.repair(_utf8(name), **options)
    _deliver(found.text, values)
    if values.get("json"):
        _json({"file": name, "out": values["out"], "done": found.done, "left": found.left})
    else:
        _note(f"{_said(name)}: {len(found.done):,} faults mended, {len(found.left):,} cannot be mended")
        for fault in [*found.done, *found.left]:
            _note(f"  line {fault['line']}: {fault['text']} ({fault['rule']})")
    return INPUT if found.left else OK


def _summary_request(name: str, values: Values, options: dict[str, Any]) -> int:
    if name == "-" and values.get("answer") == "-":
        raise UsageError("the session and the answer cannot both come from standard input")
    text = _utf8(name)
    task = ebbline.summary_request(text, **options)
    if task is None:
        _note(f"{_said(name)}: nothing is to be summarised")
        return OK
    if "answer" in values:
        return _print(ebbline.finish_summary(task, _text(values["answer"])) + "\n")
    if values.get("json"):
        plan = ebbline.plan(text, **{name: value for name, value in options.items() if name not in ("focus", "budget_tokens")})
        request = {name: value for name, value in task.request.json.items() if value is not None}
        return _json({"file": name, "request": request, "context": task.context, "plan": plan.json})
    said = [{"role": "system", "content": task.request.system}, *task.request.messages]
    return _print("\n".join(f"# {message['role']}\n\n{message['content']}\n" for message in said))


def _profiles(values: Values) -> int:
    for profile in ebbline.profiles():
        if values.get("json"):
            _json({"name": profile.name, "about": profile.about, "policy": profile.policy})
        else:
            _print(f"{profile.name}\n  {profile.about}\n")
    return OK


_OF_EACH: dict[str, Callable[[str, Values, dict[str, Any]], int]] = {
    "detect": _detect,
    "plan": _plan,
    "inspect": _inspect,
    "compact": _compact,
    "validate": _validate,
    "repair": _repair,
    "summary-request": _summary_request,
    "replay": _replay,
}


def _check_out(command: str, values: Values) -> None:
    out = values.get("out")
    if out == "":
        raise UsageError("-o needs the name of a file, or - for standard output")
    if values.get("json") and out in (None, "-"):
        raise UsageError(f"{command} --json needs -o OUT: standard output is either the session or the report")


def _deliver(text: str, values: Values) -> None:
    """Writes a session: a file is replaced as a whole or not at all."""
    out = values.get("out")
    if out in (None, "-"):
        sys.stdout.buffer.write(text.encode())
        sys.stdout.flush()
        return
    try:
        target = os.path.realpath(out)
        found = os.stat(target) if os.path.exists(target) else None
        if found is not None and not stat.S_ISREG(found.st_mode):
            with open(target, "wb") as file:
                file.write(text.encode())
            return
        if found is not None and not os.access(target, os.W_OK):
            raise PermissionError
        _replace(target, text, found)
    except OSError as error:
        raise _FileError(f"cannot write {out}: {_why(error)}") from None


def _replace(target: str, text: str, found: os.stat_result | None) -> None:
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(target), prefix=".ebbline-", delete=False) as file:
        try:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
            if found is None:
                mask = os.umask(0)
                os.umask(mask)
                os.chmod(file.name, 0o666 & ~mask)
            else:
                os.chmod(file.name, stat.S_IMODE(found.st_mode) & 0o777)
            os.replace(file.name, target)
        except BaseException:
            os.unlink(file.name)
            raise
