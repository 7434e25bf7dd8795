"""The verdicts on infinite runs of models of the corpus are those of SPIN and BEEM, corrected if these are known to be
wrong."""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.corpus.corpus import CORPUS, needs_corpus

import scrimp
from scrimp.fairness import Fairness

ALL = bool(os.environ.get("SCRIMP_CORPUS_ALL"))
PROMELA = CORPUS / "promela"
FOLDER = CORPUS / "properties"
LARGEST = 400_000 if ALL else 10_000
ANSWERS = {"ok": "proved", "acceptance cycle": "refuted", "non-progress cycle": "refuted", "claim violated": "refuted"}

Row = dict[str, str]


def rows(file: Path) -> list[Row]:
    if not file.is_file():
        return []
    with file.open() as table:
        return list(csv.DictReader(table))


def sampled(found: Sequence[Row], step: int) -> Sequence[Row]:
    return found if ALL else found[::step]


def loaded(row: Row, ignore_property: bool = False) -> scrimp.Model:
    path = PROMELA / row["file"]
    text = path.read_text(errors="replace")
    if claim := row.get("claim_file"):
        text += "\n" + (PROMELA / claim).read_text()
    words = row["defines"].replace("-D", "").split()
    defines = {name: value or "1" for name, _, value in (word.partition("=") for word in words)}
    return scrimp.load(path, text=text, language="promela", defines=defines, ignore_property=ignore_property)


FORMULAS = sampled(rows(FOLDER / "promela" / "formulas.csv"), 10)


@needs_corpus
@pytest.mark.parametrize("row", FORMULAS, ids=lambda row: f"{row['file']} {row['formula_name']}")
def test_formulas_on_promela_models_have_spins_verdicts(row: Row) -> None:
    model = loaded(row, ignore_property=True)
    for fairness, column in ((Fairness.NONE, "holds"), (Fairness.WEAK, "holds_fair")):
        expected = {"TRUE": "proved", "FALSE": "refuted"}[row[column]]
        assert scrimp.check(model, ltl=row["formula"], fair=fairness).verdict.value == expected


def is_decided(row: Row) -> bool:
    """Whether SPIN searched all states, and not too many."""
    return row["reduction"] == "nored" and row["verdict"] in ANSWERS and int(row["stored"] or 0) <= LARGEST


LIVENESS = sampled([row for row in rows(FOLDER / "promela" / "liveness.csv") if is_decided(row)], 3)


@needs_corpus
@pytest.mark.parametrize("row", LIVENESS, ids=lambda row: f"{row['file']} {row['mode']} {row['formula_name']}")
def test_the_properties_of_promela_models_have_spins_verdicts(row: Row) -> None:
    model = loaded(row)
    result = scrimp.check(model, fair=Fairness.WEAK if "fair" in row["mode"] else Fairness.NONE, **asked(model, row))
    assert verdict_on(result, row) == ANSWERS[row["verdict"]]


def asked(model: scrimp.Model, row: Row) -> dict[str, Any]:
    """The arguments of `check`; without any, the model's own claim is checked."""
    if row["mode"].startswith("np"):
        return {"non_progress": True}
    if row["formula_name"] == "(accept labels)":
        return {"acceptance": True}
    if row["formula_name"] == "(never)":
        if not model.claims and "fair" in row["mode"]:
            pytest.skip("fairness does not matter to a claim about finite runs, and is refused")
        return {}
    named = [formula for formula in model.formulas if formula.name == row["formula_name"]]
    return {"ltl": row["formula_name"] if named else model.formulas[0].text}


def verdict_on(result: scrimp.Result, row: Row) -> str:
    """The verdict on the claim, if the model's own properties were checked, or else on what was asked."""
    about = [each.verdict.value for each in result.properties if each.property.kind == "never"]
    return about[0] if row["formula_name"] == "(never)" and about else result.verdict.value


def beem() -> list[Row]:
    found = rows(FOLDER / "dve" / "properties.csv")
    return [
        row
        for row in found
        if row["type"] == "LTL" and row["checked"] and row["automaton_file"] and int(row["states"] or 0) <= LARGEST
    ]


@needs_corpus
@pytest.mark.parametrize("row", sampled(beem(), 5), ids=lambda row: row["automaton_file"])
def test_property_processes_of_beem_have_the_answers_of_a_separate_checker(row: Row) -> None:
    name = row["automaton_file"]
    file = FOLDER / "dve" / (name if name.endswith(".gz") else f"{name}.gz")
    with gzip.open(file, "rt") as stream:
        model = scrimp.load(text=stream.read(), language="dve")
    judgements = {
        each.property.kind: each.verdict.value for each in scrimp.check(model, allow_deadlock=True).properties
    }
    assert judgements["never"] == {"holds": "proved", "violated": "refuted"}[row["checked"]]
