"""What is known of the tokens that places hold: bounds, and that there are none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.frontends.pnml import marking, model, ptnet
from tests.frontends.random_nets import arcs_of, markings, nets

from scrimp.frontends.model import Model
from scrimp.system.reference import Fault, TooManyStates, explore, firings
from scrimp.system.types import Range


def ranges(net: Model) -> dict[str, Range]:
    return {variable.name: variable.type for variable in net.system.variables}


def bounds(*arcs: str, **tokens: int) -> dict[str, int]:
    return {name: type_.high for name, type_ in ranges(model(ptnet(tokens, *arcs))).items()}


LARGEST = 2**30 - 1


def test_a_circle_holds_the_tokens_it_has() -> None:
    assert bounds("p -> t", "t -> q", "q -> u", "u -> p", p=3, q=0) == {"p": 3, "q": 3}


def test_weights_are_taken_into_account() -> None:
    assert bounds("p -> t * 2", "t -> q", "q -> u", "u -> p * 2", p=5, q=0) == {"p": 5, "q": 2}


def test_tokens_that_disappear_leave_a_bound_behind() -> None:
    assert bounds("p -> t", "t -> q", "q -> u", p=2, q=0) == {"p": 2, "q": 2}


def test_a_reset_arc_takes_an_unknown_number_away_and_never_raises_a_bound() -> None:
    assert bounds("p -> t", "p -x u", "u -> q", "q -> v", "v -> p", p=1, q=0)["p"] == LARGEST
    assert bounds("p -> t", "t -> q", "q -x u", "q -? u", p=2, q=0) == {"p": 2, "q": 2}


def test_a_source_gives_no_bound() -> None:
    assert bounds("t -> p", p=0) == {"p": LARGEST}


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
@given(nets())
def test_no_reachable_marking_passes_a_bound(net: tuple[dict[str, int], tuple[str, ...]]) -> None:
    """The token game of the test itself, which knows of no bounds, meets none that is passed."""
    tokens, arcs = net
    known = ranges(model(ptnet(tokens, *arcs), {"tokens": "1000"}))
    for reached in markings(tokens, arcs_of(arcs), limit=300):
        assert all(reached.get(name, 0) <= known[name].high for name in tokens if known[name].high != 1000)


GROWING = ptnet(
    {"idle": 1, "busy": 0, "buffer": 0},
    *("idle -> start", "start -> busy", "busy -> produce", "produce -> idle", "produce -> buffer", "buffer -> consume"),
)


def test_a_place_that_grows_without_bound_is_a_fault_soon() -> None:
    net = model(GROWING)
    found = explore(net.system)
    assert found.faults == 1
    assert max(marking(net, state).get("buffer", 0) for state in found.states) == 1


def test_the_fault_says_which_place_grows() -> None:
    net = model(GROWING)
    (message,) = messages(net)
    assert message == "place buffer grows without bound: here it passes 1 token"


def test_a_limit_of_tokens_can_be_given() -> None:
    net = model(GROWING, {"tokens": "20"})
    assert max(marking(net, state).get("buffer", 0) for state in explore(net.system).states) == 20
    assert messages(net) == {"place buffer passes the limit of 20 tokens"}


def test_the_limit_says_nothing_of_places_that_never_pass_it() -> None:
    net = model(ptnet({"p": 50, "q": 0}, "p -> t", "t -> q"), {"tokens": "20"})
    assert explore(net.system).faults == 0


def test_nothing_is_concluded_where_more_tokens_may_disable() -> None:
    net = model(ptnet({"p": 0, "q": 0}, "p -o t * 5", "t -> p", "u -> q", "q -o u * 3"))
    found = explore(net.system)
    assert (len(found.states), found.faults) == (24, 0)


def test_an_unbounded_net_that_is_not_found_out_is_not_cut_off() -> None:
    net = model(ptnet({"p": 0}, "t -> p", "p -o t * 100000"))
    with pytest.raises(TooManyStates):
        explore(net.system, limit=100)


def messages(net: Model) -> set[str]:
    outcomes = [firing.outcome.after for state in explore(net.system).states for firing in firings(net.system, state)]
    return {outcome.message for outcome in outcomes if isinstance(outcome, Fault)}
