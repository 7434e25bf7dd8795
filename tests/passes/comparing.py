"""A random system before and after passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.random_systems import ALL_PROFILES, Profile, random_system

from scrimp.passes import PASSES, Pass, Passed, Unasked, passed, passes_for
from scrimp.passes.answers import Answers, answers, compared, compared_with
from scrimp.system.expressions import Expression, Unary
from scrimp.system.system import System
from scrimp.system.validate import validate

MOST_STATES = 500

QUIET = Profile(processes=(2, 3), locations=(3, 5), transitions=(3, 6), globals=(1, 2), locals=(1, 3), faults=1)
"""Processes with steps of their own."""

PROFILES = {**ALL_PROFILES, "quiet": QUIET, "quiet held": replace(QUIET, holders=25, timeouts=5)}

SINGLE_PASSES: tuple[Pass, ...] = (*PASSES[1:], Unasked())
"""All but the reductions of nets, which have their own comparison."""

MANY_STATES = 100
"""For campaigns: systems with more are rare, and take most of the time."""


def looked_at(system: System) -> list[Expression]:
    """What a question about the system's invariants looks at."""
    return [Unary("!", invariant.test) for invariant in system.invariants]


def difference(seed: int, profile: Profile, passes: Sequence[Pass] = PASSES) -> str:
    """How the answers of a random system differ after passes; empty if they do not, or if there are too many states."""
    system = random_system(seed, profile=profile)
    seen = looked_at(system)
    smaller = passed(system, seen, passes)
    if not smaller.notes:
        return ""
    validate(smaller.system)
    return compared(system, smaller, seen, MOST_STATES)


Difference = tuple[str, str]
"""The name of a pass that changed a system, and how the answers differ after it; empty if they do not."""


def differences(seed: int, profile: Profile) -> list[Difference] | None:
    """For a random system, each pass that changes it, all of them, and all of them if only deadlocks are asked for;
    None if it has too many states. The answers of the system itself are found once."""
    system = random_system(seed, profile=profile)
    seen = looked_at(system)
    own = answers(system, seen, MANY_STATES)
    if own is None:
        return None
    only_deadlocks = passed(system, (), passes_for(deadlock=True, only_deadlock=True))
    return [
        *(found for each in SINGLE_PASSES for found in _after(each.name, own, passed(system, seen, (each,)), seen)),
        *_after("all", own, passed(system, seen), seen),
        *_after("all for deadlocks", replace(own, seen=set()), only_deadlocks, ()),
    ]


def _after(name: str, own: Answers, smaller: Passed, seen: Sequence[Expression]) -> Iterator[Difference]:
    if smaller.notes:
        validate(smaller.system)
        yield name, compared_with(own, smaller, seen, MANY_STATES)
