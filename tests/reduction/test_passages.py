"""Events that lead through transient states: everything that happens there counts, for all processes that may take
part."""

from __future__ import annotations

import pytest
from tests.reduction.passing import Related, members, related
from tests.reduction.sets import can_be_fired_alone, events_of_overmans_set, stubborn_set

from scrimp.system.reference import initial
from scrimp.system.text import parse_system

DECLARATIONS = """
    system s;
    process P { a, b, c }
    process Q { d, e, f }
    variable x: 0..3;
    variable y: 0..3;
    channel pipe[2]: {0..3};
"""


def model_of(*transitions: str) -> Related:
    return related(parse_system(DECLARATIONS + " ".join(f"transition {text}" for text in transitions)))


def test_accesses_in_transient_states_count() -> None:
    model = model_of(
        "holder P { P: a -> b; }",
        "{ P: b -> c; when y == 0; x = 1; }",
        "{ Q: d -> e; x = 2; }",
        "{ Q: d -> e; y = 2; }",
    )
    assert model.relations.dependent(0, 2)
    assert model.relations.dependent(0, 3)


def test_a_cycle_of_transient_states_counts_as_a_whole() -> None:
    model = model_of(
        "holder P { P: a -> b; }",
        "holder P { P: b -> a; when x < 2; x = x + 1; }",
        "{ Q: d -> e; when x == 1; }",
    )
    assert model.relations.dependent(0, 2)
    assert model.relations.dependent(1, 2)


def test_a_holder_that_was_not_moved_may_be_at_any_location() -> None:
    model = model_of("holder P { Q: d -> e; }", "{ P: a -> b; }", "{ P: b -> c; x = 1; }", "{ Q: e -> e; when x; }")
    assert 0 in model.relations.leaving[0]
    assert 0 in model.relations.leaving[1]
    assert 0 in model.relations.entering[1]
    assert 0 in model.relations.entering[2]
    assert not model.relations.safe[1]


MOVED_LATER = [
    "{ P: a -> b; x = 1; }",
    "holder Q { Q: d -> e; x = 2; }",
    "{ Q: e -> f; P: b -> c; }",
]


@pytest.mark.parametrize("refined", [False, True])
def test_a_process_shares_with_processes_that_may_move_it_from_a_transient_state(refined: bool) -> None:
    """They may reach the transient state without moving it."""
    model = model_of(*MOVED_LATER)
    state = initial(model.system)
    assert events_of_overmans_set(model, state, 0, refined) == {0, 1}
    assert can_be_fired_alone(model, state, stubborn_set(model, state, 0))


MET_ON_THE_WAY = [
    "{ P: a -> b; }",
    "holder Q { Q: d -> e; }",
    "{ Q: e -> f; P: b -> c; }",
]


@pytest.mark.parametrize("refined", [False, True])
def test_a_process_shares_with_processes_that_may_meet_it_in_a_transient_state_at_its_next_location(
    refined: bool,
) -> None:
    model = model_of(*MET_ON_THE_WAY)
    state = initial(model.system)
    assert not model.relations.safe[0]
    assert model.relations.dependent(0, 1)
    assert events_of_overmans_set(model, state, 0, refined) == {0, 1}


def test_an_event_may_enable_another_before_it_would_move_the_process_of_that_event() -> None:
    model = model_of("{ P: a -> b; when x == 2; }", *MOVED_LATER[1:])
    assert members(model.relations.enabling, 0) == {1}


def test_steps_of_the_own_process_elsewhere_are_replaced_by_steps_that_leave_its_location() -> None:
    model = model_of(
        "{ P: a -> b; when x; }",
        "{ P: a -> b; }",
        "{ P: b -> c; x = 1; }",
        "{ P: c -> a; }",
        "{ Q: d -> e; x = 2; }",
    )
    assert members(model.relations.enabling, 0) == {0, 1, 4}


def test_an_urgent_step_does_not_depend_on_steps_to_committed_locations() -> None:
    committed = "committed Q@e;"
    model = related(
        parse_system(
            f"{DECLARATIONS} {committed} transition {{ P: a -> b; }} transition urgent {{ P: b -> c; }}"
            " transition { Q: d -> e; } transition urgent { Q: e -> f; }"
        )
    )
    assert model.relations.dependent(0, 2)
    assert not model.relations.dependent(1, 2)
    assert members(model.relations.enabling, 0) == {3}
    assert members(model.relations.enabling, 1) == set()


def test_a_send_is_not_safe_if_it_enables_a_step_in_a_transient_state_of_another_process() -> None:
    send = "{ P: a -> b; when len(pipe) < 2; pipe ! 1; }"
    looks = "{ Q: e -> f; when len(pipe) > 0; }"
    assert model_of(send, "{ Q: d -> e; }", looks).relations.safe[0]
    assert not model_of(send, "holder Q { Q: d -> e; }", looks).relations.safe[0]


def test_conditions_after_a_possible_fault_in_a_guard_imply_nothing() -> None:
    receive = "{ P: a -> c; when len(pipe) > 0; pipe ? _; }"
    send = "{ Q: d -> e; when len(pipe) < 2; pipe ! 1; }"
    assert model_of("{ P: a -> b; when len(pipe) > 0 && 3 / y > 1; pipe ? _; }", receive, send).relations.safe[0]
    assert not model_of("{ P: a -> b; when 3 / y > 1 && len(pipe) > 0; pipe ? _; }", receive, send).relations.safe[0]
