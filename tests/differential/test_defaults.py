"""On random Promela models `check` and SPIN, both as they come, agree on the verdict."""

from __future__ import annotations

import pytest
from tests.differential.defaults import compare_defaults
from tests.differential.random_promela import random_text
from tests.differential.spin import needs_spin


@needs_spin
@pytest.mark.parametrize("seed", range(720_000, 720_008))
def test_verdicts_by_default_are_spins(seed: int) -> None:
    comparison = compare_defaults(random_text(seed))
    assert comparison.verdict != "different", (
        f"python -m tests.differential --defaults --first {seed} --models 1\n{comparison}"
    )


@needs_spin
@pytest.mark.parametrize(("assertion", "is_wrong"), [("x < 3", True), ("x < 4", False)])
def test_a_violated_assertion_is_noticed_by_both(assertion: str, is_wrong: bool) -> None:
    text = f"byte x; active [3] proctype P() {{ x = x + 1; assert({assertion}) }}"
    comparison = compare_defaults(text)
    assert (comparison.spin, comparison.scrimp, comparison.verdict) == (is_wrong, is_wrong, "same")
