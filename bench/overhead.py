"""The cost of reductions and caches if they save nothing: seconds per transition fired, compared with the plain
depth-first search that stores everything.

    python bench/overhead.py [--rounds N] [--only GROUP ...] [--output FILE]

Every round runs every configuration once, in a different order; ratios are those of medians over the rounds. Reductions
are measured on systems in which all events depend on each other (HGP92 measures its protocol 3 for the same reason), so
that as many transitions are fired as without them. Sleep sets and caches are also measured on systems of all kinds,
with fewer transitions for each state.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.instances import CORPUS, require_corpus
from scrimp.laboratory.bench import Cell, Matrix, measure
from scrimp.laboratory.bench_report import write_record
from scrimp.laboratory.comparison import mean, ratios, speed
from scrimp.laboratory.searching import search
from scrimp.laboratory.tables import text_lines
from scrimp.laboratory.task import Task

# HGP92's protocol 3: processes that traverse ten states each, all by statements over one global variable.
PROCESSES, STATEMENTS = 6, 9
PROTOCOL_3 = f"byte x; active [{PROCESSES}] proctype P() {{ {'x = 0; ' * STATEMENTS} x > 0 }}"

DEPENDENT = (
    "protocol 3",
    "dve/bridge/bridge.3.dve",
    "dve/sorter/sorter.5.dve",
)
VARIOUS = (
    "promela/spin_dist/dtp.pml",
    "promela/spin_dist/LTL/pftp.pml",
    "dve/elevator/elevator.3.dve",
    "dve/lamport/lamport.5.dve",
    "dve/peterson/peterson.3.dve",
    "dve/szymanski/szymanski.3.dve",
)
UNORDERED = ("random", "fifo", "type")
ORDERED = ("lru", "mru", "lfu", "mfu", "largest-class", "smallest-subtree", "mfu:25+lru:75")

PLAIN = "dfs/full"
OPTIONS = ("--ignore-property",)


@dataclass(frozen=True, slots=True)
class Group:
    """Methods that may cost `limit` more per transition. In a method, `{n}` stands for `part` times the number of
    states."""

    name: str
    limit: float
    models: Sequence[str]
    methods: Sequence[str]
    part: float = 1.0


def caches(policies: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"dfs/cache:states={{n}},policy={policy}" for policy in policies)


GROUPS = (
    Group("sleep", 0.60, (*DEPENDENT, *VARIOUS), ("dfs/full/sleep", "dfs/full/conflict")),
    Group("local", 0.05, DEPENDENT, ("dfs/full/local",)),
    Group("unordered", 0.25, VARIOUS, caches(UNORDERED)),
    Group("ordered", 1.00, VARIOUS, caches(ORDERED)),
    Group("unordered-80", 0.25, VARIOUS, caches(UNORDERED), part=0.8),
    Group("ordered-80", 1.00, VARIOUS, caches(ORDERED), part=0.8),
)


def costs(group: Group, model: str, rounds: int, folder: Path) -> list[Cell]:
    """The cells of the plain search and of the group's methods, named as in the group."""
    path = str(_file(model, folder))
    states = search(Task(path, PLAIN, OPTIONS)).number("states") or 0
    names = (PLAIN, *group.methods)
    methods = tuple(name.format(n=round(group.part * states)) for name in names)
    found = measure(Matrix(models=(path,), methods=methods, options=OPTIONS, rounds=rounds), folder)
    for cell in found:
        if cell.status != "complete":
            raise SystemExit(f"{model} with {cell.method}: {cell.message}")
    return [replace(cell, model=model, method=name) for cell, name in zip(found, names, strict=True)]


def _file(model: str, folder: Path) -> Path:
    if model != "protocol 3":
        return CORPUS / model
    path = folder / "protocol_3.pml"
    path.write_text(PROTOCOL_3)
    return path


def model_lines(found: Sequence[Cell]) -> Iterator[str]:
    """The time per transition with each method on one model, and how much longer that is than in the plain search."""
    rows = [
        [cell.method, f"{1e9 / speed(cell):.0f}", f"{mean(ratios(found, PLAIN, cell.method, speed)) - 1:+.0%}"]
        for cell in found
    ]
    yield from text_lines((found[0].model, "ns", "extra"), rows)


def summary_row(group: Group, method: str, found: Sequence[Cell]) -> list[str]:
    """The geometric mean over the models, the limit, and the worst model."""
    slower = ratios(found, PLAIN, method, speed)
    return [
        group.name,
        method,
        *(f"{extra:+.0%}" for extra in (mean(slower) - 1, group.limit, max(slower.values()) - 1)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="the cost of reductions and caches per transition")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=[group.name for group in GROUPS], metavar="GROUP")
    parser.add_argument("--output", type=Path, default=Path("results/bench/overhead.json"))
    options = parser.parse_args()
    require_corpus()
    every: list[Cell] = []
    rows = []
    for group in GROUPS:
        if options.only and group.name not in options.only:
            continue
        found: list[Cell] = []
        for model in group.models:
            with TemporaryDirectory() as folder:
                of_model = costs(group, model, options.rounds, Path(folder))
            print(*model_lines(of_model), sep="\n", flush=True)
            found += of_model
        rows += [summary_row(group, method, found) for method in group.methods]
        every += found
    print(*text_lines(("group", "method", "mean", "limit", "worst"), rows, left=2), sep="\n")
    write_record(options.output, every, {"rounds": options.rounds})


if __name__ == "__main__":
    main()
