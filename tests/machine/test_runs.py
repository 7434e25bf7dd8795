"""Very many transitions are split over several functions, with no effect on the result."""

from __future__ import annotations

import pytest
from tests.machine.comparing import assert_same, first_states, native
from tests.machine.systems import assign, step, system, variable

from scrimp.machine.ranges import static_ranges
from scrimp.machine.runs import runs
from scrimp.system.expressions import Binary, Constant, Read
from scrimp.system.system import System


def counters(transitions: int, locations: int) -> System:
    """Transition i moves to the next location if the variable is a multiple of a number, and increases the variable."""
    steps = [
        step(
            assign(0, Binary("+", Read(0), Constant(number % 5))),
            guard=Binary("==", Binary("%", Read(0), Constant(number % 7 + 1)), Constant(0)),
            source=number % locations,
            target=(number + 1) % locations,
        )
        for number in range(transitions)
    ]
    return system([variable(0)], steps, locations=(locations,))


@pytest.mark.parametrize(
    ("transitions", "locations", "functions"), [(128, 1, 1), (129, 1, 2), (300, 2, 3), (5000, 100, 2)]
)
def test_many_transitions_are_tried_in_their_order(transitions: int, locations: int, functions: int) -> None:
    many = counters(transitions, locations)
    pieces = runs(many)
    assert len(pieces) == functions
    assert [event.number for piece in pieces for event in piece] == list(range(transitions))
    assert_same(many, native(many, static_ranges(many)), first_states(many, 12))
