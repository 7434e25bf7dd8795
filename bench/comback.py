"""The store `comback` compared with `full`, breadth first: time, bytes per state, and memory measured from outside.

    python bench/comback.py [--rounds N] [--only NAME ...] [--output FILE]

Every search is a process of its own. `tables` is the bytes per state that the state table and the backedges held, with
their slack; `outside` is how much larger the process became than in a search of depth 1, divided by the bytes that the
engine reports.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.instances import Instance, require_corpus
from scrimp.laboratory.bench import Cell, Matrix, cells, perform
from scrimp.laboratory.bench_report import write_record
from scrimp.laboratory.comparison import mean, ratios, seconds
from scrimp.laboratory.searching import search
from scrimp.laboratory.tables import markdown
from scrimp.laboratory.task import Run, Task

INSTANCES = {
    each.name: each
    for each in (
        Instance("brp.4", 12_068_447),
        Instance("brp2.6", 5_742_313),
        Instance("cambridge.7", 11_465_015),
        Instance("firewire_link.5", 18_553_032),
        Instance("needham.4", 6_525_019),
        Instance("synapse.7", 10_198_141),
    )
}

# As in the paper, the cache holds 1% of the states. The others are compared with the first.
FULL = "full"
METHODS = {
    FULL: "bfs/full",
    "comback": "bfs/comback:cache={cache},strategy=F,queue=states",
    "comback, numbers in the queue": "bfs/comback:cache={cache},strategy=F80-D20",
}
OPTIONS = ("--ignore-property",)

HEADER = (
    "instance",
    "states",
    "store",
    "seconds",
    "× full",
    "tables, B/state",
    "all held, B/state",
    "E↑",
    "outside / reported",
)


def measure(instance: Instance, rounds: int) -> tuple[list[Cell], list[list[str]]]:
    """A cell and a row of the table for each store."""
    model = str(instance.model)
    methods = tuple(method.format(cache=instance.states // 100) for method in METHODS.values())
    matrix = Matrix(models=(model,), methods=methods, options=OPTIONS, rounds=rounds)
    idle = Task(model, METHODS[FULL], (*OPTIONS, "--depth", "1"))
    search(idle)  # the model is compiled once, in the first process
    at_rest = search(idle).rss_peak
    with TemporaryDirectory() as folder:
        runs = perform(matrix.tasks(), (), Path(folder))
    found = [
        replace(cell, model=instance.name, method=name)
        for cell, name in zip(cells(runs, matrix.models, methods), METHODS, strict=True)
    ]
    firsts = [next(run for run in runs if run.task.method == method) for method in methods]
    return found, [_row(cell, run, at_rest, found) for cell, run in zip(found, firsts, strict=True)]


def _row(cell: Cell, run: Run, at_rest: int, found: list[Cell]) -> list[str]:
    states, held, parts = (run.number(name) for name in ("states", "bytes_peak", "bytes_by_part"))
    return [
        cell.model,
        f"{states:,}",
        cell.method,
        f"{seconds(cell):.2f}",
        f"{ratios(found, cell.method, FULL, seconds)[cell.model]:.2f}",
        f"{(parts['table'] + parts.get('backedges', 0)) / states:.2f}",
        f"{held / states:.2f}",
        f"{run.number('events_per_transition'):.2f}",
        f"{(run.rss_peak - at_rest) / held:.3f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="time and memory of the store comback")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=INSTANCES, default=list(INSTANCES))
    parser.add_argument("--output", type=Path, default=Path("results/bench/comback.json"))
    options = parser.parse_args()
    require_corpus()
    measured = [measure(INSTANCES[name], options.rounds) for name in options.only]
    found = [cell for some, _ in measured for cell in some]
    print(markdown(HEADER, [row for _, rows in measured for row in rows]))
    for name in METHODS:
        print(f"\n{name}: {mean(ratios(found, name, FULL, seconds)):.2f} × the time of full, in the geometric mean")
    write_record(options.output, found, {"rounds": options.rounds})


if __name__ == "__main__":
    main()
