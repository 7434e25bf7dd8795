"""EWK09, section 5: what the ComBack method costs in events, by strategy, by candidate set, by division of the memory.

    python -m bench.papers.ewk09 table2 figure4 table3 exact best table4 table5 [--most-states N] [--seconds N]

Every search is one line of the output, written when it is done; those that are there are not done again, so that a run
can be stopped and taken up. Events do not depend on the machine. A search that takes too long is recorded as
incomplete. Methods are as printed (`mode=paper`); of Table 3 there is also what our exact mode does with the same cache
and candidates (`exact`), and with the memory of the paper's best cells divided otherwise (`best`). The paper's coloured
nets are not public, so there are no rows for them.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path

from bench.instances import CORPUS

import scrimp
from scrimp.laboratory.experiments.ewk09_printed import (
    CANDIDATES,
    COMPARED,
    FIGURE_4,
    FIGURE_4_SIZES,
    SHARES,
    STRATEGIES,
    TABLE_5,
)
from scrimp.strategies import parse_store

TABLE_3 = ("brp.4", "brp2.6", "cambridge.7", "firewire_link.5", "needham.4", "synapse.7")

# Of every instance of Table 3 the candidate set of the paper's best cell, as a fraction of the cache.
BEST_CANDIDATES = dict.fromkeys(TABLE_3, 1.0) | {"brp2.6": 0.2}

# What BEEM calls "Planning and scheduling" and "Puzzles", which the paper leaves out.
LEFT_OUT = {"ps", "puzzle"}


@dataclass(frozen=True, slots=True)
class Task:
    """One search, for one experiment; `key` is its column in the paper."""

    experiment: str
    model: str
    key: str
    store: str


@dataclass(frozen=True, slots=True)
class Record:
    """What a search came to: `events` were fired to rebuild `rebuilt` states."""

    experiment: str
    model: str
    key: str
    complete: bool
    states: int
    transitions: int
    events: int
    rebuilt: int


COLUMNS = [field.name for field in fields(Record)]


@cache
def instances() -> dict[str, int]:
    """The corpus' DVE instances of the paper's families, and how many states each has."""
    with (CORPUS / "dve" / "counts.csv").open() as table:
        rows = [row for row in csv.DictReader(table) if row["states"].isdigit() and row["type"] not in LEFT_OUT]
    return {row["instance"]: int(row["states"]) for row in rows}


def between(least: int, most: int) -> list[str]:
    """Instances with so many states, the smallest first."""
    sizes = instances()
    return sorted((name for name in sizes if least <= sizes[name] <= most), key=sizes.__getitem__)


def comback(
    strategy: str,
    cached: int,
    candidates: int,
    group: int | None = None,
    *,
    detects_at_once: bool = False,
    mode: str = "paper",
) -> str:
    """A store of so many full states; without a group the queue has full states. Hashes have 32 bits: the paper's."""
    options = ["hash=32", f"strategy={strategy}", f"mode={mode}"]
    if strategy != "none":
        options.append(f"cache={max(cached, 1)}")
    options.append("delay=false" if detects_at_once else f"candidates={max(candidates, 1)}")
    options.append("queue=states" if group is None else "queue=numbers")
    if group is not None:
        options.append(f"group={max(group, 1)}")
    return f"comback:{','.join(options)}"


def table2(most_states: int) -> Iterator[Task]:
    for model in between(10_000, most_states):
        for share in SHARES:
            for strategy in STRATEGIES:
                size = round(share * instances()[model])
                yield Task("table2", model, f"{strategy} {share:g}", comback(strategy, size, 0, detects_at_once=True))


def figure4(most_states: int) -> Iterator[Task]:
    for model in FIGURE_4:
        for size in FIGURE_4_SIZES if instances()[model] <= most_states else ():
            for strategy in ("F", "D", "F20-D80"):
                yield Task("figure4", model, f"{strategy} {size}", comback(strategy, size, 0, detects_at_once=True))


def delayed(experiment: str, model: str, mode: str) -> Iterator[Task]:
    """Tables 3 and 4: a cache of one state in a hundred, candidate sets that are fractions of it."""
    size = round(0.01 * instances()[model])
    for strategy in COMPARED:
        for fraction in CANDIDATES:
            store = comback(strategy, size, round(fraction * size), detects_at_once=fraction == 0, mode=mode)
            yield Task(experiment, model, f"{strategy} {fraction:g}", store)


