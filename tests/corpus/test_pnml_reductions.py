"""After structural reductions, the nets of the corpus have the deadlocks that other tools found."""

from __future__ import annotations

import os
from typing import Any

import pytest
from tests.corpus.corpus import NetCount, needs_corpus, net_counts

import scrimp

LARGEST = 5_000_000 if os.environ.get("SCRIMP_CORPUS_ALL") else 600
ASKED: list[dict[str, Any]] = [{"order": "dfs"}, {"only": "deadlock", "reduction": "auto"}]


@needs_corpus
@pytest.mark.parametrize("count", net_counts(LARGEST), ids=lambda count: count.instance)
def test_deadlocks_are_those_of_other_tools(count: NetCount) -> None:
    model = scrimp.load(count.path)
    verdict = scrimp.Verdict.REFUTED if count.deadlock else scrimp.Verdict.PROVED
    assert [scrimp.check(model, **asked).verdict for asked in ASKED] == [verdict] * len(ASKED)
