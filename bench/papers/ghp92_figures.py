"""GHP92, figures 4 and 5, and MW09, section 4.2: what it costs to remember fewer states.

    python -m bench.papers.ghp92_figures [--only NAME ...] [--output FILE]

For each model and each way of forgetting the cache is made smaller, step by step, until the search takes more than
`CURVE_EFFORT` times the transitions of the one that stores everything, or longer than its time, or the path alone
outgrows the cache. Transitions and visits do not depend on the machine; seconds do. Sleep sets are the exact ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.instances import CORPUS

import scrimp
from scrimp.strategies import parse_reduction

# Transitions against those of the search that stores everything: where curves end, and what MW09 allows.
CURVE_EFFORT = 30
TABLE_EFFORT = 2

# A search without sleep sets that fires so many transitions is not expected to take this many times longer.
PATIENCE = 3
LEAST_SECONDS, MOST_SECONDS = 1.5, 20.0

# The two protocols of GHP92 that are at hand; the session layer alone is the version nearest to the paper's size.
PROTOCOLS = {
    "DTP": "promela/spin_dist/dtp.pml",
    "PFTP": "promela/spin_dist/LTL/pftp.pml",
    "PFTP session": "promela/spin_dist/Book_1991/p337.pftp.ses.pml",
}

# Of BEEM, from those that sleep sets suit best to those where events are met as often as before.
BEEM = (
    "firewire_tree.3",
    "firewire_link.2",
    "leader_election.3",
    "extinction.2",
    "lann.1",
    "brp2.2",
    "elevator.3",
    "needham.2",
    "krebs.2",
    "peterson.2",
)

REDUCTIONS = ("none", "sleep")
CURVES = ("random", "type")
CACHES = ("lru", "mfu", "random", "mfu:25+lru:75", "random:25+lru:75")

# Parts of the states that the cache has room for.
PARTS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.33, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003)
STEPS = (*(percent / 100 for percent in range(100, 0, -5)), 0.04, 0.03, 0.02, 0.01, 0.005)


@dataclass(frozen=True, slots=True)
class Point:
    """One search: `capacity` is what the cache had room for, or nothing where all was stored."""

    model: str
    reduction: str
    policy: str
    capacity: int | None
    complete: bool
    states: int
    visits: int
    transitions: int
    matched: int
    depth: int
    seconds: float


def load(name: str) -> scrimp.Model:
    path = CORPUS / (PROTOCOLS[name] if name in PROTOCOLS else f"dve/{name.rpartition('.')[0]}/{name}.dve")
    return scrimp.load(path, ignore_property=True)


class Subject:
    """A model with its searches that store everything, which the others are compared with."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._model = load(name)
        self.full = {reduction: self._search(scrimp.Full(), reduction, "full") for reduction in REDUCTIONS}

    @property
    def states(self) -> int:
        return self.full["none"].states

    def shrink(self, reduction: str, policy: str, sizes: list[int], effort: int, base: str) -> Iterator[Point]:
        """A search for each size, ending with the first that failed or fired more than `effort` times what `base`, a
        reduction, fires where everything is stored."""
        full = self.full[base]
        seconds = min(MOST_SECONDS, max(LEAST_SECONDS, PATIENCE * effort * full.seconds))
        for size in sizes:
            point = self._search(scrimp.Cache(states=size, policy=policy), reduction, policy, seconds)
            yield point
            if not point.complete or point.transitions > effort * full.transitions:
                return

    def _search(self, store: scrimp.Store, reduction: str, policy: str, seconds: float | None = None) -> Point:
        result = scrimp.explore(
            self._model,
            order=scrimp.DepthFirst(),
            store=store,
            reduction=parse_reduction(reduction),
            limits=scrimp.Limits(time=seconds),
        )
        found = result.statistics
        return Point(
            model=self.name,
            reduction=reduction,
            policy=policy,
            capacity=store.capacity,
            complete=result.verdict is scrimp.Verdict.PROVED,
            states=found.states,
            visits=found.entered,
            transitions=found.transitions,
            matched=found.matched,
            depth=found.depth,
            seconds=found.seconds,
        )


def curve_sizes(subject: Subject) -> list[int]:
    """Parts of the states, and sizes about the longest path, which is the least that a search can do with."""
    path = subject.full["none"].depth
    near_path = {round(path * factor) for factor in (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0)}
    sizes = near_path | {round(subject.states * part) for part in PARTS}
    return sorted((size for size in sizes if 0.7 * path <= size <= subject.states), reverse=True)


def curves(subject: Subject) -> list[Point]:
    points = list(subject.full.values())
    for reduction in REDUCTIONS:
        for policy in CURVES:
            points += subject.shrink(reduction, policy, curve_sizes(subject), CURVE_EFFORT, "none")
    return points


def smallest_caches(subject: Subject) -> list[Point]:
    """MW09's question: the smallest cache with at most twice the transitions, for each policy; 1.0 of the states is
    the answer where there is no smaller one."""
    sizes = [round(subject.states * part) for part in STEPS]
    points = []
    for reduction in REDUCTIONS:
        most = TABLE_EFFORT * subject.full[reduction].transitions
        for policy in CACHES:
            tried = subject.shrink(reduction, policy, sizes, TABLE_EFFORT, reduction)
            enough = [point for point in tried if point.complete and point.transitions <= most]
            points += enough[-1:]
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description="transitions against the size of the cache")
    parser.add_argument("--only", nargs="*", default=[*PROTOCOLS, *BEEM])
    parser.add_argument("--output", type=Path, default=Path("bench/results/ghp92_figures.json"))
    options = parser.parse_args()
    if not CORPUS.is_dir():
        raise SystemExit(f"the figures need the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")
    record: dict[str, list[dict[str, object]]] = {"curves": [], "smallest": []}
    for name in options.only:
        subject = Subject(name)
        record["curves"] += [asdict(point) for point in curves(subject)]
        record["smallest"] += [asdict(point) for point in smallest_caches(subject)]
        print(f"{name}: {subject.states:,} states", file=sys.stderr, flush=True)
        options.output.write_text(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
