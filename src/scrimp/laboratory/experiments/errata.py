"""Claims of the papers that do not hold: each on a small counterexample, as printed and as corrected.

docs/errata.md explains each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, packaged
from scrimp.laboratory.searching import numbers_of, search
from scrimp.laboratory.task import Run, Task
from scrimp.strategies import Method
from scrimp.system.expressions import Expression

Measure = Callable[[Run], float | None]


@dataclass(frozen=True, slots=True)
class Trial:
    """One method on a counterexample: `promised` is the number that follows from the claim, `measure` reads ours."""

    claim: str
    how: str
    task: Task
    quantity: str
    promised: float
    measure: Measure


def _states(run: Run) -> float | None:
    value = run.number("states")
    return float(value) if isinstance(value, int) and run.is_complete else None


def _refuted(run: Run) -> float | None:
    return float(run.number("verdict") == "refuted")


def _proved(run: Run) -> float | None:
    return float(run.number("verdict") == "proved")


def _depth(run: Run) -> float | None:
    value = run.number("depth")
    return float(value) if isinstance(value, int) else None


def _trials(setting: Setting) -> Iterator[Trial]:
    strangers, flags = packaged("sleep_sets.system"), packaged("conflict_sets.system")
    claim = "GHP92, Theorem 3.1: sleep sets visit all states"
    for how, method in (("as printed", "dfs/full/sleep:mode=paper"), ("corrected", "dfs/full/sleep")):
        yield Trial(claim, how, Task(strangers, method), "states", 24, _states)
    yield Trial(claim, "corrected, in a cache", Task(strangers, "dfs/cache:states=20/sleep"), "complete", 1, _proved)

    claim = "HGP92, Algorithm 3: conflict sets visit all states"
    for how, method in (("as printed", "dfs/full/conflict:mode=paper"), ("corrected", "dfs/full/conflict")):
        yield Trial(claim, how, Task(flags, method), "states", 16, _states)

    claim = "HGP92, Algorithm 2: local moves first preserves assertions"
    model = packaged("disabled_option.pml")
    for how, method in (("as printed", "dfs/full/local:mode=printed"), ("corrected", "dfs/full/local")):
        task = Task(model, method, ("--allow-deadlock", "--as-written"), "check")
        yield Trial(claim, how, task, "violation found", 1, _refuted)

    claim = "HGP92, Table I: a send and a receive are independent"
    goals = ("--allow-deadlock", "--reach", "got == 3", "--reach", "got == 5")
    task = Task(packaged("sorted_send.pml"), "dfs/full/conflict", goals, "check")
    yield Trial(claim, "corrected: not a sorted send", task, "both orders found", 1, _proved)

    claim = "MW09, Lemma 1: with increasing periods a search ends"
    model = packaged("two_cycles.aut")
    caches = "bfs/snapshots:caches=(2,LLNR,1),backtracking=false"
    for how, method in (
        ("as printed", f"{caches},permanent=false"),
        ("corrected: permanent snapshots", caches),
    ):
        task = Task(model, method, ("--depth", "100000"))
        yield Trial(claim, how, task, "ended within 100,000 levels", 1, _proved)

    claim = "EWK09, Algorithm 4: a breadth-first search goes level by level"
    model = packaged("cyclic.pml")
    store = "bfs/comback:hash=16,cache=100,candidates=5000,queue=states"
    for how, method in (("as printed", f"{store},mode=paper"), ("corrected: compares at the end of each level", store)):
        yield Trial(claim, how, Task(model, method), "deepest level", 46, _depth)

    claim = "PY97, section 3.3: a pending state may be dropped"
    task = Task(packaged("counter.aut"), "bfs/pseudoroot:source=given,states=2")
    yield Trial(claim, "corrected, with room for two states", task, "states", 4, _states)

    claim = "GHP92, section 2: a cache larger than the deepest stack is enough"
    if setting.path(dtp := "corpus/promela/spin_dist/dtp.pml").is_file():
        for how, store in (("all stored", "full"), ("a cache of 700 states", "cache:states=700")):
            task = Task(dtp, f"dfs/{store}/sleep")
            yield Trial(claim, how, task, "deepest stack of DTP", 545, _depth)


def _tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    return (trial.task for trial in _trials(setting))


def _numbers(setting: Setting, runs: Runs) -> list[Number]:
    return [
        Number((trial.claim, trial.how, trial.quantity), trial.promised, trial.measure(runs[trial.task]))
        for trial in _trials(setting)
        if trial.task in runs
    ]


class _NoScope:
    """The text form of systems has no expressions for users."""

    def expression(self, text: str) -> Expression:
        raise NotImplementedError


def perform(task: Task) -> Run:
    """Carry out a task. Counterexamples whose events must be tried in a certain order are given in the text form of
    systems, which the command line does not read: they are searched in this process, in a moment. All others are
    searched in processes of their own."""
    if not task.model.endswith(".system"):
        return search(task)
    from scrimp.checking import explore
    from scrimp.frontends.model import Model
    from scrimp.system.text import parse_system

    system = parse_system(Path(task.model).read_text(encoding="utf-8"))
    model = Model(path=task.model, language="system", system=system, unchecked=None, scope=_NoScope())
    method = Method.parse(task.method)
    result = explore(model, method=method, threads=1)
    return Run(task, "complete", numbers=numbers_of(result.to_dict()))


EXPERIMENTS = (
    Experiment(
        name="errata",
        title="Where the papers are wrong: claims, counterexamples, and corrected methods",
        columns=("claim", "method", "quantity"),
        reads=("states", "verdict", "depth"),
        differs=(
            "The paper's number is what its claim promises; 1 stands for yes and 0 for no.",
            "HGP92's Table I, PY97's section 3.3 and EWK09's candidates as triples are not available as printed: "
            "docs/errata.md explains why they are wrong.",
            "DTP, for GHP92's section 2, is left out if there is no corpus.",
        ),
        minutes=0.2,
        tasks=_tasks,
        numbers=_numbers,
        perform=perform,
    ),
)
