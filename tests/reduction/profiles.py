"""Random systems in which relations between events are tried."""

from __future__ import annotations

from dataclasses import replace

from tests.random_systems import ALL_PROFILES, Profile
from tests.reduction.passing import sampled
from tests.reduction.sets import complaint

TRAFFIC = Profile(
    processes=(2, 3),
    locations=(1, 2),
    transitions=(2, 4),
    shared_transitions=(0, 0),
    globals=(0, 1),
    locals=(0, 0),
    channels=(1, 1),
    capacity=(2, 3),
    fields=(1, 1),
    statements=(1, 1),
    wide=0,
    checked=0,
    faults=0,
    committed=0,
    messages=10,
    sorted=20,
    positions=20,
)
"""Mostly sends and receives."""

WAITING = replace(TRAFFIC, holders=40, timeouts=20, locations=(2, 3), globals=(1, 2), shared_transitions=(0, 2))
"""Events that may block in a transient state, or wait for a timeout."""

MEETING = Profile(
    processes=(2, 3),
    locations=(2, 4),
    transitions=(1, 2),
    shared_transitions=(2, 4),
    globals=(0, 1),
    locals=(0, 0),
    channels=(0, 0),
    statements=(0, 1),
    holders=60,
    triples=10,
    faults=0,
    committed=10,
)
"""Mostly handshakes, many of them in transient states."""

PROFILES = {**ALL_PROFILES, "traffic": TRAFFIC, "waiting": WAITING, "meeting": MEETING}


def sampled_complaint(seed: int, profile: Profile, states: int = 6) -> str:
    """What is wrong with relations in some states of a random system; empty if nothing is."""
    return next(filter(None, (complaint(*each) for each in sampled(profile, [seed], states))), "")
