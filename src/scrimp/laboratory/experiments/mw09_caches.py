"""MW09, section 4.2: depth-first search with caches. How small can a cache be if it may cost at most twice as much as
storing everything?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean

from scrimp.laboratory.experiments import ghp92
from scrimp.laboratory.experiments.curves import depth_first
from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, complete
from scrimp.laboratory.experiments.mw09 import vlts
from scrimp.laboratory.task import Run, Task

# One cache, or a cascade of two.
POLICIES = (
    *("lru", "mru", "lfu", "mfu", "random"),
    *("mfu:75+lru:25", "random:75+lru:25", "mfu:25+lru:75", "random:25+lru:75"),
)
# The best single cache and the best cascade of the paper, in percent of the states.
PRINTED = {"lru": 40.0, "mfu:25+lru:75": 30.0, "random:25+lru:75": 30.0}

STEPS = (*range(100, 0, -5), 4, 3, 2, 1, 0.5)
QUICK_STEPS = (100, 60, 40, 30, 20, 10)
QUICK_SECONDS = 5.0

# The allowed multiple of the transitions of the search that stores everything.
MOST_EFFORT = 2

ONE_PATH = ("vasy_25_25", "vasy_40_60")


@dataclass(frozen=True, slots=True)
class Caches:
    """The smallest caches of some models, by policy and reduction, with a time limit for each search; `compared` are
    the models whose mean is compared with the paper's figures."""

    subjects: Callable[[Setting], dict[str, str]]
    reductions: tuple[str, ...]
    policies: tuple[str, ...]
    seconds: float
    compared: Callable[[str], bool]

    def tasks(self, setting: Setting, runs: Runs) -> Iterator[Task]:
        for model in self.subjects(setting).values():
            for reduction in self.reductions:
                yield self._full(model, reduction)
                if plain := complete(runs, self._full(model, reduction)):
                    for policy in self.policies_of(setting):
                        yield from _curve(setting, runs, plain, reduction, policy)

    def _full(self, model: str, reduction: str) -> Task:
        options = () if model.endswith(".aut") else ("--ignore-property",)
        return Task(model, depth_first("full", reduction), options, seconds=self.seconds)

    def policies_of(self, setting: Setting) -> tuple[str, ...]:
        return ("lru", "random", "mfu:25+lru:75") if setting.quick else self.policies

    def numbers(self, setting: Setting, runs: Runs) -> list[Number]:
        found: list[Number] = []
        models = self.subjects(setting)
        for reduction in self.reductions:
            smallest = {
                (name, policy): _smallest(setting, runs, self._full(models[name], reduction), reduction, policy)
                for name, policy in product(models, self.policies_of(setting))
            }
            found += [Number((name, reduction, policy), None, share) for (name, policy), share in smallest.items()]
            for policy in self.policies_of(setting):
                shares = [smallest[name, policy] for name in models if self.compared(name)]
                found.append(Number(("mean", reduction, policy), PRINTED.get(policy), _mean(shares)))
        return found


def _mean(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return round(fmean(known), 1) if known else None


def _curve(setting: Setting, runs: Runs, plain: Run, reduction: str, policy: str) -> Iterator[Task]:
    """Caches from the largest down to the first that was not tried yet, or was too small."""
    for percent in _steps(setting):
        size = max(round(percent / 100 * plain.number("states")), 1)
        method = depth_first(f"cache:states={size},policy={policy}", reduction)
        seconds = QUICK_SECONDS if setting.quick else plain.task.seconds
        task = Task(plain.task.model, method, plain.task.options, seconds=seconds)
        yield task
        if not _is_enough(runs.get(task), plain):
            return


def _is_enough(run: Run | None, plain: Run) -> bool:
    if run is None or not run.is_complete:
        return False
    return bool(run.number("transitions") <= MOST_EFFORT * plain.number("transitions"))


def _smallest(setting: Setting, runs: Runs, full: Task, reduction: str, policy: str) -> float | None:
    plain = complete(runs, full)
    if plain is None:
        return None
    tried = zip(_steps(setting), _curve(setting, runs, plain, reduction, policy), strict=False)
    enough = [percent for percent, task in tried if _is_enough(runs.get(task), plain)]
    return float(min(enough)) if enough else None


def _steps(setting: Setting) -> tuple[float, ...]:
    return QUICK_STEPS if setting.quick else STEPS


def _vlts(setting: Setting) -> dict[str, str]:
    found = vlts(setting)
    return dict(list(found.items())[:3]) if setting.quick else found


VLTS = Caches(_vlts, ("none",), POLICIES, 60.0, lambda name: name not in ONE_PATH)
MODELS = Caches(ghp92.subjects, ("none", "sleep"), (*PRINTED, "mfu", "random"), 10.0, lambda _: True)

EXPERIMENTS = (
    Experiment(
        name="mw09-dfs",
        title="MW09, section 4.2: depth-first search with caches in cascade",
        columns=("LTS", "reduction", "policy"),
        reads=("states", "transitions"),
        differs=(
            "The paper uses larger LTSs of the same suite.",
            "A number is the smallest cache, in percent of the states, with at most twice the transitions of the "
            "graph; the paper says 'down to'. A number after a colon is the share of a cache in a cascade.",
            "vasy_25_25 and vasy_40_60 are left out of the mean: all their states are on one path.",
        ),
        minutes=6,
        tasks=VLTS.tasks,
        numbers=VLTS.numbers,
        across="policy",
    ),
    Experiment(
        name="mw09-dfs-models",
        title="MW09, section 4.2, on protocols and BEEM models, with and without sleep sets",
        columns=("model", "reduction", "policy"),
        reads=("states", "transitions"),
        differs=(
            "These are the models of ghp92-figure4; the paper uses LTSs.",
            "A number is the smallest cache, in percent of the states, with at most twice the transitions of the same "
            "search when it stores everything.",
        ),
        minutes=90,
        tasks=MODELS.tasks,
        numbers=MODELS.numbers,
        across="policy",
    ),
)
