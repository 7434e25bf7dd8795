"""Ranges are optimistic at first and wider after each misfit, until all values fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.machine.comparing import first_states, fits
from tests.machine.native import MISFIT, NativeSystem
from tests.machine.systems import assign, step, system, variable
from tests.random_systems import PROFILES, Profile, random_system

from scrimp.machine.layout import lay_out
from scrimp.machine.ranges import Ranges, inherited_ranges, initial_ranges, sampled_ranges, static_ranges, widen
from scrimp.passes import passed
from scrimp.system.expressions import Binary, Constant, Expression, Length, Read
from scrimp.system.reference import State, initial
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, Place
from scrimp.system.system import Channel, System
from scrimp.system.types import BYTE, INT

X = Read(0)


def _plus_one(number: int) -> Expression:
    return Binary("+", Read(number), Constant(1))


def _search(model: System, ranges: Ranges, most: int = 2_000) -> tuple[Ranges, int]:
    """Visit states with native code, widening after each misfit, until all fit; returns the last ranges and the
    misfits."""
    misfits = 0
    while True:
        found = _first_misfit(model, NativeSystem(model, ranges), most)
        if found is None:
            return ranges, misfits
        ranges = widen(ranges, model, found[0], [found[1]])
        misfits += 1


def _first_misfit(model: System, code: NativeSystem, most: int) -> tuple[State, int] | None:
    start = initial(model)
    seen, order = {start}, [start]
    for state in order:
        for event, outcome in code.successors(state):
            if outcome == MISFIT:
                return state, event
            if isinstance(outcome, State) and outcome not in seen and len(order) < most:
                seen.add(outcome)
                order.append(outcome)
    return None


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES.keys())
def test_widening_ends_after_few_misfits(profile: Profile) -> None:
    for seed in range(15):
        model = random_system(seed, profile=profile)
        ranges, misfits = _search(model, sampled_ranges(model), most=200)
        assert misfits <= 12
        assert all(fits(lay_out(model, ranges), state) for state in first_states(model, 150))


def test_the_same_system_always_gives_the_same_ranges() -> None:
    assert sampled_ranges(random_system(5)) == sampled_ranges(random_system(5))


def test_sound_bounds_need_no_sample() -> None:
    model = system((variable(0),), [step(assign(0, _plus_one(0)), guard=Binary("<", X, Constant(5)))])
    assert sampled_ranges(model).variables == static_ranges(model).variables == ((0, 5),)


def test_a_counter_that_is_reset_by_another_variable_gets_few_bits() -> None:
    model = system(
        (variable(0, type_=INT), variable(0)),
        [
            step(assign(0, _plus_one(0)), assign(1, _plus_one(1)), guard=Binary("<", Read(1), Constant(9))),
            step(assign(0, 0), assign(1, 0)),
        ],
    )
    assert static_ranges(model).variables[0] == (INT.low, INT.high)
    assert lay_out(model, sampled_ranges(model)).variables[0].bits == 4


def test_a_byte_that_runs_below_zero_gets_a_circular_range() -> None:
    down = assign(0, Binary("-", X, Constant(1)))
    back = Binary("==", X, Constant(255))
    model = system(
        (variable(2), variable(0)), [step(down, guard=Binary("<", X, Constant(200))), step(assign(0, 2), guard=back)]
    )
    low, high = sampled_ranges(model).variables[0]
    assert low == -1
    assert high <= 6


def test_constants_and_copies_count_even_if_no_sample_shows_them() -> None:
    late = Binary("==", Read(0), Constant(1_000_000))
    model = system(
        (variable(0, type_=INT), variable(0), variable(0), variable(0)),
        [
            step(assign(0, _plus_one(0))),
            step(assign(1, 77), guard=late),
            step(Assign(Place(2), Read(1)), guard=late),
            step(assign(3, _plus_one(2)), guard=late),
        ],
    )
    ranges = sampled_ranges(model)
    assert ranges.variables[1][1] >= 77
    assert ranges.variables[2][1] >= 77


def test_a_growing_counter_soon_has_a_range_that_is_wide_enough() -> None:
    model = system((variable(0, type_=INT),), [step(assign(0, Binary("+", X, Constant(3))))])
    start = replace(sampled_ranges(model), variables=((0, 3),))
    _, misfits = _search(model, start, most=3_000)
    assert misfits <= 6


def test_a_misfit_of_an_intermediate_value_is_given_room() -> None:
    passing = (assign(0, 200), assign(0, 1))
    model = system((variable(0),), [step(*passing), step(assign(0, Binary("*", X, X)))])
    narrow = replace(static_ranges(model), variables=((0, 3),))
    assert widen(narrow, model, initial(model), [0]).variables == static_ranges(model).variables


def test_a_misfit_before_a_fault_is_given_room() -> None:
    model = system((variable(0),), [step(assign(0, 200), Assert(X, "ok"), assign(0, _plus_one(0)))])
    narrow = replace(static_ranges(model), variables=((0, 3),))
    ranges, misfits = _search(model, narrow)
    assert misfits == 1
    assert ranges.variables[0][1] >= 200


def test_channels_have_slots_for_the_sampled_messages_and_more_after_a_misfit() -> None:
    model = system(
        (variable(0),),
        [
            step(Enqueue(0, (X,)), assign(0, _plus_one(0)), guard=Binary("<", Length(0), Constant(40))),
            step(Dequeue(0, (None,)), guard=Binary(">", Length(0), Constant(0))),
        ],
        channels=(Channel("c", 60, (BYTE,)),),
    )
    ranges = replace(sampled_ranges(model), lengths=(3,))
    assert lay_out(model, ranges).messages[0][0].length == 3
    ranges, _ = _search(model, ranges, most=300)
    assert ranges.lengths[0] >= 10


def test_the_cache_remembers_widened_ranges(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIMP_CACHE", raising=False)
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path))
    late = Binary("<", X, Constant(1_000_000))
    model = system((variable(0, type_=INT),), [step(assign(0, _plus_one(0)), guard=late), step(assign(0, 0))])
    first = initial_ranges(model)
    top = (1 << lay_out(model, first).variables[0].bits) - 1
    widened = widen(first, model, replace(initial(model), values=((top,),)), [0])
    assert widened != first
    assert initial_ranges(model) == widened


def _counting_to(limit: int, *others: int) -> System:
    """A counter, and other variables, each of which is set to the square of the counter."""
    squares = (assign(number, Binary("*", X, X)) for number in others)
    counting = step(assign(0, _plus_one(0)), *squares, guard=Binary("<", X, Constant(limit)))
    resetting = step(assign(0, 0), guard=Binary(">", X, Constant(limit)))
    return system([variable(0, type_=INT) for _ in range(7)], [counting, resetting])


def test_ranges_are_inherited_from_a_search_after_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def sampled(*_: object) -> Ranges:
        raise AssertionError

    known = replace(sampled_ranges(_counting_to(100_000)), variables=((0, 4_095), *[(0, 0)] * 6))
    monkeypatch.setattr("scrimp.machine.ranges.sampled_ranges", sampled)
    inherited = inherited_ranges(_counting_to(100_000, 1), known)
    assert inherited.variables[0] == (0, 4_095)
    assert inherited.variables[1] == static_ranges(_counting_to(100_000, 1)).variables[1]


def test_many_fields_of_which_nothing_is_known_need_a_sample() -> None:
    known = sampled_ranges(_counting_to(100_000))
    wide = _counting_to(100_000, *range(1, 7))
    assert inherited_ranges(wide, known).variables[1:] == sampled_ranges(wide).variables[1:]


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES.keys())
def test_a_search_that_inherits_ranges_ends_as_well(profile: Profile) -> None:
    for seed in range(8):
        model = random_system(seed, profile=profile)
        smaller = passed(model, ()).system
        ranges, _ = _search(smaller, sampled_ranges(smaller), most=200)
        _, misfits = _search(model, inherited_ranges(model, ranges), most=200)
        assert misfits <= 12
