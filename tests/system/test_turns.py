"""Whose turn it is: processes that go on alone, timeouts, claims, and what counts as a state and as a transition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrimp.system.expressions import Timeout
from scrimp.system.reference import (
    PROGRAM,
    Fault,
    State,
    TooManyStates,
    enabled,
    evaluate,
    explore,
    fire,
    firings,
    initial,
    is_deadlock,
    offers,
)
from scrimp.system.system import System
from scrimp.system.text import parse_system

DECLARATIONS = """
    system s;
    process P { a, b, c, d }
    process Q { e, f }
    process N { watch, seen }
    variable x: byte;
"""


def system_of(text: str) -> System:
    return parse_system(f"{DECLARATIONS} {text}")


def after(system: System, *events: int) -> State:
    """The state after a path of events, each of which must be enabled."""
    state = initial(system)
    for event in events:
        assert event in enabled(system, state)
        following = fire(system, state, event)
        assert isinstance(following, State), following
        state = following
    return state


# Going on alone


CHAIN = system_of("""
    transition holder P { P: a -> b; }
    transition holder P { P: b -> c; when x == 0; }
    transition { P: c -> d; }
    transition { Q: e -> f; }
""")


def test_the_holder_goes_on_alone_until_a_transition_without_holder() -> None:
    assert enabled(CHAIN, initial(CHAIN)) == [0, 3]
    assert enabled(CHAIN, after(CHAIN, 0)) == [1]
    assert enabled(CHAIN, after(CHAIN, 0, 1)) == [2]
    assert after(CHAIN, 0, 1).holder == 0
    assert after(CHAIN, 0, 1, 2).holder is None


def test_a_state_whose_holder_leads_no_transition_is_ordinary() -> None:
    system = system_of("transition holder P { P: a -> b; } transition { P: b -> c; when x; } transition { Q: e -> f; }")
    assert after(system, 0).holder is None
    assert enabled(system, after(system, 0)) == [2]


def test_a_holder_goes_on_only_as_the_first_process_of_a_rendezvous() -> None:
    follows = "transition holder P {{ P: a -> b; }} transition {{ {}; {}; }}"
    leading = system_of(follows.format("P: b -> c", "Q: e -> f"))
    joining = system_of(follows.format("Q: e -> f", "P: b -> c"))
    assert after(leading, 0).holder == 0
    assert after(joining, 0).holder is None


def test_the_turn_may_go_to_another_process() -> None:
    system = system_of("transition holder Q { P: a -> b; } transition { Q: e -> f; } transition { P: b -> c; }")
    assert enabled(system, after(system, 0)) == [1]
    assert enabled(system, after(system, 0, 1)) == [2]


def test_committed_locations_bind_the_holder_as_well() -> None:
    held = "committed Q@e; transition urgent holder P { P: a -> b; } transition { P: b -> c; }"
    assert after(system_of(held), 0).holder is None


def test_a_fault_is_an_event_of_the_holder_too() -> None:
    system = system_of("transition holder P { P: a -> b; } transition { P: b -> c; when x / 0; }")
    assert after(system, 0).holder == 0
    assert fire(system, after(system, 0), 1) == Fault("division by zero")


def test_transient_states_are_not_counted_and_a_path_through_them_is_one_transition() -> None:
    result = explore(CHAIN)
    assert {state.locations[:2] for state in result.states} == {(0, 0), (3, 0), (0, 1), (3, 1)}
    assert result.transitions == 4
    assert result.levels == ((1, 2), (2, 2), (1, 0))
    assert result.fired == {0, 1, 2, 3}
    assert result.deadlocks == 1


def test_each_path_through_transient_states_is_a_transition_even_if_two_of_them_meet() -> None:
    system = system_of("""
        transition holder P { P: a -> b; }
        transition holder P { P: b -> c; }
        transition holder P { P: b -> c; }
        transition { P: c -> d; }
    """)
    result = explore(system)
    assert (len(result.states), result.transitions) == (2, 2)
    assert [firing.event for firing in firings(system, initial(system))] == [0, 1, 3, 2, 3]


def test_a_fault_in_a_transient_state_is_a_transition_without_a_successor() -> None:
    result = explore(system_of("transition holder P { P: a -> b; } transition { P: b -> c; x = x / 0; }"))
    assert (len(result.states), result.transitions, result.faults, result.deadlocks) == (1, 1, 1, 0)


def test_a_cycle_of_transient_states_is_reported_and_not_followed() -> None:
    system = system_of("""
        transition holder P { P: a -> b; }
        transition holder P { P: b -> c; }
        transition holder P { P: c -> b; }
        transition { P: c -> d; }
    """)
    result = explore(system)
    assert (len(result.states), result.transitions, result.endless) == (2, 1, 1)
    assert [(firing.event, firing.endless) for firing in firings(system, initial(system))] == [
        (0, False),
        (1, False),
        (2, True),
        (3, False),
    ]


def test_a_path_through_too_many_transient_states_is_given_up() -> None:
    system = system_of("transition holder P { P: a -> a; when x < 200; x = x + 1; }")
    assert len(explore(system).states) == 2
    with pytest.raises(TooManyStates):
        explore(system, 100)


# Timeouts


def test_a_timeout_occurs_if_nothing_else_is_enabled_in_the_whole_system() -> None:
    system = system_of("transition { P: a -> b; when timeout; } transition { Q: e -> f; }")
    assert enabled(system, initial(system)) == [1]
    assert enabled(system, after(system, 1)) == [0]
    assert is_deadlock(system, after(system, 1, 0))


def test_a_timeout_enables_all_transitions_that_wait_for_it() -> None:
    system = system_of("""
        transition { P: a -> b; when timeout; }
        transition { P: a -> c; when !timeout && x; }
        transition { Q: e -> f; when timeout && x == 0; }
    """)
    assert enabled(system, initial(system)) == [0, 2]


def test_an_effect_sees_whether_there_was_a_timeout() -> None:
    system = system_of(
        "transition { P: a -> b; x = timeout; } transition { P: b -> c; when timeout; x = timeout + 1; }"
    )
    assert after(system, 0).values[0] == (0,)
    assert after(system, 0, 1).values[0] == (2,)


def test_there_is_no_timeout_for_a_holder() -> None:
    system = system_of("transition holder P { P: a -> b; } transition { P: b -> c; when timeout; }")
    waiting = after(system, 0)
    assert waiting.holder is None
    assert enabled(system, waiting) == [1]


def test_an_expression_evaluated_in_a_state_sees_no_timeout() -> None:
    assert evaluate(CHAIN, initial(CHAIN), Timeout()) == 0


# Claims


WATCHED = """
    claim N;
    transition { P: a -> b; }
    transition { Q: e -> f; when P@b; }
    transition { N: watch -> watch; }
    transition { N: watch -> seen; when P@b; }
