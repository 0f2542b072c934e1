"""The compiled component on disk. To compile it takes seconds, to load it milliseconds."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any, Callable

_MAGIC = b"ebbline component 1\n"
_DIGEST = 32


def folder() -> Path | None:
    """Where compiled components lie: ``EBBLINE_CACHE``, or the user's cache folder. ``EBBLINE_CACHE=off`` keeps none."""
    named = os.environ.get("EBBLINE_CACHE")
    if named == "off":
        return None
    if named:
        return Path(named)
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "ebbline" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "ebbline"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ebbline"
    except RuntimeError:
        return None


def load(source: bytes, version: str, compiled: Callable[[bytes], Any], deserialized: Callable[[bytes], Any]) -> Any:
    """The component of ``source``: from the cache if it has exactly this one, otherwise compiled and put there.

    A file that is damaged, torn or of another user is not used: machine code runs without any check.
    """
    place = _place(source, version)
    if place is not None:
        code = _read(place)
        if code is not None:
            try:
                return deserialized(code)
            except Exception:  # of another build of wasmtime with the same version
                pass
    component = compiled(source)
    if place is not None:
        _write(place, component.serialize())
    return component


def _place(source: bytes, version: str) -> Path | None:
    inside = folder()
    if inside is None:
        return None
    digest = hashlib.sha256(source).hexdigest()[:24]
    # A home folder may be shared by machines of several kinds.
    machine = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "any")
    return inside / f"{digest}-wasmtime-{version}-{sys.platform}-{machine}.bin"


def _read(place: Path) -> bytes | None:
    try:
        with place.open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None
            content = file.read()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST
    if not content.startswith(_MAGIC) or len(content) <= start:
        return None
    code = content[start:]
    return code if hashlib.sha256(code).digest() == content[len(_MAGIC) : start] else None


def _write(place: Path, code: bytes) -> None:
    """Writes the file whole or not at all, so that two programs that start at once do not disturb each other."""
    import tempfile

    temporary = None
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=".new-", delete=False) as file:
            temporary = file.name
            file.write(_MAGIC + hashlib.sha256(code).digest() + code)
        os.replace(temporary, place)
    except OSError:
        # Without a cache everything works, only not as soon.
        if temporary is not None:
            try:
                os.unlink(temporary)
            except OSError:
                pass
