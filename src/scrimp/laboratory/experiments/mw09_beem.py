"""MW09's section 4.1 on BEEM, which the paper names as future work: the largest instance of each family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from statistics import geometric_mean

from scrimp.laboratory import figures
from scrimp.laboratory.experiments import mw09
from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, complete
from scrimp.laboratory.experiments.mw09 import SETUPS, far_part, stored_part, visits_each
from scrimp.laboratory.task import Run, Task

# Set-ups that store fewer levels than the paper's, or more.
OTHERS = {
    "thin": "bfs/snapshots:(c3,LLNR,2)(3,LLNR,3)",
    "frontier of 4": "bfs/snapshots:(c1,LLNR,4)(2,LFU,5)",
    "sparse": "bfs/snapshots:(c4,LLNR,3)(2,LLNR,5)",
    "wide": "bfs/snapshots:(c2,LLNR,10)(2,LFU,10)",
}
SHOWN = "Frontier Safety Net, BT"

LEAST_STATES, MOST_STATES = 10_000, 1_000_000
SECONDS, QUICK_SECONDS = 60.0, 10.0

# Back edges are short if at most this share of the matches is far back.
FEW = 0.01
# The best set-up is the one that stores least among those that visit each state at most this often.
MOST_VISITS = 1.5


def instances(setting: Setting) -> list[str]:
    """The largest instance of each family that is not too large, in order of size."""
    sizes = {row["instance"]: int(row["states"]) for row in setting.counts("dve") if row["states"].isdigit()}
    fitting = sorted((name for name in sizes if LEAST_STATES <= sizes[name] <= MOST_STATES), key=sizes.__getitem__)
    largest = sorted({name.rpartition(".")[0]: name for name in fitting}.values(), key=sizes.__getitem__)
    return largest[:3] if setting.quick else largest


def _task(setting: Setting, model: str, method: str) -> Task:
    seconds = QUICK_SECONDS if setting.quick else SECONDS
    return Task(setting.beem(model), method, ("--ignore-property",), seconds=seconds)


def _tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    methods = ("bfs/full", mw09.ALL_LEVELS, *SETUPS.values(), *OTHERS.values())
    return (_task(setting, *row) for row in product(instances(setting), methods))


Searches = dict[str, Run]  # by set-up


def _searches(setting: Setting, runs: Runs) -> dict[str, Searches]:
    """The complete searches of each model; a model is left out unless all the paper's set-ups completed on it."""
    methods = {"full": "bfs/full", "all levels": mw09.ALL_LEVELS} | SETUPS | OTHERS
    found = {}
    for model in instances(setting):
        tried = {setup: complete(runs, _task(setting, model, method)) for setup, method in methods.items()}
        done = {setup: run for setup, run in tried.items() if run is not None}
        if {"full", "all levels", *SETUPS} <= set(done):
            found[model] = done
    return found


def _best(done: Searches) -> str:
    """The set-up that stores least; if all visit states too often, the one with the fewest visits."""
    tried = [setup for setup in (*SETUPS, *OTHERS) if setup in done]
    few = [setup for setup in tried if visits_each(done[setup], done["full"]) <= MOST_VISITS]
    if few:
        return min(few, key=lambda setup: stored_part(done[setup], done["full"]))
    return min(tried, key=lambda setup: visits_each(done[setup], done["full"]))


def _numbers(setting: Setting, runs: Runs) -> list[Number]:
    found: list[Number] = []
    searches = _searches(setting, runs)
    for kind in ("short", "long"):
        of_kind = [done for done in searches.values() if (far_part(done["all levels"]) <= FEW) == (kind == "short")]
        of_kind.sort(key=lambda done: stored_part(done[_best(done)], done["full"]))
        names = {id(done): name for name, done in searches.items()}
        for done in of_kind:
            found += _rows(kind, names[id(done)], done)
        found += _means(kind, of_kind)
    return found


def _rows(kind: str, name: str, done: Searches) -> Iterator[Number]:
    """The best set-up, and the paper's."""
    full = done["full"]
    label = f"{name}: {full.number('states'):,} states, {full.number('depth') + 1:,} levels"
    best = _best(done)
    for setup, shown in ((best, f"best: {best}"), (SHOWN, SHOWN)):
        yield Number((kind, label, shown, mw09.FAR_BACK), None, round(100 * far_part(done["all levels"]), 1))
        yield Number((kind, label, shown, mw09.STORED), None, round(100 * stored_part(done[setup], full), 1))
        yield Number((kind, label, shown, mw09.VISITS), None, round(visits_each(done[setup], full), 2))


def _means(kind: str, of_kind: Sequence[Searches]) -> Iterator[Number]:
    if of_kind:
        best = geometric_mean(stored_part(done[_best(done)], done["full"]) for done in of_kind)
        shown = geometric_mean(stored_part(done[SHOWN], done["full"]) for done in of_kind)
        for setup, mean in (("best of each", best), (SHOWN, shown)):
            yield Number((kind, f"geometric mean of {len(of_kind)}", setup, mw09.STORED), None, round(100 * mean, 1))


def _draw(setting: Setting, runs: Runs, _: Sequence[Number]) -> figures.Figure:
    """Each instance as a point: the states stored, and the visits per state that this costs."""
    figure, axes = figures.single("states stored at the peak, % of the states", "visits per state")
    searches = _searches(setting, runs)
    for setup in SETUPS:
        parts = [100 * stored_part(done[setup], done["full"]) for done in searches.values()]
        visits = [visits_each(done[setup], done["full"]) for done in searches.values()]
        axes.plot(parts, visits, ".", label=setup)
    axes.legend(fontsize=7, frameon=False)
    return figure


EXPERIMENTS = (
    Experiment(
        name="mw09-beem",
        title="MW09, section 4.1, on BEEM: breadth-first search with snapshots",
        columns=("back edges", "model", "set-up", "quantity"),
        reads=("states", "stored_peak", "visits", "depth", "snapshots"),
        differs=(
            "The paper names BEEM as future work, so it has no numbers.",
            f"Seven set-ups are tried: the paper's three, and {', '.join(OTHERS)}. The best is the one that stores "
            f"least among those that visit each state at most {MOST_VISITS:g} times.",
            "Far back means more than a tenth of the levels. Back edges are short if at most one match in a hundred is "
            "far back.",
            mw09.KEPT,
        ),
        minutes=10,
        tasks=_tasks,
        numbers=_numbers,
        across="quantity",
        draw=_draw,
    ),
)
