"""Reductions do not postpone forever what outgrows a system: what it lacks might matter to what is asked."""

from __future__ import annotations

import os
from typing import Any

import pytest
from tests.frontends.lowering import model_of, plan_of
from tests.passes.random_stacks import KINDS
from tests.reduction.outgrowing import MOST_STATES, outgrowing_complaint

import scrimp
from scrimp.growth import settled
from scrimp.verdict import Verdict

SEEDS = range(int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "20")) // 2)
GUESSES = "if :: n == 1 -> skip :: else -> skip fi;" * 9


def with_late_process(waiting: str) -> str:
    """A model in which a process is started after so many steps and choices that nobody foresees it, while another one
    may go on forever."""
    return f"""
        byte flag;
        active proctype Counting() {{
          short n;
          do :: n < 3000 -> n++ :: n == 3000 -> break od;
          {GUESSES}
          if :: skip :: skip fi;
          run Late()
        }}
        active proctype Waiting() {{ do :: {waiting} od }}
        proctype Late() {{ flag = 1 }}
    """


UNTIL_LATE = with_late_process("flag == 0 -> skip")
FOREVER = with_late_process("skip")


def test_the_late_process_is_neither_foreseen_nor_met_by_a_sample() -> None:
    assert len(plan_of(settled(model_of(UNTIL_LATE))).slots) == 2


@pytest.mark.parametrize(
    "named",
    [
        {},
        {"reduction": "stubborn:proviso=false"},
        {"reduction": "overman:proviso=false"},
        {"reduction": "stubborn:proviso=false+sleep"},
        {"reduction": "stubborn:proviso=false", "order": "bfs"},
        {"reduction": "overman:proviso=false", "order": "bfs"},
        {"reduction": "stubborn:proviso=false", "audit": True},
    ],
    ids=str,
)
def test_a_deadlock_behind_a_process_that_was_not_foreseen_is_found(named: dict[str, Any]) -> None:
    result = scrimp.check(scrimp.load(text=UNTIL_LATE, language="promela"), only="deadlock", **named)
    assert result.verdict is Verdict.REFUTED


@pytest.mark.parametrize("reduction", ["stubborn", "local"])
def test_a_run_with_a_process_that_was_not_foreseen_is_found(reduction: str) -> None:
    model = scrimp.load(text=FOREVER, language="promela")
    assert scrimp.check(model, ltl="[]<>(flag == 0)", reduction=reduction).verdict is Verdict.REFUTED


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_known_which_events_outgrow_a_system_and_from_where_they_are_reached(kind: str) -> None:
    assert not list(filter(None, (outgrowing_complaint(seed, kind, MOST_STATES) for seed in SEEDS)))
