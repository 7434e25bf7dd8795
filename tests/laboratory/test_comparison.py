"""Methods and tools beside each other: ratios on the same models, and what `bench/run.py` makes of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest
from bench import ltsmin
from bench.instances import LARGE, PAIRS
from bench.peers import SPIN, of_other_build, other_build
from bench.report import against_lines, summary_lines
from bench.run import METHODS, SPINS, tasks

from scrimp.laboratory.bench import Cell, cells, perform
from scrimp.laboratory.comparison import mean, ratios, speed
from scrimp.laboratory.task import Run, Task


def cell(model: str, method: str, seconds: float) -> Cell:
    numbers = {"transitions": 600, "bytes_per_state": 8.0, "seconds": seconds}
    return cells([Run(Task(model, method), "complete", numbers=numbers)], [model], [method])[0]


def test_ratios_are_of_models_that_both_completed() -> None:
    slow = [cell(model, "dfs/full", 4.0) for model in "ab"]
    fast = [cell("a", "bfs/full", 2.0), cell("c", "bfs/full", 2.0), replace(cell("b", "bfs/full", 1.0), status="time")]
    assert ratios([*slow, *fast], "bfs/full", "dfs/full", speed) == {"a": 2.0}


def test_the_mean_of_ratios_is_geometric() -> None:
    assert mean({"a": 2.0, "b": 8.0}) == pytest.approx(4.0)
    assert isnan(mean({}))


def test_times_are_medians_unless_others_are_asked_for() -> None:
    runs = [Run(Task("a", "b", round=n), "complete", numbers={"seconds": each}) for n, each in enumerate((3, 1, 5))]
    assert [cells(runs, ["a"], ["b"])[0].seconds, cells(runs, ["a"], ["b"], min)[0].seconds] == [3, 1]


def test_every_round_of_the_benchmark_has_everything_in_an_order_of_its_own() -> None:
    instances = [PAIRS[0], LARGE[0]]
    rounds: dict[int, list[tuple[str, str]]] = {}
    for task in tasks(instances, SPINS, 2):
        rounds.setdefault(task.round, []).append((task.model, task.method))
    assert sorted(rounds[0]) == sorted(rounds[1])
    assert rounds[0] != rounds[1]
    assert len(rounds[0]) == 2 * len(METHODS) + len(SPINS)
    assert (str(PAIRS[0].promela), SPIN.name) in rounds[0]


def test_another_build_is_a_peer_with_the_same_numbers(folder: Path) -> None:
    other = other_build(Path(sys.executable), "bfs/full:compress=tree", ())
    model = str(folder / "counters.dve")
    ours, theirs = perform([Task(model, "bfs/full:compress=tree"), Task(model, other.name)], [other], folder, True)
    names = ("states", "visits", "transitions", "bytes_peak", "bytes_per_state")
    assert theirs.status == "complete"
    assert [theirs.number(name) for name in names] == [ours.number(name) for name in names]


def test_two_builds_are_compared_by_model_and_by_method() -> None:
    methods = ("bfs/full", "dfs/full")
    medians = [cell(model, name, time) for model, time in (("a", 1.0), ("b", 4.0)) for name in methods]
    medians += [cell(model, of_other_build(name), 2.0) for model in "ab" for name in methods]
    lines = list(against_lines(medians, medians, methods))
    assert [line.split()[-2:] for line in lines[2:4]] == [["2.000", "(2.000)"], ["0.500", "(0.500)"]]
    assert lines[4].split()[2:] == ["1.000", "(1.000)"] * 3


def test_ltsmin_is_compared_by_way_of_spin() -> None:
    spin = cell("adding.4", SPIN.name, 1.0)
    ours = cell("adding.4", "bfs/full:compress=tree", 0.5)
    tree = next(each for each in ltsmin.cells([spin]) if each.method == "LTSmin tree")
    assert speed(tree) / speed(spin) == pytest.approx(2.44 / 2.68)
    text = "\n".join(summary_lines([spin, ours]))
    assert "geometric means against LTSmin tree" in text
    assert f"{2 * 2.68 / 2.44:.2f}" in text
