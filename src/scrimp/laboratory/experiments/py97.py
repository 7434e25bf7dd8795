"""PY97, *Space efficient reachability analysis through use of pseudo-root states*, section 4: states stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, complete, number_of
from scrimp.laboratory.task import Run, Task

SECONDS = 300.0

# Breadth first, as in the paper; then other variants, for which the paper has no numbers.
BREADTH_FIRST = "bfs/pseudoroot"
METHODS = {
    "breadth first": BREADTH_FIRST,
    "breadth first, counted beforehand": "bfs/pseudoroot:source=counted",
    "depth first": "dfs/pseudoroot",
    "fewest references first": "bfs/pseudoroot:next=fewest",
}


@dataclass(frozen=True, slots=True)
class Ring:
    """A model of N parts: for each N, the number of states, and how many the paper stores at the peak."""

    model: str
    printed: dict[int, tuple[int, int]]

    def task(self, setting: Setting, size: int, method: str) -> Task:
        return Task(setting.of_models(self.model), method, ("-D", f"N={size}"), seconds=SECONDS)

    def tasks(self, setting: Setting, _: Runs) -> Iterator[Task]:
        return (self.task(setting, *row) for row in product(self.printed, ("bfs/full", *METHODS.values())))

    def numbers(self, setting: Setting, runs: Runs) -> list[Number]:
        found = []
        for size, (states, peak) in self.printed.items():
            ours = number_of(runs, self.task(setting, size, "bfs/full"), "states")
            found.append(Number((f"{size}", "all stored", "states"), states, ours))
            for name, method in METHODS.items():
                ours = number_of(runs, self.task(setting, size, method), "stored_peak")
                paper = peak if method == BREADTH_FIRST else None
                found.append(Number((f"{size}", name, "states stored at the peak"), paper, ours))
        return found


PHILOSOPHERS = Ring("hoare_philosophers.dve", {3: (154, 69), 4: (832, 370), 5: (4_474, 1_940), 6: (24_040, 10_171)})
SCHEDULERS = Ring(
    "milner_schedulers.dve",
    {3: (33, 11), 5: (193, 50), 7: (1_025, 206), 9: (5_121, 816), 11: (24_577, 3_262)},
)

# Section 4.3: states explored until the puzzle was solved, and the most that were stored.
EXPLORED, STORED = 23_679, 1_425


def _puzzle(setting: Setting, method: str) -> Task:
    return Task(setting.of_models("monkey_puzzle.dve"), method, command="check", seconds=SECONDS)


def _puzzle_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    return (_puzzle(setting, method) for method in ("bfs/full", *METHODS.values()))


def _puzzle_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found: list[Number] = []
    for name, method in METHODS.items():
        run = complete(runs, _puzzle(setting, method))
        found += [] if run is None else _puzzle_row(name, run, method == BREADTH_FIRST)
    return found


def _puzzle_row(name: str, run: Run, is_printed: bool) -> list[Number]:
    visits, stored = run.number("visits"), run.number("stored_peak")
    paper = (EXPLORED, STORED, round(100 * STORED / EXPLORED, 1)) if is_printed else (None, None, None)
    ours = (visits, stored, round(100 * stored / max(visits, 1), 1))
    labels = ("states explored", "states stored at the peak", "stored, % of those explored")
    return [Number((name, label), *both) for label, both in zip(labels, zip(paper, ours, strict=True), strict=True)]


READS = ("states", "visits", "stored_peak")


def _table(number: int, ring: Ring, parts: str, title: str) -> Experiment:
    return Experiment(
        name=f"py97-table{number}",
        title=f"PY97, Table {number}: states stored at the peak, {title}",
        columns=(parts, "method", "quantity"),
        reads=READS,
        differs=(
            "The model was reconstructed so that it has the paper's numbers of states.",
            "How many states are stored depends on the order within a level, which the paper does not give.",
        ),
        minutes=1,
        tasks=ring.tasks,
        numbers=ring.numbers,
    )


EXPERIMENTS = (
    _table(1, PHILOSOPHERS, "philosophers", "dining philosophers"),
    _table(2, SCHEDULERS, "schedulers", "Milner's schedulers"),
    Experiment(
        name="py97-puzzle",
        title="PY97, section 4.3: states stored until a sliding puzzle is solved",
        columns=("method", "quantity"),
        reads=READS,
        differs=(
            "The paper does not say how the pieces are placed; ours are placed as in the old red donkey puzzle, so "
            "other states are explored before it is solved.",
            "We tried 49 orders of the moves: most store 5.96 to 6.14% of the states explored; the model's order is "
            "among the lowest.",
        ),
        minutes=0.5,
        tasks=_puzzle_tasks,
        numbers=_puzzle_numbers,
    ),
)
