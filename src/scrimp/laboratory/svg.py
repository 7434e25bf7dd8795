"""Plots as SVG, without any other package; a page that contains them needs no other file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 96, 20, 20, 52

# Tol's bright scheme, whose colours everybody can distinguish, for light and for dark pages. If there are more series
# than colours, the colours are used again with other shapes.
LIGHT = ("#4477aa", "#ee6677", "#228833", "#b8a430", "#44b0d0", "#aa3377", "#888888")
DARK = ("#6ea3dc", "#ff8896", "#4fba5f", "#d8c850", "#7fd6f2", "#d878b0", "#bbbbbb")
SHAPES = (
    "M-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0",
    "M-3.2,-3.2h6.4v6.4h-6.4z",
    "M0,-4.2L4,3.2H-4z",
    "M0,-4.6L4.6,0L0,4.6L-4.6,0z",
)


def palette() -> str:
    """The style sheet with the colours."""
    rules = [
        "".join(f".colour-{number} {{ color: {colour}; }}\n" for number, colour in enumerate(colours))
        for colours in (LIGHT, DARK)
    ]
    return f"{rules[0]}@media (prefers-color-scheme: dark) {{\n{rules[1]}}}\n"


def _colour(number: int) -> str:
    return f"colour-{number % len(LIGHT)}"


def _mark(number: int, across: float = 0.0, up: float = 0.0, title: str = "") -> str:
    """The shape of a series, in its colour."""
    shape = SHAPES[number // len(LIGHT) % len(SHAPES)]
    shown = f"<title>{escape(title)}</title>" if title else ""
    place = f' transform="translate({across:.1f} {up:.1f})"' if across or up else ""
    return f'<path d="{shape}"{place} class="{_colour(number)}" fill="currentColor" fill-opacity="0.85">{shown}</path>'


@dataclass(frozen=True, slots=True)
class Point:
    """`title` is shown when the pointer rests on the point."""

    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class Axis:
    """From `least` to `most`, logarithmic unless `linear`; `unit` formats a value."""

    label: str
    least: float
    most: float
    unit: Callable[[float], str]
    linear: bool = False

    def place(self, value: float) -> float:
        """The position of a value, from 0 to 1."""
        if self.linear:
            return (value - self.least) / (self.most - self.least)
        return (log10(value) - log10(self.least)) / (log10(self.most) - log10(self.least))

    def ticks(self) -> list[float]:
        if self.linear:
            step = max(1, ceil((self.most - self.least) / 10))
            return [float(tick) for tick in range(ceil(self.least), floor(self.most) + 1, step)]
        steps = (1, 2, 5) if self.most < 1000 * self.least else (1,)
        return [tick for tick in _round_numbers(steps) if self.least <= tick <= self.most]


def log_axis(label: str, values: Sequence[float], unit: Callable[[float], str]) -> Axis:
    """A logarithmic axis that contains the values, between round numbers."""
    numbers = _round_numbers((1, 2, 5))
    least = max(number for number in numbers if number <= min(values))
    most = min(number for number in numbers if number >= max(values) and number > least)
    return Axis(label, least, most, unit)


def _round_numbers(steps: Sequence[int]) -> list[float]:
    return [float(f"{step}e{power}") for power in range(-12, 19) for step in steps]


def plot(x: Axis, y: Axis, series: Mapping[str, Sequence[Point]], *, joined: bool) -> str:
    """Points by name, each name with a mark of its own; `joined` draws lines between them."""
    parts = [*_grid(x, y)]
    for number, (name, points) in enumerate(series.items()):
        placed = [(_across(x.place(point.x)), _up(y.place(point.y)), point.title) for point in points]
        if joined:
            line = " ".join(f"{across:.1f},{up:.1f}" for across, up, _ in placed)
            style = f'class="{_colour(number)}" fill="none" stroke="currentColor" stroke-width="1.5"'
            parts.append(f'<polyline points="{line}" {style}/>')
        parts += [_mark(number, across, up, f"{name}: {title}") for across, up, title in placed]
    return "\n".join([f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg">', *parts, "</svg>"])


def legend(names: Sequence[str]) -> str:
    """The names with their marks, as HTML."""
    return " ".join(
        f'<span class="key"><svg viewBox="-5 -5 10 10">{_mark(number)}</svg>{escape(name)}</span>'
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
