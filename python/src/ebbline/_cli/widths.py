"""The widths of texts as JavaScript has them: UTF-16 units where a table is laid out, characters where it is cut."""

from __future__ import annotations


def length(text: str) -> int:
    """The number of UTF-16 units."""
    return len(text) if text.isascii() else sum(2 if letter > "\uffff" else 1 for letter in text)


def pad_end(text: str, width: int) -> str:
    """The text with spaces behind it."""
    return text + " " * (width - length(text))


def pad_start(text: str, width: int) -> str:
    """The text with spaces in front of it."""
    return " " * (width - length(text)) + text


def fit(text: str, width: int) -> str:
    """The text, cut or padded to so many characters."""
    if len(text) <= width:
        return text + " " * (width - len(text))
    return f"{text[: width - 1]}…" if width > 0 else ""
