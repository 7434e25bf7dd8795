"""What a search returns, for both orders and every compression: 100 states, 180 transitions, one end."""

from __future__ import annotations

import resource
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from scrimp._engine import Machine

from .conftest import WITH_HOLDERS, Explore, MakeMachine, finish, make_search


def end_of(machine: Machine, events: Iterable[int]) -> tuple[int, ...]:
    """The state at the end of a path; a fault may come last."""
    state = machine.initial()
    for event in events:
        successors = {number & (1 << 30) - 1: (number, words) for number, words in machine.successors(state)}
        number, words = successors[event]
        state = state if number >> 31 else words
    return state


def test_a_closed_search_counts_everything(make_machine: MakeMachine, explore: Explore) -> None:
    outcome = explore(make_machine())
    assert outcome.reason == "closed"
    assert (outcome.states, outcome.transitions, outcome.matched, outcome.depth) == (100, 180, 81, 18)
    assert (outcome.deadlocks, outcome.faults, outcome.violations) == (0, 0, 0)
    assert outcome.watch_hits == [1, 10]
    assert outcome.fired == bytes([1, 1])
    assert outcome.findings == []
    assert outcome.misfit is None
    assert outcome.seconds > 0


def test_events_to_transient_states_are_executed_but_are_not_transitions(make_machine: MakeMachine, order: str) -> None:
    outcome = finish(make_search(make_machine(quirk=WITH_HOLDERS), order=order))
    assert (outcome.states, outcome.transitions, outcome.events_executed) == (55, 99, 144)


def test_breadth_first_has_levels_and_depth_first_none(make_machine: MakeMachine) -> None:
    machine = make_machine()
    levels = list(finish(make_search(machine, order="bfs")).levels)
    assert levels[:6] == [1, 2, 2, 4, 3, 6]
    assert levels[-4:] == [2, 2, 1, 0]
    assert sum(levels[::2]) == 100
    assert len(finish(make_search(machine, order="dfs")).levels) == 0


def test_bytes_are_reported_by_part(make_machine: MakeMachine, order: str) -> None:
    outcome = finish(make_search(make_machine(), order=order))
    held = {name: peak for name, peak in outcome.report.items() if name.startswith("bytes.")}
    assert set(held) == {"bytes.table", "bytes.frontier" if order == "bfs" else "bytes.path", "bytes.blocks"}
    assert all(peak > 0 for peak in held.values())
    assert outcome.report["state_bytes"] == 800


@pytest.mark.parametrize(
    "store", [{"name": "compact", "hash": 40}, {"name": "bitstate", "bytes": 2**16, "functions": 7}], ids=str
)
def test_a_store_that_trusts_hashes_reports_expected_omissions(
    make_machine: MakeMachine, order: str, store: dict[str, Any]
) -> None:
    outcome = finish(make_search(make_machine(), order=order, store=store))
    assert (outcome.reason, outcome.states, outcome.transitions) == ("closed", 100, 180)
    assert 0 < outcome.report["expected_omissions"] < 1e-6
    assert "expected_omissions" not in finish(make_search(make_machine(), order=order)).report


def test_a_deadlock_has_a_path(make_machine: MakeMachine, explore: Explore) -> None:
    machine = make_machine(valid_end=None)
    outcome = explore(machine, deadlock_is_violation=True, stop_after=1, traces=1)
    assert outcome.reason == "violations"
    assert (outcome.deadlocks, outcome.violations) == (1, 1)
    (finding,) = outcome.findings
    assert (finding.kind, finding.watch, len(finding.events)) == ("deadlock", -1, 18)
    assert machine.successors(end_of(machine, finding.events)) == []


def test_a_deadlock_that_violates_nothing_is_only_counted(make_machine: MakeMachine, explore: Explore) -> None:
    outcome = explore(make_machine(valid_end=None), stop_after=1, traces=1)
    assert (outcome.reason, outcome.deadlocks, outcome.violations, outcome.findings) == ("closed", 1, 0, [])


def test_a_fault_ends_its_path(make_machine: MakeMachine, explore: Explore) -> None:
    machine = make_machine(quirk=1)
    outcome = explore(machine, traces=1)
    assert (outcome.reason, outcome.states, outcome.transitions, outcome.faults) == ("closed", 100, 180, 1)
    (finding,) = outcome.findings
    assert (finding.kind, finding.events[-1]) == ("fault", 0)
    assert end_of(machine, finding.events) == (1 | 7 << 1 | 7 << 5,)


def test_a_misfit_names_state_and_event(make_machine: MakeMachine, explore: Explore) -> None:
    outcome = explore(make_machine(quirk=2))
    assert outcome.reason == "misfit"
    assert outcome.misfit == ((1 | 7 << 1 | 7 << 5,), 0)


def test_a_violated_watch_ends_the_search(make_machine: MakeMachine, explore: Explore) -> None:
    machine = make_machine()
    outcome = explore(machine, violation_watches=1, stop_after=1, traces=1)
    assert outcome.reason == "violations"
    (finding,) = outcome.findings
    assert (finding.kind, finding.watch) == ("watch", 0)
    assert machine.watch(end_of(machine, finding.events)) == 1


def test_no_more_violations_get_paths_than_asked_for(make_machine: MakeMachine, explore: Explore) -> None:
    outcome = explore(make_machine(), violation_watches=2, traces=3)
    assert (outcome.reason, outcome.violations, len(outcome.findings)) == ("closed", 10, 3)


