"""Random systems, small but with every construct: two implementations are compared on them.

One generator serves two sources of choice: `random_system(seed)` draws from a seeded random number generator and is
fast, `systems()` in `shrinking.py` is a Hypothesis strategy that draws the structure itself and so shrinks it.
Alternatives are listed simplest first, because Hypothesis shrinks towards the first.

Most systems are finite in practice: narrow variables take whatever an expression gives, wide ones only a few values,
some of them extreme. Operations that could fault are protected (an index masked, a divisor shifted away from 0, a send
guarded by the channel's length), except for `Profile.faults` per cent of the cases.
"""

from __future__ import annotations

import os

from tests.random_systems.choices import Seeded
from tests.random_systems.generator import Generator
from tests.random_systems.profiles import (
    ALL_PROFILES,
    CHAINED,
    CLAIMED,
    DEFAULT,
    FAULTLESS,
    FAULTY,
    HELD,
    MESSAGES,
    PROFILES,
    PROMELA,
    PROMELA_PROFILES,
    TIMEOUTS,
    TINY,
    Profile,
)

from scrimp.system.system import System

__all__ = [
    "ALL_PROFILES",
    "CHAINED",
    "CLAIMED",
    "DEFAULT",
    "FAULTLESS",
    "FAULTY",
    "HELD",
    "MESSAGES",
    "PROFILES",
    "PROMELA",
    "PROMELA_PROFILES",
    "RANDOM_SYSTEMS",
    "TIMEOUTS",
    "TINY",
    "Profile",
    "random_system",
]

# How many systems of each kind are used by tests that compile them; CONTRIBUTING.md says how to ask for more.
RANDOM_SYSTEMS = int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "10"))


def random_system(seed: int, *, profile: Profile = DEFAULT) -> System:
    """A system that depends on `seed` and `profile` only."""
    return Generator(Seeded(seed), profile).system()
