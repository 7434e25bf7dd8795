"""With disk, a few mebibytes suffice for any number of states; a limit that is smaller is answered by one that does."""

from __future__ import annotations

import re

import pytest
from tests.product.test_forgetting import COUNTING

import scrimp

MODEL = scrimp.load(text=COUNTING, language="dve")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_ends_for_memory_names_a_limit_that_suffices(threads: int) -> None:
    short = scrimp.explore(MODEL, store="auto", memory="6M", threads=threads)
    assert short.ending is scrimp.Ending.MEMORY
    named = re.search(r"try --memory (\d+M), or", short.reason)
    assert named is not None
    enough = scrimp.explore(MODEL, store="auto", memory=named[1], threads=threads)
    assert (enough.verdict, enough.statistics.states) == (scrimp.Verdict.PROVED, 10**6)


def test_a_refused_limit_is_answered_by_one_that_suffices() -> None:
    short = scrimp.explore(MODEL, store="auto", memory="6M", threads=1)
    with pytest.raises(scrimp.OptionError) as refusal:
        scrimp.explore(MODEL, store="auto", memory="4M", threads=1)
    named = re.search(r"which need (\d+M)$", str(refusal.value))
    assert named is not None
    assert f"try --memory {named[1]}, or" in short.reason


def test_without_disk_more_memory_is_named_only_to_begin() -> None:
    with pytest.raises(scrimp.OptionError, match="which need 6M"):
        scrimp.explore(MODEL, store="auto", memory="4M", disk=0, threads=1)
