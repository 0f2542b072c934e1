"""The known name that is most similar to an unknown one, by the engine's rule (crates/ebbline/src/nearest.rs)."""

from __future__ import annotations

import re
from collections.abc import Iterable

# With more mistakes than this it is another word.
_MOST_MISTAKES = 3
_BETWEEN_PARTS = re.compile("[^a-z0-9]")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The name nearest to ``word``: a few letters off, or the only one that has the word as one of its parts."""
    names = list(known)
    # A text much longer than every known name is not a misspelt name.
    if len(word.encode(errors="replace")) > 4 * max((len(name) for name in names), default=0):
        return None
    word = _lower(word)
    limit = min(max(len(word) // 3, 1), _MOST_MISTAKES)
    counted = [(_mistakes(word, _lower(name)), name) for name in names]
    near = [(mistakes, name) for mistakes, name in counted if mistakes <= limit and mistakes < len(name)]
    if near:
        return min(near, key=lambda one: one[0])[1]
    with_part = [name for name in names if word in _BETWEEN_PARTS.split(_lower(name))]
    return with_part[0] if word != "" and len(with_part) == 1 else None


def _lower(word: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in word)


def _mistakes(first: str, second: str) -> int:
    """How many letters are missing, superfluous, wrong, or swapped (restricted Damerau-Levenshtein distance)."""
    older: list[int] = []
    above = list(range(len(second) + 1))
    for index, letter in enumerate(first):
        row = [index + 1]
        for column, other in enumerate(second):
            least = min(above[column] + (letter != other), above[column + 1] + 1, row[column] + 1)
            if index > 0 and column > 0 and first[index - 1] == other and second[column - 1] == letter:
                least = min(least, older[column - 1] + 1)
            row.append(least)
        older, above = above, row
    return above[-1]
