"""Random systems have the same answers before and after each pass, and after all of them."""

from __future__ import annotations

import os

import pytest
from tests.passes.comparing import PROFILES, difference
from tests.random_systems import Profile

from scrimp.passes import PASSES, Pass

SEEDS = range(int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "20")) // 6)


@pytest.mark.parametrize("passes", [*((each,) for each in PASSES), PASSES], ids=[*(p.name for p in PASSES), "all"])
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_the_answers_are_the_same_after_passes(profile: Profile, passes: tuple[Pass, ...]) -> None:
    for seed in SEEDS:
        assert difference(seed, profile, passes) == ""
