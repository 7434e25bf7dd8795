"""A random system before and after passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tests.random_systems import ALL_PROFILES, Profile, random_system

from scrimp.passes import PASSES, Pass, passed
from scrimp.passes.answers import compared
from scrimp.system.expressions import Expression, Unary
from scrimp.system.system import System
from scrimp.system.validate import validate

MOST_STATES = 500

QUIET = Profile(processes=(2, 3), locations=(3, 5), transitions=(3, 6), globals=(1, 2), locals=(1, 3), faults=1)
"""Processes with steps of their own."""

PROFILES = {**ALL_PROFILES, "quiet": QUIET, "quiet held": replace(QUIET, holders=25, timeouts=5)}


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
