"""`check` reduces by itself, unless something is named that needs all states."""

from __future__ import annotations

import re
from typing import Any

import pytest

import scrimp
from scrimp.reducing import AT_ONCE, FEW, SMALL

REDUCIBLE = "models/leader_election.pml"


def test_a_model_is_reduced_by_default_and_the_report_says_what_that_saved() -> None:
    result = scrimp.check(REDUCIBLE)
    everything = scrimp.check(REDUCIBLE, reduction="none")
    assert result.verdict is everything.verdict
    assert result.method.reduction == scrimp.Stubborn()
    assert result.statistics.states < everything.statistics.states
    assert re.fullmatch(r"it left out [1-9][\d,]* of [\d,]+ events", result.reduction_reason)
    assert f"reduction stubborn ({result.reduction_reason})" in str(result)


@pytest.mark.parametrize(
    "named",
    [
        {"order": "bfs"},
        {"store": "full"},
        {"reduction": "none"},
        {"method": "bfs/auto/none"},
        {"depth": 10_000},
        {"violations": 2},
        {"as_written": True},
    ],
    ids=str,
)
def test_what_is_named_is_searched_without_a_reduction(named: dict[str, Any]) -> None:
    result = scrimp.check(REDUCIBLE, **named)
    assert result.method.reduction == scrimp.NoReduction()
    assert result.reduction_reason == ""


def test_a_small_model_is_not_reduced() -> None:
    result = scrimp.check("models/peterson.dve")
    assert result.statistics.states < FEW
    assert (result.method.reduction, result.reduction_reason) == (scrimp.NoReduction(), SMALL)
    assert str(result.method.store) == "auto"


def test_a_violation_near_the_beginning_is_found_without_a_reduction() -> None:
    result = scrimp.check("models/broken_lock.dve")
    assert (result.verdict, result.reduction_reason) == (scrimp.Verdict.REFUTED, AT_ONCE)
