"""The record of a compaction: what is needed to go back."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from .exit import FileError
from .files import said, text_of_file
from .output import bytes_of

_KIND = "compaction"
_VERSION = 1
# What closes a document behind its last message.
_CLOSING = b" \t\r\n]}"
_MOST = 2**53 - 1
_NO_BASE64 = re.compile("[^A-Za-z0-9+/]")
# Letters of Latin-1 stand for bytes, so that what is no text stays as it is.
_LINK = re.compile(r'("(?:parentUuid|parentId)"[\t\n\v\f\r \xa0]*:[\t\n\v\f\r \xa0]*)"([^"\\]+)"')

Record = dict[str, Any]


@dataclass(frozen=True)
class Undone:
    """A session as it was, how many bytes were added since, and how many of their links were changed."""

    content: bytes
    added: int = 0
    links: int = 0


def record_of(before: bytes, after: bytes, replaced: Iterable[tuple[int, int, int]], about: Record) -> Record:
    """The record of a compaction. ``replaced`` are ranges of the bytes before it, and how many stand there now; ``about``
    is recorded beside it."""
    edits: list[Record] = []
    grown = 0
    for start, end, length in replaced:
        edits.append({"at": start + grown, "length": length, "text": before[start:end].decode()})
        grown += length - (end - start)
    last = edits[-1]["at"] + edits[-1]["length"] if edits else 0
    kept = after[: max(len(after.rstrip(_CLOSING)), last)]
    sums = {"before": _sum_of(before), "after": _sum_of(after), "kept": _sum_of(kept)}
    return {"ebbline": _KIND, "version": _VERSION, **about, **sums, "edits": edits}


def _sum_of(content: bytes) -> Record:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def read_record(name: str) -> Record:
    """Reads a record from a file."""
    text = text_of_file(name)
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    if isinstance(record, dict):
        found = cast(Record, record)
        version = found.get("version")
        if found.get("ebbline") == _KIND and isinstance(version, (int, float)) and version > _VERSION:
            known = "which this version of ebbline does not know"
            raise FileError(f"{said(name)} is a record of version {json.dumps(version)}, {known}")
        if _is_record(found):
            return found
    writers = "compact --record and summarize --record write one"
    raise FileError(f"{said(name)} is no record of a compaction: {writers}")


def _is_record(record: Record) -> bool:
    sums = (record.get(name) for name in ("before", "after", "kept"))
    edits: Any = record.get("edits")
    is_known = record.get("ebbline") == _KIND and record.get("version") == _VERSION
    return (
        is_known and all(map(_is_sum, sums)) and isinstance(edits, list) and all(map(_is_edit, cast(list[Any], edits)))
    )


def _is_sum(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    found = cast(Record, value)
    return _is_count(found.get("bytes")) and isinstance(found.get("sha256"), str)


def _is_edit(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    edit = cast(Record, value)
    is_content = isinstance(edit.get("text"), str) or isinstance(edit.get("base64"), str)
    return _is_count(edit.get("at")) and _is_count(edit.get("length")) and is_content


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _fits(record: Record, name: str, content: bytes) -> bool:
    """Whether bytes are those that a sum in a record is of."""
    sum_of = record[name]
    return len(content) == sum_of["bytes"] and hashlib.sha256(content).hexdigest() == sum_of["sha256"]


def undone(content: bytes, record: Record, name: str) -> Undone:
    """The session as it was before a compaction, with what was added since; ``name`` is that of its file."""
    is_same = _fits(record, "after", content)
    if not is_same and _fits(record, "before", content):
        raise FileError(f"{said(name)} is as it was before this compaction: there is nothing to undo")
    kept = content if is_same else content[: record["kept"]["bytes"]]
    if not is_same and not _fits(record, "kept", kept):
        first = f"the first {record['kept']['bytes']} bytes are not those that the compaction wrote"
        raise FileError(f"the record does not fit {said(name)}: {first}")
    original, removed = _without_edits(kept, record["edits"], name)
    if is_same:
        if not _fits(record, "before", original):
            raise FileError(f"the record is damaged: it does not give back what {said(name)} was")
        return Undone(original)
    added = content[len(kept) :]
    rest, links = _relinked(added, removed, original)
    needs_break = removed != b"" and added.startswith(b"{") and original != b"" and not original.endswith(b"\n")
    return Undone(original + (b"\n" if needs_break else b"") + rest, len(added), links)


def _without_edits(content: bytes, edits: Iterable[Record], name: str) -> tuple[bytes, bytes]:
    """What stood there before the edits, and what they wrote."""
    pieces: list[bytes] = []
    removed: list[bytes] = []
    copied = 0
    for edit in edits:
        at, end = edit["at"], edit["at"] + edit["length"]
        if at < copied or end > len(content):
            raise FileError(f"the record is damaged: it names bytes that {said(name)} does not have")
        pieces += [content[copied:at], _content_of(edit)]
        removed.append(content[at:end])
        copied = end
    pieces.append(content[copied:])
    return b"".join(pieces), b"\n".join(removed)


def _content_of(edit: Record) -> bytes:
    if isinstance(edit.get("text"), str):
        return bytes_of(edit["text"])
    letters = _NO_BASE64.sub("", edit["base64"].replace("-", "+").replace("_", "/").split("=")[0])
    whole = letters[: len(letters) - (len(letters) % 4 == 1)]
    return base64.b64decode(whole + "=" * (-len(whole) % 4))


def _relinked(rest: bytes, removed: bytes, original: bytes) -> tuple[bytes, int]:
    """In a session that is a tree, what was added follows the entries that the compaction wrote. Those go, so it has to
    follow what they followed."""
    parents: dict[str, str] = {}
    last: str | None = None
    for line in removed.decode(errors="replace").split("\n"):
        entry = _entry_of(line)
        own = _first(entry, "uuid", "id")
        if not isinstance(own, str):
            continue
        parent = _first(entry, "parentUuid", "logicalParentUuid", "parentId") or last
        if isinstance(parent, str):
            parents[own] = parent
        last = own
    if not parents:
        return rest, 0
    before = original.decode(errors="replace")
    links = 0

    def link(found: re.Match[str]) -> str:
        nonlocal links
        own = to = found[2].encode("latin-1").decode(errors="replace")
        for _ in parents:
            to = parents.get(to, to)
        if to == own or f'"{own}"' in before:
            return found[0]
        links += 1
        return f'{found[1]}"{bytes_of(to).decode("latin-1")}"'

    text = _LINK.sub(link, rest.decode("latin-1"))
    return (text.encode("latin-1"), links) if links else (rest, 0)


def _entry_of(line: str) -> Record:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return cast(Record, entry) if isinstance(entry, dict) else {}


def _first(entry: Record, *names: str) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), None)
