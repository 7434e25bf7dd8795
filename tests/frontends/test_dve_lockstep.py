"""`system sync`: all processes move at once."""

from __future__ import annotations

from tests.frontends.dve import model, reachable

from scrimp.system.reference import Fault, explore, initial, successors


def lockstep(declarations: str, *transitions: str) -> str:
    """A synchronous model of processes P0, P1, … that are always in their state `a`, given what they do there."""
    processes = "".join(
        f"process P{number} {{ byte own; state a; init a; trans {transition}; }}\n"
        for number, transition in enumerate(transitions)
    )
    return f"{declarations}\n{processes} system sync;"


def test_every_process_takes_a_step() -> None:
    text = lockstep("byte x, y;", "a -> a { effect x = (x + 1) % 3; }", "a -> a { effect y = (y + 1) % 3; }")
    assert reachable(model(text), "10 * x + y") == {0, 11, 22}


def test_every_combination_of_steps_is_a_transition() -> None:
    text = lockstep("", "a -> a { }, a -> a { }", "a -> a { }, a -> a { }, a -> a { }")
    transitions = model(text).system.transitions
    assert len(transitions) == 6
    assert all([move.process for move in transition.moves] == [0, 1] for transition in transitions)


def test_a_process_that_cannot_move_stops_all() -> None:
    text = lockstep("byte x;", "a -> a { effect x = x + 1; }", "a -> a { guard x < 2; }")
    small = model(text)
    assert reachable(small, "x") == {0, 1, 2}
    assert explore(small.system).deadlocks == 1


def test_effects_read_the_values_before_the_step() -> None:
    text = lockstep("byte x = 1, y = 2;", "a -> a { effect x = y; }", "a -> a { effect y = x; }")
    assert reachable(model(text), "10 * x + y") == {12, 21}


def test_effects_read_the_elements_before_the_step() -> None:
    text = lockstep(
        "byte f[2] = {1, 2}; byte g[2], i;", "a -> a { effect f[0] = f[1], i = 1; }", "a -> a { effect g[i] = f[0]; }"
    )
    small = model(text)
    after = [outcome for _, outcome in successors(small.system, initial(small.system))]
    assert not isinstance(after[0], Fault)
    assert after[0].values[:3] == ((2, 2), (1, 0), (1,))


def test_a_process_sees_what_it_has_written_itself() -> None:
    text = lockstep("byte x, y;", "a -> a { effect x = 1, y = x + 1; }", "a -> a { }")
    assert reachable(model(text), "10 * x + y") == {0, 12}


def test_two_processes_that_write_one_variable_are_a_fault() -> None:
    small = model(lockstep("byte x;", "a -> a { effect x = 1; }", "a -> a { effect x = 1; }"))
    ((_, outcome),) = successors(small.system, initial(small.system))
    assert outcome == Fault("two processes assign to x in one step")


def test_variables_of_their_own_do_not_clash() -> None:
    small = model(lockstep("", "a -> a { effect own = 1; }", "a -> a { effect own = 2; }"))
    assert reachable(small, "10 * P0->own + P1->own") == {0, 12}
