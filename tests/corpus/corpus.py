"""Where the corpus is, and what other tools counted in it."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

CORPUS = Path(os.environ.get("SCRIMP_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS} (set SCRIMP_CORPUS)")


@dataclass(frozen=True, slots=True)
class DveCount:
    """One row of the DVE table; None if no tool gave the number."""

    instance: str
    states: int
    transitions: int | None
    deadlocks: int | None
    levels: tuple[tuple[int, int], ...] | None

    @property
    def path(self) -> Path:
        return CORPUS / "dve" / self.instance.rpartition(".")[0] / f"{self.instance}.dve"


@dataclass(frozen=True, slots=True)
class NetCount:
    """One row of the table of Petri nets: `most_in_place` and `most_in_all` are the most tokens that are in one place,
    and in all places together, in any reachable marking."""

    instance: str
    states: int
    transitions: int
    most_in_place: int
    most_in_all: int
    deadlock: bool

    @property
    def path(self) -> Path:
        return CORPUS / "pnml" / f"{self.instance}.pnml"


def net_counts(largest: int) -> list[NetCount]:
    """Every net of at most `largest` states, smallest first; none if the corpus is absent."""
    if not CORPUS.is_dir():
        return []
    with (CORPUS / "pnml" / "counts.csv").open() as table:
        rows = [_net_row(row) for row in csv.DictReader(table)]
    return sorted((row for row in rows if row.states <= largest), key=lambda row: row.states)


def _net_row(row: dict[str, str]) -> NetCount:
    return NetCount(
        instance=row["instance"],
        states=int(row["states"]),
        transitions=int(row["transitions"]),
        most_in_place=int(row["max_token_in_place"]),
        most_in_all=int(row["max_token_per_marking"]),
        deadlock=row["deadlock"] == "TRUE",
    )


def dve_counts(largest: int) -> list[DveCount]:
    """Every instance of at most `largest` states, smallest first; none if the corpus is absent."""
    if not CORPUS.is_dir():
        return []
    levels = json.loads((CORPUS / "dve" / "bfs_levels.json").read_text())
    with (CORPUS / "dve" / "counts.csv").open() as table:
        rows = [_row(row, levels) for row in csv.DictReader(table)]
    return sorted((row for row in rows if row.states <= largest), key=lambda row: row.states)


def _row(row: dict[str, str], levels: dict[str, list[list[int]]]) -> DveCount:
    known = levels.get(row["instance"])
    return DveCount(
        instance=row["instance"],
        states=int(row["states"]),
        transitions=int(row["transitions"]) if row["transitions"] else None,
        deadlocks=int(row["deadlock_states"]) if row["deadlock_states"] else None,
        levels=None if known is None else tuple((states, edges) for states, edges in known),
    )
