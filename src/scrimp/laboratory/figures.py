"""Figures by matplotlib, which comes with `scrimp[laboratory]`: the same numbers always give the same file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from scrimp.laboratory.experiments.experiment import Number

MISSING = "no figure: it needs matplotlib, which comes with pip install 'scrimp[laboratory]'"
MOST_LABELS = 60


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
    """A figure with places for so many plots."""
    columns = min(columns, number)
    rows = -(-number // columns)
    figure, places = _pyplot().subplots(rows, columns, figsize=(3 * columns, 2.4 * rows), squeeze=False)
    for axes in places.flat:
        axes.tick_params(labelsize=6)
        axes.grid(alpha=0.3, linewidth=0.4)
    for axes in places.flat[number:]:
        axes.set_visible(False)
    return figure, list(places.flat)


def comparison(numbers: Sequence[Number]) -> Figure:
    """Ours over the paper's, a line for each number that both have."""
    both = [each for each in numbers if each.paper and each.ours][:MOST_LABELS]
    figure, (axes,) = grid(1, 1)
    figure.set_size_inches(7, 1 + 0.18 * max(len(both), 3))
    heights = range(len(both), 0, -1)
    axes.axvline(1, color="0.5", linewidth=0.8)
    axes.plot([each.ours / each.paper for each in both if each.ours and each.paper], heights, "o", markersize=4)
    axes.set_yticks(list(heights), [" · ".join(each.labels) for each in both], fontsize=6)
    axes.set_xscale("log")
    for format_ticks in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        format_ticks("{x:g}")
    axes.tick_params(axis="x", which="both", labelsize=6)
    axes.set_xlabel("ours, × the paper's", fontsize=8)
    figure.tight_layout()
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write `path` with the suffixes .svg and .png."""
    for suffix in ("svg", "png"):
        figure.savefig(path.with_suffix(f".{suffix}"), dpi=120, metadata={"Date": None} if suffix == "svg" else None)
    _pyplot().close(figure)
