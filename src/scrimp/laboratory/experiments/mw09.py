"""MW09, *Hierarchical adaptive state space caching based on level sampling*, section 4."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, complete
from scrimp.laboratory.task import Run, Task

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Section 4.1: a Frontier Safety Net without and with the backtracking set, and a Pebble Search with it.
SETUPS = {
    "Frontier Safety Net": "bfs/snapshots:backtracking=false",
    "Frontier Safety Net, BT": "bfs/snapshots",
    "Pebble Search, BT": "bfs/snapshots:pebble",
}
# "For most cases, memory use can be reduced to about 30%."
MEMORY = 30.0

SECONDS = 300.0


def vlts(setting: Setting) -> dict[str, str]:
    """The explicit LTSs of the corpus that are of the VLTS suite and have more than a thousand states, by name."""
    with Path(setting.of_corpus("aut/counts.csv")).open() as table:
        rows = [row for row in csv.DictReader(table) if row["file"].startswith(("cwi", "vasy"))]
    names = [row["file"] for row in rows if int(row["states"]) > 1000]
    return {name.removesuffix(".aut"): setting.of_corpus(f"aut/{name}") for name in names}


def _full(model: str) -> Task:
    return Task(model, "bfs/full", seconds=SECONDS)


# Section 4.1, models of our own of the paper's kind, growing: BRP by packets and as many retries, SCSI by disks and
# commands for each.


@dataclass(frozen=True, slots=True)
class Growing:
    """A model with parameters that grow; `stored` is what the paper says of the memory, in percent."""

    model: str
    parameters: tuple[str, str]
    values: tuple[tuple[int, int], ...]
    quick: int
    stored: float | None

    def sizes(self, setting: Setting) -> tuple[tuple[int, int], ...]:
        return self.values[: self.quick] if setting.quick else self.values

    def task(self, setting: Setting, size: tuple[int, int], method: str) -> Task:
        defines = [f"{name}={value}" for name, value in zip(self.parameters, size, strict=True)]
        options = tuple(part for define in defines for part in ("-D", define))
        return Task(setting.of_models(self.model), method, options, seconds=SECONDS)

    def tasks(self, setting: Setting, _: Runs) -> Iterator[Task]:
        for size in self.sizes(setting):
            for method in ("bfs/full", *SETUPS.values()):
                yield self.task(setting, size, method)

    def numbers(self, setting: Setting, runs: Runs) -> list[Number]:
        found: list[Number] = []
        for size in self.sizes(setting):
            plain = complete(runs, self.task(setting, size, "bfs/full"))
            for setup, method in SETUPS.items() if plain else ():
                run = complete(runs, self.task(setting, size, method))
                if plain is not None and run is not None:
                    label = (f"{size[0]}, {size[1]}: {plain.number('states'):,} states", setup)
                    found += _beside_full(label, run, plain, self.stored)
        return found

    def draw(self, setting: Setting, runs: Runs, _: Sequence[Number]) -> Figure:
        """States stored at the peak, in percent, as the model grows."""
        from scrimp.laboratory.figures import grid

        figure, (axes,) = grid(1, 1)
        figure.set_size_inches(5, 3.4)
        for setup, method in SETUPS.items():
            points = {}
            for size in self.sizes(setting):
                plain = complete(runs, self.task(setting, size, "bfs/full"))
                run = complete(runs, self.task(setting, size, method))
                if plain is not None and run is not None:
                    states = plain.number("states")
                    points[states] = 100 * run.number("stored_peak") / states
            axes.plot(sorted(points), [points[states] for states in sorted(points)], marker=".", label=setup)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("states", fontsize=8)
        axes.set_ylabel("states stored at the peak, %", fontsize=8)
        axes.legend(fontsize=7, frameon=False)
        figure.tight_layout()
        return figure


def _beside_full(label: tuple[str, ...], run: Run, plain: Run, stored: float | None) -> list[Number]:
    states = plain.number("states")
    longer = run.number("seconds") / max(plain.number("seconds"), 1e-6)
    return [
        Number((*label, "states stored, % of all"), stored, round(100 * run.number("stored_peak") / states, 1)),
        Number((*label, "visits for each state"), None, round(run.number("visits") / states, 2)),
        Number((*label, "time, × that of full"), None, round(longer, 2)),
    ]


BRP = Growing(
    "bounded_retransmission.dve",
    ("PACKETS", "RETRIES"),
    tuple((size, size) for size in (20, 30, 40, 60, 80, 100, 120, 150)),
    quick=3,
    stored=None,
)
# "Memory use can be reduced to 20% compared to standard BFS, using a Frontier Safety Net with backtracking."
SCSI = Growing(
    "scsi_bus.pml",
    ("DISKS", "COMMANDS"),
    ((3, 4), (3, 8), (4, 4), (4, 8), (5, 4), (5, 6), (6, 4)),
    quick=4,
    stored=20.0,
)


def _vlts_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    for model in vlts(setting).values():
        yield _full(model)
        for method in SETUPS.values():
            yield Task(model, method, seconds=20 if setting.quick else SECONDS)


def _vlts_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found: list[Number] = []
    shares: dict[str, list[float]] = {setup: [] for setup in SETUPS}
    for name, model in vlts(setting).items():
        plain = complete(runs, _full(model))
        for setup, method in SETUPS.items() if plain else ():
            run = complete(runs, Task(model, method, seconds=20 if setting.quick else SECONDS))
            if plain is None or run is None:
                found.append(Number((name, setup, "states stored, % of all"), None, None))
                continue
            share = 100 * run.number("stored_peak") / plain.number("states")
            shares[setup].append(share)
            visits = run.number("visits") / plain.number("states")
            found.append(Number((name, setup, "states stored, % of all"), None, round(share, 1)))
            found.append(Number((name, setup, "visits for each state"), None, round(visits, 2)))
    for setup, values in shares.items():
        label = f"states stored, % of all, median of {len(values)}; about in the paper"
        found.append(Number(("all", setup, label), MEMORY, round(median(values), 1) if values else None))
    return found


# Section 4.2: caches of a depth-first search, from the largest to the smallest with at most twice the visits.

POLICIES = ("lru", "mfu", "random", "mfu:25+lru:75", "random:25+lru:75")
# The best single cache and the best cascade of the paper, in percent of the states.
PRINTED = {"lru": 40.0, "mfu:25+lru:75": 30.0, "random:25+lru:75": 30.0}
STEPS = (100, 90, 80, 70, 60, 50, 40, 35, 30, 25, 20, 15, 10, 5, 3, 1)
QUICK_STEPS = (100, 60, 40, 30, 20, 10)
MOST_VISITS = 2.0


def _dfs_subjects(setting: Setting) -> dict[str, str]:
    """VLTSs; those that are one long path have no room to forget anything."""
    found = {name: path for name, path in vlts(setting).items() if name not in ("vasy_25_25", "vasy_40_60")}
    return dict(list(found.items())[:3]) if setting.quick else found


def _policies(setting: Setting) -> tuple[str, ...]:
    return ("lru", "random", "mfu:25+lru:75") if setting.quick else POLICIES


def _dfs_curve(setting: Setting, runs: Runs, model: str, policy: str) -> Iterator[Task]:
    plain = complete(runs, _full(model))
    if plain is None:
        return
    states = plain.number("states")
    for percent in QUICK_STEPS if setting.quick else STEPS:
        task = Task(
            model,
            f"dfs/cache:states={max(1, states * percent // 100)},policy={policy}",
            seconds=5 if setting.quick else 30,
        )
        yield task
        run = runs.get(task)
        if run is None or not run.is_complete or run.number("visits") > MOST_VISITS * states:
            return


def _dfs_tasks(setting: Setting, runs: Runs) -> Iterator[Task]:
    for model in _dfs_subjects(setting).values():
        yield _full(model)
        for policy in _policies(setting):
            yield from _dfs_curve(setting, runs, model, policy)


def _dfs_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found: list[Number] = []
    subjects = _dfs_subjects(setting)
    for policy in _policies(setting):
        shares = []
        for name, model in subjects.items():
            share = _smallest(setting, runs, model, policy)
            found.append(Number((name, policy, "smallest cache, % of the states"), None, share))
            shares += [] if share is None else [share]
        mean = sum(shares) / len(shares) if shares else None
        label = f"smallest cache, % of the states, mean of {len(shares)}; down to in the paper"
        found.append(Number(("all", policy, label), PRINTED.get(policy), None if mean is None else round(mean, 1)))
    return found


def _smallest(setting: Setting, runs: Runs, model: str, policy: str) -> float | None:
    plain = complete(runs, _full(model))
    if plain is None:
        return None
    states = plain.number("states")
    tried = [complete(runs, task) for task in _dfs_curve(setting, runs, model, policy)]
    enough = [run for run in tried if run is not None and run.number("visits") <= MOST_VISITS * states]
    if not enough:
        return None
    capacity = min(int(run.task.method.partition("states=")[2].partition(",")[0]) for run in enough)
    return round(100 * capacity / float(states), 1)


KEPT = "Some snapshots are kept for good, so that searches end (scrimp reproduce errata)."

EXPERIMENTS = (
    Experiment(
        name="mw09-brp",
        title="MW09, section 4.1: snapshots on the bounded retransmission protocol",
        columns=("packets, retries", "set-up", "quantity"),
        differs=(
            "The paper's model is not public; ours is of the same protocol, with 246 million states for 300, 300 where "
            "the paper's has 410 million.",
            KEPT,
            "The paper's graphs have no numbers; memory is reduced 'drastically', and generation is 'much faster'.",
        ),
        minutes=10,
        tasks=BRP.tasks,
        numbers=BRP.numbers,
        draw=BRP.draw,
    ),
    Experiment(
        name="mw09-scsi",
        title="MW09, section 4.1: snapshots on a SCSI-2 bus",
        columns=("disks, commands", "set-up", "quantity"),
        differs=("The paper's model is not public; ours is another of such a bus.", KEPT),
        minutes=5,
        tasks=SCSI.tasks,
        numbers=SCSI.numbers,
        draw=SCSI.draw,
    ),
    Experiment(
        name="mw09-vlts",
        title="MW09, section 4.1: breadth-first search with snapshots on the VLTS suite",
        columns=("LTS", "set-up", "quantity"),
        differs=(
            "The paper has about 35 LTSs of the suite, up to millions of states; the corpus has 7 of a thousand to "
            "40,000.",
            KEPT,
            "The paper's graphs have no numbers; its text says 'about 30%' of the memory.",
        ),
        minutes=3,
        tasks=_vlts_tasks,
        numbers=_vlts_numbers,
    ),
    Experiment(
        name="mw09-dfs",
        title="MW09, section 4.2: depth-first search with caches in cascade",
        columns=("LTS", "policy", "quantity"),
        differs=(
            "The paper's LTSs are larger ones of the same suite.",
            "A cache is enough where at most twice as many states are visited as there are: that is the size of the "
            "LTS that the paper's tool writes.",
            "vasy_25_25 and vasy_40_60 are left out: all of their states lie on one path.",
        ),
        minutes=15,
        tasks=_dfs_tasks,
        numbers=_dfs_numbers,
    ),
)
