"""Bounds on the tokens in places, and places that grow without bound."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.frontends.pnml import marking, model, places, ptnet
from tests.frontends.random_nets import arcs_of, markings, nets, nets_of_processes

from scrimp.frontends.model import Model
from scrimp.frontends.pnml.properties import NetScope
from scrimp.system.reference import Fault, TooManyStates, explore, firings


def known_bounds(net: Model) -> dict[str, int | None]:
    assert isinstance(net.scope, NetScope)
    return dict(zip(places(net), net.scope.bounds, strict=True))


def bounds(*arcs: str, **tokens: int) -> dict[str, int | None]:
    return known_bounds(model(ptnet(tokens, *arcs)))


def test_the_tokens_in_a_cycle_are_bounded_by_the_initial_ones() -> None:
    assert bounds("p -> t", "t -> q", "q -> u", "u -> p", p=3, q=0) == {"p": 3, "q": 3}


def test_weights_are_taken_into_account() -> None:
    assert bounds("p -> t * 2", "t -> q", "q -> u", "u -> p * 2", p=5, q=0) == {"p": 5, "q": 2}


def test_tokens_that_disappear_do_not_remove_a_bound() -> None:
    assert bounds("p -> t", "t -> q", "q -> u", p=2, q=0) == {"p": 2, "q": 2}


def test_a_reset_arc_takes_an_unknown_number_away_and_never_raises_a_bound() -> None:
    assert bounds("p -> t", "p -x u", "u -> q", "q -> v", "v -> p", p=1, q=0)["p"] is None
    assert bounds("p -> t", "t -> q", "q -x u", "q -? u", p=2, q=0) == {"p": 2, "q": 2}


def test_a_place_with_a_source_has_no_bound() -> None:
    assert bounds("t -> p", p=0) == {"p": None}


def test_two_processes_that_share_a_lock_are_safe() -> None:
    arcs = [
        written
        for process in "ab"
        for written in (
            f"idle{process} -> enter{process}",
            f"lock -> enter{process}",
            f"enter{process} -> busy{process}",
            f"busy{process} -> leave{process}",
            f"leave{process} -> idle{process}",
            f"leave{process} -> lock",
        )
    ]
    tokens = {"lock": 1, "idlea": 1, "idleb": 1, "busya": 0, "busyb": 0}
    assert set(bounds(*arcs, **tokens).values()) == {1}


@settings(max_examples=150, deadline=None)
@given(nets() | nets_of_processes())
def test_no_reachable_marking_exceeds_a_bound(net: tuple[dict[str, int], tuple[str, ...]]) -> None:
    """Markings are those of the tests' own token game, which uses no bounds."""
    tokens, arcs = net
    known = known_bounds(model(ptnet(tokens, *arcs)))
    for reached in markings(tokens, arcs_of(arcs), limit=300):
        assert all(bound is None or reached[name] <= bound for name, bound in known.items())


GROWING = ptnet(
    {"idle": 1, "busy": 0, "buffer": 0},
    *("idle -> start", "start -> busy", "busy -> produce", "produce -> idle", "produce -> buffer", "buffer -> consume"),
)


def test_a_place_that_grows_without_bound_is_a_fault_soon() -> None:
    net = model(GROWING)
    found = explore(net.system)
    assert found.faults == 1
    assert max(marking(net, state).get("buffer", 0) for state in found.states) == 1


def test_every_place_that_grows_is_stopped() -> None:
    net = model(ptnet({"a": 2, "b": 0}, "a -? t", "t -> b", "b -> u", "u -> a"))
    assert len(explore(net.system).states) < 10


def test_the_fault_says_which_place_grows() -> None:
    net = model(GROWING)
    (message,) = messages(net)
    assert message == "place buffer grows without bound: here it exceeds 1 token"


def test_a_limit_of_tokens_can_be_given() -> None:
    net = model(GROWING, {"tokens": "20"})
    assert max(marking(net, state).get("buffer", 0) for state in explore(net.system).states) == 20
    assert messages(net) == {"place buffer exceeds the limit of 20 tokens"}


