"""Layouts: states are packed into words and unpacked again; no bit is spent on values that cannot vary."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.machine.comparing import first_states, fits
from tests.machine.systems import assign, step, system, variable
from tests.random_systems import PROFILES, Profile, random_system

from scrimp.machine.layout import DoesNotFit, Layout, lay_out
from scrimp.machine.ranges import sampled_ranges, static_ranges
from scrimp.system.expressions import Binary, Constant, Read
from scrimp.system.reference import initial
from scrimp.system.system import System
from scrimp.system.types import INT, Range

INCREMENT = assign(0, Binary("+", Read(0), Constant(1)))


def _layout(model: System) -> Layout:
    return lay_out(model, static_ranges(model))


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES.keys())
def test_every_state_can_be_unpacked_from_its_words(profile: Profile) -> None:
    for seed in range(40):
        model = random_system(seed, profile=profile)
        sound, optimistic = _layout(model), lay_out(model, sampled_ranges(model))
        for state in first_states(model, 60):
            assert sound.decode(sound.encode(state)) == state
            if fits(optimistic, state):
                assert optimistic.decode(optimistic.encode(state)) == state


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES.keys())
def test_words_use_only_the_bits_of_the_layout_and_start_with_a_one(profile: Profile) -> None:
    for seed in range(40):
        model = random_system(seed, profile=profile)
        layout = _layout(model)
        for state in first_states(model, 60):
            words = layout.encode(state)
            assert words[0] & 1
            assert all(word >> bits == 0 for word, bits in zip(words, layout.word_bits, strict=True))


def test_different_states_have_different_words() -> None:
    model = random_system(3)
    states = first_states(model, 300)
    assert len({_layout(model).encode(state) for state in states}) == len(states)


def test_values_that_never_change_take_no_bits() -> None:
    model = system((variable(7), variable(1, 2, 3)), [step()])
    layout = _layout(model)
    assert layout.bits == 0
    assert layout.decode(layout.encode(initial(model))) == initial(model)


def test_unreachable_locations_take_no_room() -> None:
    assert _layout(system((), [step(target=2), step(source=1, target=3)], locations=(4,))).bits == 1


def test_a_field_starts_at_its_smallest_value() -> None:
    model = system((variable(1000, type_=INT),), [step(INCREMENT, guard=Binary("<", Read(0), Constant(1003)))])
    assert _layout(model).variables[0].bits == 2


def test_a_circular_field_wraps_around_the_end_of_its_type() -> None:
    model = system((variable(0),), [step(INCREMENT)])
    layout = lay_out(model, replace(static_ranges(model), variables=((-1, 2),)))
    assert layout.bits == 2
    for value in (255, 0, 1, 2):
        state = replace(initial(model), values=((value,),))
        assert layout.decode(layout.encode(state)) == state
    with pytest.raises(DoesNotFit):
        layout.encode(replace(initial(model), values=((3,),)))


def test_a_field_uses_its_last_bit_within_the_bounds() -> None:
    model = system((variable(9, type_=Range(0, 10)),), [step(INCREMENT)])
    field = lay_out(model, replace(static_ranges(model), variables=((8, 10),))).variables[0]
    assert (field.low, field.high) == (7, 10)


def test_local_variables_lie_in_the_word_of_their_process() -> None:
    count = 6
    variables = [variable(0, owner=number % count) for number in range(2 * count)]
    transitions = [step(assign(n, Binary("+", Read(n), Constant(1))), process=n % count) for n in range(2 * count)]
    transitions += [step(process=n, target=1) for n in range(count)]
    layout = _layout(system(variables, transitions, locations=(2,) * count))
    together = sum(
        len({layout.locations[n].word, layout.variables[n].word, layout.variables[n + count].word}) == 1
        for n in range(count)
    )
    assert together >= count - 1