def test_every_goal_that_is_reached_has_a_witness(make_machine: MakeMachine, explore: Explore) -> None:
    machine = make_machine()
    outcome = explore(machine, goal_watches=3)
    assert outcome.reason == "closed"
    assert sorted(finding.watch for finding in outcome.findings) == [0, 1]
    for finding in outcome.findings:
        assert machine.watch(end_of(machine, finding.events)) >> finding.watch & 1


def test_a_limit_on_states_ends_the_search_soon_after(make_machine: MakeMachine) -> None:
    whole = finish(make_search(make_machine()))
    begun = finish(make_search(make_machine(), state_limit=3))
    assert (whole.reason, begun.reason) == ("closed", "states")
    assert 3 <= begun.states < whole.states


def test_a_depth_limit_cuts_the_search_short(make_machine: MakeMachine, explore: Explore) -> None:
    outcome = explore(make_machine(), depth_limit=4)
    assert (outcome.reason, outcome.depth) == ("depth", 4)


def test_a_spent_budget_ends_the_search(make_machine: MakeMachine, explore: Explore) -> None:
    assert explore(make_machine(), budget=0).reason == "memory"


def test_a_time_limit_ends_the_search(make_machine: MakeMachine) -> None:
    assert finish(make_search(make_machine(), time_limit=1e-9)).reason == "time"


def test_a_search_stopped_beforehand_is_interrupted(make_machine: MakeMachine) -> None:
    search = make_search(make_machine())
    search.stop()
    assert finish(search).reason == "interrupt"


def test_a_search_that_finds_nothing_needs_no_file(make_machine: MakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nowhere/at/all")
    assert finish(make_search(make_machine(), traces=1)).reason == "closed"


def test_with_a_full_disk_paths_are_found_in_memory(make_machine: MakeMachine) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    machine = make_machine()
    search = make_search(machine, violation_watches=1, stop_after=1, traces=1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        outcome = finish(search)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (outcome.reason, outcome.violations, len(outcome.findings)) == ("violations", 1, 1)
    assert machine.watch(end_of(machine, outcome.findings[0].events)) & 1


def test_the_file_of_levels_is_removed(
    make_machine: MakeMachine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert finish(make_search(make_machine(), traces=1)).reason == "closed"
    assert list(tmp_path.iterdir()) == []


def test_the_same_seed_gives_the_same_path(make_machine: MakeMachine) -> None:
    machine = make_machine(valid_end=None)

    def path(seed: int | None) -> tuple[int, ...]:
        search = make_search(machine, "dfs", deadlock_is_violation=True, traces=1, shuffle_seed=seed)
        return tuple(finish(search).findings[0].events)

    assert path(1) == path(1)
    assert len({path(seed) for seed in range(5)}) > 1


def test_progress_is_readable_before_and_after(make_machine: MakeMachine) -> None:
    search = make_search(make_machine())
    assert search.progress().states == 0
    finish(search)
    progress = search.progress()
    assert (progress.states, progress.transitions, progress.matched, progress.depth) == (100, 180, 81, 18)


def test_a_search_runs_once(make_machine: MakeMachine) -> None:
    search = make_search(make_machine())
    finish(search)
    with pytest.raises(RuntimeError, match="only once"):
        finish(search)


def test_searches_in_several_threads_are_independent(make_machine: MakeMachine, explore: Explore) -> None:
    machine = make_machine()
    states: list[int] = []
    threads = [threading.Thread(target=lambda: states.append(explore(machine).states)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert states == [100] * 8


def test_a_search_keeps_its_machine(make_machine: MakeMachine) -> None:
    search = make_search(make_machine())
    assert finish(search).states == 100


@pytest.mark.parametrize(
    "changes",
    [
        {"order": "best"},
        {"store": {"name": "heap"}},
        {"store": {"name": "full", "compress": "zip"}},
        {"time_limit": -1.0},
        {"time_limit": float("nan")},
        {"store": {"name": "compact", "hash": 0}},
        {"store": {"name": "compact", "hash": 65}},
        {"store": {"name": "compact", "hash": "wide"}},
        {"store": {"name": "bitstate", "functions": 0}},
        {"store": {"name": "bitstate", "bytes": 0}},
        {"store": {"name": "cache", "policy": [{"policy": "lru", "percent": 101}]}},
        {"store": {"name": "comback", "cache": 5}},
        {"store": {"name": "comback", "delay": 1}},
        {"store": {"name": "snapshots", "caches": {"caches": [], "pebbles": False}}},
        {"store": {"name": "pseudoroot", "source": "counted", "bits": 3}},
    ],
)
def test_unknown_options_are_refused(make_machine: MakeMachine, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must"):
        make_search(make_machine(), **changes)


def test_a_search_without_threads_is_refused(make_machine: MakeMachine) -> None:
    with pytest.raises(ValueError, match="a search needs at least one thread"):
        make_search(make_machine(), threads=0)


def test_an_option_that_a_store_does_not_have_is_refused(make_machine: MakeMachine) -> None:
    with pytest.raises(ValueError, match="full has no 'states'"):
        make_search(make_machine(), store={"name": "full", "states": 5})


def test_a_wait_that_times_out_returns_nothing_and_may_be_repeated(make_machine: MakeMachine) -> None:
    asked = threading.Event()
    search = make_search(make_machine(), scribe=lambda *_: asked.wait())
    search.start()
    assert search.wait(0.001) is None
    asked.set()
    first, second = search.wait(), search.wait()
    assert first is second is not None


def test_a_search_ends_when_its_object_is_deleted(make_machine: MakeMachine) -> None:
    search = make_search(make_machine())
    search.start()
    del search
