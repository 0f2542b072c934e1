"""Reads files, and standard input."""

from __future__ import annotations

import os
import sys

from .exit import FileError, why_of


def said(name: str) -> str:
    """The name of a file in messages."""
    return "standard input" if name == "-" else named(name)


def named(name: str) -> str:
    """The name of a file as a text, also if its bytes are none."""
    return name if name.isascii() else os.fsencode(name).decode(errors="replace")


def bytes_of_file(name: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``."""
    try:
        if name == "-":
            return sys.stdin.buffer.read() if sys.stdin is not None else b""
        with open(name, "rb") as file:
            return file.read()
    except ValueError:
        raise FileError(f"cannot read {said(name)}: its name holds a byte of zero") from None
    except OSError as error:
        raise FileError(f"cannot read {said(name)}: {why_of(error)}") from None


def session_of_file(name: str) -> str:
    """The text of a session, with its byte order mark."""
    return session_text(bytes_of_file(name), name)


def session_text(content: bytes, name: str) -> str:
    """Bytes of a session as a text: the component takes nothing else."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        sentence = f"{said(name)}: {_no_text(content, error)}; of a file of lines, `npx ebbline` reads the others"
        raise FileError(sentence) from None


def text_of_file(name: str) -> str:
    """The text of a file that is no session, without a byte order mark."""
    content = bytes_of_file(name)
    try:
        return content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise FileError(f"cannot read {said(name)}: {_no_text(content, error)}") from None


def _no_text(content: bytes, error: UnicodeDecodeError) -> str:
    line = content.count(b"\n", 0, error.start) + 1
    return f"the text is not UTF-8 (line {line}, byte {error.start})"


def no_text(content: bytes) -> str | None:
    """Why bytes are no text; ``None`` if they are one."""
    try:
        content.decode()
        return None
    except UnicodeDecodeError as error:
        return _no_text(content, error)
