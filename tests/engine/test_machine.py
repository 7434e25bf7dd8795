"""The machine's functions, called one state at a time."""

from __future__ import annotations

import gc
from array import array
from typing import Any

import pytest

from scrimp._engine import Machine

from .conftest import WITH_HOLDERS, MakeMachine, finish, make_search


@pytest.fixture
def machine(make_machine: MakeMachine) -> Machine:
    return make_machine()


def state_of(first: int, second: int) -> tuple[int, ...]:
    return (1 | first << 1 | second << 5,)


def test_the_initial_state_is_a_tuple_of_words(machine: Machine) -> None:
    assert machine.initial() == (1,)


def test_successors_come_in_the_order_of_their_events(machine: Machine) -> None:
    assert machine.successors(state_of(3, 4)) == [(0, state_of(4, 4)), (1, state_of(3, 5))]


def test_a_state_without_events_has_no_successors(machine: Machine) -> None:
    assert machine.successors(state_of(9, 9)) == []


@pytest.mark.parametrize(("quirk", "flag"), [(1, 1 << 31), (2, 1 << 30)])
def test_event_ids_carry_their_flags(make_machine: MakeMachine, quirk: int, flag: int) -> None:
    successors = make_machine(quirk=quirk).successors(state_of(7, 7))
    assert [event for event, _ in successors] == [flag, 1]


def test_watches_are_bits(machine: Machine) -> None:
    assert [machine.watch(state) for state in (state_of(5, 5), state_of(9, 0), state_of(0, 0))] == [1, 2, 0]


def test_valid_ends_are_recognised(machine: Machine) -> None:
    assert machine.valid_end(state_of(9, 9))
    assert not machine.valid_end(state_of(9, 8))


def test_a_machine_without_watch_or_valid_end_has_none(make_machine: MakeMachine) -> None:
    bare = make_machine(watch=None, valid_end=None)
    assert bare.watch(state_of(5, 5)) == 0
    assert not bare.valid_end(state_of(9, 9))


def test_alone_lists_the_events_of_one_process(make_machine: MakeMachine) -> None:
    machine = make_machine(quirk=WITH_HOLDERS)
    assert machine.alone(state_of(3, 4), 0) == [(1 << 28, state_of(4, 4))]
    assert machine.alone(state_of(3, 4), 1) == [(1, state_of(3, 5))]


def test_offers_are_made_by_one_process_or_by_any(make_machine: MakeMachine) -> None:
    machine = make_machine(quirk=WITH_HOLDERS)
    assert [machine.offers(state_of(9, 0), holder) for holder in (0, 1, (1 << 32) - 1)] == [True, False, True]


def test_a_machine_without_holders_has_no_events_of_one_process_and_no_offers(machine: Machine) -> None:
    assert machine.alone(state_of(3, 4), 0) == []
    assert not machine.offers(state_of(9, 9), 0)


def test_the_functions_are_given_the_tables_of_the_context(make_machine: MakeMachine) -> None:
    machines = [make_machine(context=[array("I", state_of(3, second))]) for second in (4, 5)]
    gc.collect()
    assert [machine.initial() for machine in machines] == [state_of(3, 4), state_of(3, 5)]
    assert finish(make_search(machines[0])).states == 7 * 6


@pytest.mark.parametrize("table", [array("Q", [1]), array("i", [1]), b"1234", [1]])
def test_tables_of_another_type_are_refused(make_machine: MakeMachine, table: Any) -> None:
    with pytest.raises(TypeError):
        make_machine(context=[table])


def test_holders_may_be_bytes(make_machine: MakeMachine) -> None:
    packed = make_machine(quirk=WITH_HOLDERS, holders=array("I", [1, 0]).tobytes())
    assert finish(make_search(packed)).states == finish(make_search(make_machine(quirk=WITH_HOLDERS))).states


@pytest.mark.parametrize("changes", [{"holders": [1]}, {"holders": b"123"}, {"holders": None}, {"alone": None}])
def test_holders_that_do_not_fit_are_refused(make_machine: MakeMachine, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="holder"):
        make_machine(quirk=WITH_HOLDERS, **changes)


@pytest.mark.parametrize("steps", [b"", b"123"])
def test_steps_that_do_not_fit_are_refused(make_machine: MakeMachine, steps: bytes) -> None:
    with pytest.raises(ValueError, match="steps must give one number per transition"):
        make_machine(steps=steps)


def test_the_code_lives_as_long_as_the_machine(make_machine: MakeMachine) -> None:
    machines = [make_machine() for _ in range(100)]
    kept = machines[50]
    del machines
    gc.collect()
    assert kept.initial() == (1,)


def test_a_state_of_another_width_is_refused(machine: Machine) -> None:
    with pytest.raises(ValueError, match="another number of words"):
        machine.successors((1, 2))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"words": 0, "word_bits": b""}, ValueError),
        ({"word_bits": b""}, ValueError),
        ({"word_bits": bytes([65])}, ValueError),
        ({"watches": 65}, ValueError),
        ({"initial": 1 << 20}, IndexError),
        ({"code": b""}, IndexError),
    ],
)
def test_numbers_that_contradict_each_other_are_refused(
    make_machine: MakeMachine, changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        make_machine(**changes)
