"""In-degrees computed by backward transitions are those found by firing every event in every state."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.frontends.pnml import model as net_model
from tests.frontends.pnml import ptnet
from tests.frontends.random_nets import nets, nets_of_processes
from tests.lts.random_lts import aut_text, random_edges
from tests.machine.comparing import first_states
from tests.machine.in_degrees import TooMany, edges, in_degrees, states_in
from tests.machine.native import NativeSystem
from tests.machine.systems import assign, meeting, step, system, variable
from tests.random_systems import ALL_PROFILES, RANDOM_SYSTEMS, TINY, Profile, random_system

from scrimp.frontends import load
from scrimp.growth import settled
from scrimp.machine.backward.transitions import Backward, backward
from scrimp.machine.build import build
from scrimp.machine.fusion import fuse
from scrimp.machine.layout import Layout, lay_out
from scrimp.machine.ranges import Ranges, initial_ranges, sampled_ranges, static_ranges
from scrimp.system.expressions import Binary, Constant, Expression, Length, Message, Read, Timeout
from scrimp.system.reference import EvaluationFault, State, evaluate, explore
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Place
from scrimp.system.system import Channel, System, Transition
from scrimp.system.types import BYTE, SHORT, Range

MODELS = Path(__file__).parents[2] / "models"
LETTERS = Channel("letters", 2, (Range(0, 2),))
SMALL = Range(0, 3)
CHECKED = Range(0, 3, wraps=False)


def plus(number: int, more: int) -> Expression:
    return Binary("+", Read(number), Constant(more))


def is_(value: Expression, number: int) -> Expression:
    return Binary("==", value, Constant(number))


ONE_VARIABLE = {
    "a sum is inverted": (step(assign(0, plus(0, 1)), guard=Binary("<", Read(0), Constant(3))), [0, 1, 1, 1]),
    "a sum that wraps is inverted": (step(assign(0, plus(0, 1))), [1, 1, 1, 1]),
    "a difference from a number is inverted": (step(assign(0, Binary("-", Constant(3), Read(0)))), [1, 1, 1, 1]),
    "the guard determines the overwritten value": (step(assign(0, 0), guard=is_(Read(0), 2)), [1, 0, 0, 0]),
    "an unknown overwritten value may have been any": (step(assign(0, 2)), [0, 0, 4, 0]),
    "the guard allows some values": (step(assign(0, 2), guard=Binary(">", Read(0), Constant(1))), [0, 0, 2, 0]),
    "possible values are tried": (step(assign(0, Binary("/", Read(0), Constant(2)))), [2, 2, 0, 0]),
    "a fault has no successor": (step(assign(0, Binary("/", Constant(3), Read(0)))), [0, 2, 0, 1]),
    "assertions must hold": (step(assign(0, plus(0, 1)), Assert(is_(Read(0), 2), "two")), [0, 0, 1, 0]),
    "branches are treated separately": (step(If(is_(Read(0), 0), (assign(0, 3),), (assign(0, 1),))), [0, 3, 0, 1]),
}


SETTERS = [step(assign(0, value), process=1, target=1) for value in range(4)]
"""Another process gives the variable all its values, once, so that its field has room for them."""


@pytest.mark.parametrize(("transition", "expected"), ONE_VARIABLE.values(), ids=ONE_VARIABLE.keys())
def test_one_variable(transition: Transition, expected: list[int]) -> None:
    code = native(system([variable(0, type_=SMALL)], [transition, *SETTERS], locations=(1, 2)))
    assert [code.in_degree(State((0, 0), ((x,),), ())) for x in range(4)] == expected


def test_the_location_of_a_process_determines_the_old_values_of_its_variables() -> None:
    enter, leave = step(assign(0, 1), target=1), step(assign(0, 0), source=1, target=0)
    code = native(system([variable(0, type_=SMALL)], [enter, leave], locations=(2,)))
    assert code.in_degree(State((1,), ((1,),), ())) == 1
    assert code.in_degree(State((0,), ((0,),), ())) == 1


def test_the_old_value_of_a_copied_variable_is_found_in_the_copy() -> None:
    swap = step(assign(1, Read(0)), assign(0, 0))
    code = native(system([variable(0, type_=SMALL), variable(0, type_=SMALL)], [swap, *SETTERS], locations=(1, 2)))
    assert code.in_degree(State((0, 0), ((0,), (2,)), ())) == 4, "the other's values before"
    assert code.in_degree(State((0, 0), ((1,), (2,)), ())) == 0


def test_an_assignment_to_an_element_with_a_known_index_is_inverted() -> None:
    count = step(Assign(Place(1, Read(0)), Binary("+", Read(1, Read(0)), Constant(1))))
    code = native(
        system([variable(0, type_=SMALL), variable(0, 0, type_=CHECKED)], [count, *SETTERS], locations=(1, 2))
    )
    assert [code.in_degree(State((0, 0), ((x,), (2, 0)), ())) for x in range(4)] == [1, 0, 0, 0]


def test_assignments_to_distinct_elements_are_inverted_together() -> None:
    ahead = Binary("+", Read(0), Constant(1))
    swap = step(Assign(Place(1, Read(0)), Read(1, ahead)), Assign(Place(1, ahead), Constant(0)))
    code = native(
        system([variable(0, type_=SMALL), variable(0, 1, 2, type_=SMALL)], [swap, *SETTERS], locations=(1, 2))
    )
    assert code.in_degree(State((0, 0), ((0,), (2, 0, 1)), ())) == 3, "what was in the first element is lost"
    assert code.in_degree(State((0, 0), ((0,), (2, 1, 1)), ())) == 0
    assert code.in_degree(State((0, 0), ((2,), (2, 0, 1)), ())) == 0, "there is no element ahead"


def test_a_send_is_inverted_by_removing_the_message() -> None:
    send = step(Enqueue(0, (Read(0),)), guard=Binary("<", Length(0), Constant(2)))
    code = native(system([variable(0, type_=SMALL)], [send, *SETTERS], channels=[LETTERS], locations=(1, 2)))
    assert code.in_degree(State((0, 0), ((1,),), (((2,), (1,)),))) == 1
    assert code.in_degree(State((0, 0), ((2,),), (((2,), (1,)),))) == 0
    assert code.in_degree(State((0, 0), ((1,),), ((),))) == 0


def test_a_received_message_is_found_in_its_variable() -> None:
    receive = step(Dequeue(0, (Place(0),)), guard=is_(Message(0, 0, Constant(0)), 2))
    send = step(Enqueue(0, (Read(0),)), process=1, target=1)
    code = native(system([variable(0, type_=SMALL)], [receive, *SETTERS, send], channels=[LETTERS], locations=(1, 2)))
    assert [code.in_degree(State((0, 0), ((x,),), ((),))) for x in range(4)] == [0, 0, 4, 0]
    assert code.in_degree(State((0, 0), ((2,),), (((0,), (1,)),))) == 0, "the channel has no room for one more"


def test_a_rendezvous_is_inverted_for_both_processes() -> None:
    code = native(system([], [meeting((0, 0, 1), (1, 0, 1)), meeting((1, 1, 0), (0, 1, 0))], locations=(2, 2)))
    assert [code.in_degree(State((a, b), (), ())) for a in range(2) for b in range(2)] == [1, 0, 0, 1]


IMPOSSIBLE: dict[str, tuple[System, str]] = {
    "holder": (system([], [step(holder=0)]), "its process has exclusive control after it"),
    "timeout": (system([], [step(guard=Timeout())]), "it waits for a timeout"),
    "claim": (system([], [step()], claim=0), "a claim moves before it"),
    "clear": (system([], [step(Clear(0))], channels=[LETTERS]), "it empties a channel"),
    "sorted": (
        system([], [step(Enqueue(0, (Constant(1),), sorted=True))], channels=[LETTERS]),
        "it inserts a message in sorted order",
    ),
    "middle": (
        system([], [step(Dequeue(0, (None,), Constant(1)))], channels=[LETTERS]),
        "it receives a message from the middle of a channel",
    ),
    "elements": (
        system(
            [variable(0, 1, type_=BYTE), variable(0, type_=SMALL), variable(1, type_=SMALL)],
            [step(assign(0, 2, Read(1)), assign(0, 3, Read(2)), assign(1, plus(1, 1)), assign(2, plus(2, 1)))],
        ),
        "it writes elements of x whose indices may be equal",
    ),
    "values": (
        system(
            [variable(0, type_=SHORT)], [step(assign(0, Binary("*", Read(0), Read(0)))), step(assign(0, plus(0, 1)))]
        ),
        "it overwrites values with 65,536 possible combinations",
    ),
}


@pytest.mark.parametrize(("refused", "reason"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_a_transition_that_cannot_be_inverted_has_a_reason(refused: System, reason: str) -> None:
    assert backward(refused, lay_out(refused, static_ranges(refused))).impossible[0].startswith(reason)


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES.keys())
def test_in_random_systems_every_edge_into_a_state_is_counted_once(profile: Profile) -> None:
    for seed in range(20_000, 20_000 + RANDOM_SYSTEMS // 5):
        random = random_system(seed, profile=profile)
        layout = lay_out(random, sampled_ranges(random) if seed % 2 else static_ranges(random))
        found = backward(random, layout)
        states = sources(random, layout, found)
        expected = edges(random, states)
        for state in states:
            for event in found.tests:
                assert counted(random, found, state, event) == expected[state, event]


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES.keys())
def test_states_that_are_left_out_are_unreachable(profile: Profile) -> None:
    for seed in range(40_000, 40_000 + RANDOM_SYSTEMS // 5):
        random = random_system(seed, profile=profile)
        found = backward(random, lay_out(random, static_ranges(random)))
        assert all(found.values.allow(state) for state in first_states(random, 80) if state.holder is None)


@pytest.mark.parametrize("profile", [TINY, *(ALL_PROFILES[name] for name in ("default", "channels", "faulty"))])
def test_native_code_counts_the_edges_of_backward_transitions(profile: Profile) -> None:
    for seed in range(30_000, 30_000 + RANDOM_SYSTEMS // 5):
        random = random_system(seed, profile=profile)
        if not backward(random, lay_out(random, sampled_ranges(random))).impossible:
            assert_native_counts_all(random, sampled_ranges(random))


@settings(max_examples=40, deadline=None)
@given(nets() | nets_of_processes())
def test_in_nets_every_edge_into_a_marking_is_counted(net: tuple[dict[str, int], tuple[str, ...]]) -> None:
    tokens, arcs = net
    read = net_model(ptnet(tokens, *arcs)).system
    assert_native_counts_all(read, sampled_ranges(read))


@pytest.mark.parametrize("name", ["atomic_counter.dve", "peterson.dve", "philosophers.pnml", "readers_writers.pml"])
def test_in_our_models_no_edge_is_missed(name: str) -> None:
    model = settled(load(MODELS / name))
    fused = fuse(model.system).system
    code = native(fused, initial_ranges(fused))
    states = explore(fused).states
    for state, edges_into in in_degrees(fused, states).items():
        assert code.in_degree(state) >= edges_into


def test_no_edge_is_missed_if_finding_the_values_at_places_takes_too_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrimp.machine.backward.values.MOST_WORK", 0)
    test_in_our_models_no_edge_is_missed("peterson.dve")
    enter, leave = step(assign(0, 1), target=1), step(assign(0, 0), source=1, target=0)
    code = native(system([variable(0, type_=SMALL)], [enter, leave], locations=(2,)))
    assert code.in_degree(State((1,), ((1,),), ())) > 1


def test_in_an_lts_the_edges_of_its_text_are_counted(tmp_path: Path) -> None:
    text = random_edges(7)
    (tmp_path / "random.aut").write_text(aut_text(text))
    lts = load(tmp_path / "random.aut").system
    machine = build(lts, (), initial_ranges(lts), in_degree=True).machine()
    expected = Counter(target for _, _, target in text)
    assert [machine.in_degree((state << 1 | 1,)) for state in range(40)] == [expected[state] for state in range(40)]


def native(counted: System, ranges: Ranges | None = None) -> NativeSystem:
    return NativeSystem(counted, ranges or static_ranges(counted), backward=backward)


def sources(counted: System, layout: Layout, found: Backward) -> list[State]:
    """The states from which edges are counted; none if there are too many to enumerate."""
    try:
        return list(filter(found.values.allow, states_in(layout, most=400)))
    except TooMany:
        return []


def counted(system: System, found: Backward, state: State, event: int) -> int:
    """The edges of one event into a state, as its tests say."""
    leading = system.transitions[event].moves[0]
    if state.locations[leading.process] != leading.target:
        return 0
    return sum(number for tests, number in found.tests[event].items() if _hold(system, state, tests))


def _hold(system: System, state: State, tests: tuple[Expression, ...]) -> bool:
    try:
        return all(evaluate(system, state, test) for test in tests)
    except EvaluationFault:
        return False


def assert_native_counts_all(counted: System, ranges: Ranges) -> None:
    code = native(counted, ranges)
    assert code.backward is not None
    assert not code.backward.impossible
    states = sources(counted, code.layout, code.backward)
    expected = in_degrees(counted, states)
    for state in states:
        assert code.in_degree(state) == expected[state]
