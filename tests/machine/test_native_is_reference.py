"""Generated code does what the reference interpreter does, on random systems of every kind."""

from __future__ import annotations

import pytest
from tests.machine.comparing import assert_same, first_states, native
from tests.machine.native import MISFIT
from tests.random_systems import ALL_PROFILES, RANDOM_SYSTEMS, Profile, random_system

from scrimp.machine.ranges import sampled_ranges, static_ranges

_STATES = 120
_SPACIOUS = Profile(
    processes=(2, 4), globals=(4, 10), locals=(1, 4), arrays=50, wide=40, channels=(1, 3), capacity=(1, 6)
)
_LONG_CHANNELS = Profile(
    channels=(1, 2),
    capacity=(4, 20),
    fields=(1, 2),
    wide=50,
    transitions=(4, 8),
    statements=(1, 3),
    messages=15,
    sorted=50,
    positions=50,
)
_ALL = {**ALL_PROFILES, "spacious": _SPACIOUS, "long channels": _LONG_CHANNELS}


@pytest.mark.parametrize("profile", _ALL.values(), ids=_ALL.keys())
def test_with_sound_widths_everything_agrees_and_fits(profile: Profile) -> None:
    for seed in range(RANDOM_SYSTEMS):
        system = random_system(seed, profile=profile)
        code = native(system, static_ranges(system))
        states = first_states(system, _STATES)
        assert code.initial() == states[0]
        assert_same(system, code, states)
        for state in states:
            assert MISFIT not in [outcome for _, outcome in code.successors(state)]


@pytest.mark.parametrize("profile", _ALL.values(), ids=_ALL.keys())
def test_with_optimistic_widths_everything_that_fits_agrees(profile: Profile) -> None:
    for seed in range(10_000, 10_000 + RANDOM_SYSTEMS):
        system = random_system(seed, profile=profile)
        assert_same(system, native(system, sampled_ranges(system)), first_states(system, _STATES))


@pytest.mark.parametrize("profile", _ALL.values(), ids=_ALL.keys())
def test_code_that_is_compiled_quickly_agrees_as_well(profile: Profile) -> None:
    for seed in range(20_000, 20_000 + RANDOM_SYSTEMS // 4):
        system = random_system(seed, profile=profile)
        assert_same(system, native(system, sampled_ranges(system), quickly=True), first_states(system, _STATES))