def table3(most_states: int) -> Iterator[Task]:
    for model in TABLE_3:
        if instances()[model] <= most_states:
            yield from delayed("table3", model, "paper")


def exact(most_states: int) -> Iterator[Task]:
    for model in TABLE_3:
        if instances()[model] <= most_states:
            yield from delayed("exact", model, "exact")


def best(most_states: int) -> Iterator[Task]:
    """As many full states as in the paper's best cell, a few of them candidates and all others in the cache."""
    for model in TABLE_3:
        if instances()[model] <= most_states:
            size = round(0.01 * instances()[model])
            candidates = round(0.1 * size)
            cached = size + round(BEST_CANDIDATES[model] * size) - candidates
            for strategy in COMPARED:
                yield Task("best", model, strategy, comback(strategy, cached, candidates, mode="exact"))


def table4(most_states: int) -> Iterator[Task]:
    for model in between(1_000_000, most_states):
        yield from delayed("table4", model, "paper")


def table5(most_states: int) -> Iterator[Task]:
    for full_states, configurations in TABLE_5.items():
        for model in between(100 * full_states, min(1000 * full_states, most_states)):
            for (strategy, cached, candidates, queued), _ in configurations:
                store = comback(
                    strategy,
                    round(cached * full_states),
                    round(candidates * full_states),
                    round(queued * full_states),
                    detects_at_once=candidates == 0,
                )
                key = f"{full_states} {strategy} {cached:g} {candidates:g} {queued:g}"
                yield Task("table5", model, key, store)


EXPERIMENTS: dict[str, Callable[[int], Iterator[Task]]] = {
    each.__name__: each for each in (table2, figure4, table3, exact, best, table4, table5)
}


@cache
def load(name: str) -> scrimp.Model:
    return scrimp.load(CORPUS / "dve" / name.rpartition(".")[0] / f"{name}.dve", ignore_property=True)


def perform(task: Task, seconds: float) -> Record:
    result = scrimp.explore(load(task.model), store=parse_store(task.store), limits=scrimp.Limits(time=seconds))
    found = result.statistics
    return Record(
        experiment=task.experiment,
        model=task.model,
        key=task.key,
        complete=found.states == instances()[task.model],
        states=found.states,
        transitions=found.transitions,
        events=found.reconstructions.events,
        rebuilt=found.reconstructions.states,
    )


def read(path: Path) -> list[Record]:
    if not path.exists():
        return []
    with path.open(newline="") as table:
        return [record(row) for row in csv.DictReader(table)]


def record(row: dict[str, str]) -> Record:
    numbers = {name: int(row[name]) for name in ("states", "transitions", "events", "rebuilt")}
    complete = row["complete"] == str(True)
    return Record(experiment=row["experiment"], model=row["model"], key=row["key"], complete=complete, **numbers)


def append(path: Path, found: Record) -> None:
    is_new = not path.exists()
    with path.open("a", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerow(astuple(found))


def main() -> None:
    parser = argparse.ArgumentParser(description="the experiments of EWK09")
    parser.add_argument("experiments", nargs="+", choices=EXPERIMENTS)
    parser.add_argument("--most-states", type=int, default=60_000_000, help="of an instance")
    parser.add_argument("--seconds", type=float, default=120.0, help="that a search may take")
    parser.add_argument("--output", type=Path, default=Path("docs/results/ewk09.csv"))
    options = parser.parse_args()
    if not CORPUS.is_dir():
        raise SystemExit(f"the experiments need the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")
    done = {(each.experiment, each.model, each.key) for each in read(options.output)}
    tasks = [task for name in options.experiments for task in EXPERIMENTS[name](options.most_states)]
    left = [task for task in tasks if (task.experiment, task.model, task.key) not in done]
    for number, task in enumerate(left, 1):
        append(options.output, perform(task, options.seconds))
        print(f"{number}/{len(left)} {task.experiment} {task.model} {task.key}", file=sys.stderr)


if __name__ == "__main__":
    main()
