"""The files that names on the command line mean: a folder means every file below it, in the order of their names."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .exit import FileError, why_of
from .files import named

Refuse = Callable[[Exception], None]


@dataclass(frozen=True)
class Listed:
    """A file to work on; one that was found in a folder may be no session at all."""

    name: str
    is_found: bool
    size: int


def listed(names: list[str], refuse: Refuse) -> list[Listed]:
    """The files; ``refuse`` takes what cannot be listed."""
    files: list[Listed] = []
    # A session is one, however many links lead to it.
    seen: set[tuple[int, int]] = set()
    for name in names:
        found = None if name == "-" else _found(name)
        if found is None or not stat.S_ISDIR(found.st_mode):
            files.append(Listed(name, False, 0 if found is None else found.st_size))
            continue
        below = list(_below(name, refuse))
        if not below:
            refuse(FileError(f"{named(name)} holds no file"))
        for file, number in below:
            if number not in seen:
                files.append(file)
            if number[1] != 0:
                seen.add(number)
    return files


def _below(folder: str, refuse: Refuse) -> Iterator[tuple[Listed, tuple[int, int]]]:
    """The files below a folder, with what is the same for all names of a file. Links to files are followed, links to
    folders are not: they may lead back."""
    try:
        # JavaScript orders names by their UTF-16 units.
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name.encode("utf-16-be", "surrogatepass"))
    except OSError as error:
        refuse(FileError(f"cannot read {named(folder)}: {why_of(error)}"))
        return
    for entry in entries:
        name = os.path.normpath(os.path.join(folder, entry.name))
        if entry.is_dir(follow_symlinks=False):
            yield from _below(name, refuse)
            continue
        found = _found(name) if entry.is_file(follow_symlinks=False) or entry.is_symlink() else None
        if found is not None and stat.S_ISREG(found.st_mode):
            yield Listed(name, True, found.st_size), (found.st_dev, found.st_ino)


def _found(name: str) -> os.stat_result | None:
    """What a name refers to; ``None`` if it does not exist. Whoever reads the file says why it cannot be read."""
    try:
        return os.stat(name)
    except (OSError, ValueError):
        return None
