"""Reads a command line by the rules of Node's ``parseArgs``, and says what is wrong with it in the same words."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

# What an option takes: nothing, a value of which the last counts, or a value each time that it is given.
FLAG, VALUE, VALUES = 0, 1, 2


@dataclass(frozen=True)
class _Written:
    """An option as it was written: with its hyphens, its name, its value, and whether one argument holds both."""

    raw: str
    name: str
    value: str | None
    is_inline: bool


def parsed(
    arguments: list[str], options: Mapping[str, int], letters: Mapping[str, str]
) -> tuple[list[str], dict[str, bool | str | list[str]]]:
    """The files and the values of the options; ``letters`` are the names behind single letters.

    Raises ``ValueError`` with a sentence.
    """
    letters = {letter: name for letter, name in letters.items() if name in options}
    files: list[str] = []
    values: dict[str, bool | str | list[str]] = {}
    rest = deque(arguments)
    while rest:
        argument = rest.popleft()
        if argument == "--":
            files.extend(rest)
            break
        written = _written(argument, rest, options, letters)
        if written is None:
            if not _is_group(argument, options, letters):
                files.append(argument)
            continue
        if written.name not in options:
            first = written.raw.split("\n")[0]
            raise ValueError(f"Unknown option '{first}{chr(39) if first == written.raw else ''}")
        value = _taken(written, options[written.name], letters)
        if value is None:
            values[written.name] = True
        elif options[written.name] == VALUES:
            listed = values.setdefault(written.name, [])
            assert isinstance(listed, list)
            listed.append(value)
        else:
            values[written.name] = value
    return files, values


def _written(
    argument: str, rest: deque[str], options: Mapping[str, int], letters: Mapping[str, str]
) -> _Written | None:
    """The option that an argument is, which may take its value from the next one. A group of letters is put back as one
    argument for each of them."""

    def takes_value(name: str) -> bool:
        return options.get(name, FLAG) != FLAG

    if argument.startswith("--"):
        # A name has at least one letter, which may be the equals sign.
        at = argument.find("=", 3)
        if at >= 0:
            return _Written(argument[:at], argument[2:at], argument[at + 1 :], True)
        name = argument[2:]
        return _Written(argument, name, _next(rest) if takes_value(name) else None, False)
    if not argument.startswith("-") or argument == "-":
        return None
    name = letters.get(argument[1], argument[1])
    if len(argument) == 2:
        return _Written(argument, name, _next(rest) if takes_value(name) else None, False)
    if takes_value(name):
        return _Written(argument[:2], name, argument[2:], True)
    group: list[str] = []
    for at, letter in enumerate(argument[1:], start=1):
        if takes_value(letters.get(letter, letter)):
            group.append(f"-{argument[at:]}")
            break
        group.append(f"-{letter}")
    rest.extendleft(reversed(group))
    return None


def _next(rest: deque[str]) -> str | None:
    return rest.popleft() if rest else None


def _is_group(argument: str, options: Mapping[str, int], letters: Mapping[str, str]) -> bool:
    """Whether an argument is a group of letters, which was put back one by one."""
    if not argument.startswith("-") or argument.startswith("--") or len(argument) < 3:
        return False
    return options.get(letters.get(argument[1], argument[1]), FLAG) == FLAG


def _taken(written: _Written, kind: int, letters: Mapping[str, str]) -> str | None:
    """The value of an option, if it has the one that it takes."""
    short = next((f"-{letter}, " for letter, name in letters.items() if name == written.name), "")
    name = f"{short}--{written.name}"
    if kind == FLAG:
        if written.value is not None:
            raise ValueError(f"Option '{name}' does not take an argument")
        return None
    if written.value is None:
        raise ValueError(f"Option '{name} <value>' argument missing")
    if not written.is_inline and len(written.value) > 1 and written.value.startswith("-"):
        raise ValueError(f"Option '{written.raw}' argument is ambiguous.")
    return written.value
