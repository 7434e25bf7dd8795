"""A search that counts references visits each state of the corpus' models once, however it counts them."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from tests.corpus.corpus import DveCount, NetCount, dve_counts, needs_corpus, net_counts

import scrimp
from scrimp import BreadthFirst, DepthFirst, Order, Pseudoroot

LARGEST = 1_000_000 if os.environ.get("SCRIMP_CORPUS_ALL") else 100
DVE, NETS = dve_counts(LARGEST), net_counts(LARGEST)
COUNTED: list[tuple[Order, Pseudoroot]] = [
    (BreadthFirst(), Pseudoroot(source="counted", next="fewest")),
    (DepthFirst(), Pseudoroot(source="counted", bits=8)),
]
BACKWARDS: list[tuple[Order, Pseudoroot]] = [
    (BreadthFirst(), Pseudoroot()),
    (BreadthFirst(), Pseudoroot(next="fewest")),
    (DepthFirst(), Pseudoroot()),
]


def check(count: DveCount | NetCount, numbers: scrimp.Statistics) -> None:
    assert numbers.entered == numbers.states == count.states
    assert numbers.most_stored <= count.states
    assert count.transitions in (None, numbers.transitions)


@needs_corpus
@pytest.mark.parametrize("count", DVE, ids=lambda count: count.instance)
def test_if_edges_are_counted_each_state_is_visited_once(count: DveCount) -> None:
    model = scrimp.load(count.path, ignore_property=True)
    for order, store in COUNTED:
        check(count, scrimp.explore(model, order=order, store=store).statistics)


@needs_corpus
@pytest.mark.parametrize("count", NETS, ids=lambda count: count.instance)
def test_if_the_transitions_of_nets_are_inverted_each_state_is_visited_once(count: NetCount) -> None:
    model = scrimp.load(count.path)
    for order, store in BACKWARDS:
        check(count, scrimp.explore(model, order=order, store=store).statistics)


@needs_corpus
@pytest.mark.parametrize("count", NETS, ids=lambda count: count.instance)
def test_with_half_the_memory_all_states_are_visited(count: NetCount) -> None:
    model = scrimp.load(count.path)
    for order, store in BACKWARDS[1:]:
        most = scrimp.explore(model, order=order, store=store).statistics.most_stored
        small = replace(store, states=most // 2 + 1)
        found = scrimp.explore(model, order=order, store=small, time=10, audit=True)
        if found.verdict is scrimp.Verdict.PROVED:
            assert found.statistics.states == count.states
