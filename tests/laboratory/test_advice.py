"""`scrimp methods --advise`: what samples say about whole searches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import counters
from tests.laboratory.conftest import Scrimp

from scrimp.errors import OptionError
from scrimp.frontends import load
from scrimp.laboratory.advice import advise as advising
from scrimp.laboratory.advice.advise import advice_of, advise
from scrimp.laboratory.advice.sample import CANDIDATES, USUAL, Sample, take
from scrimp.laboratory.advice.size import estimate_states
from scrimp.strategies import Method

# Levels of a search of 10,000 states in which the share of new states falls linearly, cut at about a quarter.
LEVELS = ((100, 400), (370, 1480), (1200, 4800), (1600, 6000))

MODELS = Path(__file__).parents[2] / "models"
MIB = 2**20
CUT_SHORT = Sample(Method(), states=3270, visits=3270, seconds=0.3, bytes_per_state=8.0, levels=LEVELS)
CLEARY = replace(
    CUT_SHORT, method=Method.parse("bfs/full:compress=cleary"), bytes_per_state=2.0, seconds=0.6, levels=()
)


def test_states_are_estimated_from_the_share_of_new_ones() -> None:
    estimate = estimate_states(LEVELS)
    assert estimate.low < 10_000 < estimate.high
    assert estimate.likely > 3270


def test_the_fastest_method_is_recommended_if_there_is_enough_memory() -> None:
    advice = advice_of([CUT_SHORT, CLEARY], 64 * MIB)
    assert advice.recommended.method == Method()
    assert advice.recommended.fit == "yes"


def test_a_smaller_method_is_recommended_if_there_is_little_memory() -> None:
    advice = advice_of([CUT_SHORT, CLEARY], MIB // 16)
    assert advice.recommended.method == CLEARY.method


def test_for_a_store_that_evicts_for_good_only_the_states_it_keeps_count() -> None:
    few = replace(CUT_SHORT, method=Method.parse("bfs/pseudoroot"), stored=100, levels=())
    many = replace(few, stored=3270)
    held = [advice_of([CUT_SHORT, each], 64 * MIB).predictions[1].held.likely for each in (few, many)]
    plain = advice_of([CUT_SHORT], 64 * MIB).recommended.held.likely
    assert held[0] < plain < held[1]


def test_a_completed_sample_is_a_measurement_and_not_a_prediction() -> None:
    whole = replace(CUT_SHORT, is_complete=True, states=5000, held=MIB)
    advice = advice_of([whole, CLEARY], 64 * MIB)
    assert advice.states.is_known
    assert advice.recommended.is_measured
    assert advice.recommended.held.likely == MIB


def test_of_equally_good_methods_the_simpler_is_recommended() -> None:
    whole = replace(CUT_SHORT, is_complete=True, seconds=0.11)
    other = replace(whole, method=Method.parse("bfs/snapshots"), seconds=0.1)
    assert advice_of([whole, other], 64 * MIB).recommended.method == Method()


def test_the_usual_method_is_recommended_unless_another_is_twice_as_fast() -> None:
    usual = replace(CUT_SHORT, method=USUAL, seconds=3.0, visits=3270)
    faster, twice_as_fast = (replace(CUT_SHORT, seconds=seconds) for seconds in (1.6, 1.4))
    assert advice_of([usual, faster], 64 * MIB).recommended.method == USUAL
    assert advice_of([usual, twice_as_fast], 64 * MIB).recommended.method == Method()


def test_a_method_that_fits_is_better_than_one_that_needs_disk() -> None:
    usual = replace(CUT_SHORT, method=USUAL, seconds=3.0)
    snapshots = replace(usual, method=Method.parse("bfs/snapshots"), stored=30, levels=())
    within = {budget: advice_of([usual, CUT_SHORT, snapshots], budget) for budget in (MIB // 16, 64 * MIB)}
    assert [str(advice.recommended.method) for advice in within.values()] == ["bfs/snapshots", "bfs/full"]
    usual_within = [
        next(each for each in advice.predictions if each.method == USUAL).disk_chance for advice in within.values()
    ]
    assert usual_within[0] > 0.5 > usual_within[1]


def test_a_method_whose_sample_ran_out_of_memory_does_not_fit() -> None:
    """However small the sample makes it look."""
    usual = replace(CUT_SHORT, method=USUAL, bits=64)
    full, cleary = (replace(each, ran_out=True, seconds=0.001) for each in (CUT_SHORT, CLEARY))
    advice = advice_of([usual, full, cleary], 64 * MIB)
    assert advice.recommended.method == USUAL
    assert [each.fit for each in advice.predictions] == ["yes", "no", "no"]


def test_if_nothing_fits_the_least_memory_is_named() -> None:
    usual = replace(CUT_SHORT, method=USUAL, bits=130, ran_out=True)
    advice = advice_of([usual, replace(CUT_SHORT, ran_out=True)], MIB // 16, threads=2)
    assert not advice.has_room
    assert advice.recommended.method == USUAL
    assert advice.smallest_with_disk == 9 * MIB
    assert "at least 9M are needed" in str(advice)


def test_every_sample_stays_within_the_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first search too, whose only purpose is to compile the model."""
    samples: list[Sample] = []

    def recorded(*arguments: Any) -> Sample:
        samples.append(take(*arguments))
        return samples[-1]

    monkeypatch.setattr(advising, "take", recorded)
    advise(load(text=counters(4), language="dve"), memory=8 * MIB, sample=2, threads=1)
    assert len(samples) == 1 + len(CANDIDATES)
    assert 4 * MIB < max(sample.resident for sample in samples) <= 8 * MIB
    assert sum(sample.ran_out for sample in samples) > 1


