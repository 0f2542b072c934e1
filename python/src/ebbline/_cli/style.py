"""Colours by their meaning, and texts that are safe to print."""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass

from .output import Stream

_UNSAFE = ("Cc", "Cf", "Cs", "Zl", "Zp")
_IN_LINES = re.compile(r"[^\n\t]+")


@dataclass(frozen=True)
class Style:
    """Paints texts, or leaves them as they are."""

    colored: bool

    def strong(self, text: str) -> str:
        """A name or a total."""
        return self._painted("1", text)

    def dim(self, text: str) -> str:
        """What is read last."""
        return self._painted("2", text)

    def pruned(self, text: str) -> str:
        """What is pruned."""
        return self._painted("33", text)

    def summarised(self, text: str) -> str:
        """What is summarised."""
        return self._painted("35", text)

    def boundary(self, text: str) -> str:
        """A boundary."""
        return self._painted("36", text)

    def good(self, text: str) -> str:
        """That nothing is wrong."""
        return self._painted("32", text)

    def _painted(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colored and text else text


def style_for(when: str | None, stream: Stream) -> Style:
    """How to paint what is written to a stream; ``when`` is the option ``--color``."""
    if when in ("always", "never"):
        return Style(when == "always")
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Style(stream.is_terminal and not is_plain)


def printable(text: str) -> str:
    """Text from a session or file name, without control characters, which could control the terminal."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if unicodedata.category(letter) in _UNSAFE else letter for letter in text)


def printable_lines(text: str) -> str:
    """A text of several lines that is safe to print."""
    return _IN_LINES.sub(lambda line: printable(line[0]), text)
