"""Every LTS of the corpus has the states, levels and deadlocks of the table, and is exported as it was read."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.corpus.corpus import CORPUS, needs_corpus
from tests.lts.comparing import (
    are_bisimilar,
    minimal_size,
    numbered_breadth_first,
    numbered_by_labels,
    numbered_depth_first,
    with_distinct_labels,
)
from tests.lts.random_lts import aut_text
from tests.lts.reading import Edge, Lts, read_lts

import scrimp
from scrimp.strategies import parse_store

ALL = bool(os.environ.get("SCRIMP_CORPUS_ALL"))
LARGEST = 10**9 if ALL else 3_000
# The simple bisimulation takes as many rounds as there are levels, and these have as many levels as states.
TOO_DEEP = ("vasy_25_25.aut", "vasy_40_60.aut")


@dataclass(frozen=True, slots=True)
class LtsCount:
    file: str
    initial: int
    transitions: int
    reachable: int
    levels: int
    deadlocks: int
    labels: int

    @property
    def path(self) -> Path:
        return CORPUS / "aut" / self.file


def lts_counts(largest: int) -> list[LtsCount]:
    """Every LTS of at most `largest` transitions, smallest first; none if the corpus is absent."""
    if not CORPUS.is_dir():
        return []
    with (CORPUS / "aut" / "counts.csv").open() as table:
        rows = [_row(row) for row in csv.DictReader(table)]
    return sorted((row for row in rows if row.transitions <= largest), key=lambda row: row.transitions)


def _row(row: dict[str, str]) -> LtsCount:
    return LtsCount(
        file=row["file"],
        initial=int(row["init"]),
        transitions=int(row["transitions"]),
        reachable=int(row["reachable"]),
        levels=int(row["bfs_levels"]),
        deadlocks=int(row["deadlocks"]),
        labels=int(row["labels"]),
    )


def in_order(path: Path) -> list[Edge]:
    """The edges in the order of the text, each with its line's own label."""
    edges = []
    for line in path.read_text().splitlines()[1:]:
        source, rest = line.strip().strip("()").split(",", 1)
        label, target = rest.rsplit(",", 1)
        edges.append((int(source), label.strip().removeprefix('"').removesuffix('"'), int(target)))
    return edges


def exported(count: LtsCount, path: Path, **options: object) -> Lts:
    scrimp.export(scrimp.load(count.path), path, **options)  # type: ignore[arg-type]
    return read_lts(path)


every_lts = pytest.mark.parametrize("count", lts_counts(LARGEST), ids=lambda count: count.file)


@needs_corpus
@pytest.mark.parametrize("count", lts_counts(10**9), ids=lambda count: count.file)
@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
def test_counts_are_those_of_the_table(count: LtsCount, order: scrimp.Order) -> None:
    found = scrimp.explore(scrimp.load(count.path), order=order).statistics
    assert (found.states, found.transitions, found.deadlocks) == (count.reachable, count.transitions, count.deadlocks)
    if order == scrimp.BreadthFirst():
        assert len(found.levels) == count.levels


@needs_corpus
@every_lts
def test_breadth_first_an_lts_is_exported_edge_for_edge(count: LtsCount, tmp_path: Path) -> None:
    assert exported(count, tmp_path / "out.aut") == numbered_breadth_first(count.initial, in_order(count.path))


@needs_corpus
@every_lts
def test_depth_first_an_lts_is_exported_edge_for_edge(count: LtsCount, tmp_path: Path) -> None:
    found = exported(count, tmp_path / "out.aut.gz", order=scrimp.DepthFirst())
    assert found == numbered_depth_first(count.initial, in_order(count.path))


@needs_corpus
@every_lts
@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
@pytest.mark.parametrize("store", ["full:compress=cleary", "comback", "pseudoroot:source=given"])
def test_with_other_stores_an_lts_is_exported_with_other_numbers(
    count: LtsCount, store: str, order: scrimp.Order, tmp_path: Path
) -> None:
    """All labels are made different, so that there is only one way to match states."""
    edges = with_distinct_labels(in_order(count.path))
    states = 1 + max(max(source, target) for source, _, target in edges)
    path = tmp_path / "with_distinct_labels.aut"
    path.write_text(aut_text(edges, states, count.initial))
    scrimp.export(scrimp.load(path), tmp_path / "out.aut", store=parse_store(store), order=order)
    assert numbered_by_labels(read_lts(tmp_path / "out.aut")) == numbered_by_labels(Lts(count.initial, states, edges))


@needs_corpus
@pytest.mark.parametrize("count", [c for c in lts_counts(LARGEST) if c.file not in TOO_DEEP], ids=lambda c: c.file)
def test_with_snapshots_a_bisimilar_lts_is_exported(count: LtsCount, tmp_path: Path) -> None:
    source = numbered_breadth_first(count.initial, in_order(count.path))
    found = exported(count, tmp_path / "out.aut", store=scrimp.Snapshots())
    smallest = exported(count, tmp_path / "min.aut", store=scrimp.Snapshots(), minimise="strong")
    assert are_bisimilar(found, source)
    assert are_bisimilar(smallest, source)
    assert (smallest.states, len(smallest.edges)) == minimal_size(source)
