"""Random systems with the reference's explorations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from tests.random_systems import DEFAULT, PROMELA_PROFILES, RANDOM_SYSTEMS, random_system

from scrimp import disk_cache
from scrimp.frontends.model import Model
from scrimp.result import Result
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.system import Move, System

LARGEST = 3_000
SEEDS_PER_TEST = 10
KINDS = {"default": DEFAULT, **PROMELA_PROFILES}
ROUNDS = [("default", seed) for seed in range(0, 3 * RANDOM_SYSTEMS // 2, SEEDS_PER_TEST)]
ROUNDS += [(kind, seed) for kind in PROMELA_PROFILES for seed in range(0, RANDOM_SYSTEMS // 2, SEEDS_PER_TEST)]

in_rounds = pytest.mark.parametrize(("kind", "first_seed"), ROUNDS)


class Case(NamedTuple):
    """A random system with the reference's exploration. Its native code is made once and kept for all strategies."""

    seed: int
    system: System
    seen: reference.Exploration
    model: Model


class NoScope:
    """Random systems have no syntax of their own."""

    def expression(self, text: str) -> Expression:
        raise NotImplementedError


def small_systems(kind: str, first_seed: int, largest: int = LARGEST) -> Iterator[Case]:
    for seed in range(first_seed, first_seed + SEEDS_PER_TEST):
        system = random_system(seed, profile=KINDS[kind])
        try:
            seen = reference.explore(system, limit=largest)
        except reference.TooManyStates:
            continue
        yield Case(seed, system, seen, model_of(system).identified(disk_cache.key_of("random system", kind, str(seed))))


def model_of(system: System) -> Model:
    return Model(path="random system", language="system", system=system, unchecked=None, scope=NoScope())


def violations(case: Case) -> int:
    """How many states and events of the reference's exploration violate something, deadlocks aside."""
    seen, invariants = case.seen, case.system.invariants
    broken = sum(_violates(case.system, state, i.test) for state in seen.states for i in invariants)
    return seen.faults + seen.failed + seen.endless + broken


def _violates(system: System, state: reference.State, test: Expression) -> bool:
    try:
        return reference.evaluate(system, state, test) == 0
    except reference.EvaluationFault:
        return True


def reported_unreached(result: Result) -> set[tuple[str, str, int, int]]:
    return {(each.process, each.text, each.line, each.column) for each in result.unreached}


def unreached(case: Case) -> set[tuple[str, str, int, int]]:
    system = case.system
    words = [{_words(system, move) for move in transition.moves} for transition in system.transitions]
    reached = {word for event in case.seen.fired for word in words[event]}
    return {word for each in words for word in each} - reached


def _words(system: System, move: Move) -> tuple[str, str, int, int]:
    return system.mover(move), move.text, move.position.line, move.position.column
