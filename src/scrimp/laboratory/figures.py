"""Figures, drawn by matplotlib, which comes with `scrimp[laboratory]`. The same numbers always give the same file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Figure

    from scrimp.laboratory.experiments.experiment import Number

MISSING = "no figure: it needs matplotlib, which comes with pip install 'scrimp[laboratory]'"
MOST_LINES = 60
# If an axis spans more than this factor, its ticks are thinned out to make room for their labels.
FEW_TICKS = 5


def can_draw() -> bool:
    return find_spec("matplotlib") is not None


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text
    matplotlib.rcParams["svg.hashsalt"] = "scrimp"
    from matplotlib import pyplot

    return pyplot


def grid(number: int, columns: int) -> tuple[Figure, list[Any]]:
    """A figure with places for this many plots."""
    columns = min(columns, number)
    rows = -(-number // columns)
    figure, places = _pyplot().subplots(
        rows, columns, figsize=(3 * columns, 2.4 * rows), squeeze=False, layout="constrained"
    )
    for axes in places.flat:
        axes.tick_params(which="both", labelsize=6)
        axes.grid(alpha=0.3, linewidth=0.4)
    for axes in places.flat[number:]:
        axes.set_visible(False)
    return figure, list(places.flat)


def single(x_label: str, y_label: str) -> tuple[Figure, Any]:
    """A figure with one plot."""
    figure, (axes,) = grid(1, 1)
    figure.set_size_inches(6, 4)
    axes.set_xlabel(x_label, fontsize=8)
    axes.set_ylabel(y_label, fontsize=8)
    return figure, axes


def comparison(numbers: Sequence[Number], across: int | None = None) -> Figure:
    """The ratio of ours to the paper's, a line for each number that both have; numbers whose labels differ only at the
    place `across` share a line, in different colours."""
    both = [each for each in numbers if each.paper and each.ours]
    lines = list(dict.fromkeys(_line(each, across) for each in both))[:MOST_LINES]
    colours = list(dict.fromkeys("" if across is None else each.labels[across] for each in both))
    figure, (axes,) = grid(1, 1)
    figure.set_size_inches(7, 1.2 + 0.18 * max(len(lines), 3))
    axes.axvline(1, color="0.5", linewidth=0.8)
    for colour in colours:
        some = [
            each for each in both if (across is None or each.labels[across] == colour) and _line(each, across) in lines
        ]
        ratios = [each.ours / each.paper for each in some if each.ours and each.paper]
        axes.plot(ratios, [lines.index(_line(each, across)) for each in some], "o", markersize=4, label=colour)
    axes.set_yticks(range(len(lines)), lines, fontsize=6)
    axes.set_ylim(max(len(lines), 1) - 0.3, -0.7)
    axes.set_xscale("log")
    least, most = axes.get_xlim()
    if most > FEW_TICKS * least:
        axes.set_xscale("log", subs=[2, 5])
    for format_ticks in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        format_ticks("{x:g}")
    axes.tick_params(axis="x", which="both", labelsize=6, length=3, pad=3)
    axes.set_xlabel("ours, × the paper's", fontsize=8)
    if across is not None:
        figure.legend(loc="outside upper center", ncols=5, fontsize=6, frameon=False)
    return figure


def _line(number: Number, across: int | None) -> str:
    return " · ".join(label for place, label in enumerate(number.labels) if place != across)


def save(figure: Figure, path: Path) -> None:
    """Write `path` with the suffixes .svg and .png."""
    for suffix in ("svg", "png"):
        figure.savefig(path.with_suffix(f".{suffix}"), dpi=120, metadata={"Date": None} if suffix == "svg" else None)
    _pyplot().close(figure)
