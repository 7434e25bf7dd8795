"""What random Promela models are like: each profile favours some constructs, the last ones use all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Bounds = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """`statements` are the weights with which kinds of statements are drawn; bounds are inclusive; everything else is
    a chance in per cent."""

    statements: Mapping[str, int] = field(default_factory=dict)
    processes: Bounds = (1, 3)
    statements_per_body: Bounds = (1, 3)
    main_loop: int = 60
    """How often a body ends in an infinite loop."""
    channels: int = 0
    """How often there are channels at all."""
    rendezvous: int = 30
    """How often a channel is a rendezvous."""
    polls: int = 0
    """How often a condition tests a channel, or a channel is used out of order."""
    channel_values: int = 0
    """How often channels are in arrays, variables, parameters and messages."""
    arrays: int = 20
    structures: int = 10
    wide: int = 5
    """How often a value is not limited to a small range, and a constant is large."""
    run: int = 15
    """How often a proctype is started by `run`."""
    provided: int = 3
    remote: int = 0
    """How often a condition refers to another process."""
    predefined: int = 4
    """How often a number is `_pid` or `_nr_pr`, or sometimes `_last`."""
    inlines: int = 15
    elses: int = 40
    """How often a choice has an `else`."""
    elses_beside_messages: int = 0
    """How often it may have one although an option sends or receives."""
    claims: int = 0
    """How often there is a never claim."""
    labels: int = 30
    """How often a body has labels."""
    faults: int = 0
    """How often an operation that may fault is left unprotected."""


BASE = {
    "assign": 8,
    "increment": 3,
    "guard": 1,
    "choice": 3,
    "loop": 2,
    "goto": 1,
    "assertion": 1,
    "output": 1,
    "nothing": 1,
    "send": 4,
    "receive": 4,
    "atomic": 1,
}
EVERYTHING = {
    **BASE,
    "send": 5,
    "receive": 5,
    "atomic": 3,
    "deterministic": 2,
    "unless": 2,
    "timeout": 1,
    "bounded_loop": 1,
    "selection_of_value": 1,
    "run": 2,
    "call": 1,
    "declaration": 1,
}


# Few statements before the loop, so that a process does not stop at the first message that is never received.
TALKATIVE: Mapping[str, Any] = {"statements_per_body": (0, 2), "main_loop": 90}


def _profile(statements: Mapping[str, int], **chances: Any) -> Profile:
    return Profile(statements={**BASE, **statements}, **chances)


PROFILES: Mapping[str, Profile] = {
    "control": _profile({"choice": 5, "loop": 4, "goto": 2}, labels=80),
    "buffered": _profile({"send": 8, "receive": 8}, channels=100, rendezvous=0, polls=10, **TALKATIVE),
    "rendezvous": _profile(
        {"send": 9, "receive": 9}, channels=100, rendezvous=100, run=5, processes=(2, 3), **TALKATIVE
    ),
    "polling": _profile({"send": 8, "receive": 8}, channels=100, rendezvous=10, polls=60, **TALKATIVE),
    "atomic": _profile({"atomic": 10, "goto": 2}, channels=40, labels=50),
    "atomic rendezvous": _profile(
        {"atomic": 10, "send": 8, "receive": 8}, channels=100, rendezvous=90, processes=(2, 3), **TALKATIVE
    ),
    "d_step": _profile({"deterministic": 10}, channels=30, labels=40),
    "unless": _profile({"unless": 8}, channels=30),
    "unless receive": _profile(
        {"unless": 8, "send": 8, "receive": 8, "atomic": 3}, channels=100, rendezvous=50, **TALKATIVE
    ),
    "timeout": _profile({"timeout": 6, "send": 6, "receive": 6, "atomic": 2}, channels=70, **TALKATIVE),
    "run": _profile({"run": 9, "atomic": 2}, run=90, predefined=10, channels=20),
    "channel values": _profile(
        {"send": 8, "receive": 8, "run": 3}, channels=100, channel_values=80, run=40, **TALKATIVE
    ),
    "structures": _profile({"assign": 10}, structures=100, arrays=50, channels=50),
    "types": _profile({"assign": 12, "increment": 5}, processes=(1, 2), wide=40, arrays=40, channels=30),
    "loops": _profile({"bounded_loop": 8, "selection_of_value": 6}, arrays=60, processes=(1, 2)),
    "remote": _profile({"guard": 6, "atomic": 2}, remote=50, labels=100, run=0, processes=(2, 3)),
    "provided": _profile({"atomic": 3, "timeout": 1}, provided=70, channels=30, predefined=15, **TALKATIVE),
    "inline": _profile({"call": 9, "declaration": 3, "atomic": 2}, inlines=100, channels=30),
    "everything": Profile(statements=EVERYTHING, channels=60, polls=15, channel_values=15, structures=20, provided=8),
    "everything small": Profile(
        statements=EVERYTHING,
        statements_per_body=(1, 2),
        channels=70,
        polls=15,
        channel_values=20,
        run=40,
        remote=5,
        predefined=8,
    ),
    "else": _profile(
        {"choice": 9, "send": 14, "receive": 14, "atomic": 2},
        channels=100,
        rendezvous=50,
        polls=10,
        elses=80,
        elses_beside_messages=100,
    ),
    "claims": _profile({"send": 6, "receive": 6, "timeout": 1}, channels=50, claims=100, remote=10, **TALKATIVE),
    "claims over everything": Profile(
        statements=EVERYTHING, channels=60, polls=15, channel_values=15, provided=8, claims=100, run=40, predefined=8
    ),
    "faults": _profile({"deterministic": 4, "send": 5}, arrays=60, channels=50, channel_values=20, faults=25),
}
