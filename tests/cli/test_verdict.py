"""The verdict: each property judges for itself, and PROVED is never said lightly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.cli.results import COMPACTED, STATISTICS

from scrimp import _engine
from scrimp.evidence import Evidence, Goal, Violation
from scrimp.left_out import LeftOut
from scrimp.properties import (
    LTL,
    UNTRACED,
    Acceptance,
    Assertions,
    Claimed,
    Deadlock,
    Faults,
    Invariant,
    NonProgress,
    Property,
    Reach,
    decide,
)
from scrimp.statistics import Statistics
from scrimp.steps import Trace
from scrimp.system.violations import ViolationKind
from scrimp.unfusing import FindingKind
from scrimp.verdict import Ending, Extent, Verdict

REACHED = Goal("x == 1", Trace(()))
MISSED = Goal("x == 2")
STUCK = Violation(ViolationKind.DEADLOCK, "", "deadlock")
BROKEN = Violation(ViolationKind.INVARIANT, "x < 1", "x < 1 does not hold")
ASKED = (Assertions(), Faults(), Deadlock(), Invariant("x < 1"), Invariant("x < 2"))
NOTHING_MET = replace(STATISTICS, deadlocks=0, violations=0, violations_by_name={"x < 1": 0, "x < 2": 0})

every_other_ending = pytest.mark.parametrize("ending", [ending for ending in Ending if ending is not Ending.CLOSED])


def evidence(
    violations: Sequence[Violation] = (),
    goals: Sequence[Goal] = (),
    ending: Ending = Ending.CLOSED,
    exact: bool = True,
    statistics: Statistics = NOTHING_MET,
    untraced: int = 0,
) -> Evidence:
    extent = Extent(ending=ending, exact=exact)
    return Evidence(violations=violations, goals=goals, extent=extent, statistics=statistics, untraced=untraced)


def verdicts(asked: Sequence[Property], found: Evidence) -> list[str]:
    """The overall verdict, then the verdict on each property."""
    verdict, _, judgements = decide(asked, found)
    return [verdict.value, *(each.verdict.value for each in judgements)]


def test_a_complete_search_by_an_exact_method_is_a_proof() -> None:
    assert Extent(ending=Ending.CLOSED, exact=True).verdict == (Verdict.PROVED, "every reachable state was visited")


def test_an_inexact_method_never_proves() -> None:
    inexact = Extent(ending=Ending.CLOSED, exact=False)
    assert inexact.verdict == (Verdict.UNDETERMINED, "the method is not exact and may have missed states")


BEHIND = "to hash collisions, with everything reachable only through them"


@pytest.mark.parametrize(
    ("expected", "wording"),
    [
        (2.7e-6, "states may have been lost to hash collisions; fewer than 0.001 are expected"),
        (0.0421, "states may have been lost to hash collisions; about 0.04 are expected"),
        (1.2, f"about 1 state was probably lost {BEHIND}"),
        (3.4, f"about 3 states were probably lost {BEHIND}"),
        (1684.2, f"about 1,684 states were probably lost {BEHIND}"),
    ],
)
def test_a_store_that_relies_on_hashes_says_how_many_states_were_probably_lost(expected: float, wording: str) -> None:
    doubt = COMPACTED.method.store.doubt(replace(STATISTICS, report={"expected_omissions": expected}))
    assert doubt == wording
    assert Extent(ending=Ending.CLOSED, exact=False, doubt=doubt).verdict == (Verdict.UNDETERMINED, doubt)


def test_a_reduction_that_leaves_states_out_proves_without_visiting_them() -> None:
    reduced = Extent(ending=Ending.CLOSED, exact=True, reduced=True)
    assert reduced.verdict == (Verdict.PROVED, "every state that the reduction keeps was visited")


def test_a_remedy_follows_the_reason_for_which_a_search_was_cut_short() -> None:
    verdict, reason = Extent(ending=Ending.CACHE, exact=True, remedy="it is longer than 9 states").verdict
    assert verdict is Verdict.UNDETERMINED
    assert reason == "the search path alone fills the cache; it is longer than 9 states"


@every_other_ending
def test_a_search_that_was_cut_short_is_undetermined_and_says_why(ending: Ending) -> None:
    verdict, reason = Extent(ending=ending, exact=True).verdict
    assert verdict is Verdict.UNDETERMINED
    assert reason


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("exact", [True, False])
def test_a_violation_refutes_however_the_search_ended(ending: Ending, exact: bool) -> None:
    verdict, reason, _ = decide(ASKED, evidence([STUCK, BROKEN], ending=ending, exact=exact))
    assert (verdict, reason) == (Verdict.REFUTED, "deadlock")


def test_the_reason_is_the_violation_that_was_found_first() -> None:
    assert decide(ASKED, evidence([BROKEN, STUCK]))[1] == "x < 1 does not hold"


def test_if_the_search_stopped_at_a_violation_other_properties_are_undetermined() -> None:
    verdict, _, judgements = decide(ASKED, evidence([BROKEN], ending=Ending.VIOLATIONS))
    assert verdict is Verdict.REFUTED
    wording = {str(each.property): (each.verdict, each.reason) for each in judgements}
    assert wording.pop("always x < 1") == (Verdict.REFUTED, "x < 1 does not hold")
    stopped = "the search stopped at a violation before all states were visited"
    assert set(wording.values()) == {(Verdict.UNDETERMINED, stopped)}


def test_if_the_search_went_on_properties_without_a_violation_are_proved() -> None:
    assert verdicts(ASKED, evidence([BROKEN])) == ["refuted", "proved", "proved", "proved", "refuted", "proved"]


def test_a_violation_without_a_trace_leaves_properties_that_it_may_violate_undetermined() -> None:
    numbers = replace(STATISTICS, deadlocks=12, violations=12, violations_by_name={"x < 1": 0})
    found = evidence([STUCK], statistics=numbers, untraced=11)
    assert verdicts(ASKED, found) == [
        "refuted",
        "undetermined",
        "undetermined",
        "refuted",
        "proved",
        "undetermined",  # it is counted together with others
    ]
    assert decide(ASKED, found)[2][0].reason == UNTRACED


def test_if_all_violations_without_a_trace_are_of_invariants_other_properties_are_proved() -> None:
    numbers = replace(STATISTICS, deadlocks=0, violations=12, violations_by_name={"x < 1": 12, "x < 2": 0})
    found = evidence([BROKEN], statistics=numbers, untraced=11)
    assert verdicts(ASKED, found) == ["refuted", "proved", "proved", "proved", "refuted", "proved"]


def test_a_goal_that_a_complete_search_did_not_reach_is_refuted() -> None:
    asked = [Assertions(), Reach("x == 1"), Reach("x == 2")]
    verdict, reason, judgements = decide(asked, evidence([], [REACHED, MISSED]))
    assert (verdict, reason) == (Verdict.REFUTED, "x == 2 is not reachable")
    assert [each.verdict for each in judgements] == [Verdict.PROVED, Verdict.PROVED, Verdict.REFUTED]


def test_a_goal_that_an_inexact_search_did_not_reach_is_undetermined() -> None:
    assert verdicts([Reach("x == 2")], evidence([], [MISSED], exact=False)) == ["undetermined", "undetermined"]


@every_other_ending
def test_a_goal_that_was_reached_is_proved_however_the_search_ended(ending: Ending) -> None:
    asked = [Assertions(), Reach("x == 1")]
    assert verdicts(asked, evidence([], [REACHED], ending)) == ["undetermined", "undetermined", "proved"]
    assert verdicts(asked, evidence([], [REACHED])) == ["proved", "proved", "proved"]


def test_without_properties_the_verdict_is_on_the_search_itself() -> None:
    assert decide((), evidence()) == (Verdict.PROVED, "every reachable state was visited", ())
    assert decide((), evidence(ending=Ending.TIME))[0] is Verdict.UNDETERMINED


def test_exit_codes() -> None:
    assert {verdict.name: verdict.exit_code for verdict in Verdict} == {"PROVED": 0, "REFUTED": 1, "UNDETERMINED": 3}


def test_endings_and_findings_are_the_engines() -> None:
    assert set(_engine.ENDINGS) - set(Ending) == {"none", "misfit", "audit"}  # no result has these
    assert set(Ending) < set(_engine.ENDINGS)
    assert tuple(FindingKind) == _engine.FINDINGS


def test_every_kind_of_violation_refutes_a_property() -> None:
    infinite = (LTL("p", "<> x"), NonProgress(), Acceptance(), Claimed("c"))
    kinds = {asked.kind for asked in (*ASKED, *infinite, Reach("x == 1"))}
    assert kinds == {*ViolationKind, "reach"}


IGNORED = LeftOut("ltl", "p", "ltl formula p", "ignored by --ignore-property")


def test_a_proof_names_what_it_leaves_out() -> None:
    _, reason, _ = decide([Assertions()], replace(evidence([]), left_out=[IGNORED, replace(IGNORED, text="deadlocks")]))
    assert reason == "every reachable state was visited; not checked: ltl formula p, deadlocks"


def test_a_proof_that_leaves_out_many_questions_names_the_first() -> None:
    _, reason, _ = decide([Assertions()], replace(evidence([]), left_out=[IGNORED] * 7))
    assert reason.endswith("not checked: " + ", ".join(["ltl formula p"] * 5) + " and 2 more")


def test_a_refutation_does_not_name_what_was_left_out() -> None:
    _, reason, _ = decide([Deadlock()], replace(evidence([STUCK]), left_out=[IGNORED]))
    assert reason == STUCK.message
