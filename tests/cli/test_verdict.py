"""The verdict: one function decides, and PROVED is never said lightly."""

from __future__ import annotations

from typing import get_args

import pytest

from scrimp.result import Ending, Goal, Trace, Verdict, decide

REACHED = Goal("x == 1", Trace(()))
MISSED = Goal("x == 2")


def test_a_closed_search_of_an_exact_method_proves() -> None:
    assert decide(ending="closed", exact=True, violated=(), goals=()) == (
        Verdict.PROVED,
        "every reachable state was visited",
    )


def test_an_inexact_method_never_proves() -> None:
    verdict, reason = decide(ending="closed", exact=False, violated=(), goals=())
    assert verdict is Verdict.UNDETERMINED
    assert reason == "the method may have left states out"


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        (2.7e-6, "fewer than 0.001 of them for others"),
        (0.0421, "about 0.04 of them for others"),
        (1.2, "about 1 of them for others, and what only those lead to was met by nobody"),
        (1684.2, "about 1,684 of them for others, and what only those lead to was met by nobody"),
    ],
)
def test_a_store_that_trusts_hashes_says_how_far(expected: float, told: str) -> None:
    verdict, reason = decide(ending="closed", exact=False, violated=(), goals=(), expected_omissions=expected)
    assert verdict is Verdict.UNDETERMINED
    assert reason == f"states may be missing: the store is expected to have taken {told}"


def test_a_reduction_that_leaves_states_out_proves_without_visiting_them() -> None:
    assert decide(ending="closed", exact=True, violated=(), goals=(), reduced=True) == (
        Verdict.PROVED,
        "every state that the reduction keeps was visited",
    )


def test_a_remedy_follows_the_reason_for_which_a_search_was_cut_short() -> None:
    verdict, reason = decide(ending="cache", exact=True, violated=(), goals=(), remedy="it is longer than 9 states")
    assert verdict is Verdict.UNDETERMINED
    assert reason == "the search path alone fills the cache; it is longer than 9 states"


@pytest.mark.parametrize("ending", get_args(Ending))
@pytest.mark.parametrize("exact", [True, False])
def test_a_violation_refutes_however_the_search_ended(ending: Ending, exact: bool) -> None:
    verdict, reason = decide(ending=ending, exact=exact, violated=("first", "second"), goals=())
    assert (verdict, reason) == (Verdict.REFUTED, "first")


@pytest.mark.parametrize("ending", [ending for ending in get_args(Ending) if ending != "closed"])
def test_a_search_that_was_cut_short_is_undetermined_and_says_why(ending: Ending) -> None:
    verdict, reason = decide(ending=ending, exact=True, violated=(), goals=())
    assert verdict is Verdict.UNDETERMINED
    assert reason


def test_a_goal_that_a_closed_search_did_not_reach_refutes() -> None:
    verdict, reason = decide(ending="closed", exact=True, violated=(), goals=(REACHED, MISSED))
    assert (verdict, reason) == (Verdict.REFUTED, "x == 2 is not reachable")


def test_a_goal_that_an_inexact_search_did_not_reach_says_nothing() -> None:
    verdict, _ = decide(ending="closed", exact=False, violated=(), goals=(MISSED,))
    assert verdict is Verdict.UNDETERMINED


def test_reached_goals_prove_nothing_unless_the_search_closed() -> None:
    assert decide(ending="closed", exact=True, violated=(), goals=(REACHED,))[0] is Verdict.PROVED
    assert decide(ending="memory", exact=True, violated=(), goals=(REACHED,))[0] is Verdict.UNDETERMINED


def test_exit_codes() -> None:
    assert {verdict.name: verdict.exit_code for verdict in Verdict} == {"PROVED": 0, "REFUTED": 1, "UNDETERMINED": 3}
