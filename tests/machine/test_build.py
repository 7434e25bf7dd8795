"""Builds: what the engine receives."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.machine.systems import meeting, step, system
from tests.random_systems import FAULTLESS, random_system

from scrimp.errors import OptionError, ScrimpError
from scrimp.machine import compiler
from scrimp.machine.build import build, most_successors
from scrimp.machine.ranges import initial_ranges, static_ranges
from scrimp.system.expressions import TRUE
from scrimp.system.reference import initial, successors


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIMP_CACHE", raising=False)
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path))


def test_the_engine_runs_what_was_built() -> None:
    model = random_system(4, profile=FAULTLESS)
    native = build(model, [TRUE], static_ranges(model))
    machine = native.machine()
    start = machine.initial()
    assert native.layout.decode(start) == initial(model)
    found = [(event, native.layout.decode(words)) for event, words in machine.successors(start)]
    assert found == successors(model, initial(model))
    assert machine.watch(start) == 1


def test_a_second_build_comes_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    model = random_system(4)
    first = build(model, [], initial_ranges(model))
    monkeypatch.setattr(compiler, "_PROGRAM", Path("/nonexistent"))
    second = build(model, [], initial_ranges(model))
    assert not first.cached
    assert second.cached
    assert (second.code, second.layout) == (first.code, first.layout)


def test_code_that_is_compiled_quickly_is_another_build() -> None:
    model = random_system(4)
    quick = build(model, [], initial_ranges(model), quickly=True)
    optimised = build(model, [], initial_ranges(model))
    assert not optimised.cached
    assert (quick.quick, optimised.quick) == (True, False)
    assert quick.code != optimised.code


def test_optimised_code_in_the_cache_will_do_for_a_short_search() -> None:
    model = random_system(4)
    optimised = build(model, [], initial_ranges(model))
    short = build(model, [], initial_ranges(model), quickly=True)
    assert short.cached
    assert short.code == optimised.code


def test_different_watches_make_a_different_build() -> None:
    model = random_system(4)
    build(model, [], static_ranges(model))
    assert "watch" in build(model, [TRUE], static_ranges(model)).entries


def test_too_many_watches_are_refused() -> None:
    model = random_system(4)
    with pytest.raises(OptionError, match="65 properties are watched; at most 64 can be"):
        build(model, [TRUE] * 65, static_ranges(model))


def test_states_of_too_many_words_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = random_system(4)
    monkeypatch.setattr("scrimp.machine.build.MOST_WORDS", 0)
    with pytest.raises(ScrimpError, match="a state takes 1 words of 64 bits; at most 0 can be"):
        build(model, [], static_ranges(model))


def test_a_rendezvous_counts_for_its_first_process_only() -> None:
    model = system(
        (),
        [step(), step(), step(source=1), meeting((0, 0, 1), (1, 0, 0)), meeting((1, 0, 0), (0, 0, 1))],
        locations=(2, 1),
    )
    assert most_successors(model) == 4
