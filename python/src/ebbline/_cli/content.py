"""Bytes as they cross to the component and back."""

from __future__ import annotations

from typing import Any

from .._engine import Instance


def content_of(instance: Instance, found: bytes) -> Any:
    """Bytes as the component takes them: as their text, or if they are none as a character for each."""
    try:
        return instance.record(characters=found.decode(), are_bytes=False)
    except UnicodeDecodeError:
        return instance.record(characters=found.decode("latin-1"), are_bytes=True)


def bytes_of(content: Any) -> bytes:
    """The bytes that the component gave."""
    return content.characters.encode("latin-1" if getattr(content, "are-bytes") else "utf-8")
