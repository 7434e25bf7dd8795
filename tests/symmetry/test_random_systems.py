"""Random systems of alike processes, whole and broken: swaps that are found are symmetries, canonical states have all
answers, paths through them are rebuilt, and native code computes the same ones."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest
from tests.machine.native import NativeSystem
from tests.product.cases import model_of
from tests.symmetry.comparing import MOST_STATES, difference, symmetry_of
from tests.symmetry.random_symmetric import random_broken, random_started, random_symmetric

import scrimp
from scrimp.errors import OptionError
from scrimp.machine.canonical import canonical
from scrimp.machine.ranges import static_ranges
from scrimp.machine.symmetric_ranges import symmetrised
from scrimp.symmetry.auditing import visited_canonical
from scrimp.system import reference
from scrimp.system.reference import State

SEEDS = int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "10")) // 2


@pytest.mark.parametrize("seed", range(SEEDS))
def test_all_processes_of_a_symmetric_system_are_interchangeable(seed: int) -> None:
    system = random_symmetric(seed)
    (group,) = symmetry_of(system).groups
    assert len(group.members) == len(system.processes)
    assert difference(system, seed) == ""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_symmetries_that_are_left_in_a_broken_system_are_symmetries(seed: int) -> None:
    assert difference(random_broken(seed), seed) == ""


def test_an_orbit_may_keep_several_states_if_swaps_apply_at_different_locations() -> None:
    seed = 6671281
    system = random_broken(seed)
    (group,) = symmetry_of(system).groups
    assert [bool(swap.where) for swap in group.swaps] == [True, False]
    assert difference(system, seed) == ""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_processes_that_are_started_one_by_one_are_interchangeable_afterwards(seed: int) -> None:
    system = random_started(seed)
    assert symmetry_of(system).groups
    assert difference(system, seed) == ""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_native_code_finds_the_canonical_states_of_the_reference(seed: int) -> None:
    system = random_started(seed) if seed % 4 == 3 else random_symmetric(seed)
    symmetry = symmetry_of(system)
    if not symmetry.groups:
        return
    code = NativeSystem(system, symmetrised(system, static_ranges(system), symmetry), symmetry=symmetry)
    assert code.initial() == canonical(symmetry, code.layout, reference.initial(system))[0]
    chosen = visited_canonical(system, (), MOST_STATES, symmetry, code.layout)
    for state in list(chosen.states)[:60] if chosen is not None else ():
        for report in code.reports(state):
            after = reference.fire(system, state, report.event)
            if isinstance(after, State) and isinstance(report.outcome, State):
                if system.transitions[report.event].holder is None:
                    assert report.outcome == canonical(symmetry, code.layout, after)[0]
                elif after.holder is None:
                    assert code.arrive(report.outcome) == canonical(symmetry, code.layout, after)[0]


@pytest.mark.parametrize("seed", range(SEEDS // 3))
def test_verdicts_are_the_same_with_symmetry(seed: int) -> None:
    for system in (random_symmetric(seed), random_broken(seed)):
        model = model_of(system)
        with suppress(OptionError):
            assert scrimp.check(model, symmetry=True).verdict is scrimp.check(model).verdict
