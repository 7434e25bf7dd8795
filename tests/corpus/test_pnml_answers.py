"""The answers to the contest's formulas about the nets of the corpus are those on which its tools agree."""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from functools import cache

import pytest
from tests.corpus.corpus import CORPUS, NetCount, needs_corpus, net_counts

import scrimp

LARGEST = 1_000_000 if os.environ.get("SCRIMP_CORPUS_ALL") else 200
FOLDER = CORPUS / "properties" / "pnml"

# ReachabilityDeadlock has no file.
EXAMINATIONS = (
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "UpperBounds",
    "ReachabilityDeadlock",
    "LTLCardinality",
    "LTLFireability",
)


@cache
def answers() -> dict[tuple[str, str], dict[str, str]]:
    """By net and examination, the answers to formulas."""
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    if FOLDER.is_dir():
        with (FOLDER / "answers.csv").open() as table:
            for row in csv.DictReader(table):
                found[row["net"], row["examination"]][row["formula"]] = row["answer"]
    return found


COUNTS = [count for count in net_counts(LARGEST) if (count.instance, "UpperBounds") in answers()]


@needs_corpus
@pytest.mark.parametrize("examination", EXAMINATIONS)
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.instance)
def test_answers_are_those_of_the_contest(count: NetCount, examination: str) -> None:
    file = FOLDER / f"{count.instance}.{examination}.xml.gz"
    examined = scrimp.examine(count.path, file if file.exists() else examination)
    assert {each.id: each.answer for each in examined.answers} == answers()[count.instance, examination]
