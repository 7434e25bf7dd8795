"""An unusable TMPDIR changes no verdict: proofs need no trace, and traces are found in memory."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import Scrimp

STORES = ["full", "full:compress=tree", "full:compress=cleary", "snapshots", "comback", "pseudoroot", "compact"]


@pytest.fixture(autouse=True)
def unusable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")


@pytest.mark.parametrize("store", STORES)
def test_a_violation_is_found_with_its_trace(scrimp: Scrimp, store: str) -> None:
    record = json.loads(scrimp("check", "forks.dve", f"--store={store}", "--order=bfs", "--json=-").out)
    assert (record["verdict"], len(record["trace"]["steps"])) == ("refuted", 2)


@pytest.mark.parametrize("store", [store for store in STORES if store != "compact"])
def test_a_proof_stands(scrimp: Scrimp, store: str) -> None:
    assert scrimp("check", "lock.dve", f"--store={store}", "--order=bfs", "-q").out.startswith("PROVED")


def test_a_goal_is_found_with_its_witness(scrimp: Scrimp) -> None:
    record = json.loads(scrimp("check", "lock.dve", "--reach=P0.critical", "--json=-").out)
    assert (record["verdict"], len(record["goals"][0]["trace"]["steps"])) == ("proved", 3)
