"""The bounds of a system after passes follow from those before, and are sound."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from tests.machine.comparing import first_states
from tests.passes.comparing import PROFILES, looked_at
from tests.random_systems import Profile, random_system

import scrimp
from scrimp.machine import bounds
from scrimp.machine.bounds import Bounds, analyse
from scrimp.machine.boxes import Key
from scrimp.passes import PASSES, Fold, Slice, Unreachable, passed
from scrimp.system.reference import State
from scrimp.system.system import System

SEEDS = range(int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "20")))


def _is_inside(state: State, found: Bounds) -> bool:
    values = zip(found.variables, state.values, strict=True)
    messages = (
        (interval, (value,))
        for fields, sent in zip(found.messages, state.channels, strict=True)
        for message in sent
        for interval, value in zip(fields, message, strict=True)
    )
    return all(low <= value <= high for (low, high), several in (*values, *messages) for value in several)


def _smaller(seed: int, profile: Profile) -> System:
    system = random_system(seed, profile=profile)
    return passed(system, looked_at(system), PASSES).system


def _escapes(seed: int, profile: Profile) -> bool:
    """Whether a state after passes is outside the bounds."""
    system = _smaller(seed, profile)
    return not all(_is_inside(state, analyse(system)) for state in first_states(system, 100))


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_no_state_after_passes_is_outside_the_bounds(profile: Profile) -> None:
    assert not any(_escapes(seed, profile) for seed in SEEDS)


def test_bounds_are_not_computed_again_after_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    analysed: list[System] = []
    run = bounds._Analysis.run

    def counted(analysis: bounds._Analysis) -> Bounds:
        analysed.append(analysis.system)
        return run(analysis)

    monkeypatch.setattr(bounds._Analysis, "run", counted)
    system = random_system(1, profile=PROFILES["quiet"])
    smaller = passed(system, (), PASSES)
    analyse(smaller.system)
    assert smaller.system is not system
    assert analysed == [system]


def test_variables_that_are_not_assigned_any_more_keep_their_initial_values() -> None:
    text = "byte n = 3, m; active proctype P() { if :: n == 3 -> skip :: n == 4 -> m = 7 fi }"
    system = scrimp.load(text=text).system
    smaller = passed(system, (), (Fold(), Unreachable())).system
    assert analyse(system).variables[1] == (0, 7)
    assert (analyse(smaller).variables[1], analyse(smaller).assigned) == ((0, 0), frozenset())


def _keep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrimp.passes.slice.carry_over_bounds", lambda *_: None)
    monkeypatch.setattr(Slice, "keeps_values", True)


def _forget_constants(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: bounds._Analysis) -> Iterator[tuple[Key, int]]:
        return iter(())

    monkeypatch.setattr(bounds._Analysis, "_constants_sent", nothing)
    monkeypatch.setattr(bounds._Analysis, "_descend", lambda *_: None)


@pytest.mark.parametrize("mistake", [_keep, _forget_constants], ids=["kept after slicing", "constants forgotten"])
def test_a_mistake_about_bounds_is_noticed(
    mistake: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake(monkeypatch)
    assert any(_escapes(seed, profile) for seed in range(300) for profile in PROFILES.values())
