"""MW09, section 4: what a breadth-first search saves that remembers some levels, and a depth-first one with caches.

    python -m bench.papers.mw09 brp scsi vlts beem caches [--most-states N] [--seconds N] [--rounds N]

Every search is one line of the output, written when it is done; those that are there are not done again, so that a run
can be stopped and taken up. States and transitions do not depend on the machine; seconds do, and are the least of
several rounds. A search that takes too long is recorded as incomplete. The paper's own models are not public, and
neither are most of its LTSs: `brp` and `scsi` are ours, of its kind, `vlts` are those of its LTSs that are.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from bench.instances import CORPUS

import scrimp
from scrimp.strategies import parse_store

OURS = Path(__file__).parents[2] / "models"

# The paper's setups, "BT" being the backtracking set.
SETUPS = {
    "frontier safety net": "snapshots:caches=frontier-safety-net,backtracking=false",
    "frontier safety net, BT": "snapshots:frontier-safety-net",
    "pebble, BT": "snapshots:pebble",
}
# Nothing is ever seen twice: how far back do known states lie?
ALL_LEVELS = {"all levels": "snapshots:(c1,LLNR,1000000)"}
# Fewer levels than the presets have, or more.
OTHERS = {
    "thin": "snapshots:(c3,LLNR,2)(3,LLNR,3)",
    "frontier of 4": "snapshots:(c1,LLNR,4)(2,LFU,5)",
    "sparse": "snapshots:(c4,LLNR,3)(2,LLNR,5)",
    "wide": "snapshots:(c2,LLNR,10)(2,LFU,10)",
}
FULL = {"full": "full"}

BRP = (20, 30, 40, 60, 80, 100, 120, 150)  # packets, and as many retries
SCSI = ((3, 4), (3, 8), (4, 4), (4, 8), (5, 4), (5, 6), (6, 4))  # disks, and commands for each

# One cache, or two in cascade, of which the second has what is left.
POLICIES = (
    "lru",
    "mru",
    "lfu",
    "mfu",
    "random",
    "mfu:75+lru:25",
    "random:75+lru:25",
    "mfu:25+lru:75",
    "random:25+lru:75",
)
STEPS = (*(percent / 100 for percent in range(100, 0, -5)), 0.04, 0.03, 0.02, 0.01)
MOST_TRANSITIONS = 2  # for each of the graph's


@dataclass(frozen=True, slots=True)
class Task:
    """One search, for one experiment; `key` is what it is called there."""

    experiment: str
    model: str
    key: str
    store: str
    order: str = "bfs"


@dataclass(frozen=True, slots=True)
class Record:
    """What a search came to: `stored` is the most states at once, `levels` how many there were."""

    experiment: str
    model: str
    key: str
    store: str
    order: str
    complete: bool
    visits: int
    transitions: int
    levels: int
    deadlocks: int
    stored: int
    bytes_peak: int
    seconds: float
    snapshots: dict[str, object] = field(default_factory=dict)


def brp(most_states: int) -> Iterator[Task]:
    for size in BRP:
        if 9 * size**3 <= most_states:
            yield from searches("brp", f"brp {size} {size}", FULL | SETUPS)


def scsi(most_states: int) -> Iterator[Task]:
    for disks, commands in SCSI:
        if 1.6 * (2 * commands) ** disks <= most_states:
            yield from searches("scsi", f"scsi {disks} {commands}", FULL | SETUPS)


def vlts(most_states: int) -> Iterator[Task]:
    for model in explicit(most_states):
        yield from searches("vlts", model, FULL | ALL_LEVELS | SETUPS | OTHERS)


def beem(most_states: int) -> Iterator[Task]:
    for model in largest_instances(10_000, min(most_states, 1_000_000)):
        yield from searches("beem", model, FULL | ALL_LEVELS | SETUPS | OTHERS)


def caches(most_states: int) -> Iterator[Task]:
    """Section 4.2: caches are made smaller until the search fires more than twice the transitions of the graph."""
    for model in explicit(most_states):
        yield Task("caches", model, "full", "full", "dfs")
        for policy in POLICIES:
            for part in STEPS:
                size = max(round(part * states_of(model)), 1)
                yield Task("caches", model, f"{policy} {part:g}", f"cache:states={size},policy={policy}", "dfs")


EXPERIMENTS: dict[str, Callable[[int], Iterator[Task]]] = {
    each.__name__: each for each in (brp, scsi, vlts, beem, caches)
}


def searches(experiment: str, model: str, stores: dict[str, str]) -> Iterator[Task]:
    for key, store in stores.items():
        yield Task(experiment, model, key, store)


def counts(folder: str) -> list[dict[str, str]]:
    with (CORPUS / folder / "counts.csv").open() as table:
        return list(csv.DictReader(table))


def explicit(most_states: int) -> list[str]:
    """The corpus' LTSs that are worth a search, the smallest first."""
    sizes = {row["file"]: int(row["reachable"]) for row in counts("aut")}
    return sorted((name for name in sizes if 1000 <= sizes[name] <= most_states), key=sizes.__getitem__)


