"""What reductions and caches cost where they bring nothing: seconds per transition fired, against the plain depth-first
search that stores everything.

    python bench/overhead.py [--rounds N] [--only GROUP ...] [--output FILE]

Every round searches with every configuration once, in an order of its own; ratios are those of medians over the rounds.
Reductions are measured on systems where everything that happens depends on everything (HGP92 measures its protocol 3
for the same reason), so that as many transitions are fired as without them; sleep sets also, like caches, on systems of
all kinds, where fewer transitions are fired for each state.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp, log
from pathlib import Path
from random import Random
from statistics import median

from instances import CORPUS

import scrimp
from scrimp.strategies import parse_reduction, parse_store

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


@dataclass(frozen=True, slots=True)
class Group:
    """Strategies that may cost `limit` more per transition. `{n}` in a store is `part` of the number of states."""

    name: str
    limit: float
    models: Sequence[str]
    stores: Sequence[str] = ("full",)
    reductions: Sequence[str] = ("none",)
    part: float = 1.0

    def strategies(self, states: int) -> dict[str, tuple[str, str]]:
        """What each is called, its store and its reduction; the first is what the others are compared with."""
        capacity = round(self.part * states)
        chosen = {"plain": ("full", "none")}
        for store in self.stores:
            for reduction in self.reductions:
                chosen[f"{store} {reduction}"] = (store.format(n=capacity), reduction)
        return chosen


def caches(policies: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"cache:states={{n}},policy={policy}" for policy in policies)


GROUPS = (
    Group("sleep", 0.60, (*DEPENDENT, *VARIOUS), reductions=("sleep", "conflict")),
    Group("local", 0.05, DEPENDENT, reductions=("local",)),
    Group("unordered", 0.25, VARIOUS, stores=caches(UNORDERED)),
    Group("ordered", 1.00, VARIOUS, stores=caches(ORDERED)),
    Group("unordered-80", 0.25, VARIOUS, stores=caches(UNORDERED), part=0.8),
    Group("ordered-80", 1.00, VARIOUS, stores=caches(ORDERED), part=0.8),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """`extra` is what a transition takes longer than in the plain search: 0.25 is a quarter more."""

    group: str
    limit: float
    model: str
    strategy: str
    transitions: int
    nanoseconds: float
    extra: float


def load(model: str) -> scrimp.Model:
    if model != "protocol 3":
        return scrimp.load(CORPUS / model, ignore_property=True)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "protocol_3.pml"
        path.write_text(PROTOCOL_3)
        return scrimp.load(path)


def search(model: scrimp.Model, store: str, reduction: str) -> scrimp.Statistics:
    found = scrimp.explore(
        model, order=scrimp.DepthFirst(), store=parse_store(store), reduction=parse_reduction(reduction)
    )
    if found.verdict is not scrimp.Verdict.PROVED:
        raise SystemExit(f"{found.model} with {store} and {reduction}: {found.reason}")
    return found.statistics


def measure(group: Group, name: str, rounds: int) -> list[Cost]:
    model = load(name)
    plain = search(model, "full", "none")
    strategies = group.strategies(plain.states)
    runs: dict[str, list[scrimp.Statistics]] = {each: [] for each in strategies}
    for number in range(rounds):
        order = list(strategies)
        Random(number).shuffle(order)
        for each in order:
            runs[each].append(search(model, *strategies[each]))
    return costs(group, name, runs)


def costs(group: Group, model: str, runs: Mapping[str, Sequence[scrimp.Statistics]]) -> list[Cost]:
    each = {name: median(run.seconds for run in same) / same[0].transitions for name, same in runs.items()}
    return [
        Cost(
            group.name, group.limit, model, name, same[0].transitions, 1e9 * each[name], each[name] / each["plain"] - 1
        )
        for name, same in runs.items()
    ]


def summary(found: Sequence[Cost]) -> str:
    """The geometric mean over the models for each strategy of a group, with its limit."""
    lines = []
    for strategy in dict.fromkeys((cost.group, cost.limit, cost.strategy) for cost in found):
        extras = [cost.extra for cost in found if (cost.group, cost.limit, cost.strategy) == strategy]
        mean = exp(sum(log(1 + extra) for extra in extras) / len(extras)) - 1
        lines.append(
            f"{strategy[0]:14} {strategy[2]:46} {mean:+7.0%}  limit {strategy[1]:+.0%}  worst {max(extras):+.0%}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="the cost of reductions and caches per transition")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=[group.name for group in GROUPS])
    parser.add_argument("--output", type=Path, default=Path("bench/results/overhead.json"))
    options = parser.parse_args()
    if not CORPUS.is_dir():
        raise SystemExit(f"the benchmark needs the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")
    found: list[Cost] = []
    for group in GROUPS:
        for model in group.models if group.name in options.only else ():
            measured = measure(group, model, options.rounds)
            found += measured
            for cost in measured:
                print(f"{model:44} {cost.strategy:46} {cost.nanoseconds:7.0f} ns {cost.extra:+7.0%}", flush=True)
    print(summary([cost for cost in found if cost.strategy != "plain"]))
    options.output.write_text(
        json.dumps({"rounds": options.rounds, "costs": [asdict(cost) for cost in found]}, indent=1)
    )


if __name__ == "__main__":
    main()
