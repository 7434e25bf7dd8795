"""Fusion: which transitions become one in native code, which do not, and what the fused one is like."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.machine.systems import assign, meeting, step, system, variable
from tests.random_systems import CHAINED, HELD, Profile, random_system

from scrimp.machine.fusion import MOST_EVENTS, MOST_STEPS, fuse, unfused
from scrimp.system import reference
from scrimp.system.expressions import FALSE, TRUE, At, Binary, Conditional, Constant, Read, Timeout
from scrimp.system.statements import Assert, If, Outgrow, Statement
from scrimp.system.system import System, Transition
from scrimp.system.validate import validate

X = Read(0)
FAILS = Assert(FALSE, "never", fatal=False)
FAULTS = Assert(FALSE, "never")


def chain(*following: Transition, first: Transition | None = None) -> System:
    """A process that goes from location to location: one transition with a holder, then the others."""
    begins = first or step(source=0, target=1, holder=0)
    return system((variable(0), variable(0)), [begins, *following], locations=(len(following) + 2, 2))


def second(*effect: Statement, **changes: object) -> Transition:
    return replace(step(*effect, source=1, target=2), **changes)  # type: ignore[arg-type]


def events(model: System) -> list[tuple[int, ...]]:
    return list(fuse(model).events)


def is_fused(model: System) -> bool:
    return len(events(model)[0]) > 1


def test_transitions_that_must_follow_each_other_are_fused() -> None:
    model = chain(second(holder=0), step(source=2, target=3))
    assert events(model) == [(0, 1, 2), (1, 2), (2,)]


def test_a_fused_transition_has_the_effects_in_order_and_ends_where_the_last_one_does() -> None:
    first = step(assign(0, 1), guard=Binary("==", X, Constant(0)), source=0, target=1, holder=0)
    last = second(assign(0, Binary("+", X, Constant(1))), steps=2)
    fused = fuse(chain(last, first=first)).system.transitions[0]
    assert (fused.moves[0].source, fused.moves[0].target) == (0, 2)
    assert fused.guard == first.guard
    assert fused.effect == (*first.effect, *last.effect)
    assert fused.steps == 3
    assert fused.holder is None


def test_the_holder_after_a_chain_is_that_of_its_last_event() -> None:
    model = chain(second(holder=0), step(source=2, guard=X), step(source=2, guard=X))
    fused = fuse(model)
    assert fused.events[0] == (0, 1)
    assert fused.system.transitions[0].holder == 0


def test_a_chain_after_a_handshake_follows_the_receiver_and_leaves_the_sender_at_its_target() -> None:
    meets = replace(meeting((0, 0, 1), (1, 0, 1)), holder=1)
    model = system((), [meets, step(process=1, source=1, target=2)], locations=(2, 3))
    fused = fuse(model)
    assert fused.events[0] == (0, 1)
    assert [(move.process, move.target) for move in fused.system.transitions[0].moves] == [(0, 1), (1, 2)]


def test_every_transition_keeps_its_number() -> None:
    model = chain(second(holder=0), step(source=2, target=3))
    fused = fuse(model)
    assert [t.moves[0].source for t in fused.system.transitions] == [0, 1, 2]
    assert [chain[0] for chain in fused.events] == [0, 1, 2]


def test_nothing_is_fused_if_no_process_goes_on_alone() -> None:
    model = chain(second(), first=step(source=0, target=1))
    assert fuse(model) == unfused(model)


@pytest.mark.parametrize(
    "following",
    [
        second(guard=X),
        second(guard=FALSE),
        second(guard=Timeout()),
        second(Outgrow("more")),
        second(If(X, (Outgrow("more"),))),
        second(assign(0, At(0, 1))),
        second(assign(0, At(1, 0))),
        second(assign(0, Conditional(At(1, 0), X, X))),
        second(If(At(0, 1), (assign(0, 1),))),
        second(assign(0, Timeout())),
        replace(meeting((0, 1, 2), (1, 0, 1)), guard=TRUE),
    ],
    ids=[
        "guarded",
        "never enabled",
        "waits for a timeout",
        "may outgrow the system",
        "may outgrow the system in a branch",
        "tests the location of its own process",
        "tests the location of another process",
        "tests a location deep in an expression",
        "tests a location in a branch",
        "reads the timeout",
        "moves another process",
    ],
)
def test_a_transition_that_may_be_disabled_or_sees_the_transient_state_is_not_fused(following: Transition) -> None:
    assert not is_fused(chain(following))


@pytest.mark.parametrize(
    "first",
    [
        step(assign(0, At(0, 0)), source=0, target=1, holder=0),
        step(guard=Timeout(), source=0, target=1, holder=0),
        step(assign(0, Timeout()), source=0, target=1, holder=0),
        step(Outgrow("more"), source=0, target=1, holder=0),
        step(FAULTS, source=0, target=1, holder=0),
    ],
    ids=["tests a location", "waits for a timeout", "reads the timeout", "outgrows the system", "faults"],
)
def test_the_first_of_a_chain_may_read_the_state_it_is_fired_in(first: Transition) -> None:
    assert is_fused(chain(second(), first=first))


def test_if_several_transitions_may_follow_none_is_fused() -> None:
    assert events(chain(second(), second())) == [(0,), (1,), (2,)]


def test_if_no_transition_follows_nothing_is_fused() -> None:
    assert events(chain()) == [(0,)]


def test_transitions_of_other_processes_do_not_prevent_fusion() -> None:
    assert is_fused(chain(second(), step(process=1, source=1, target=0)))


def test_transitions_led_by_another_process_do_not_prevent_fusion() -> None:
    """Only transitions that the holder leads are events of a transient state."""
    taken_along = replace(meeting((1, 0, 1), (0, 1, 0)), guard=TRUE)
    assert is_fused(chain(second(), taken_along))


def test_if_the_holder_was_not_moved_its_location_is_unknown_and_nothing_is_fused() -> None:
    model = chain(second(), step(process=1), first=step(source=0, target=1, holder=1))
    assert events(model)[0] == (0,)


def test_a_chain_follows_the_holder_and_not_the_leading_process() -> None:
    meets = replace(meeting((0, 0, 1), (1, 0, 1)), holder=1)
    model = system((), [meets, step(process=0, source=1, target=0)], locations=(2, 2))
    assert events(model)[0] == (0,)


def test_an_assertion_that_is_not_fatal_ends_a_chain() -> None:
    model = chain(second(FAILS, holder=0), step(source=2, target=3))
    assert events(model) == [(0, 1), (1,), (2,)]


def test_an_assertion_that_is_not_fatal_in_a_branch_ends_a_chain_too() -> None:
    model = chain(second(If(X, (), (FAILS,)), holder=0), step(source=2, target=3))
    assert events(model)[0] == (0, 1)


def test_a_fault_does_not_end_a_chain() -> None:
    model = chain(second(FAULTS, holder=0), step(source=2, target=3))
    assert events(model)[0] == (0, 1, 2)


@pytest.mark.parametrize(("urgent", "fused"), [(True, True), (False, False)])
def test_with_committed_locations_only_urgent_transitions_are_fused(urgent: bool, fused: bool) -> None:
    model = replace(chain(second(urgent=urgent)), committed=At(1, 1))
    assert is_fused(model) == fused


def test_a_chain_goes_around_a_cycle_once() -> None:
    round_and_round = [step(source=place, target=(place + 1) % 3, holder=0) for place in range(3)]
    model = system((), round_and_round, locations=(3,))
    assert events(model) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_a_chain_into_a_cycle_goes_around_it_once() -> None:
    into = [step(source=0, target=1, holder=0), step(source=1, target=2, holder=0), step(source=2, target=1, holder=0)]
    assert events(system((), into, locations=(3,))) == [(0, 1, 2), (1, 2), (2, 1)]


def test_a_self_loop_is_fired_once() -> None:
    assert events(system((), [step(holder=0)])) == [(0,)]


def test_the_number_of_events_in_a_chain_is_limited() -> None:
    places = MOST_EVENTS + 10
    model = system((), [step(source=n, target=n + 1, holder=0) for n in range(places)], locations=(places + 1,))
    lengths = [len(chain) for chain in events(model)]
    assert lengths[0] == MOST_EVENTS
    assert lengths[10:] == list(range(MOST_EVENTS, 0, -1))


@pytest.mark.parametrize(("last", "fused"), [(55, True), (56, False)])
def test_a_chain_has_at_most_as_many_steps_as_a_byte_can_count(last: int, fused: bool) -> None:
    model = chain(second(steps=last), first=step(source=0, target=1, holder=0, steps=200))
    assert is_fused(model) == fused
    assert fuse(model).system.transitions[0].steps <= MOST_STEPS == 255


@pytest.mark.parametrize("profile", [HELD, CHAINED], ids=["held", "chained"])
def test_a_fused_system_is_a_system_with_the_same_states(profile: Profile) -> None:
    """The reference fires fewer events between ordinary states, and finds the same otherwise."""
    longest = 0
    for seed in range(150):
        model = random_system(seed, profile=profile)
        fused = fuse(model)
        validate(fused.system)
        longest = max(longest, *map(len, fused.events))
        try:
            before, after = (reference.explore(each, limit=500) for each in (model, fused.system))
        except reference.TooManyStates:
            continue
        assert replace(after, fired=frozenset()) == replace(before, fired=frozenset()), seed
    assert longest > 2
