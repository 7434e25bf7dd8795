"""What a question needs to be preserved by structural reductions of nets."""

from __future__ import annotations

from enum import IntEnum


class Kept(IntEnum):
    """Each level includes those before it. A run is seen as the sequence of markings of observed places; *up to
    stuttering*, it does not matter how long each of them lasts.

    PREFIXES: the finite runs, up to stuttering, and so the reachable markings of observed places.
    DEADLOCKS: also whether a dead marking is reachable.
    RUNS: also the maximal runs, up to stuttering: those that are infinite, and those that end in a dead marking.
    STEPS: also the number of steps.
    """

    PREFIXES = 0
    DEADLOCKS = 1
    RUNS = 2
    STEPS = 3
