"""Goes back behind a compaction: the whole session, or one output."""

from __future__ import annotations

import json

from .._engine import call
from .._errors import EbblineError
from .deliver import deliver, is_delivered
from .exit import OK, FileError, UsageError
from .figures import counted
from .files import bytes_of_file, named, said, session_text
from .javascript import stringify
from .options import plan_options
from .record import Undone, read_record, undone
from .run import Run
from .file_state import seen_of
from .style import printable_lines

# The faults of a text that is no JSON any more.
_BROKEN = ("empty", "not_json", "torn_line")


def undo_file(name: str, run: Run) -> int:
    """Gives back the session as it was before; messages that came since stay."""
    record_name = run.values.get("record")
    if record_name is None:
        raise UsageError("undo needs --record RECORD, which compact --record or summarize --record wrote")
    if name == "-" and record_name == "-":
        raise UsageError("the session and the record cannot both come from standard input")
    is_delivered("undo", run.values)
    record = read_record(record_name)
    seen = seen_of(name)
    now = bytes_of_file(name)
    _check_whole(now, name)
    found = undone(now, record, name)
    deliver(found.content, seen, run)
    edits = len(record["edits"])
    if run.is_json:
        report = {"undone": edits, "added": found.added, "links": found.links}
        run.out.write(f"{stringify({'file': named(name), 'out': named(run.values['out']), **report})}\n")
    else:
        run.tell(name, _account_of(edits, found))
    return OK


def recall_output(name: str, id_of_call: str, run: Run) -> int:
    """Prints the whole output of a call."""
    record_name = run.values.get("record")
    if name == "-" and record_name == "-":
        raise UsageError("the session and the record cannot both come from standard input")
    options = plan_options(run.values)
    record = None if record_name is None else read_record(record_name)
    content = bytes_of_file(name)
    text = session_text(content if record is None else undone(content, record, name).content, name)
    found: str | None = call("output-of-call", text, named(id_of_call), stringify(options))
    if found is None:
        raise FileError(f"{said(name)}: no result answers a call with the id {named(id_of_call)}")
    output = json.loads(found)
    if not output["whole"]:
        with_record = ": pass the record of the compaction with --record"
        advice = with_record if record is None else ", because an earlier compaction pruned it"
        lost = f"the output of {named(id_of_call)} was pruned, and the file has no copy of it"
        raise FileError(f"{said(name)}: {lost}{advice}")
    if run.is_json:
        run.out.write(f"{stringify({'file': named(name), 'id': named(id_of_call), 'text': output['text']})}\n")
    else:
        run.out.write(f"{printable_lines(output['text'])}\n" if run.out.is_terminal else output["text"])
    return OK


def _check_whole(content: bytes, name: str) -> None:
    """Of a file that is cut off, nobody knows what came since."""
    try:
        call("detect", content.decode(errors="replace"))
    except EbblineError as error:
        if error.code in _BROKEN:
            raise FileError(f"{said(name)} is damaged, and nothing is undone: {error}") from None


def _account_of(edits: int, found: Undone) -> str:
    changes = "nothing was changed" if edits == 0 else f"{counted(edits, 'change')} undone"
    since = f"; {counted(found.added, 'byte')} that came since stay" if found.added > 0 else ""
    links = counted(found.links, "link")
    linked = f", and follow what the compaction followed ({links} changed)" if found.links > 0 else ""
    return f"{changes}{since}{linked}"
