"""The tables of `bench.run`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from statistics import geometric_mean

from bench import ltsmin
from bench.peers import SPIN, of_other_build
from scrimp.laboratory.bench import Cell
from scrimp.laboratory.comparison import ratios, seconds, speed
from scrimp.laboratory.tables import text_lines

HEADER = ("", "M st/s", "M tr/s", "× SPIN", "B/state", "÷ SPIN", "held", "RSS MB")


def instance_lines(cells: Sequence[Cell]) -> Iterator[str]:
    """A table for each instance: rates, bytes per state, and the ratio of the bytes that the engine held at its peak to
    those of its states."""
    for instance, some in groupby(cells, key=lambda cell: cell.model):
        of_instance = list(some)
        yield instance
        yield from text_lines(HEADER, [_row(cell, of_instance) for cell in of_instance])
        yield ""


def _row(cell: Cell, of_instance: Sequence[Cell]) -> list[str]:
    if cell.status != "complete":
        return [cell.method, cell.status, *[""] * 6]
    states = cell.states or 0
    return [
        cell.method,
        f"{states / seconds(cell) / 1e6:.2f}",
        f"{speed(cell) / 1e6:.2f}",
        _mean(ratios(of_instance, cell.method, SPIN.name, speed)),
        f"{_bytes(cell):.2f}",
        _mean(ratios(of_instance, cell.method, SPIN.name, _bytes), 3),
        f"{cell.bytes_peak / (states * _bytes(cell)):.2f}" if cell.bytes_peak else "",
        f"{cell.rss_peak / 2**20:.0f}",
    ]


def summary_lines(cells: Sequence[Cell]) -> Iterator[str]:
    """Geometric means of the ratios to SPIN and, for tables of the same kind, to LTSmin."""
    methods = list(dict.fromkeys(cell.method for cell in cells if cell.method != SPIN.name))
    yield from _means(cells, SPIN.name, methods)
    for table in ltsmin.TABLES:
        same_kind = [method for method in methods if method.endswith(f"={table}")]
        yield from _means([*cells, *ltsmin.cells(cells)], ltsmin.name_of(table), same_kind)


def _means(cells: Sequence[Cell], base: str, methods: Iterable[str]) -> Iterator[str]:
    rows = [
        [method, _mean(speeds), _mean(sizes, 3), f"{max(sizes.values()):.2f}"]
        for method in methods
        if (speeds := ratios(cells, method, base, speed)) and (sizes := ratios(cells, method, base, _bytes))
    ]
    if rows:
        yield f"geometric means against {base}"
        yield from text_lines(("", "× transitions/s", "× bytes per state", "at most"), rows)
        yield ""


def against_lines(medians: Sequence[Cell], bests: Sequence[Cell], methods: Sequence[str]) -> Iterator[str]:
    """Transitions per second relative to those of the other build, by median times and, in brackets, by best times."""
    found = {
        (model, method): (ratio, of_best[model])
        for method in methods
        for of_best in [ratios(bests, method, of_other_build(method), speed)]
        for model, ratio in ratios(medians, method, of_other_build(method), speed).items()
    }

    def shown(some_models: Iterable[str], some_methods: Iterable[str]) -> str:
        some = [found[pair] for pair in product(some_models, some_methods) if pair in found]
        return "{:.3f} ({:.3f})".format(*map(geometric_mean, zip(*some, strict=True))) if some else ""

    models = list(dict.fromkeys(cell.model for cell in medians))
    columns = [*([method] for method in methods), methods]
    rows = [[model, *(shown([model], some) for some in columns)] for model in models]
    rows.append(["geometric mean", *(shown(models, some) for some in columns)])
    yield "transitions per second, × those of the other build: by median times (by best times)"
    yield from text_lines(("", *methods, "all"), rows)


def _mean(found: Mapping[str, float], digits: int = 2) -> str:
    return f"{geometric_mean(found.values()):.{digits}f}" if found else ""


def _bytes(cell: Cell) -> float:
    return cell.bytes_per_state or 0.0
