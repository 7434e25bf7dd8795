"""Explicit systems: one code for all of them, over tables that are the machine's context."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lts.random_lts import aut_text, random_edges

from scrimp.frontends.aut import read_system
from scrimp.machine import compiler
from scrimp.machine.build import Native, build
from scrimp.machine.ranges import initial_ranges
from scrimp.system.explicit import MOST_STATES, ExplicitSystem
from scrimp.system.expressions import At, Expression
from scrimp.system.reference import initial, successors

SMALL = "des (1, 3, 2)\n(0, a, 1)\n(1, b, 1)\n(1, c, 0)\n"
NO_EDGES = "des (0, 0, 1)\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIMP_CACHE", raising=False)
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path))


def random_lts(seed: int, states: int = 40) -> ExplicitSystem:
    return read_system("random.aut", aut_text(random_edges(seed, states), states, seed % states))


def built(system: ExplicitSystem, *watches: Expression, in_degree: bool = False) -> Native:
    return build(system, watches, initial_ranges(system), in_degree=in_degree)


@pytest.mark.parametrize("system", [*map(random_lts, range(5)), read_system("", SMALL), read_system("", NO_EDGES)])
def test_the_functions_agree_with_the_tables(system: ExplicitSystem) -> None:
    graph = system.graph
    native = built(system, At(0, graph.initial), in_degree=True)
    machine = native.machine()
    assert native.layout.decode(machine.initial()) == initial(system)
    for number in range(graph.states):
        words = (1 | number << 1,)
        state = native.layout.decode(words)
        assert [(e, native.layout.decode(w)) for e, w in machine.successors(words)] == successors(system, state)
        assert machine.in_degree(words) == graph.targets.count(number)
        assert machine.watch(words) == (number == graph.initial)


def test_every_lts_has_the_same_code_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = built(random_lts(1))
    monkeypatch.setattr(compiler, "_PROGRAM", Path("/nonexistent"))
    second = built(random_lts(2, states=3000), in_degree=True)
    assert (first.cached, second.cached) == (False, True)
    assert first.code == second.code


def test_watches_change_the_code() -> None:
    assert "watch" not in built(random_lts(1)).entries
    assert "watch" in built(random_lts(1), At(0, 3)).entries


def test_the_state_with_the_largest_number_can_be_watched() -> None:
    machine = built(random_lts(1), At(0, MOST_STATES - 1)).machine()
    assert [machine.watch((1 | number << 1,)) for number in (0, MOST_STATES - 2, MOST_STATES - 1)] == [0, 0, 1]


def test_the_tables_belong_to_the_graph_and_are_not_copied() -> None:
    system = random_lts(1)
    native = built(system)
    machine = native.machine()
    assert native.context[1] is system.graph.first
    assert native.context[2] is system.graph.targets
    with pytest.raises(BufferError):
        system.graph.targets.append(0)
    del machine
    system.graph.targets.append(0)


def test_in_degrees_are_unknown_unless_requested() -> None:
    assert built(random_lts(1)).machine().in_degree((1,)) is None
