"""Plots as SVG, written by hand: a page that holds them needs no other file, and to write them no other package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 20, 50

# Of Tol's bright and muted schemes: they can be told apart by everybody.
COLOURS = (
    *("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb"),
    *("#332288", "#882255", "#117733", "#ddcc77", "#999933", "#88ccee", "#cc6677"),
)


@dataclass(frozen=True, slots=True)
class Point:
    """`title` is shown where the pointer rests."""

    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Axis:
    """From `least` to `most`, in powers of ten unless `linear`; `unit` writes a value."""

    label: str
    least: float
    most: float
    unit: Callable[[float], str]
    linear: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        if self.linear:
            return (value - self.least) / (self.most - self.least)
        return (log10(value) - log10(self.least)) / (log10(self.most) - log10(self.least))

    def ticks(self) -> list[float]:
        if self.linear:
            step = max(1, ceil((self.most - self.least) / 10))
            return [float(tick) for tick in range(ceil(self.least), floor(self.most) + 1, step)]
        return [10.0**power for power in range(round(log10(self.least)), round(log10(self.most)) + 1)]


def log_axis(label: str, values: Sequence[float], unit: Callable[[float], str]) -> Axis:
    """An axis over the powers of ten around the values."""
    least, most = floor(log10(min(values))), ceil(log10(max(values)))
    return Axis(label, 10.0**least, 10.0 ** max(most, least + 1), unit)


def plot(x: Axis, y: Axis, series: Mapping[str, Sequence[Point]], *, joined: bool) -> str:
    """Points by name, each name in a colour of its own; `joined` draws lines between them."""
    parts = [*_grid(x, y)]
    for number, (name, points) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        placed = [(_across(x.place(point.x)), _up(y.place(point.y)), point.title) for point in points]
        if joined:
            line = " ".join(f"{across:.1f},{up:.1f}" for across, up, _ in placed)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts += [
            f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3.5" fill="{colour}" fill-opacity="0.8">'
            f"<title>{escape(name)}: {escape(title)}</title></circle>"
            for across, up, title in placed
        ]
    return "\n".join([f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg">', *parts, "</svg>"])


def legend(names: Sequence[str]) -> str:
    """The colours of names, as HTML."""
    return " ".join(
        f'<span class="key"><i style="background:{COLOURS[number % len(COLOURS)]}"></i>{escape(name)}</span>'
        for number, name in enumerate(names)
    )


def _grid(x: Axis, y: Axis) -> Iterator[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for tick in x.ticks():
        across = _across(x.place(tick))
        yield f'<line x1="{across:.1f}" y1="{TOP}" x2="{across:.1f}" y2="{bottom}" class="grid"/>'
        yield f'<text x="{across:.1f}" y="{bottom + 16}" text-anchor="middle">{escape(x.unit(tick))}</text>'
    for tick in y.ticks():
        up = _up(y.place(tick))
        yield f'<line x1="{LEFT}" y1="{up:.1f}" x2="{right}" y2="{up:.1f}" class="grid"/>'
        yield f'<text x="{LEFT - 6}" y="{up + 4:.1f}" text-anchor="end">{escape(y.unit(tick))}</text>'
    yield f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x.label)}</text>'
    middle = (TOP + bottom) / 2
    yield f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{escape(y.label)}</text>'


def _across(place: float) -> float:
    return LEFT + place * (WIDTH - LEFT - RIGHT)


def _up(place: float) -> float:
    return HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM)
