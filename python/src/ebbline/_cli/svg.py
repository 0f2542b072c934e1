"""Charts as SVG files that need nothing else: no script, no font, no style sheet. They are light or dark as the reader
prefers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import figures
from .exit import UsageError
from .figures import amount
from .javascript import written
from .output import bytes_of
from .scale import Scale
from .write import write_file_safely

# The page, and the room around the chart for axes and words.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 960, 600, 86, 32, 74, 104
_END, _BASE = WIDTH - RIGHT, HEIGHT - BOTTOM

_STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--ink); }
.page { fill: var(--page); }
.title { font-size: 17px; font-weight: 600; }
.quiet { fill: var(--quiet); }
.tick { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--quiet); stroke-width: 1; }
.label { font-size: 12px; paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
svg { --page: #ffffff; --ink: #1c2330; --quiet: #5d6778; --grid: #e6e9ee; --best: #0a7d55; --other: #8a94a6; --fill: #cfe0f5;
  --line: #2f6db5; --pruned: #b36b00; --summarised: #8b3fb0; --limit: #c0392b; }
@media (prefers-color-scheme: dark) {
  svg { --page: #14181f; --ink: #e8ebf0; --quiet: #9aa5b5; --grid: #2a313c; --best: #3ecf98; --other: #7d8797; --fill: #22384f;
    --line: #6aa9ee; --pruned: #e5a23d; --summarised: #c58be0; --limit: #ff7b6b; }
}"""
# What XML does not have.
_NO_XML = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_NAMES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
# Roughly how wide a letter of a label is, rather more than less; a file cannot measure text.
_LETTER = 7.4


def write_svg(name: str, svg: str) -> None:
    """Writes a chart to the file that ``--svg`` names."""
    if name in ("", "-"):
        raise UsageError("--svg needs the name of a file")
    write_file_safely(name, bytes_of(svg))


def svg_file(title: str, about: str, style: str, panels: Sequence[Sequence[str]]) -> str:
    """A whole file; ``about`` says in words what the chart shows. Panels stand below each other."""
    height = HEIGHT * len(panels)
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    first, *others = panels
    lower = (
        f'<g transform="translate(0 {at * HEIGHT})">\n' + "\n".join([*panel, "</g>"])
        for at, panel in enumerate(others, 1)
    )
    body = "\n".join([*first, *lower])
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title about">
<title id="title">{escaped(title)}</title>
<desc id="about">{escaped(about)}</desc>
<style>{_STYLE}{style}
</style>
<rect class="page" width="{WIDTH}" height="{height}"/>
{body}
</svg>
"""


def escaped(text: str) -> str:
    """Text as XML."""
    return _NO_XML.sub("\ufffd", text).translate(_NAMES)


def words(x: float, y: float, text: str, kind: str = "", anchor: str = "start", turn: str = "") -> str:
    """A text at a place."""
    of_kind = f' class="{kind}"' if kind else ""
    turned = f' transform="{turn}"' if turn else ""
    place = f'x="{rounded(x)}" y="{rounded(y)}"'
    return f'<text {place}{of_kind} text-anchor="{anchor}"{turned}>{escaped(text)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, kind: str) -> str:
    """A line."""
    return f'<line class="{kind}" x1="{rounded(x)}" y1="{rounded(y)}" x2="{rounded(to_x)}" y2="{rounded(to_y)}"/>'


def rounded(figure: float) -> str:
    """A coordinate, short enough to read."""
    return written(figures.rounded(figure * 10) / 10)


@dataclass(frozen=True)
class Axes:
    """A scale to the right and one upwards."""

    x: Scale
    y: Scale

    def x_of(self, figure: float) -> float:
        """Where a figure lies to the right."""
        return LEFT + (figure - self.x.first) / (self.x.last - self.x.first) * (_END - LEFT)

    def y_of(self, figure: float) -> float:
        """Where a figure lies upwards."""
        return _BASE - (figure - self.y.first) / (self.y.last - self.y.first) * (_BASE - TOP)

    def lines(self, x_title: str, y_title: str, x_label: Callable[[float], str] = amount, drop: int = 0) -> list[str]:
        """The axes with a grid; ``drop`` is the room for marks between the axis and its figures."""
        middle = (TOP + _BASE) / 2
        return [
            *(line(LEFT, self.y_of(tick), _END, self.y_of(tick), "grid") for tick in self.y.ticks),
            *(words(LEFT - 10, self.y_of(tick) + 4, amount(tick), "tick", "end") for tick in self.y.ticks),
            *(line(self.x_of(tick), _BASE, self.x_of(tick), _BASE + 5, "axis") for tick in self.x.ticks),
            *(words(self.x_of(tick), _BASE + drop + 20, x_label(tick), "tick", "middle") for tick in self.x.ticks),
            line(LEFT, _BASE, _END, _BASE, "axis"),
            words((LEFT + _END) / 2, _BASE + drop + 44, x_title, "quiet", "middle"),
            words(22, middle, y_title, "quiet", "middle", f"rotate(-90 22 {rounded(middle)})"),
        ]


def width_of(label: str) -> float:
    """Roughly how wide a label is."""
    return len(label) * _LETTER


def shortened(text: str, longest: int) -> str:
    """A text that fits on a line; of a long one, such as a path, the end says more than the beginning."""
    return f"…{text[1 - longest :]}" if len(text) > longest else text
