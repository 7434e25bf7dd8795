"""The benchmark: scrimp and SPIN on the same systems, interleaved in one run.

    python bench/run.py [--rounds N] [--only NAME ...] [--promela] [--large] [--output FILE]
    python bench/run.py --against PYTHON ...        # compare with the scrimp of another environment instead of SPIN

Every round runs every configuration of every instance once, so that a slow minute of the machine affects all of them
alike. The order of an instance's configurations differs from round to round, because a tool is slowed down if the one
before it has just released a gigabyte. Figures are medians over the rounds, reported as ratios to SPIN. Search time is
the time that each tool reports for the search itself.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench import report
from bench.instances import LARGE, PAIRS, PROMELA, Instance, require_corpus
from bench.peers import COLLAPSE, SPIN, other_build
from scrimp.laboratory.bench import Cell, cells, perform
from scrimp.laboratory.bench_report import write_record
from scrimp.laboratory.peers.adapter import Adapter
from scrimp.laboratory.peers.running import missing
from scrimp.laboratory.process import run
from scrimp.laboratory.searching import command_line
from scrimp.laboratory.task import Run, Task

METHODS = (
    "bfs/full",
    "dfs/full",
    "bfs/full:compress=tree",
    "dfs/full:compress=tree",
    "bfs/full:compress=cleary",
    "dfs/full:compress=cleary",
)
OPTIONS = ("--ignore-property",)
SPINS = (SPIN, COLLAPSE)


def tasks(instances: Sequence[Instance], peers: Sequence[Adapter], rounds: int) -> Iterator[Task]:
    for number in range(rounds):
        for instance in instances:
            wanted = [Task(str(instance.model), method, OPTIONS, round=number) for method in METHODS]
            wanted += [Task(str(file), peer.name, round=number) for peer in peers if (file := read_by(peer, instance))]
            Random(f"{instance.name} {number}").shuffle(wanted)
            yield from wanted


def read_by(peer: Adapter, instance: Instance) -> Path | None:
    """SPIN reads Promela, in which the large instances differ from ours; another build reads the same file as we do."""
    if peer in SPINS:
        return None if instance in LARGE else instance.promela
    return instance.model


def measure(instances: Sequence[Instance], peers: Sequence[Adapter], rounds: int) -> list[Run]:
    """The runs of all rounds, with the instances' names as models."""
    names = {str(path): each.name for each in instances for path in (each.model, each.promela)}
    with TemporaryDirectory() as folder:
        runs = perform(list(tasks(instances, peers, rounds)), peers, Path(folder))
    return [replace(run, task=replace(run.task, model=names[run.task.model])) for run in runs]


def warm_up(instances: Sequence[Instance], pythons: Sequence[Path]) -> None:
    """One search by each build, so that compiled models and the ranges of their values are in the cache."""
    for instance in instances:
        for python in pythons:
            finished = run([python, *command_line(Task(str(instance.model), METHODS[0], OPTIONS))[1:]])
            if finished.exit_code != 0:
                raise SystemExit(f"{python} on {instance.name}: exit code {finished.exit_code}\n{finished.errors}")


def mistakes(instances: Sequence[Instance], found: Sequence[Cell]) -> Iterator[str]:
    """Searches that did not complete, or found the wrong number of states."""
    of_spin = {each.name for each in SPINS}
    for instance, cell in ((each, cell) for each in instances for cell in found if cell.model == each.name):
        expected = instance.states + (instance.extra if cell.method in of_spin else 0)
        if cell.status != "complete":
            yield f"{cell.model} {cell.method}: {cell.status}: {cell.message}"
        elif cell.states != expected:
            yield f"{cell.model} {cell.method}: {cell.states} states instead of {expected}"


def chosen(options: argparse.Namespace) -> list[Instance]:
    every = [*(PROMELA if options.promela else PAIRS), *(LARGE if options.large else ())]
    if unknown := set(options.only) - {each.name for each in every}:
        raise SystemExit(f"--only: unknown instance {', '.join(sorted(unknown))}")
    return [each for each in every if not options.only or each.name in options.only]


def peers_of(against: Path | None) -> list[Adapter]:
    if against is not None:
        return [other_build(against.absolute(), method, OPTIONS) for method in METHODS]
    if absent := missing(SPIN):
        print(f"{', '.join(absent)}: not installed, so there are no ratios to SPIN", file=sys.stderr)
    return [] if absent else [*SPINS]


def main() -> None:
    parser = argparse.ArgumentParser(description="scrimp and SPIN on the same systems")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--promela", action="store_true", help="use the models that both tools read in Promela")
    parser.add_argument("--large", action="store_true", help="also use the large DVE instances, without SPIN")
    parser.add_argument(
        "--against",
        type=Path,
        metavar="PYTHON",
        help="compare with the scrimp of another environment, given by its interpreter, instead of SPIN",
    )
    parser.add_argument("--output", type=Path, default=Path("results/bench/latest.json"))
    options = parser.parse_args()
    require_corpus()
    instances, peers = chosen(options), peers_of(options.against)
    if options.against:
        warm_up(instances, [Path(sys.executable), options.against])
    runs = measure(instances, peers, options.rounds)
    names, tools = [each.name for each in instances], [*(each.name for each in peers), *METHODS]
    found = cells(runs, names, tools)
    print(*report.instance_lines(found), sep="\n")
    if options.against:
        print(*report.against_lines(found, cells(runs, names, tools, min), METHODS), sep="\n")
    else:
        print(*report.summary_lines(found), sep="\n")
    settings = {"rounds": options.rounds, "machine": platform.processor() or platform.machine()}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write_record(options.output, found, settings)
    if wrong := list(mistakes(instances, found)):
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
