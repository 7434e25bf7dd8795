"""`--threads`: how many threads a search has, where the report says so, and which methods stay on one."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from tests.cli.conftest import Scrimp
from tests.product.strategies import CACHES, COMBACKS, PSEUDOROOTS, SNAPSHOTS

from scrimp.compatibility import why_one_thread
from scrimp.errors import OptionError
from scrimp.inputs import threads_of
from scrimp.strategies import Auto, Bitstate, Compact, DepthFirst, Full, Method, Sleep, Store
from scrimp.threads import MOST_THREADS, available_threads

SHARED: list[Store] = [
    Full(),
    Full(compress="tree"),
    Full(compress="cleary"),
    Auto(),
    Compact(),
    Compact(hash=4),
    Bitstate(),
]
ALONE: list[Store] = [
    *(Full(compress="huffman"), Full(compress="rle")),
    *(*CACHES, *SNAPSHOTS, *COMBACKS, *PSEUDOROOTS),
]


def threads_reported(out: str) -> int:
    found = re.search(r"^  time .* on (\d+) threads?( |$)", out, re.MULTILINE)
    assert found is not None, out
    return int(found[1])


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("command", ["check", "explore"])
def test_the_report_says_how_many_threads_the_search_had(scrimp: Scrimp, command: str, threads: int) -> None:
    ran = scrimp(command, "lock.dve", "--threads", str(threads))
    assert (ran.code, ran.err) == (0, "")
    assert threads_reported(ran.out) == threads


def test_an_export_has_one_thread(scrimp: Scrimp) -> None:
    assert threads_reported(scrimp("export", "lock.dve", "-o", "lock.aut").out) == 1
    assert threads_reported(scrimp("export", "lock.dve", "-o", "lock.aut", "--threads", "1").out) == 1
    ran = scrimp("export", "missing.dve", "-o", "lock.aut", "--threads", "2")
    assert ran.code == 2
    assert ran.err == "scrimp: error: --threads 2: an LTS is written by one thread; leave out --threads\n"


def test_the_record_has_the_threads_beside_the_times(scrimp: Scrimp) -> None:
    record = json.loads(scrimp("check", "lock.dve", "--threads", "3", "--json", "-").out)
    assert record["threads"] == 3
    assert "threads" not in record["strategy"]
    keys = list(record)
    assert keys.index("threads") + 1 == keys.index("seconds")


def test_by_default_a_search_has_a_thread_for_each_available_processor(scrimp: Scrimp) -> None:
    assert threads_reported(scrimp("check", "lock.dve").out) == available_threads()


@pytest.mark.parametrize("options", ["--order=dfs", "--reduce=sleep", "--store=cache:states=50", "--store=comback"])
def test_by_default_a_method_that_needs_one_thread_has_one(scrimp: Scrimp, options: str) -> None:
    ran = scrimp("check", "lock.dve", options)
    assert (ran.code, ran.err) == (0, "")
    assert threads_reported(ran.out) == 1


def test_one_thread_can_be_asked_of_every_method(scrimp: Scrimp) -> None:
    assert threads_reported(scrimp("check", "lock.dve", "--order", "dfs", "--threads", "1").out) == 1


def test_a_process_bound_to_one_processor_searches_on_one_thread(scrimp: Scrimp) -> None:
    program = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "from scrimp.cli.application import run; raise SystemExit(run(['check', 'lock.dve']))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert threads_reported(ran.stdout) == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--order=dfs", "a search with order 'dfs' has one thread; leave out --threads or use --order bfs"),
        ("--reduce=sleep", "a search with reduction 'sleep' has one thread; leave out --threads or --reduce"),
        (
            "--store=full:compress=rle",
            "a search with store 'full:compress=rle' has one thread; leave out --threads or use --store full, auto, "
            "compact or bitstate",
        ),
        (
            "--store=snapshots",
            "a search with store 'snapshots' has one thread; leave out --threads or use --store full, auto, compact or "
            "bitstate",
        ),
    ],
)
@pytest.mark.parametrize("command", ["check", "explore", "export -o x.aut"])
def test_several_threads_that_a_method_cannot_use_are_refused_before_the_model_is_read(
    scrimp: Scrimp, command: str, options: str, reason: str
) -> None:
    ran = scrimp(*command.split(), "missing.dve", "--threads=2", options)
    assert (ran.code, ran.out, ran.err) == (2, "", f"scrimp: error: --threads 2: {reason}\n")


def test_a_method_that_does_not_combine_is_refused_for_that_reason(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--threads=2", "--order=bfs", "--store=cache")
    assert ran.err.startswith("scrimp: error: store 'cache' needs --order dfs: ")


@pytest.mark.parametrize("store", SHARED, ids=str)
def test_these_stores_can_be_shared_by_threads_of_a_breadth_first_search(store: Store) -> None:
    assert why_one_thread(Method(store=store)) is None
    assert why_one_thread(Method(store=store, order=DepthFirst())) is not None
    assert why_one_thread(Method(store=store, reduction=Sleep())) is not None


@pytest.mark.parametrize("store", ALONE, ids=str)
def test_these_stores_stay_on_one_thread(store: Store) -> None:
    assert why_one_thread(Method(store=store)) is not None
    assert threads_of(None, Method(store=store)) == 1


@pytest.mark.parametrize("threads", [0, MOST_THREADS + 1])
def test_a_number_of_threads_out_of_range_is_refused(threads: int) -> None:
    with pytest.raises(OptionError, match=f"threads: expected a whole number from 1 to 1024, found {threads}"):
        threads_of(threads, Method())


def test_the_listing_names_the_methods_that_use_several_threads(scrimp: Scrimp) -> None:
    assert scrimp("methods").out.endswith(
        "several threads  --threads; all other methods have one\n"
        "  bfs/full, bfs/full:compress=tree, bfs/full:compress=cleary, bfs/auto, bfs/compact, bfs/bitstate,\n"
        "  each with --reduce none, local, overman or stubborn\n"
    )