def test_a_memory_limit_that_is_too_small_is_refused_like_that_of_a_search() -> None:
    with pytest.raises(OptionError, match="a limit of 2M is too small for this model and method, which need 8M"):
        advise(MODELS / "peterson.dve", memory=2 * MIB, threads=1)


def test_an_unusable_method_is_listed_with_the_reason() -> None:
    stubborn = Method.parse("dfs/full/stubborn")
    advice = advice_of([CUT_SHORT, Sample(stubborn, refused="it has a claim")], 64 * MIB)
    assert advice.refused == {stubborn: "it has a claim"}
    assert [each.method for each in advice.predictions] == [Method()]


def test_the_output_ends_with_a_command_ready_to_run(scrimp: Scrimp, folder: Path) -> None:
    (folder / "counters.dve").rename(folder / "my counters.dve")
    ran = scrimp("methods", "--advise", "my counters.dve", "--memory", "400M", "--sample", "0.5s")
    assert ran.code == 0
    assert "16 states" in ran.out
    assert ran.out.splitlines()[-1] == "  scrimp check 'my counters.dve' --order bfs --store auto --memory 400M"


def test_the_command_has_the_threads_that_the_samples_had(scrimp: Scrimp) -> None:
    ran = scrimp("methods", "--advise", "counters.dve", "--threads", "2", "--sample", "0.5s")
    assert ran.out.splitlines()[-1] == "  scrimp check counters.dve --order bfs --store auto --threads 2"


def test_samples_of_methods_that_can_use_several_threads_have_them() -> None:
    """A method that cannot is sampled with one thread, not refused."""
    model = load(MODELS / "peterson.dve")
    assert not any(take(model, Method.parse(text), 1, threads=2).refused for text in ("bfs/full", "dfs/full/sleep"))


def test_a_number_of_threads_out_of_range_is_refused() -> None:
    with pytest.raises(OptionError, match="threads: expected a whole number from 1 to 1024, found 0"):
        advise(MODELS / "peterson.dve", threads=0)


@pytest.mark.parametrize("option", [("--memory", "64M"), ("--sample", "1s"), ("-D", "N=1"), ("--ignore-property",)])
def test_options_without_effect_are_refused(option: tuple[str, ...], scrimp: Scrimp) -> None:
    ran = scrimp("methods", *option)
    assert ran.code == 2
    assert f"{option[0]} needs --advise" in ran.err
