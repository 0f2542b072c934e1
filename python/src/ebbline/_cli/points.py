"""How the points of a sweep are named and drawn, on the terminal and in a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .figures import amount
from .javascript import stringify

# A chart leaves out what loses more than so many times what the frontier loses: that would press all others to the
# ground.
_FAR = 4
_LEAST = 10
# How many of them are named.
_NAMED = 3

Point = dict[str, Any]


@dataclass(frozen=True)
class Panel:
    """The points of a window, and those that its chart leaves out."""

    window: int | None
    points: list[Point]
    far: list[Point]


def panels_of(points: Sequence[Point]) -> list[Panel]:
    """The points with their numbers, by window: only those of the same window are compared."""
    numbered = [{**point, "number": at} for at, point in enumerate(points, 1)]
    panels: list[Panel] = []
    for window in dict.fromkeys(point["window"] for point in points):
        own = [point for point in numbered if point["window"] == window]
        most = _FAR * max([_LEAST, *(point["neededAgain"] for point in line_of(own))])
        far = [point for point in own if not point["onFrontier"] and point["neededAgain"] > most]
        panels.append(Panel(window, [point for point in own if point not in far], far))
    return panels


def far_of(far: Sequence[Point]) -> str:
    """What a chart leaves out, in words."""
    names = [f"#{point['number']}" if point["set"] else point["profile"] for point in far[:_NAMED]]
    named = ", ".join(f"{name} ({amount(point['neededAgain'])})" for name, point in zip(names, far))
    more = len(far) - _NAMED
    return f"far above: {named}{f' and {amount(more)} more' if more > 0 else ''}"


def settings_of(point: Point) -> str:
    """The knobs that the grid turned."""
    settings: dict[str, Any] = point["set"]
    return " ".join(
        f"{path}={value if isinstance(value, str) else stringify(value)}" for path, value in settings.items()
    )


def line_of(points: Sequence[Point]) -> list[Point]:
    """The points of the frontier on which every request could be sent, or as many as anywhere, from cheap to
    careful."""
    least = min(point["overWindow"] for point in points)
    best = [point for point in points if point["onFrontier"] and point["overWindow"] == least]
    return sorted(best, key=lambda point: (cost_of(point), -point["neededAgain"]))


def cost_of(point: Point) -> float:
    """The cost in percent of doing nothing."""
    share = point["ofNothing"]
    return (1 if share is None else share) * 100


def drawn_order(points: Sequence[Point]) -> list[Point]:
    """Points of the frontier are drawn last, over the others."""
    return sorted(points, key=lambda point: bool(point["onFrontier"]))


@dataclass
class _Place:
    best: Point
    profiles: list[str]
    numbers: list[str]


def labelled(points: Sequence[Point]) -> list[tuple[Point, str]]:
    """What stands beside a point in a chart: the name of a profile that the grid did not turn, or the number of a turned
    one on the frontier. Points in the same place share a label. They come in the order of their importance."""
    places: dict[tuple[float | None, int], _Place] = {}
    for point in points:
        if point["set"] and not point["onFrontier"]:
            continue
        place = places.setdefault((point["ofNothing"], point["neededAgain"]), _Place(point, [], []))
        if point["set"]:
            place.numbers.append(f"#{point['number']}")
        else:
            place.profiles.append(point["profile"])
        place.best = place.best if place.best["onFrontier"] else point
    labels = [(place.best, _shortened([*place.profiles, *place.numbers])) for place in places.values()]
    return sorted(labels, key=lambda label: not label[0]["onFrontier"])


def _shortened(names: list[str]) -> str:
    return f"{names[0]} and {len(names) - 1} more" if len(names) > 2 else ", ".join(names)
