"""Random nets do what the token game says, in the reference interpreter and in a search over native code."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.frontends.pnml import marking, model, ptnet
from tests.frontends.random_coloured_nets import ColouredNet, Marking, coloured_nets
from tests.frontends.random_nets import arcs_of, markings, nets, nets_of_processes, successors

import scrimp
from scrimp.frontends.model import Model
from scrimp.system.reference import State, explore

LIMIT = 200
Net = tuple[dict[str, int], tuple[str, ...]]
Searched = tuple[scrimp.Order, scrimp.Store]
REFERENCES: list[Searched] = [
    (scrimp.BreadthFirst(), scrimp.Pseudoroot()),
    (scrimp.BreadthFirst(), scrimp.Pseudoroot(next="fewest")),
    (scrimp.DepthFirst(), scrimp.Pseudoroot()),
    (scrimp.BreadthFirst(), scrimp.Pseudoroot(source="counted", counters=100, bits=2)),
]


def token_game(net: Net) -> tuple[set[tuple[int, ...]], int, int]:
    """All markings of a net, its transitions and its deadlocks; nets with very many are left out."""
    tokens, arcs = net
    found = markings(tokens, arcs_of(arcs), LIMIT)
    assume(len(found) < LIMIT)
    following = [list(successors(reached, arcs_of(arcs))) for reached in found]
    dead = sum(not events for events in following)
    return {tuple(reached.values()) for reached in found}, sum(map(len, following)), dead


@settings(max_examples=300, deadline=None)
@given(nets() | nets_of_processes())
def test_a_net_has_the_markings_of_the_token_game(net: Net) -> None:
    expected = token_game(net)
    tokens, arcs = net
    read = model(ptnet(tokens, *arcs))
    found = explore(read.system)
    states = {tuple(marking(read, state).get(place, 0) for place in tokens) for state in found.states}
    assert (states, found.transitions, found.deadlocks) == expected
    assert found.faults == 0


@settings(max_examples=40, deadline=None)
@given(nets() | nets_of_processes())
def test_a_search_counts_what_the_token_game_counts(net: Net) -> None:
    states, transitions, deadlocks = token_game(net)
    tokens, arcs = net
    statistics = scrimp.explore(model(ptnet(tokens, *arcs))).statistics
    assert (statistics.states, statistics.transitions, statistics.deadlocks) == (len(states), transitions, deadlocks)


@settings(max_examples=25, deadline=None)
@given(nets() | nets_of_processes(), st.sampled_from(REFERENCES))
def test_a_search_by_in_degrees_counts_what_the_token_game_counts(net: Net, references: Searched) -> None:
    states, transitions, deadlocks = token_game(net)
    tokens, arcs = net
    order, store = references
    statistics = scrimp.explore(model(ptnet(tokens, *arcs)), order=order, store=store).statistics
    assert (statistics.states, statistics.transitions, statistics.deadlocks) == (len(states), transitions, deadlocks)
    assert statistics.entered == statistics.states


def coloured_game(net: ColouredNet) -> tuple[set[Marking], int, int]:
    seen, waiting, transitions, deadlocks = {net.initial}, [net.initial], 0, 0
    for reached in waiting:
        following = list(net.successors(reached))
        transitions += len(following)
        deadlocks += not following
        waiting += set(following) - seen
        seen |= set(following)
        assume(len(seen) < LIMIT)
    return seen, transitions, deadlocks


def coloured_marking(net: Model, state: State) -> Marking:
    pairs = marking(net, state).items()
    parts = [(name.partition("(")[0], name.partition("(")[2].rstrip(")"), count) for name, count in pairs]
    return frozenset((place, tuple(colour.split(",")), count) for place, colour, count in parts)


@settings(max_examples=300, deadline=None)
@given(coloured_nets())
def test_a_coloured_net_unfolds_to_the_markings_of_the_token_game(net: ColouredNet) -> None:
    expected = coloured_game(net)
    unfolded = model(net.written, {"tokens": "1000000"})
    found = explore(unfolded.system)
    states = {coloured_marking(unfolded, state) for state in found.states}
    assert (states, found.transitions, found.deadlocks) == expected