def states_of(model: str) -> int:
    return next(int(row["reachable"]) for row in counts("aut") if row["file"] == model)


def largest_instances(least: int, most: int) -> list[str]:
    """Of each BEEM family the largest instance of so many states, the smallest first."""
    sizes = {row["instance"]: int(row["states"]) for row in counts("dve")}
    fitting = sorted((name for name in sizes if least <= sizes[name] <= most), key=sizes.__getitem__)
    largest = {name.rpartition(".")[0]: name for name in fitting}
    return sorted(largest.values(), key=sizes.__getitem__)


@cache
def load(name: str) -> scrimp.Model:
    match name.split():
        case ["brp", packets, retries]:
            return scrimp.load(OURS / "bounded_retransmission.dve", defines={"PACKETS": packets, "RETRIES": retries})
        case ["scsi", disks, commands]:
            return scrimp.load(OURS / "scsi_bus.pml", defines={"DISKS": disks, "COMMANDS": commands})
    if name.endswith(".aut"):
        return scrimp.load(CORPUS / "aut" / name)
    return scrimp.load(CORPUS / "dve" / name.rpartition(".")[0] / f"{name}.dve", ignore_property=True)


def perform(task: Task, seconds: float, rounds: int) -> Record:
    """The quickest of several rounds; all that do not take long are the same but for their time."""
    record = search(task, seconds)
    for _ in range(rounds - 1 if record.complete else 0):
        record = min(record, search(task, seconds), key=lambda each: each.seconds)
    return record


def search(task: Task, seconds: float) -> Record:
    result = scrimp.explore(
        load(task.model),
        order=scrimp.DepthFirst() if task.order == "dfs" else scrimp.BreadthFirst(),
        store=parse_store(task.store),
        limits=scrimp.Limits(time=seconds),
    )
    found = result.statistics
    return Record(
        **asdict(task),
        complete=result.verdict is scrimp.Verdict.PROVED,
        visits=found.entered,
        transitions=found.transitions,
        levels=len(found.levels),
        deadlocks=found.deadlocks,
        stored=found.most_stored,
        bytes_peak=found.bytes_peak,
        seconds=round(found.seconds, 4),
        snapshots=found.snapshots.to_dict() if found.snapshots.taken else {},
    )


def read(path: Path) -> list[Record]:
    return [Record(**json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


class Done:
    """What has been measured, and what need not be."""

    def __init__(self, records: list[Record]) -> None:
        self._records = {(record.experiment, record.model, record.key): record for record in records}
        self._too_small = {(record.model, _policy(record.key)) for record in records if self._is_too_small(record)}

    def add(self, record: Record) -> None:
        self._records[record.experiment, record.model, record.key] = record
        if self._is_too_small(record):
            self._too_small.add((record.model, _policy(record.key)))

    def has(self, task: Task) -> bool:
        """Whether the search is done, or is one with a smaller cache than one that was too small."""
        is_hopeless = task.experiment == "caches" and (task.model, _policy(task.key)) in self._too_small
        return is_hopeless or (task.experiment, task.model, task.key) in self._records

    def _is_too_small(self, record: Record) -> bool:
        if record.experiment != "caches" or record.key == "full":
            return False
        full = self._records["caches", record.model, "full"]
        return not record.complete or record.transitions > MOST_TRANSITIONS * full.transitions


def _policy(key: str) -> str:
    return key.rpartition(" ")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="the experiments of MW09")
    parser.add_argument("experiments", nargs="+", choices=EXPERIMENTS)
    parser.add_argument("--most-states", type=int, default=100_000_000, help="of a model")
    parser.add_argument("--seconds", type=float, default=60.0, help="that a search may take")
    parser.add_argument("--rounds", type=int, default=3, help="of which the quickest counts")
    parser.add_argument("--output", type=Path, default=Path("bench/results/mw09.jsonl"))
    options = parser.parse_args()
    if not CORPUS.is_dir():
        raise SystemExit(f"the experiments need the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")
    done = Done(read(options.output))
    for task in (task for name in options.experiments for task in EXPERIMENTS[name](options.most_states)):
        if done.has(task):
            continue
        record = perform(task, options.seconds, options.rounds)
        done.add(record)
        with options.output.open("a") as output:
            output.write(json.dumps(asdict(record)) + "\n")
        print(f"{task.experiment} {task.model} {task.key}: {record.seconds} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
