"""PY97's models (section 4) have the numbers of states in its tables, and in-degrees found by backward transitions."""

from __future__ import annotations

from pathlib import Path

import pytest

import scrimp
from scrimp.machine.build import build
from scrimp.machine.ranges import initial_ranges

MODELS = Path(__file__).parents[2] / "models"
PHILOSOPHERS = {3: 154, 4: 832, 5: 4_474, 6: 24_040}
SCHEDULERS = {3: 33, 5: 193, 7: 1_025, 9: 5_121, 11: 24_577}


@pytest.mark.parametrize(("number", "states"), PHILOSOPHERS.items())
def test_hoares_philosophers_have_the_states_of_table_1(number: int, states: int) -> None:
    model = scrimp.load(MODELS / "hoare_philosophers.dve", defines={"N": str(number)})
    statistics = scrimp.explore(model).statistics
    assert (statistics.states, statistics.deadlocks) == (states, 1)


@pytest.mark.parametrize(("number", "states"), SCHEDULERS.items())
def test_milners_schedulers_have_the_states_of_table_2(number: int, states: int) -> None:
    model = scrimp.load(MODELS / "milner_schedulers.dve", defines={"N": str(number)})
    statistics = scrimp.explore(model).statistics
    assert (statistics.states, statistics.deadlocks) == (states, 0)


def test_the_shortest_solution_of_the_puzzle_has_the_known_number_of_steps() -> None:
    result = scrimp.check(scrimp.load(MODELS / "monkey_puzzle.dve"))
    assert result.verdict.value == "refuted"
    trace = result.violations[0].trace
    assert trace is not None
    assert len(trace.steps) == 116


def test_steps_of_the_puzzle_are_reversible_so_as_many_edges_enter_a_state_as_leave_it() -> None:
    system = scrimp.load(MODELS / "monkey_puzzle.dve").system
    machine = build(system, (), initial_ranges(system), in_degree=True).machine()
    level = {machine.initial()}
    for _ in range(12):
        level = {successor for state in level for _, successor in machine.successors(state)}
    assert len(level) > 100
    for state in level:
        assert machine.in_degree(state) == len(machine.successors(state))


def test_no_unreachable_predecessor_is_counted_for_the_schedulers() -> None:
    system = scrimp.load(MODELS / "milner_schedulers.dve", defines={"N": "3"}).system
    machine = build(system, (), initial_ranges(system), in_degree=True).machine()
    reached = {machine.initial(): 0}
    waiting = [machine.initial()]
    for state in waiting:
        for _, successor in machine.successors(state):
            if successor not in reached:
                waiting.append(successor)
            reached[successor] = reached.get(successor, 0) + 1
    assert {state: machine.in_degree(state) for state in reached} == reached
