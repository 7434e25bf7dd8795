"""Transitions of one process: guard, effect, faults, text and position."""

from __future__ import annotations

from tests.frontends.dve import at_end, model, one_step, reachable

from scrimp.system.reference import Fault, explore, initial, successors
from scrimp.system.system import Kind, Position


def test_a_transition_without_a_body_just_moves() -> None:
    assert reachable(one_step("", ""), "P.end") == {0, 1}


def test_a_false_guard_disables_a_transition() -> None:
    assert reachable(one_step("byte x;", "guard x == 1;"), "P.end") == {0}


def test_any_value_but_zero_is_true() -> None:
    assert reachable(one_step("byte x = 200;", "guard x;"), "P.end") == {0, 1}


def test_each_assignment_sees_those_before_it() -> None:
    assert at_end(one_step("byte x = 1, y;", "effect x = x + 1, y = x * 10, x = y;"), "x", "y") == [20, 20]


def test_an_index_is_evaluated_when_its_assignment_is_executed() -> None:
    assert at_end(one_step("byte i, field[2];", "effect i = 1, field[i] = 7;"), "field[0]", "field[1]") == [0, 7]


def test_states_of_other_processes_can_be_tested_and_their_variables_read() -> None:
    text = """
    process P { state wait, end; init wait; trans wait -> end { guard Q.done and Q->x == 3 and Q->f[1] == 4; }; }
    process Q { byte x; byte f[2] = {0, 4}; state start, done; init start; trans start -> done { effect x = 3; }; }
    system async;
    """
    assert reachable(model(text), "P.end + Q.done") == {0, 1, 2}


def test_an_index_outside_an_array_is_a_fault() -> None:
    small = one_step("byte field[2], i = 2;", "effect field[i] = 1;")
    ((_, outcome),) = successors(small.system, initial(small.system))
    assert outcome == Fault("index 2 is outside field[2]")


def test_a_division_by_zero_in_a_guard_is_a_fault() -> None:
    small = one_step("byte x;", "guard 1 / x == 1;")
    ((_, outcome),) = successors(small.system, initial(small.system))
    assert outcome == Fault("division by zero")


def test_an_omitted_source_state_is_that_of_the_transition_before() -> None:
    text = "process P { state a, b, c; init a; trans a -> b { }, -> c { }, b -> a { }, -> c { }; } system async;"
    moves = [transition.moves[0] for transition in model(text).system.transitions]
    assert [(move.source, move.target) for move in moves] == [(0, 1), (0, 2), (1, 0), (1, 2)]
    assert [move.text for move in moves] == ["a -> b { }", "a -> c { }", "b -> a { }", "b -> c { }"]


def test_a_process_may_have_no_transitions() -> None:
    exploration = explore(model("process P { state a; init a; } system async;").system)
    assert (len(exploration.states), exploration.deadlocks) == (1, 1)


def test_the_initial_state_need_not_be_the_first() -> None:
    assert model("process P { state a, b; init b; } system async;").system.processes[0].initial == 1


def test_a_move_has_the_text_and_position_of_its_transition() -> None:
    transition = "\n  a  ->\tb { // to b\n    guard x ==\n 0; /* now */ }"
    text = f"byte x;\nprocess P {{ state a, b; init a;\ntrans{transition}; }} system async;"
    (move,) = model(text).system.transitions[0].moves
    assert move.text == "a -> b { guard x == 0; }"
    assert move.position == Position(4, 3)


def test_the_kind_says_what_a_transition_mainly_does() -> None:
    text = """
    byte x; channel {byte} c[1];
    process P { state a; init a; trans
      a -> a { }, a -> a { guard x == 0; }, a -> a { guard x == 0; effect x = 1; },
      a -> a { sync c!x; effect x = 1; }, a -> a { sync c?x; };
    }
    system async;
    """
    kinds = [transition.kind for transition in model(text).system.transitions]
    assert kinds == [Kind.OTHER, Kind.CONTROL, Kind.ASSIGN, Kind.SEND, Kind.RECEIVE]


def test_transitions_keep_the_order_of_the_text() -> None:
    text = """
    process Q { state a; init a; trans a -> a { }, a -> a { guard 1; }; }
    process P { state a; init a; trans a -> a { guard 0; }; }
    system async;
    """
    moves = [transition.moves[0] for transition in model(text).system.transitions]
    assert [(move.process, move.text) for move in moves] == [
        (0, "a -> a { }"),
        (0, "a -> a { guard 1; }"),
        (1, "a -> a { guard 0; }"),
    ]


def test_several_guards_must_all_be_true() -> None:
    guards = ["x == 1", "not y or x", "y == 0"]
    assert reachable(one_step("byte x = 1, y;", f"guard {', '.join(guards)};"), "P.end") == {0, 1}
    for count in (1, 2, 3):
        for wrong in range(count):
            tests = [*guards[:wrong], "x == 2", *guards[wrong + 1 : count]]
            assert reachable(one_step("byte x = 1, y;", f"guard {', '.join(tests)};"), "P.end") == {0}


def test_commas_between_transitions_and_the_last_semicolon_may_be_left_out() -> None:
    small = model("process P { state a, b; init a; trans a -> b { } b -> a { }, -> b { } } system async;")
    assert [move.text for transition in small.system.transitions for move in transition.moves] == [
        "a -> b { }",
        "b -> a { }",
        "b -> b { }",
    ]
