"""Read and write sets are sound, independent transitions commute, and local transitions are local."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from itertools import islice, permutations
from typing import TypeVar

import pytest
from tests.random_systems import ALL_PROFILES, Profile, random_system

from scrimp.system.access import Cell, ChannelPart, Element, End, Presence, independent, is_local, reads, writes
from scrimp.system.locality import local_transitions
from scrimp.system.reference import Fault, State, enabled, fire, initial, successors
from scrimp.system.system import System
from scrimp.system.text import parse_system

T = TypeVar("T")

DECLARATIONS = """
    system s;
    process P { a, b, c }
    process Q { d, e }
    variable x: byte;
    variable array[3]: 0..2;
    variable P.own: byte;
    channel pipe[2]: {byte};
"""


def system_of(*transitions: str, condition: str = "") -> System:
    bodies = " ".join(f"transition {transition}" for transition in transitions)
    return parse_system(f"{DECLARATIONS} {condition} {bodies}")


def check(transition: str, *, read: Set[Cell], written: Set[Cell], condition: str = "") -> None:
    system = system_of(transition, condition=condition)
    assert reads(system, system.transitions[0]) == read
    assert writes(system, system.transitions[0]) == written


def array(*indices: int) -> set[Cell]:
    return {Element(1, index) for index in indices}


X, OWN = Element(0, 0), Element(2, 0)
FRONT, BACK, LENGTH = (ChannelPart(0, end) for end in (End.FRONT, End.BACK, End.LENGTH))
AT_A, AT_B, AT_D, AT_E = Presence(0, 0), Presence(0, 1), Presence(1, 0), Presence(1, 1)


def test_a_move_reads_its_source_and_writes_source_and_target() -> None:
    check("{ P: a -> b; }", read={AT_A}, written={AT_A, AT_B})


def test_a_move_to_the_same_location_writes_nothing() -> None:
    check("{ P: a -> a; }", read={AT_A}, written=set())


def test_a_rendezvous_accesses_the_locations_of_both() -> None:
    check("{ P: a -> a; Q: d -> e; }", read={AT_A, AT_D}, written={AT_D, AT_E})


def test_a_constant_index_accesses_one_element() -> None:
    check("{ P: a -> a; array[1] = array[2]; }", read={AT_A, *array(2)}, written=array(1))


def test_a_computed_index_accesses_the_whole_array_and_reads_what_it_is_computed_from() -> None:
    check("{ P: a -> a; array[x] = 1; }", read={AT_A, X}, written=array(0, 1, 2))
    check("{ P: a -> a; when array[x]; }", read={AT_A, X, *array(0, 1, 2)}, written=set())


def test_all_branches_count_whether_taken_or_not() -> None:
    choice = "if x { P.own = 1; } else { array[0] = P.own; }"
    check(f"{{ P: a -> a; {choice} }}", read={AT_A, X, OWN}, written={OWN, *array(0)})


def test_sending_writes_the_back_receiving_the_front_and_both_the_length() -> None:
    check("{ P: a -> a; pipe ! x; }", read={AT_A, X, LENGTH}, written={BACK, LENGTH})
    check("{ P: a -> a; pipe ? x; }", read={AT_A, FRONT, LENGTH}, written={X, FRONT, LENGTH})
    check("{ P: a -> a; when len(pipe) < 2; }", read={AT_A, LENGTH}, written=set())


def test_a_test_of_a_location_reads_whether_the_process_is_there() -> None:
    check("{ P: a -> a; when Q@e; }", read={AT_A, AT_E}, written=set())


def test_a_transition_that_is_not_urgent_reads_the_committed_condition() -> None:
    check("{ P: a -> a; }", condition="committed Q@e;", read={AT_A, AT_E}, written=set())
    check("urgent { P: a -> a; }", condition="committed Q@e;", read={AT_A}, written=set())


def test_a_search_among_the_messages_reads_the_whole_channel() -> None:
    whole = {FRONT, BACK, LENGTH}
    check("{ P: a -> a; when find(pipe, x) == 0; }", read={AT_A, X, *whole}, written=set())
    check("{ P: a -> a; when message(pipe, x, 0); }", read={AT_A, X, *whole}, written=set())
    check("{ P: a -> a; pipe !! 1; }", read={AT_A, *whole}, written=whole)
    check("{ P: a -> a; pipe ?[1] _; }", read={AT_A, *whole}, written=whole)


def test_clearing_writes_the_whole_channel_and_reads_none_of_it() -> None:
    check("{ P: a -> a; clear pipe; }", read={AT_A}, written={FRONT, BACK, LENGTH})


def test_a_timeout_reads_everything() -> None:
    everything = {Presence(0, 0), Presence(0, 1), Presence(0, 2), AT_D, AT_E, X, OWN, *array(0, 1, 2)}
    check("{ P: a -> a; when timeout; }", read={*everything, FRONT, BACK, LENGTH}, written=set())


INDEPENDENT = [
    ("{ P: a -> b; array[0] = 1; }", "{ Q: d -> e; array[1] = 1; }"),
    ("{ P: a -> b; when x; }", "{ Q: d -> e; when x; }"),
    ("{ P: a -> b; when Q@e; }", "{ Q: d -> d; }"),
    ("{ P: a -> b; when len(pipe); }", "{ Q: d -> e; when len(pipe); }"),
]
DEPENDENT = [
    ("{ P: a -> b; }", "{ P: a -> c; }"),
    ("{ P: a -> b; x = 1; }", "{ Q: d -> e; x = 1; }"),
    ("{ P: a -> b; x = 1; }", "{ Q: d -> e; when x; }"),
    ("{ P: a -> b; array[0] = 1; }", "{ Q: d -> e; array[x] = 1; }"),
    ("{ P: a -> b; when Q@e; }", "{ Q: d -> e; }"),
    ("{ P: a -> b; pipe ! 1; }", "{ Q: d -> e; pipe ? _; }"),
    ("{ P: a -> b; pipe ! 1; }", "{ Q: d -> e; when len(pipe); }"),
    ("{ P: a -> b; clear pipe; }", "{ Q: d -> e; when message(pipe, 0, 0); }"),
    ("holder P { P: a -> b; }", "{ Q: d -> e; }"),
    ("holder Q { P: a -> b; }", "{ Q: d -> e; }"),
    ("{ P: a -> b; x = 1; }", "{ Q: d -> e; when timeout; }"),
]


@pytest.mark.parametrize(("a", "b"), INDEPENDENT)
def test_independent(a: str, b: str) -> None:
    system = system_of(a, b)
    assert independent(system, *system.transitions)


@pytest.mark.parametrize(("a", "b"), DEPENDENT)
def test_dependent(a: str, b: str) -> None:
    system = system_of(a, b)
    assert not independent(system, *system.transitions)
    assert not independent(system, *reversed(system.transitions))


def local(*transitions: str, condition: str = "") -> set[int]:
    return set(local_transitions(system_of(*transitions, condition=condition)))


def test_a_step_on_local_variables_is_local() -> None:
    assert local("{ P: a -> b; P.own = x; }", "{ Q: d -> e; when x; }") == {0, 1}


def test_a_step_on_variables_that_others_write_is_not_local() -> None:
    assert local("{ P: a -> b; P.own = x; }", "{ Q: d -> e; x = 1; }") == set()


def test_a_step_whose_variables_others_read_is_not_local() -> None:
    assert local("{ P: a -> b; P.own = 1; }", "{ Q: d -> d; when P.own; }") == set()


def test_a_rendezvous_is_not_local_and_does_not_make_the_steps_of_its_processes_global() -> None:
    assert local("{ P: a -> b; P.own = 1; }", "{ P: a -> b; Q: d -> e; P.own = 2; }") == {0}


def test_a_step_that_enters_a_location_that_others_test_is_not_local() -> None:
    assert local("{ P: a -> b; }", "{ P: b -> c; }", "{ P: c -> c; }", "{ Q: d -> d; when P@b; }") == {2}


def test_a_step_that_others_can_disable_by_committing_is_not_local() -> None:
    assert local("{ P: a -> b; }", "{ Q: d -> e; }", condition="committed Q@e;") == set()
    assert local("{ P: a -> b; }", condition="committed Q@e;") == {0}


def test_a_step_before_or_after_which_its_process_goes_on_alone_is_not_local() -> None:
    assert local("holder P { P: a -> b; }", "{ P: b -> c; }", "{ Q: d -> e; }") == {2}
    assert local("{ P: a -> b; }", "holder P { Q: d -> e; }") == set()


def test_a_step_that_a_timeout_elsewhere_waits_for_is_not_local() -> None:
    assert local("{ P: a -> b; }", "{ Q: d -> e; when timeout; }") == set()


def test_nothing_is_local_beside_a_claim() -> None:
    assert local("{ P: a -> b; }", "{ Q: d -> d; }", condition="claim Q;") == set()


SEEDS = range(25)
STATES = 25


def reachable(system: System) -> Iterator[State]:
    """Reachable states, nearest first."""
    seen = {initial(system): None}
    todo = list(seen)
    for state in todo:
        yield state
        for _, outcome in successors(system, state):
            if isinstance(outcome, State) and outcome not in seen:
                seen[outcome] = None
                todo.append(outcome)


def sampled_states(profile: Profile) -> Iterator[tuple[System, State]]:
    for seed in SEEDS:
        system = random_system(seed, profile=profile)
        for state in islice(reachable(system), STATES):
            yield system, state


def value_at(state: State, cell: Presence | Element) -> int:
    match cell:
        case Presence(process, location):
            return state.locations[process] == location
        case Element(variable, index):
            return state.values[variable][index]


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES)
def test_firing_changes_nothing_outside_the_writes(profile: Profile) -> None:
    for system, state in sampled_states(profile):
        for event, outcome in successors(system, state):
            if isinstance(outcome, State):
                assert changed(state, outcome) <= writes(system, system.transitions[event])


def changed(before: State, after: State) -> set[Cell]:
    result: set[Cell] = set()
    for process, (old, new) in enumerate(zip(before.locations, after.locations, strict=True)):
        if old != new:
            result |= {Presence(process, old), Presence(process, new)}
    for variable, (olds, news) in enumerate(zip(before.values, after.values, strict=True)):
        result |= {Element(variable, i) for i in range(len(olds)) if olds[i] != news[i]}
    for channel, (was, now) in enumerate(zip(before.channels, after.channels, strict=True)):
        if len(was) != len(now):
            result.add(ChannelPart(channel, End.LENGTH))
        if now[: len(was)] != was:
            result.add(ChannelPart(channel, End.FRONT))
    return result


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES)
def test_no_value_outside_the_reads_matters(profile: Profile) -> None:
    for system, state in sampled_states(profile):
        events = enabled(system, state)
        for event, transition in enumerate(system.transitions):
            for other in variants(system, state, reads(system, transition)):
                assert (event in enabled(system, other)) == (event in events)
                if event in events:
                    assert same_effect(system, event, state, other)


def variants(system: System, state: State, read: frozenset[Cell]) -> Iterator[State]:
    """`state` with one part changed that is not in `read`, for each process, variable and channel."""
    for process, location in enumerate(state.locations):
        for other in range(len(system.processes[process].locations)):
            if location != other and read.isdisjoint({Presence(process, location), Presence(process, other)}):
                yield replace(state, locations=put(state.locations, process, other))
    for number, variable in enumerate(system.variables):
        for index, value in enumerate(state.values[number]):
            for extreme in {variable.type.low, variable.type.high} - {value}:
                if Element(number, index) not in read:
                    yield replace(state, values=put(state.values, number, put(state.values[number], index, extreme)))
    for number, messages in enumerate(state.channels):
        lows = tuple(field.low for field in system.channels[number].fields)
        if messages and ChannelPart(number, End.FRONT) not in read:
            yield replace(state, channels=put(state.channels, number, (lows, *messages[1:])))
            if ChannelPart(number, End.LENGTH) not in read:
                yield replace(state, channels=put(state.channels, number, ()))


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def same_effect(system: System, event: int, one: State, other: State) -> bool:
    """Firing the event gives each written part the same value in both, or leaves it as it was in both."""
    after_one, after_other = fire(system, one, event), fire(system, other, event)
    if isinstance(after_one, Fault) or isinstance(after_other, Fault):
        return after_one == after_other
    return all(
        value_at(after_one, cell) == value_at(after_other, cell)
        or (value_at(after_one, cell) == value_at(one, cell) and value_at(after_other, cell) == value_at(other, cell))
        for cell in writes(system, system.transitions[event])
        if not isinstance(cell, ChannelPart)
    ) and all(
        appended(one, after_one, channel) == appended(other, after_other, channel)
        for channel in range(len(system.channels))
    )


def appended(before: State, after: State, channel: int) -> object:
    """The messages sent, if there were only those; otherwise all that are there now."""
    was, now = before.channels[channel], after.channels[channel]
    return now[len(was) :] if now[: len(was)] == was else now


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES)
def test_independent_transitions_commute_and_neither_enable_nor_disable_each_other(profile: Profile) -> None:
    for system, state in sampled_states(profile):
        events = enabled(system, state)
        for a, b in permutations(range(len(system.transitions)), 2):
            if a in events and independent(system, system.transitions[a], system.transitions[b]):
                after_a = fire(system, state, a)
                if isinstance(after_a, State):
                    assert (b in enabled(system, after_a)) == (b in events)
                    if b in events:
                        assert fire_after(system, after_a, b) == fire_after(system, fire(system, state, b), a)


def fire_after(system: System, before: State | Fault, event: int) -> State | Fault:
    return before if isinstance(before, Fault) else fire(system, before, event)


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES)
def test_the_set_of_local_transitions_is_that_found_one_by_one(profile: Profile) -> None:
    for seed in SEEDS:
        system = random_system(seed, profile=profile)
        one_by_one = {event for event, transition in enumerate(system.transitions) if is_local(system, transition)}
        assert local_transitions(system) == one_by_one
