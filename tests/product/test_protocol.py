"""The protocol by which threads share a search, models/shards.pml, checked by scrimp: it holds, and each of the
mistakes that its comment lists violates the properties that it should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scrimp

MODEL = Path(__file__).resolve().parents[2] / "models" / "shards.pml"

# The properties of the model, by what they assert.
OMITTED = "is_taken[0] && (items == 1 || is_taken[1])"
TAKEN_TWICE = "in_phase && !is_taken[item]"
WORKED_TOO_LATE = "in_phase && generation == seen"
MISSED_A_GENERATION = "generation == seen + 1"
LEFT_TWICE = "busy > 0"
STORED_TWICE = "table[at] == 0"
OTHER_ORDER = "log[checked] == (checked == 3 -> 4 : (checked == 4 -> 3 : checked))"
LOST = "length == 7"
WAITS_FOREVER = "deadlock"

MISTAKES = {
    "NO_WAIT": {OMITTED, TAKEN_TWICE, WORKED_TOO_LATE, MISSED_A_GENERATION, STORED_TWICE, OTHER_ORDER, LOST},
    "HASTY_SETTLE": {WORKED_TOO_LATE, LEFT_TWICE, OTHER_ORDER, LOST},
    "LATE_ITEMS": {TAKEN_TWICE},
    "LATE_BUSY": {LEFT_TWICE, WAITS_FOREVER},
    "SHARED_SHARDS": {STORED_TWICE},
    "NO_SECTIONS": {STORED_TWICE, OTHER_ORDER},
    "NO_LATE": {OTHER_ORDER},
    "ANY_ORDER": {OTHER_ORDER},
    "EARLY_END": {LOST},
}


@pytest.mark.parametrize("helpers", [1, 2, 3])
def test_the_protocol_holds_for_any_number_of_helpers(helpers: int) -> None:
    assert scrimp.check(scrimp.load(MODEL, defines={"HELPERS": helpers})).verdict is scrimp.Verdict.PROVED


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found(mistake: str) -> None:
    assert scrimp.check(scrimp.load(MODEL, defines={mistake: 1})).verdict is scrimp.Verdict.REFUTED


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_violates_the_properties_that_it_should(mistake: str) -> None:
    """A single helper is enough to see them all."""
    model = scrimp.load(MODEL, defines={mistake: 1, "HELPERS": 1})
    found = scrimp.check(model, violations=2000, depth=800).violations
    asserted = {text[1] for each in found if (text := re.fullmatch(r".*: assert\((.*)\)", each.message))}
    assert MISTAKES[mistake] <= asserted | {each.kind.value for each in found}


def test_the_comment_of_the_model_lists_the_mistakes() -> None:
    text = MODEL.read_text(encoding="utf-8")
    assert re.findall(r"^//   ([A-Z_]+)  ", text, re.MULTILINE) == list(MISTAKES)
    assert {name for name in re.findall(r"^#ifn?def ([A-Z_]+)$", text, re.MULTILINE) if name != "HELPERS"} == set(
        MISTAKES
    )


def test_every_property_of_the_model_is_violated_by_some_mistake() -> None:
    asserted = len(re.findall(r"\bassert\(", MODEL.read_text(encoding="utf-8")))
    assert len(set().union(*MISTAKES.values()) - {WAITS_FOREVER}) == asserted
