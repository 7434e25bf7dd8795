"""The random systems are what the tests that use them count on: valid, repeatable, small, and with every construct."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from statistics import median
from typing import get_args

import pytest
from hypothesis import find, given, settings
from tests.random_systems import FAULTLESS, FAULTY, PROFILES, TINY, Profile, random_system, systems

from scrimp.system.expressions import At, Binary, BinaryOperator, Conditional, Length, Read, Unary, UnaryOperator
from scrimp.system.reference import TooManyStates, explore
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, If
from scrimp.system.system import System
from scrimp.system.traverse import evaluated, subexpressions, substatements
from scrimp.system.validate import validate


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_random_system_is_valid(profile: Profile) -> None:
    for seed in range(200):
        validate(random_system(seed, profile=profile))


@given(systems())
def test_every_drawn_system_is_valid(system: System) -> None:
    validate(system)


def test_a_seed_names_a_system() -> None:
    assert random_system(7) == random_system(7)
    assert random_system(7) != random_system(8)


def test_drawn_systems_shrink_to_what_matters() -> None:
    profile = replace(TINY, transitions=(0, 2))
    reproducible = settings(database=None, derandomize=True)
    smallest = find(systems(profile), lambda system: "Enqueue" in _constructs(system), settings=reproducible)
    assert len(smallest.channels) == 1
    assert len(smallest.transitions) == 1
    assert len(smallest.transitions[0].effect) == 1
    assert not smallest.variables


def test_most_systems_have_a_few_states_and_hardly_any_has_thousands() -> None:
    sizes = [_size(random_system(seed), limit=2_000) for seed in range(150)]
    assert median(sizes) >= 5
    assert sum(size > 50 for size in sizes) >= 15
    assert sum(size > 2_000 for size in sizes) <= 15


def test_faults_happen_where_asked_for_and_nowhere_else() -> None:
    assert not any(_has_faults(random_system(seed, profile=FAULTLESS)) for seed in range(100))
    assert sum(_has_faults(random_system(seed, profile=FAULTY)) for seed in range(100)) > 20


def test_every_construct_occurs() -> None:
    seen = Counter(name for seed in range(300) for name in _constructs(random_system(seed)))
    constructs = [At, Read, Length, Unary, Binary, Conditional, Assign, Enqueue, Dequeue, If, Assert]
    wanted = {construct.__name__ for construct in constructs}
    wanted |= {f"binary {operator}" for operator in get_args(BinaryOperator)}
    wanted |= {f"unary {operator}" for operator in get_args(UnaryOperator)}
    wanted |= {f"{count} moves" for count in (1, 2, 3)}
    wanted |= {"committed", "urgent", "valid end", "invariant", "array", "wrapping", "checked", "wide", "negative"}
    assert {name for name in wanted if seen[name] < 3} == set()


def _size(system: System, limit: int) -> int:
    try:
        return len(explore(system, limit).states)
    except TooManyStates:
        return limit + 1


def _has_faults(system: System) -> bool:
    try:
        return explore(system, 500).faults > 0
    except TooManyStates:
        return False


def _constructs(system: System) -> list[str]:
    names = ["committed"] * (system.committed is not None) + ["valid end"] * (system.valid_end is not None)
    names += ["invariant"] * len(system.invariants)
    for variable in system.variables:
        names += ["array"] * (variable.length is not None) + ["wrapping" if variable.type.wraps else "checked"]
        names += ["wide"] * (variable.type.size > 2**31) + ["negative"] * (variable.type.low < 0)
    for transition in system.transitions:
        names += [f"{len(transition.moves)} moves"] + ["urgent"] * transition.urgent
        statements = list(substatements(transition.effect))
        names += [type(statement).__name__ for statement in statements]
        for root in (transition.guard, *(part for statement in statements for part in evaluated(statement))):
            for part in subexpressions(root):
                names.append(type(part).__name__)
                if isinstance(part, Unary | Binary):
                    names.append(f"{type(part).__name__.lower()} {part.operator}")
    return names
