"""Caches and reductions, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

CLAIMED = """\
byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never { do :: x > 3 -> break :: else od }
"""


@pytest.mark.parametrize("reduction", ["sleep", "conflict"])
def test_sleep_sets_visit_every_state(scrimp: Scrimp, reduction: str) -> None:
    ran = scrimp("check", "lock.dve", "--order=dfs", f"--reduce={reduction}", "--json=-")
    record = json.loads(ran.out)
    assert ran.code == 0
    assert (record["states"], record["visits"], record["states_exact"]) == (20, 20, True)
    assert record["transitions"] < 34
    assert record["strategy"]["reduction"] == {"name": reduction, "mode": "exact"}


@pytest.mark.parametrize("reduction", ["local", "overman:refined=true", "stubborn", "local+sleep", "stubborn+conflict"])
def test_a_selecting_reduction_gives_the_same_verdicts(scrimp: Scrimp, reduction: str) -> None:
    proved = scrimp("check", "lock.dve", "--order=dfs", f"--reduce={reduction}", "-q")
    assert (proved.code, proved.out) == (0, "PROVED  every state that the reduction keeps was visited\n")
    refuted = scrimp("check", "forks.dve", "--order=dfs", f"--reduce={reduction}", "-q")
    assert (refuted.code, refuted.out) == (1, "REFUTED  deadlock: no process can move\n")


@pytest.mark.parametrize("reduction", ["sleep:mode=paper", "local:mode=paper+conflict"])
def test_a_reduction_as_printed_in_a_paper_proves_nothing(scrimp: Scrimp, reduction: str) -> None:
    ran = scrimp("check", "lock.dve", "--order=dfs", f"--reduce={reduction}", "-q")
    assert (ran.code, ran.out) == (3, "UNDETERMINED  the method is not exact and may have missed states\n")
    assert scrimp("check", "forks.dve", "--order=dfs", f"--reduce={reduction}").code == 1


def test_deadlocks_are_counted_without_a_proviso(scrimp: Scrimp) -> None:
    ran = scrimp("explore", "forks.dve", "--order=dfs", "--reduce=stubborn:proviso=false")
    assert ran.code == 0
    assert ran.out.startswith("EXPLORED  every state that the reduction keeps was visited\n")
    assert "found        1 deadlock\n" in ran.out


def test_a_never_claim_forbids_reductions(scrimp: Scrimp, folder: Path) -> None:
    (folder / "claimed.pml").write_text(CLAIMED)
    ran = scrimp("check", "claimed.pml", "--order=dfs", "--reduce=sleep")
    assert ran.code == 2
    assert "reduction 'sleep' cannot be used here: a never claim moves with every transition" in ran.err


def test_a_cache_that_is_large_enough_evicts_nothing(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--order=dfs", "--store=cache:states=100")
    assert ran.code == 0
    assert "  cache        the cache is larger than needed: it never held more than 20 states\n" in ran.out
    assert "visits" not in ran.out


def test_a_cache_that_evicts_visits_states_again(scrimp: Scrimp) -> None:
    ran = scrimp("explore", "lock.dve", "--order=dfs", "--store=cache:states=14,policy=fifo", "--audit", "--json=-")
    record = json.loads(ran.out)
    assert ran.code == 0
    assert (record["states"], record["states_exact"], record["stored_peak"]) == (20, True, 14)
    assert record["visits"] > 20
    assert record["strategy"]["audit"] is True


def test_if_the_path_fills_the_cache_the_message_suggests_a_larger_one(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--order=dfs", "--store=cache:states=3,policy=lru", "-q")
    assert ran.code == 3
    assert ran.out == (
        "UNDETERMINED  the search path alone fills the cache; it is longer than 3 states; "
        "try cache:states=6,policy=lru\n"
    )


def test_a_cache_limited_in_bytes_takes_no_more(scrimp: Scrimp) -> None:
    record = json.loads(
        scrimp(
            "explore", "endless.dve", "--order=dfs", "--store=cache:bytes=1M", "--depth=500", "--time=2s", "--json=-"
        ).out
    )
    assert record["bytes_by_part"]["table"] <= 2**20
    assert record["visits"] > record["stored_peak"] > 1_000
