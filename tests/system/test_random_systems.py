"""The random systems are as tests need them: valid, repeatable, small, and with every construct."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from statistics import median
from typing import get_args

import pytest
from hypothesis import find, given, settings
from tests.random_systems import (
    ALL_PROFILES,
    CLAIMED,
    FAULTLESS,
    FAULTY,
    HELD,
    MESSAGES,
    PROMELA,
    PROMELA_PROFILES,
    TIMEOUTS,
    TINY,
    Profile,
    random_system,
)
from tests.random_systems.shrinking import systems

from scrimp.system.expressions import (
    At,
    Binary,
    BinaryOperator,
    Conditional,
    Find,
    Length,
    Message,
    Read,
    Timeout,
    Unary,
    UnaryOperator,
)
from scrimp.system.reference import Exploration, TooManyStates, explore
from scrimp.system.statements import OLDEST, Assert, Assign, Clear, Dequeue, Enqueue, If
from scrimp.system.system import System
from scrimp.system.traverse import evaluated, subexpressions, substatements
from scrimp.system.validate import validate


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES)
def test_every_random_system_is_valid(profile: Profile) -> None:
    for seed in range(200):
        validate(random_system(seed, profile=profile))


@given(systems() | systems(PROMELA))
def test_every_drawn_system_is_valid(system: System) -> None:
    validate(system)


def test_a_seed_stands_for_one_system() -> None:
    assert random_system(7) == random_system(7)
    assert random_system(7) != random_system(8)


def test_drawn_systems_shrink_to_the_relevant_parts() -> None:
    profile = replace(TINY, transitions=(0, 2))
    reproducible = settings(database=None, derandomize=True)
    smallest = find(systems(profile), lambda system: "Enqueue" in _constructs(system), settings=reproducible)
    assert len(smallest.channels) == 1
    assert len(smallest.transitions) == 1
    assert len(smallest.transitions[0].effect) == 1
    assert not smallest.variables


def test_most_systems_have_a_few_states_and_hardly_any_have_thousands() -> None:
    sizes = [_size(random_system(seed), limit=2_000) for seed in range(150)]
    assert median(sizes) >= 5
    assert sum(size > 50 for size in sizes) >= 15
    assert sum(size > 2_000 for size in sizes) <= 15


def test_faults_happen_only_if_asked_for() -> None:
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


def test_every_construct_of_promela_occurs_if_asked_for() -> None:
    seen = Counter(name for seed in range(300) for name in _constructs(random_system(seed, profile=PROMELA)))
    wanted = {construct.__name__ for construct in (Message, Find, Timeout, Clear)}
    wanted |= {"sorted", "position", "lenient", "held", "held by another", "offer", "claim"}
    wanted |= {"0 steps", "2 steps", "3 steps"}
    assert {name for name in wanted if seen[name] < 3} == set()


@pytest.mark.parametrize("profile", PROMELA_PROFILES.values(), ids=PROMELA_PROFILES)
def test_most_systems_for_promela_are_small_as_well(profile: Profile) -> None:
    assert len(_explorations(profile)) >= 85


def test_the_constructs_asked_for_have_effects_when_the_systems_run() -> None:
    held, claimed, messages = (_explorations(profile) for profile in (HELD, CLAIMED, MESSAGES))
    assert sum(result.endless > 0 for result in held) >= 5
    assert sum(len(result.states) > 50 for result in held) >= 5
    assert sum(len(result.states) > 1 for result in claimed) >= 30
    assert sum(result.failed > 0 for result in messages) >= 10
    assert sum(_fires_a_timeout(random_system(seed, profile=TIMEOUTS)) for seed in range(100)) >= 20


def _explorations(profile: Profile) -> list[Exploration]:
    """Of a hundred systems, those that are small."""
    results = []
    for seed in range(100):
        with suppress(TooManyStates):
            results.append(explore(random_system(seed, profile=profile), 500))
    return results


def _fires_a_timeout(system: System) -> bool:
    with suppress(TooManyStates):
        guards = [system.transitions[event].guard for event in explore(system, 500).fired]
        return any(isinstance(part, Timeout) for guard in guards for part in subexpressions(guard))
    return False


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
    names += ["invariant"] * len(system.invariants) + ["offer"] * len(system.offers)
    names += ["claim"] * (system.claim is not None)
    for variable in system.variables:
        names += ["array"] * (variable.length is not None) + ["wrapping" if variable.type.wraps else "checked"]
        names += ["wide"] * (variable.type.size > 2**31) + ["negative"] * (variable.type.low < 0)
    for transition in system.transitions:
        names += [f"{len(transition.moves)} moves"] + ["urgent"] * transition.urgent
        names += ["held"] * (transition.holder is not None) + [f"{transition.steps} steps"]
        names += ["held by another"] * (transition.holder not in (None, transition.moves[0].process))
        statements = list(substatements(transition.effect))
        names += ["sorted" for statement in statements if isinstance(statement, Enqueue) and statement.sorted]
        names += [
            "position" for statement in statements if isinstance(statement, Dequeue) and statement.position != OLDEST
        ]
        names += ["lenient" for statement in statements if isinstance(statement, Assert) and not statement.fatal]
        names += [type(statement).__name__ for statement in statements]
        for root in (transition.guard, *(part for statement in statements for part in evaluated(statement))):
            for part in subexpressions(root):
                names.append(type(part).__name__)
                if isinstance(part, Unary | Binary):
                    names.append(f"{type(part).__name__.lower()} {part.operator}")
    return names
