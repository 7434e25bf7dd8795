"""Without disk, store `auto` goes on by a method that forgets, once its memory is used up; the verdict stays exact."""

from __future__ import annotations

from pathlib import Path

from tests.product.test_models import MODELS

import scrimp
from scrimp.forgetting import Exhausted, methods_that_forget
from scrimp.strategies import NoReduction, Sleep

RETRANSMISSION = next(path for path in MODELS if path.stem == "bounded_retransmission")
LONG = {"PACKETS": 40, "RETRIES": 40}

COUNTERS = "abcdef"
COUNTING = "".join(
    [
        *(f"byte {name} = 0;\n" for name in COUNTERS),
        *(
            f"process {name.upper()} {{ state s; init s;\n"
            f"trans s -> s {{ guard {name} < 9; effect {name} = {name} + 1; }}; }}\n"
            for name in COUNTERS
        ),
        "system async;\n",
    ]
)


def methods(levels: list[int], *, words: int = 1, limits_depth: bool = False) -> list[str]:
    exhausted = Exhausted(levels, words, room=100 * 20)  # a state of one word takes 20 bytes
    return [str(method) for method in methods_that_forget(exhausted, Sleep(), limits_depth)]


CACHES = ["dfs/cache/sleep", "dfs/cache"]


def test_small_levels_are_kept_with_a_safety_net() -> None:
    assert methods([2] * 1000) == ["bfs/snapshots", *CACHES]


def test_of_larger_levels_only_the_last_are_kept() -> None:
    assert methods([20] * 10) == ["bfs/snapshots:caches=frontier", *CACHES]


def test_levels_that_do_not_fit_are_not_kept() -> None:
    assert methods([1, 1, 1, 21, 20, 20, 20, 20, 1]) == CACHES


def test_wide_states_are_coded_in_a_cache() -> None:
    assert methods([100], words=3) == ["dfs/cache:compress=huffman/sleep", "dfs/cache:compress=huffman"]


def test_a_depth_limit_excludes_caches() -> None:
    assert methods([20] * 10, limits_depth=True) == ["bfs/snapshots:caches=frontier"]


def test_without_a_reduction_there_is_one_cache() -> None:
    exhausted = Exhausted([1000], 1, room=100)
    assert [str(each) for each in methods_that_forget(exhausted, NoReduction(), limits_depth=False)] == ["dfs/cache"]


def test_a_search_of_many_levels_goes_on_with_snapshots() -> None:
    model = scrimp.load(RETRANSMISSION, defines=LONG)
    result = scrimp.check(model, as_written=True, memory="6M", disk=0)
    assert result.verdict is scrimp.Verdict.PROVED
    assert str(result.method) == "bfs/snapshots:caches=frontier"
    assert result.statistics["auto.cleary_at"] < result.statistics["auto.forgetting_at"]
    assert f"more than {result.statistics['auto.forgetting_at']:,} states, and --disk is 0" in result.store_reason
    assert result.to_dict()["strategy"]["store_reason"] == result.store_reason
    assert result.unreached == scrimp.check(model, as_written=True).unreached


def test_its_traces_are_shortest() -> None:
    model = scrimp.load(RETRANSMISSION, defines=LONG)
    goal = "Receiver->delivered == 38"
    usual = scrimp.check(model, as_written=True, reach=goal)
    forgetting = scrimp.check(model, as_written=True, reach=goal, memory="6M", disk=0)
    assert forgetting.store_reason
    assert forgetting.has_shortest_traces
    assert usual.trace is not None
    assert forgetting.trace is not None
    assert len(forgetting.trace.steps) == len(usual.trace.steps)


def test_a_search_of_few_levels_goes_on_with_a_cache(tmp_path: Path) -> None:
    path = tmp_path / "counting.dve"
    path.write_text(COUNTING)
    result = scrimp.explore(path, memory="6M", disk=0)
    assert result.verdict is scrimp.Verdict.PROVED
    assert str(result.method) == "dfs/cache/sleep"
    assert result.order_reason == "the only one that store cache allows"
    assert result.statistics.visits == 10 ** len(COUNTERS)  # sleep sets visit nothing twice
    assert result.statistics.deadlocks == 1
