"""The store `comback` beside `full`, breadth first: time, bytes per state, and memory as seen from outside.

    python bench/comback.py [--rounds N] [--only NAME ...] [--output FILE]

Every search is a process of its own. `tables` is what the state table and the backedges held, with their slack, for
each state; `outside` is what the process grew by against a search of depth 1, over what the engine says it held.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from math import exp, fsum, log
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from instances import CORPUS
from measure import run

# With their states: a cache of one in a hundred of them is the paper's.
INSTANCES = {
    "brp.4": 12_068_447,
    "brp2.6": 5_742_313,
    "cambridge.7": 11_465_015,
    "firewire_link.5": 18_553_032,
    "needham.4": 6_525_019,
    "synapse.7": 10_198_141,
}

# The first is what the others are compared with.
STORES = {
    "full": "full",
    "comback": "comback:cache={cache},strategy=F,queue=states",
    "comback, numbers in the queue": "comback:cache={cache},strategy=F80-D20",
}


@dataclass(frozen=True, slots=True)
class Measured:
    instance: str
    store: str
    states: int
    seconds: float
    tables: float  # bytes per state
    held: float  # bytes per state, with all that the search held
    events_per_transition: float
    outside: float


def search(instance: str, store: str, *options: str) -> tuple[dict[str, Any], int]:
    """The record of a search, and the most memory that its process held."""
    model = CORPUS / "dve" / instance.rpartition(".")[0] / f"{instance}.dve"
    scrimp = Path(sys.executable).with_name("scrimp")
    done = run([scrimp, "explore", model, "--ignore-property", "--store", store, "--json", "-", "-q", *options])
    return json.loads(done.output[done.output.index("{") :]), done.rss_peak


def measure(instance: str, rounds: int) -> list[Measured]:
    found: dict[str, list[tuple[dict[str, Any], int]]] = {name: [] for name in STORES}
    search(instance, "full", "--depth", "1")  # the model is compiled once, in the first process
    idle = search(instance, "full", "--depth", "1")[1]
    for number in range(rounds):
        names = list(STORES)
        Random(number).shuffle(names)
        for name in names:
            found[name].append(search(instance, STORES[name].format(cache=INSTANCES[instance] // 100)))
    return [summarise(instance, name, runs, idle) for name, runs in found.items()]


def summarise(instance: str, name: str, runs: list[tuple[dict[str, Any], int]], idle: int) -> Measured:
    record, rss = runs[0]
    parts = record["bytes_by_part"]
    return Measured(
        instance=instance,
        store=name,
        states=record["states"],
        seconds=median(each["seconds"] for each, _ in runs),
        tables=(parts["table"] + parts.get("backedges", 0)) / record["states"],
        held=record["bytes_peak"] / record["states"],
        events_per_transition=record["events_per_transition"],
        outside=(rss - idle) / record["bytes_peak"],
    )


def report(found: list[Measured]) -> str:
    lines = [
        "| instance | states | store | seconds | × full | tables, B/state | all held, B/state | E↑ | outside / told |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    full = {each.instance: each.seconds for each in found if each.store == "full"}
    for each in found:
        lines.append(
            f"| {each.instance} | {each.states:,} | {each.store} | {each.seconds:.2f} | "
            f"{each.seconds / full[each.instance]:.2f} | {each.tables:.2f} | {each.held:.2f} | "
            f"{each.events_per_transition:.2f} | {each.outside:.3f} |"
        )
    for name in STORES:
        ratios = [log(each.seconds / full[each.instance]) for each in found if each.store == name]
        lines.append(f"\n{name}: {exp(fsum(ratios) / len(ratios)):.2f} × the time of full, in the geometric mean")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="time and memory of the store comback")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=INSTANCES, default=list(INSTANCES))
    parser.add_argument("--output", type=Path, default=Path("bench/results/comback.json"))
    options = parser.parse_args()
    if not CORPUS.is_dir():
        raise SystemExit(f"the benchmark needs the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")
    found = [each for instance in options.only for each in measure(instance, options.rounds)]
    print(report(found))
    options.output.write_text(json.dumps([asdict(each) for each in found], indent=1))


if __name__ == "__main__":
    main()
