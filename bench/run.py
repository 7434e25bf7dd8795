"""The benchmark: scrimp and SPIN on the same systems, interleaved in one run.

    python bench/run.py [--rounds N] [--only NAME ...] [--promela] [--large] [--output FILE]

Every round runs every configuration once, so that a slow minute of the machine touches all of them alike, and in an
order of its own: whoever comes after a tool that has just given back a gigabyte pays for it. Figures are medians over
the rounds and reported as ratios to SPIN. Search time is what each tool reports for the search itself.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

import report
import spin
from instances import CORPUS, LARGE, PAIRS, PROMELA, Instance
from measure import run

CONFIGURATIONS = (
    ("bfs", "full"),
    ("dfs", "full"),
    ("bfs", "full:compress=tree"),
    ("dfs", "full:compress=tree"),
    ("bfs", "full:compress=cleary"),
    ("dfs", "full:compress=cleary"),
)

# The tool's name in the tables and the verifier that it is.
SPINS = {"spin": "pan", "spin collapse": "pan-collapse"}


@dataclass(frozen=True, slots=True)
class Measurement:
    """The medians of one configuration of one tool on one instance."""

    instance: str
    tool: str
    states: int
    transitions: int
    seconds: float
    bytes_per_state: float
    rss_peak: int
    engine_peak: int = 0
    wall_seconds: float = 0.0


def scrimp_once(instance: Instance, order: str, store: str) -> Measurement:
    command = [
        sys.executable,
        "-m",
        "scrimp",
        "explore",
        instance.model,
        "--ignore-claims",
        "--order",
        order,
        "--store",
        store,
    ]
    finished = run([*command, "--json", "-", "--quiet"])
    if finished.exit_code != 0:
        raise SystemExit(f"scrimp failed on {instance.name} with {order} {store}: exit code {finished.exit_code}")
    record = json.loads(finished.output)
    if record["states"] != instance.states:
        raise SystemExit(f"{instance.name}: {record['states']} states instead of {instance.states}")
    return Measurement(
        instance=instance.name,
        tool=f"{order} {store}",
        states=record["states"],
        transitions=record["transitions"],
        seconds=record["seconds"],
        bytes_per_state=record["bytes_per_state"],
        rss_peak=finished.rss_peak,
        engine_peak=record["bytes_peak"],
        wall_seconds=finished.wall_seconds,
    )


def spin_once(instance: Instance, directory: Path, tool: str) -> Measurement:
    found = spin.search(directory, SPINS[tool])
    if found.states != instance.states + instance.extra:
        raise SystemExit(f"SPIN finds {found.states} states in {instance.name} instead of {instance.states}")
    return Measurement(
        instance=instance.name,
        tool=tool,
        states=found.states,
        transitions=found.transitions,
        seconds=found.seconds,
        bytes_per_state=found.bytes_per_state,
        rss_peak=found.rss_peak,
    )


def measure_instance(instance: Instance, rounds: int, with_spin: bool) -> list[Measurement]:
    """All configurations of an instance, interleaved."""
    runs: list[Measurement] = []
    with tempfile.TemporaryDirectory() as name:
        if with_spin:
            spin.prepare(instance.promela, Path(name))
        measures = [partial(scrimp_once, instance, order, store) for order, store in CONFIGURATIONS]
        if with_spin:
            measures += [partial(spin_once, instance, Path(name), tool) for tool in SPINS]
        for number in range(rounds):
            Random(number).shuffle(measures)
            runs += [measure() for measure in measures]
    return medians(runs)


def medians(runs: list[Measurement]) -> list[Measurement]:
    """One measurement per tool, with the median of every time and the largest memory."""
    tools = [*SPINS, *(f"{order} {store}" for order, store in CONFIGURATIONS)]
    result = []
    for tool in tools:
        same = [each for each in runs if each.tool == tool]
        if not same:
            continue
        values = asdict(same[0]) | {
            "seconds": median(each.seconds for each in same),
            "wall_seconds": median(each.wall_seconds for each in same),
            "rss_peak": max(each.rss_peak for each in same),
        }
        result.append(Measurement(**values))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="scrimp and SPIN on the same systems")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--promela", action="store_true", help="models that both tools read in Promela instead")
    parser.add_argument("--large", action="store_true", help="also the large DVE instances, without SPIN")
    parser.add_argument("--output", type=Path, default=Path("bench/results/latest.json"))
    options = parser.parse_args()
    if not CORPUS.is_dir():
        raise SystemExit(f"the benchmark needs the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")
    with_spin = spin.available()
    if not with_spin:
        print("spin or gcc is not installed: no ratios to SPIN", file=sys.stderr)
    pairs = PROMELA if options.promela else PAIRS
    chosen = [(each, with_spin) for each in pairs] + ([(each, False) for each in LARGE] if options.large else [])
    measurements: list[Measurement] = []
    for instance, compared in chosen:
        if options.only and instance.name not in options.only:
            continue
        measurements += measure_instance(instance, options.rounds, compared)
        print(report.instance_lines(instance.name, measurements), flush=True)
    print(report.summary(measurements))
    record = {"machine": platform.processor() or platform.machine(), "rounds": options.rounds}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(record | {"measurements": [asdict(each) for each in measurements]}, indent=1))


if __name__ == "__main__":
    main()