def test_the_limit_does_not_concern_places_that_cannot_grow() -> None:
    net = model(ptnet({"p": 50, "q": 0}, "p -> t", "t -> q"), {"tokens": "20"})
    assert explore(net.system).faults == 0


def test_growth_is_not_inferred_if_more_tokens_may_disable_a_transition() -> None:
    net = model(ptnet({"p": 0, "q": 0}, "p -o t * 5", "t -> p", "u -> q", "q -o u * 3"))
    found = explore(net.system)
    assert (len(found.states), found.faults) == (24, 0)


def test_a_net_that_is_not_known_to_be_unbounded_is_not_cut_off() -> None:
    net = model(ptnet({"p": 0}, "t -> p", "p -o t * 100000"))
    with pytest.raises(TooManyStates):
        explore(net.system, limit=100)


def messages(net: Model) -> set[str]:
    outcomes = [firing.outcome.after for state in explore(net.system).states for firing in firings(net.system, state)]
    return {outcome.message for outcome in outcomes if isinstance(outcome, Fault)}


def processes(net: Model) -> list[tuple[str, ...]]:
    """The locations of the processes that were made of places."""
    return [tuple(process.locations) for process in net.system.processes[1:]]


def test_places_that_share_a_token_are_locations_of_a_process() -> None:
    net = model(ptnet({"p": 1, "q": 0, "r": 0}, "p -> t", "t -> q", "q -> u", "u -> r", "r -> v", "v -> p"))
    assert processes(net) == [("p", "q", "r")]
    assert not net.system.variables
    assert [(move.source, move.target) for t in net.system.transitions for move in t.moves] == [(0, 1), (1, 2), (2, 0)]


def test_a_process_has_no_location_while_its_token_is_in_the_places_of_another() -> None:
    forked = ["p -> fork", "fork -> q", "fork -> x", "s -> join", "w -> join", "join -> p"]
    sides = ["q -> a", "a -> r", "r -> b", "b -> s", "x -> c", "c -> y", "y -> d", "d -> z", "z -> e", "e -> w"]
    net = model(ptnet({"p": 1, **dict.fromkeys("qrsxyzw", 0)}, *forked, *sides))
    assert processes(net) == [("p", "x", "y", "z", "w"), ("q", "r", "s", "nowhere")]
    assert len(explore(net.system).states) == 1 + 3 * 4


def test_a_process_whose_token_disappears_has_no_location() -> None:
    net = model(ptnet({"nowhere": 1, "p": 0, "q": 0}, "nowhere -> t", "t -> p", "p -> u", "u -> q", "q -> v"))
    assert processes(net) == [("nowhere", "p", "q", "nowhere'")]
    assert len(explore(net.system).states) == 4


def test_inhibitor_and_test_arcs_test_the_locations_of_processes() -> None:
    circle = ["p -> t", "t -> q", "q -> u", "u -> r", "r -> v", "v -> p"]
    looking = [
        "p -? a",
        "i -> a",
        "a -> j",
        "p -o b",
        "j -> b",
        "b -> i",
        "p -? c",
        "q -? c",
        "p -? d * 2",
        "q -o e * 2",
    ]
    net = model(ptnet({"p": 1, "q": 0, "r": 0, "i": 3, "j": 0}, *circle, *looking))
    assert processes(net) == [("p", "q", "r")]
    found = explore(net.system)
    assert len(found.states) == 12
    fired = {net.system.transitions[event].moves[0].text for event in found.fired}
    assert fired == {"t", "u", "v", "a", "b", "e"}


def test_places_that_are_reset_are_not_locations() -> None:
    net = model(ptnet({"p": 1, "q": 0, "r": 0}, "p -> t", "t -> q", "q -> u", "u -> r", "r -> v", "v -> p", "p -x w"))
    assert all("p" not in locations for locations in processes(net))
    assert len(explore(net.system).states) == 4
