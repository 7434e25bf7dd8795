"""The steps of a trace and the levels of a search behave as sequences, however they are stored."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

import scrimp
from scrimp.outputs.json import result_pieces
from scrimp.system import reference
from scrimp.system.reference import Fault, State
from scrimp.system.system import System
from scrimp.trace import ReplayedSteps, ReplayError, Words

COUNTER = """\
byte low, high;
process Count {
state q;
init q;
trans
 q -> q { guard low < 9; effect low = low + 1; },
 q -> q { guard low == 9 && high < 9; effect low = 0, high = high + 1; },
 q -> q { guard low == 9 && high == 9; effect low = 1 / 0; };
}
system async;
"""

# To 99, then to the fault.
PATH = ([0] * 9 + [1]) * 9 + [0] * 9 + [2]


@pytest.fixture
def model(tmp_path: Path) -> scrimp.Model:
    file = tmp_path / "counter.dve"
    file.write_text(COUNTER)
    return scrimp.load(file)


def followed(system: System, events: Sequence[int]) -> tuple[scrimp.Step, ...]:
    """What the steps should be, one by one."""
    steps: list[scrimp.Step] = []
    words = Words(system)
    state: State | Fault = reference.initial(system)
    for event in events:
        assert isinstance(state, State)
        outcome = reference.outcome(system, state, event)
        steps.append(words.step(state, event, outcome))
        state = outcome.after
    return tuple(steps)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 5, 8, 9, 10, 63, 64, 65, 100])
def test_steps_are_a_sequence(model: scrimp.Model, length: int) -> None:
    steps = ReplayedSteps(model.system, PATH[:length])
    expected = followed(model.system, PATH[:length])
    assert len(steps) == length
    assert tuple(steps) == expected
    assert tuple(reversed(steps)) == expected[::-1]
    assert [steps[place] for place in range(-length, length)] == [*expected, *expected]
    for part in (slice(None), slice(3, 40), slice(-7, None), slice(None, None, -3), slice(90, 200), slice(5, 2)):
        assert steps[part] == expected[part]
    for place in (length, -length - 1):
        with pytest.raises(IndexError):
            steps[place]


def test_steps_may_be_iterated_twice_at_the_same_time(model: scrimp.Model) -> None:
    steps = ReplayedSteps(model.system, PATH)
    assert list(zip(steps, reversed(steps), strict=True)) == list(zip(steps[:], steps[::-1], strict=True))


def test_a_path_ends_in_a_state_or_in_a_fault(model: scrimp.Model) -> None:
    assert ReplayedSteps(model.system, []).end == reference.initial(model.system)
    assert ReplayedSteps(model.system, PATH).end == Fault("division by zero")
    assert ReplayedSteps(model.system, PATH)[-1].fault == "division by zero"


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([0, 1], "step 2: event 1 is not enabled"),
        ([0, 3], "step 2: there is no event 3"),
        ([-1], "step 1: there is no event -1"),
        ([*PATH, 0], "step 101: the step before it faulted: division by zero"),
    ],
)
def test_events_that_are_not_a_path_are_refused(model: scrimp.Model, events: list[int], message: str) -> None:
    with pytest.raises(ReplayError) as refused:
        ReplayedSteps(model.system, events)
    assert str(refused.value) == message


def test_steps_are_equal_if_events_and_system_are(model: scrimp.Model) -> None:
    steps = ReplayedSteps(model.system, PATH)
    same = ReplayedSteps(model.system, tuple(PATH))
    assert (steps, hash(steps)) == (same, hash(same))
    assert steps != ReplayedSteps(model.system, PATH[:-1])
    assert steps != steps[:]


@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
def test_a_trace_outlives_its_search_and_can_be_pickled(model: scrimp.Model, order: scrimp.Order) -> None:
    result = scrimp.check(model, order=order)
    assert result.trace is not None
    assert result.trace.events == tuple(PATH)
    assert tuple(result.trace.steps) == followed(model.system, PATH)
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    assert copied.to_dict() == result.to_dict()


def test_levels_are_a_sequence(model: scrimp.Model) -> None:
    statistics = scrimp.explore(model).statistics
    expected = ((1, 1),) * 100
    assert (len(statistics.levels), statistics.levels) == (100, expected)
    assert (statistics.levels[0], statistics.levels[-1], statistics.levels[98:]) == ((1, 1), (1, 1), expected[98:])
    assert statistics.levels != expected[1:]
    assert pickle.loads(pickle.dumps(statistics)) == statistics
    assert statistics.to_dict()["levels"] == [[1, 1]] * 100


def test_the_trace_of_an_initial_state_has_no_steps(model: scrimp.Model) -> None:
    result = scrimp.check(model, invariant=["low == 1"])
    assert result.trace is not None
    assert (len(result.trace.steps), list(result.trace.steps), result.trace.events) == (0, [], ())
    assert json.loads("".join(result_pieces(result))) == json.loads(json.dumps(result.to_dict()))
    assert '"steps": []' in "".join(result_pieces(result))
