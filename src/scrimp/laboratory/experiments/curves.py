"""Curves: the cost of a search as its cache is made smaller, step by step, until it costs too much (GHP92, figure
4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from scrimp.laboratory import figures
from scrimp.laboratory.experiments.experiment import Number, Runs, Setting, complete
from scrimp.laboratory.task import Run, Task

REDUCTIONS = ("none", "sleep")

# Curves end at this multiple of the transitions of the search that stores everything.
MOST_EFFORT = 30

# A search may take this many times longer than expected from its transitions.
PATIENCE = 3
LEAST_SECONDS, MOST_SECONDS = 1.5, 20.0

# Sizes of the cache, as parts of the number of states, and of the longest path, which a cache must hold.
PARTS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.33, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005, 0.003)
OF_THE_PATH = (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0)
QUICK_PARTS = (0.5, 0.33, 0.1, 0.03)
QUICK_OF_THE_PATH = (0.9, 2.0)

# Section 4 on DTP with sleep sets: the search is complete with 500 states, with at most four times the transitions.
DTP_STATES, DTP_EFFORT = 500, 4.0

COLOURS = {"none": "tab:red", "sleep": "tab:blue"}
LINES = {"random": "-", "type": "--"}
COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Family:
    """The curves of some models under some policies, with and without sleep sets."""

    subjects: Callable[[Setting], dict[str, str]]
    policies: tuple[str, ...]

    def tasks(self, setting: Setting, runs: Runs) -> Iterator[Task]:
        """The searches that store everything; then, for each curve, the points that are known and one more."""
        for model in self.subjects(setting).values():
            everything = {reduction: _full(model, reduction) for reduction in REDUCTIONS}
            yield from everything.values()
            if plain := complete(runs, everything["none"]):
                for reduction, policy in product(REDUCTIONS, self.policies):
                    yield from _curve(setting, runs, plain, reduction, policy)

    def points(self, setting: Setting, runs: Runs, model: str, reduction: str, policy: str) -> list[Run]:
        """The runs of a curve, from the largest cache to the smallest."""
        plain = complete(runs, _full(model, "none"))
        return [] if plain is None else [runs[t] for t in _curve(setting, runs, plain, reduction, policy) if t in runs]

    def numbers(self, setting: Setting, runs: Runs) -> list[Number]:
        """For each curve, its smallest cache, in percent of the states, and its cost; and DTP in 500 states."""
        found: list[Number] = []
        for name, model in self.subjects(setting).items():
            plain = complete(runs, _full(model, "none"))
            for reduction, policy in product(REDUCTIONS, self.policies):
                done = [run for run in self.points(setting, runs, model, reduction, policy) if run.is_complete]
                labels = (name, reduction, policy)
                found += _smallest(labels, done, plain) if done and plain else []
                if name == "DTP" and reduction == "sleep" and done:
                    found.append(_in_500_states(labels, done, runs[_full(model, "sleep")]))
        return found

    def draw(self, setting: Setting, runs: Runs, _: Sequence[Number]) -> figures.Figure:
        models = self.subjects(setting)
        figure, places = figures.grid(len(models), COLUMNS)
        for axes, (name, model) in zip(places, models.items(), strict=False):
            self._draw_model(axes, setting, runs, name, model)
        figure.supxlabel("room in the cache, % of the states", fontsize=8)
        figure.supylabel("transitions, × those with all stored", fontsize=8)
        handles, labels = places[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=4, fontsize=7, frameon=False)
        return figure

    def _draw_model(self, axes: Any, setting: Setting, runs: Runs, name: str, model: str) -> None:
        plain = complete(runs, _full(model, "none"))
        if plain is None:
            return
        states, transitions = plain.number("states"), plain.number("transitions")
        for reduction, policy in product(REDUCTIONS, self.policies):
            points = self.points(setting, runs, model, reduction, policy)
            done = [run for run in points if run.is_complete]
            axes.plot(
                [100 * _capacity(run) / states for run in done],
                [run.number("transitions") / transitions for run in done],
                LINES[policy],
                color=COLOURS[reduction],
                marker=".",
                markersize=3,
                linewidth=1,
                label=f"{'sleep sets' if reduction == 'sleep' else 'no reduction'}, {policy}",
            )
            for failed in (run for run in points if not run.is_complete):
                axes.axvline(100 * _capacity(failed) / states, color=COLOURS[reduction], linewidth=0.4, alpha=0.5)
        axes.set_title(f"{name}: {states:,} states, depth {plain.number('depth'):,}", fontsize=7)
        axes.set(xscale="log", yscale="log", xlim=(0.08, 130), ylim=(0.1, 40))


def depth_first(store: str, reduction: str) -> str:
    """The method with a store and, unless it is `none`, a reduction."""
    return f"dfs/{store}" if reduction == "none" else f"dfs/{store}/{reduction}"


def _full(model: str, reduction: str) -> Task:
    return Task(model, depth_first("full", reduction), ("--ignore-property",))


def _curve(setting: Setting, runs: Runs, plain: Run, reduction: str, policy: str) -> Iterator[Task]:
    """Caches from the largest down to the first that was not tried yet, or was too small."""
    seconds = min(MOST_SECONDS, max(LEAST_SECONDS, PATIENCE * MOST_EFFORT * plain.number("seconds")))
    for size in _sizes(setting, plain):
        method = depth_first(f"cache:states={size},policy={policy}", reduction)
        task = Task(plain.task.model, method, plain.task.options, seconds=round(seconds, 1))
        yield task
        run = runs.get(task)
        if run is None or not run.is_complete or run.number("transitions") > MOST_EFFORT * plain.number("transitions"):
            return


def _sizes(setting: Setting, plain: Run) -> list[int]:
    states, path = plain.number("states"), plain.number("depth")
    parts, of_the_path = (QUICK_PARTS, QUICK_OF_THE_PATH) if setting.quick else (PARTS, OF_THE_PATH)
    sizes = {round(states * part) for part in parts} | {round(path * part) for part in of_the_path}
    sizes |= {DTP_STATES} if plain.task.model.endswith("dtp.pml") else set()
    return sorted((size for size in sizes if 0.7 * path <= size <= states), reverse=True)


def _capacity(run: Run) -> int:
    return int(run.task.method.partition("states=")[2].partition(",")[0])


def _smallest(labels: tuple[str, ...], done: Sequence[Run], plain: Run) -> list[Number]:
    last = min(done, key=_capacity)
    share = 100 * _capacity(last) / plain.number("states")
    effort = last.number("transitions") / plain.number("transitions")
    return [
        Number((*labels, "smallest cache, % of the states"), None, round(share, 2)),
        Number((*labels, "its transitions, × those without a cache"), None, round(effort, 2)),
    ]


def _in_500_states(labels: tuple[str, ...], done: Sequence[Run], everything: Run) -> Number:
    small = next((run for run in done if _capacity(run) == DTP_STATES), None)
    effort = None if small is None else small.number("transitions") / everything.number("transitions")
    label = f"transitions in {DTP_STATES} states, × those with sleep sets; at most in the paper"
    return Number((*labels, label), DTP_EFFORT, None if effort is None else round(effort, 2))
