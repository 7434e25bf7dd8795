"""Every Petri net of the corpus has the states, transitions, token bounds and deadlocks that other tools gave."""

from __future__ import annotations

import os

import pytest
from tests.corpus.corpus import NetCount, needs_corpus, net_counts

import scrimp
from scrimp.frontends.model import Model

LARGEST = 5_000_000 if os.environ.get("SCRIMP_CORPUS_ALL") else 20_000
DEPTH_FIRST_UP_TO = 20_000

COUNTS = net_counts(LARGEST)


def places(model: Model) -> list[str]:
    assert model.vocabulary.marking is not None
    return [f'"{name}"' for name in model.vocabulary.marking.places]


def bounded(model: Model, count: NetCount) -> list[str]:
    """That no place and no marking has more tokens than the table says."""
    every = " && ".join(f"{place} <= {count.most_in_place}" for place in places(model))
    return [every, f"{' + '.join(places(model))} <= {count.most_in_all}"]


def attained(model: Model, count: NetCount) -> list[str]:
    """That some place, and some marking, has as many tokens as the table says."""
    some = " || ".join(f"{place} == {count.most_in_place}" for place in places(model))
    return [some, f"{' + '.join(places(model))} == {count.most_in_all}"]


@needs_corpus
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.instance)
def test_counts_and_token_bounds_are_those_of_other_tools(count: NetCount) -> None:
    model = scrimp.load(count.path)
    result = scrimp.check(
        model, allow_deadlock=True, invariant=bounded(model, count), reach=attained(model, count), as_written=True
    )
    assert result.verdict is scrimp.Verdict.PROVED, result.reason[:200]
    statistics = result.statistics
    assert (statistics.states, statistics.transitions) == (count.states, count.transitions)
    assert (statistics.deadlocks > 0) == count.deadlock


@needs_corpus
@pytest.mark.parametrize("count", net_counts(DEPTH_FIRST_UP_TO), ids=lambda count: count.instance)
def test_depth_first_the_counts_are_the_same(count: NetCount) -> None:
    statistics = scrimp.explore(scrimp.load(count.path), order=scrimp.DepthFirst()).statistics
    assert (statistics.states, statistics.transitions) == (count.states, count.transitions)
