"""What Python is asked of the component: standard input has the answers of the npm package, and what was checked is printed."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from typing import Any

import ebbline


def same(given: Any, expected: Any, what: str) -> None:
    if given != expected:
        raise SystemExit(f"{what}: {given!r}, not {expected!r}")


def main() -> None:
    expected = json.load(sys.stdin)
    options = json.loads(expected["options"])
    messages = json.loads(expected["text"])
    given = ebbline.compact(messages, **options)
    same(given.plan.json, expected["plan"], "plan")
    same(given.messages, expected["view"], "view")
    kept = [message for message in given.messages if any(message is one for one in messages)]
    if not kept:
        raise SystemExit("view: no message is the caller's own object")
    try:
        ebbline.plan('{"a": tru}')
        raise SystemExit("error: there is none")
    except ebbline.EbblineError as error:
        same(error.code, "not_json", "error")
    session = ebbline.Session(**options)
    session.extend(messages)
    same(session.decide().verdict, expected["plan"]["verdict"], "session")
    compactor = ebbline.Compactor(summarize="deterministic", **options)
    same(len(compactor.prepare(messages)) > 0, True, "compactor")
    print(json.dumps({"version": importlib.metadata.version("wasmtime"), "checked": ["compact", "same objects", "errors", "session", "compactor"]}))


main()
