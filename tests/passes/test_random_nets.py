"""Random nets have the same answers before and after structural reductions."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest
from tests.passes.net_mutants import NET_MUTANTS, NetMutant
from tests.passes.nets import MOST_MARKINGS, differences
from tests.passes.random_nets import NET_PROFILES, random_net
from tests.passes.token_game import difference

import scrimp
from scrimp.frontends.model import Model
from scrimp.frontends.pnml.properties import NetScope
from scrimp.system.system import Invariant

SEEDS = range(int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "20")))


@pytest.mark.parametrize("profile", NET_PROFILES)
def test_the_answers_are_the_same_after_reductions(profile: str) -> None:
    for seed in SEEDS:
        assert list(differences(seed, profile)) == []


@pytest.mark.parametrize("mutant", NET_MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed(mutant: NetMutant) -> None:
    net = random_net(mutant.seed, NET_PROFILES[mutant.profile])
    assert difference(net, MOST_MARKINGS, [mutant.applied()]) != ""


def as_model(seed: int, profile: str) -> Model:
    """A random net that declares that each of its questions is reachable."""
    net = random_net(seed, NET_PROFILES[profile])
    scope = NetScope(net.source.net, net.source.placement, net.source.limits.bounds)
    goals = tuple(Invariant(f"question {number}", test) for number, test in enumerate(net.seen[:60]))
    return Model("random.pnml", "pnml", net.system, None, scope, goals=goals)


METHODS: list[dict[str, Any]] = [{}, {"reduction": "auto"}, {"order": "dfs"}]
QUESTIONS: list[dict[str, Any]] = [{}, {"allow_deadlock": True}, {"only": "deadlock"}]


@pytest.mark.parametrize("asked", QUESTIONS, ids=["everything", "no deadlocks", "only deadlocks"])
@pytest.mark.parametrize("profile", ["processes", "special"])
def test_searches_have_the_same_verdicts_and_replay_their_traces(profile: str, asked: dict[str, Any]) -> None:
    for seed in range(2):
        model = as_model(seed, profile)
        own = scrimp.check(model, as_written=True, **asked)
        for method in METHODS:
            result = scrimp.check(model, **asked, **method)
            assert result.verdict is own.verdict
            assert [goal.reached for goal in result.goals] == [goal.reached for goal in own.goals] or result.violations


@pytest.mark.parametrize("profile", ["processes", "choices"])
def test_formulas_have_the_same_verdicts_and_replay_their_runs(profile: str) -> None:
    model = replace(as_model(1, profile), goals=())
    formulas = ["[] <> (p0 == 0)", "(p0 == 1) U (p1 == 1)"]
    own, result = (scrimp.check(model, ltl=formulas, as_written=each) for each in (True, False))
    assert [each.verdict for each in result.properties] == [each.verdict for each in own.properties]


@pytest.mark.parametrize("profile", ["processes", "long"])
def test_transitions_that_are_never_executed_are_those_of_the_net_as_written(profile: str) -> None:
    for seed in range(3):
        model = replace(as_model(seed, profile), goals=())
        own, result = (scrimp.check(model, allow_deadlock=True, as_written=each) for each in (True, False))
        if own.ending is scrimp.Ending.CLOSED and result.ending is scrimp.Ending.CLOSED:
            assert set(result.unreached) <= set(own.unreached)
            assert len(own.unreached) <= len(result.unreached) + result.unknown_coverage