"""


def test_a_claim_and_the_program_take_turns() -> None:
    system = system_of(WATCHED)
    assert enabled(system, initial(system)) == [2]
    assert after(system, 2).holder == PROGRAM
    assert enabled(system, after(system, 2)) == [0]
    assert after(system, 2, 0).holder is None
    assert enabled(system, after(system, 2, 0)) == [2, 3]


def test_if_the_program_cannot_move_the_claim_moves_once_more() -> None:
    system = system_of(WATCHED)
    stuck = after(system, 2, 0, 2, 1, 2)
    assert enabled(system, stuck) == [2, 3]
    assert after(system, 2, 0, 2, 1, 2, 3).holder is None


def test_the_program_times_out_before_the_claim_moves_once_more() -> None:
    system = system_of("""
        claim N;
        transition { P: a -> b; when timeout; }
        transition { N: watch -> watch; }
    """)
    assert enabled(system, after(system, 1)) == [0]
    assert enabled(system, after(system, 1, 0, 1)) == [1]


def test_the_claim_waits_while_a_process_goes_on_alone() -> None:
    system = system_of("""
        claim N;
        transition holder P { P: a -> b; }
        transition { P: b -> c; }
        transition { N: watch -> watch; }
    """)
    assert after(system, 2, 0).holder == 0
    assert enabled(system, after(system, 2, 0)) == [1]
    assert enabled(system, after(system, 2, 0, 1)) == [2]


def test_a_claim_that_cannot_move_ends_the_path_and_no_state_after_it_is_a_deadlock() -> None:
    system = system_of("claim N; transition { N: watch -> seen; }")
    assert is_deadlock(system, replace(initial(system), locations=(0, 0, 1)))
    assert enabled(system, after(system, 0)) == []
    assert not is_deadlock(system, after(system, 0))
    result = explore(system)
    assert (len(result.states), result.transitions, result.deadlocks) == (1, 0, 0)


def test_states_between_claim_and_program_are_not_counted() -> None:
    result = explore(system_of(WATCHED))
    assert {state.locations for state in result.states} == {(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)}
    assert result.transitions == 5


# Offers


def test_a_process_offers_a_handshake_when_it_is_its_turn() -> None:
    system = system_of("""
        offer P: P@b;
        offer Q: Q@e && x;
        transition holder P { P: a -> b; }
        transition { P: b -> c; }
        transition holder Q { P: a -> b; }
        transition { Q: e -> f; }
    """)
    assert not offers(system, initial(system))
    assert offers(system, after(system, 0))
    assert not offers(system, after(system, 2))
    assert offers(system, after(system, 2, 3))
