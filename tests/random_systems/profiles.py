"""What random systems are like."""

from __future__ import annotations

from dataclasses import dataclass, replace

Bounds = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the systems are like: inclusive bounds on numbers of things, and chances in per cent."""

    processes: Bounds = (1, 3)
    locations: Bounds = (1, 4)
    transitions: Bounds = (2, 5)
    """Transitions with one move, per process; the number with several moves is drawn from `shared_transitions`."""
    shared_transitions: Bounds = (0, 2)
    globals: Bounds = (0, 4)
    locals: Bounds = (0, 2)
    """Local variables, per process."""
    channels: Bounds = (0, 2)
    capacity: Bounds = (1, 3)
    fields: Bounds = (0, 3)
    statements: Bounds = (0, 3)
    invariants: Bounds = (0, 2)
    depth: int = 2
    """How deep expressions nest."""
    arrays: int = 25
    wide: int = 15
    """How often a variable's range, or a constant, is large."""
    checked: int = 25
    """How often a value outside a variable's range is a fault."""
    faults: int = 4
    """How often something that may fault is left unprotected."""
    triples: int = 30
    """How often a transition with several moves has three (when there are three processes) rather than two."""
    foreign: int = 10
    """How often a transition may use the local variables of processes it does not move."""
    committed: int = 20
    """How often a system has committed locations."""
    valid_end: int = 30
    odd_names: int = 0
    """How often a name is not an identifier."""
    holders: int = 0
    """How often a process has exclusive control after a transition: mostly the one that leads it, so that there are
    chains and cycles of transient states, otherwise any."""
    timeouts: int = 0
    """How often a guard waits for a timeout; other expressions read it less often."""
    messages: int = 0
    """How often a value is looked up in a channel."""
    sorted: int = 0
    """How often a message is inserted in order."""
    positions: int = 0
    """How often a message is received from a position other than the front."""
    clears: int = 0
    """How often a statement empties a channel."""
    lenient: int = 0
    """How often an assertion is not fatal; such assertions often fail."""
    odd_steps: int = 0
    """How often a transition counts as several steps, or as none."""
    offers: int = 0
    """How often a process offers handshakes."""
    claims: int = 0
    """How often the last process is a claim."""


DEFAULT = Profile()
TINY = Profile(processes=(1, 2), locations=(1, 2), transitions=(1, 2), globals=(0, 1), statements=(0, 2), depth=1)
LARGE = Profile(processes=(2, 4), locations=(2, 4), transitions=(3, 6), globals=(1, 3), locals=(0, 1), depth=3)
FAULTLESS = Profile(faults=0, checked=0)
FAULTY = Profile(faults=30, checked=60)
WIDE = Profile(wide=70)
ARRAYS = Profile(arrays=80, globals=(1, 3))
CHANNELS = Profile(channels=(1, 2), globals=(0, 2))
COMMITTED = Profile(committed=100, locations=(2, 4), processes=(2, 3))
SYNCHRONOUS = Profile(transitions=(0, 1), shared_transitions=(2, 6), processes=(2, 4), triples=50)
ODD_NAMES = Profile(odd_names=50)
PROFILES = {
    "default": DEFAULT,
    "tiny": TINY,
    "large": LARGE,
    "faultless": FAULTLESS,
    "faulty": FAULTY,
    "wide": WIDE,
    "arrays": ARRAYS,
    "channels": CHANNELS,
    "committed": COMMITTED,
    "synchronous": SYNCHRONOUS,
    "odd names": ODD_NAMES,
}
HELD = Profile(holders=35, locations=(2, 4), processes=(2, 3), globals=(0, 2), odd_steps=30, offers=50)
TIMEOUTS = Profile(timeouts=40, locations=(2, 4))
MESSAGES = Profile(channels=(1, 2), globals=(0, 2), messages=20, sorted=50, positions=50, clears=8, lenient=50)
CLAIMED = Profile(claims=100, processes=(2, 3), holders=15, timeouts=15, offers=50, globals=(0, 2))
PROMELA = replace(MESSAGES, holders=20, timeouts=10, odd_steps=10, offers=30, claims=10, committed=0, messages=10)
CHAINED = Profile(
    holders=80,
    locations=(3, 5),
    transitions=(3, 5),
    shared_transitions=(0, 1),
    globals=(1, 2),
    channels=(0, 1),
    statements=(0, 2),
    lenient=30,
    faults=8,
    odd_steps=30,
    committed=5,
)
PROMELA_PROFILES = {
    "held": HELD,
    "chained": CHAINED,
    "timeouts": TIMEOUTS,
    "messages": MESSAGES,
    "claimed": CLAIMED,
    "promela": PROMELA,
}
ALL_PROFILES = {**PROFILES, **PROMELA_PROFILES}
SHRINKABLE = replace(DEFAULT, transitions=(0, 5))
"""A process without transitions is easily removed."""
