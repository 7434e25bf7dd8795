"""The third route: native code does what the reference interpreter does, which `comparing` compares with CPython."""

from __future__ import annotations

from tests.modelling.comparing import Difference

from scrimp.checking import explore
from scrimp.frontends import load
from scrimp.system import reference

MOST_STATES = 3_000


def compare_native(text: str) -> int:
    """Compare the searches of both, level by level; returns the number of states, 0 if there are too many. Raises
    Difference, or ModelError if the model is refused."""
    model = load(text=text, language="python", ignore_property=True)
    try:
        expected = reference.explore(model.system, limit=MOST_STATES)
    except reference.TooManyStates:
        return 0
    found = explore(model, threads=1).statistics
    ours = (found.levels, found.transitions, found.deadlocks, found.faults)
    theirs = (expected.levels, expected.transitions, expected.deadlocks, expected.faults)
    if ours != theirs:
        raise Difference(f"native code has {ours}, the reference interpreter has {theirs}")
    return len(expected.states)
