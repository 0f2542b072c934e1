"""The text of ``--help``."""

from __future__ import annotations

from pathlib import Path

# What `npx ebbline` has beside this command line.
_ELSEWHERE = """
Only in `npx ebbline` and the native program
  recall, sweep
  compact, summarize --record (undo takes a record that another command line wrote)
  replay, compare --moments, --cache-minimum, --cache-lives; replay --cache-check
  compare --json with --loss; compare with the knob prune.placeholder
  audit --format, --conversation, --strict
  files of lines of which some are not UTF-8
"""


def help_text() -> str:
    """That of the npm command line, word for word, and what is only there."""
    return Path(__file__).with_name("help.txt").read_text("utf-8") + _ELSEWHERE
