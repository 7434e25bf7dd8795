"""Comparing methods: the ratios of their results on the same models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import nan
from statistics import geometric_mean

from scrimp.laboratory.bench import Cell

# Shorter times are noise, and a logarithmic axis cannot show zero.
SHORTEST = 0.001


def seconds(cell: Cell) -> float:
    return max(cell.seconds or 0.0, SHORTEST)


def speed(cell: Cell) -> float:
    """Transitions per second."""
    return (cell.transitions or 0) / seconds(cell)


def ratios(cells: Sequence[Cell], method: str, base: str, value: Callable[[Cell], float]) -> dict[str, float]:
    """By model, the ratio of a value of one method to that of another, if both completed the search and have it."""
    ours, theirs = (
        {cell.model: value(cell) for cell in cells if cell.method == name and cell.status == "complete"}
        for name in (method, base)
    )
    return {model: ours[model] / theirs[model] for model in ours if ours[model] and theirs.get(model)}


def mean(found: Mapping[str, float]) -> float:
    """The geometric mean of ratios; not a number if there are none."""
    return geometric_mean(found.values()) if found else nan
