"""Start-up: from the command to the first states, with an empty cache and with a filled one.

    python bench/startup.py [--rounds N]

A search to depth 1 is nothing but start-up. If SPIN is installed and the model exists in Promela, the time to generate
and compile a verifier is shown for comparison.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.instances import Instance, require_corpus
from bench.peers import SPIN
from scrimp.laboratory.peers.running import arguments, missing
from scrimp.laboratory.process import run
from scrimp.laboratory.searching import search
from scrimp.laboratory.tables import text_lines
from scrimp.laboratory.task import Task

# DVE with few transitions, some 400, 1,300 and 2,000; Promela in order of size.
INSTANCES = (
    Instance("peterson.4", 1_119_560),
    Instance("firewire_link.2", 55_887),
    Instance("firewire_tree.5", 0),
    Instance("pouring.1", 503),
    Instance("ltsmin_examples/peterson3.pml", 271_285),
    Instance("spin_dist/dtp.pml", 251_409),
    Instance("beem_pm/firewire_link.4.pm", 105_967),
)
OPTIONS = ("--ignore-property", "--depth", "1")


def cold_and_cached(instance: Instance, rounds: int) -> tuple[float, float]:
    task = Task(str(instance.model), "bfs/full", OPTIONS)
    pairs = []
    for _ in range(rounds):
        with TemporaryDirectory() as folder:
            os.environ["SCRIMP_CACHE_DIR"] = folder
            pairs.append((search(task).wall_seconds, search(task).wall_seconds))
    cold, cached = map(median, zip(*pairs, strict=True))
    return cold, cached


def seconds_of_spin(instance: Instance) -> float | None:
    if missing(SPIN) or not instance.promela.exists():
        return None
    with TemporaryDirectory() as folder:
        commands = [arguments(line, str(instance.promela)) for line in SPIN.prepare]
        return sum(run(command, directory=Path(folder)).wall_seconds for command in commands)


def main() -> None:
    parser = argparse.ArgumentParser(description="how long scrimp takes to start")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=[each.name for each in INSTANCES], metavar="NAME")
    options = parser.parse_args()
    require_corpus()
    rows = []
    for instance in INSTANCES:
        if not options.only or instance.name in options.only:
            times = (*cold_and_cached(instance, options.rounds), seconds_of_spin(instance))
            rows.append([instance.name, *("" if each is None else f"{each:.2f}" for each in times)])
    print(*text_lines(("", "cold s", "cached s", "spin -a, gcc"), rows), sep="\n")


if __name__ == "__main__":
    main()
