"""Every kind of method on the corpus: one matrix, the source of docs/results.md and docs/results/advice.md.

    python -m bench.corpus [--most-states N] [--seconds N] [--folder DIR]

From each family it takes the largest instance within the limits. A matrix that was stopped is continued;
`python -m bench.results_page` copies the report to `results/corpus.csv`.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench.instances import CORPUS, PROMELA, require_corpus
from scrimp.laboratory.bench import Matrix, measure
from scrimp.laboratory.bench_report import write_reports

METHODS = (
    "bfs/full",
    "bfs/full:compress=tree",
    "bfs/full:compress=cleary",
    "bfs/comback",
    "bfs/snapshots",
    "bfs/pseudoroot",
    "bfs/pseudoroot:source=counted",
    "dfs/full",
    "dfs/full/sleep",
    "dfs/full/stubborn",
    "dfs/cache:bytes=4M/sleep",
)
OF_A_FAMILY = 1
LEAST_STATES, MOST_STATES = 50_000, 700_000


def family(model: str) -> str:
    """The name that all instances of one system share."""
    path = Path(model)
    if path.suffix == ".pnml":
        return path.name.partition("-")[0]
    return path.name.partition(".")[0] if "spin_dist" not in model else path.name.replace(".pml", "")


def models(least: int = LEAST_STATES, most: int = MOST_STATES) -> list[str]:
    """Models with `least` to `most` states, at most OF_A_FAMILY from each family."""
    fitting = sorted(((size, path) for path, size in sizes() if least <= size <= most), reverse=True)
    taken: dict[str, list[str]] = {}
    for _, path in fitting:
        of_family = taken.setdefault(family(path), [])
        if len(of_family) < OF_A_FAMILY:
            of_family.append(path)
    return sorted(path for of_family in taken.values() for path in of_family)


def sizes() -> Iterator[tuple[str, int]]:
    """The models of the corpus whose numbers of states are known, with these numbers."""
    for folder, path in (("dve", "dve/{0}/{1}.dve"), ("pnml", "pnml/{1}.pnml")):
        with (CORPUS / folder / "counts.csv").open() as table:
            for row in csv.DictReader(table):
                name = row["instance"]
                file = CORPUS / path.format(name.rpartition(".")[0], name)
                if row["states"].isdigit() and file.is_file():
                    yield str(file), int(row["states"])
    for instance in PROMELA:
        if not instance.name.startswith("beem_pm"):
            yield str(instance.promela), instance.states


def main() -> None:
    parser = argparse.ArgumentParser(description="every kind of method on the corpus")
    parser.add_argument("--least-states", type=int, default=LEAST_STATES)
    parser.add_argument("--most-states", type=int, default=MOST_STATES)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--folder", type=Path, default=Path("results/bench/corpus"))
    options = parser.parse_args()
    require_corpus()
    matrix = Matrix(
        models=tuple(models(options.least_states, options.most_states)),
        methods=METHODS,
        options=("--ignore-property",),
        seconds=options.seconds,
    )
    for model in matrix.models:  # one after another, so that after an interruption each is complete or missing
        measure(replace(matrix, models=(model,)), options.folder)
    write_reports(options.folder, measure(matrix, options.folder), {"time limit": f"{options.seconds:g} s"})


if __name__ == "__main__":
    main()
