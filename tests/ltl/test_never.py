"""Never claims: SPIN finds the same violations with our claims as the formulas describe."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from scrimp.ltl.formula import negation
from scrimp.ltl.never import write_never_claim
from scrimp.ltl.parse import parse
from scrimp.ltl.translate import translate

MODEL = "byte x; active proctype P() { do :: x = (x + 1) % 3 od }\n"


def test_a_claim_has_a_label_for_each_state() -> None:
    assert write_never_claim(translate(parse("<> [] {x == 1}")), "<> [] (x == 1)") == (
        "never { /* <> [] (x == 1) */\n"
        "T0_init:\n\tif\n\t:: (true) -> goto T0_init\n\t:: ((x == 1)) -> goto accept_S1\n\tfi;\n"
        "accept_S1:\n\tif\n\t:: ((x == 1)) -> goto accept_S1\n\tfi;\n}\n"
    )


@pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="SPIN and gcc are not installed")
@pytest.mark.parametrize(
    ("formula", "holds"),
    [("[] <> (x == 1)", True), ("<> [] (x == 1)", False), ("[] (x == 1 -> <> (x == 0))", True), ("[] (x < 2)", False)],
)
def test_spin_checks_our_claims(formula: str, holds: bool, tmp_path: Path) -> None:
    claim = write_never_claim(translate(negation(parse(formula))))
    (tmp_path / "model.pml").write_text(MODEL + claim)
    for command in (["spin", "-a", "model.pml"], ["gcc", "-w", "-o", "pan", "pan.c"]):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    output = subprocess.run(["./pan", "-a"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert ("errors: 0" in output) is holds
