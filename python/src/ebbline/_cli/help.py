"""The text of ``--help``."""

from __future__ import annotations

from pathlib import Path

# What `npx ebbline` has beside this command line: the component takes texts, and not bytes.
_ELSEWHERE = """
Only in `npx ebbline` and the native program
  files of lines of which some are not UTF-8: here, a session is read as one text
"""


def help_text() -> str:
    """That of the npm command line, word for word, and what is only there."""
    return Path(__file__).with_name("help.txt").read_text("utf-8") + _ELSEWHERE
