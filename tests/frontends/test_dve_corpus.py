"""The corpus: every model loads, and the small ones have the counts of other tools under the reference explorer."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.corpus.corpus import CORPUS, DveCount, dve_counts, needs_corpus

from scrimp.frontends import load
from scrimp.system.reference import explore

SMALL = 3_500


@needs_corpus
@pytest.mark.parametrize("path", sorted(CORPUS.glob("dve/*/*.dve")), ids=lambda path: path.stem)
def test_every_model_of_the_corpus_loads(path: Path) -> None:
    assert load(path).system.transitions


@needs_corpus
@pytest.mark.parametrize("count", dve_counts(SMALL), ids=lambda count: count.instance)
def test_small_models_have_the_counts_of_other_tools(count: DveCount) -> None:
    found = explore(load(count.path).system)
    assert len(found.states) == count.states
    assert count.transitions in (None, found.transitions)
    assert count.deadlocks in (None, found.deadlocks)
    assert count.levels in (None, found.levels)
