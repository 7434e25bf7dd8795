"""Exported LTSs: all states and transitions, in every format, or no file at all."""

from __future__ import annotations

import errno
import gzip
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import parquet
from tests.lts.comparing import (
    are_bisimilar,
    minimal_size,
    numbered_breadth_first,
    numbered_by_labels,
    numbered_depth_first,
    with_distinct_labels,
)
from tests.lts.random_lts import aut_text, random_edges
from tests.lts.reading import Lts, read_lts

import scrimp
from scrimp.errors import OptionError
from scrimp.strategies import Store, parse_order, parse_reduction, parse_store
from scrimp.strategies.stores import Compression

MODELS = Path(__file__).resolve().parents[2] / "models"
SEEDS = range(25)


def exported(model: scrimp.Model, path: Path, **options: object) -> Lts:
    scrimp.export(model, path, **options)  # type: ignore[arg-type]
    return read_lts(path)


@pytest.fixture(params=SEEDS)
def random_model(request: pytest.FixtureRequest, tmp_path: Path) -> scrimp.Model:
    path = tmp_path / f"random{request.param}.aut"
    path.write_text(aut_text(random_edges(request.param)))
    return scrimp.load(path)


def edges_in_order(model: scrimp.Model) -> Iterator[tuple[int, str, int]]:
    for transition in model.system.transitions:
        (move,) = transition.moves
        yield move.source, move.text, move.target


def test_breadth_first_the_lts_is_the_source_edge_for_edge(random_model: scrimp.Model, tmp_path: Path) -> None:
    source = numbered_breadth_first(0, list(edges_in_order(random_model)))
    assert exported(random_model, tmp_path / "out.aut") == source


def test_depth_first_the_lts_is_the_source_edge_for_edge(random_model: scrimp.Model, tmp_path: Path) -> None:
    source = numbered_depth_first(0, list(edges_in_order(random_model)))
    assert exported(random_model, tmp_path / "out.aut", order=scrimp.DepthFirst()) == source


@pytest.mark.parametrize("compress", ["tree", "huffman", "rle"])
def test_compression_changes_nothing(random_model: scrimp.Model, tmp_path: Path, compress: Compression) -> None:
    for order in (scrimp.BreadthFirst(), scrimp.DepthFirst()):
        plain = exported(random_model, tmp_path / "plain.aut", order=order)
        assert exported(random_model, tmp_path / "out.aut", order=order, store=scrimp.Full(compress=compress)) == plain


EXACT = [
    *(f"{order} {store}" for order in ("bfs", "dfs") for store in ("full:compress=cleary", "comback")),
    *(f"{order} comback:cache=3,candidates=2,hash=4,delay=true" for order in ("bfs", "dfs")),
    *(f"{order} comback:cache=3,hash=4,delay=false" for order in ("bfs", "dfs")),
    "bfs comback:cache=3,candidates=2,hash=4,queue=states",
    *(f"{order} pseudoroot:source={source}" for order in ("bfs", "dfs") for source in ("given", "counted")),
    "bfs pseudoroot:source=given,next=fewest",
]


@pytest.mark.parametrize("seed", range(8))
def test_other_stores_change_nothing_but_the_numbers(tmp_path: Path, seed: int) -> None:
    edges = with_distinct_labels(random_edges(seed))
    (tmp_path / "random.aut").write_text(aut_text(edges))
    model, source = scrimp.load(tmp_path / "random.aut"), numbered_by_labels(Lts(0, 40, edges))
    for strategy in EXACT:
        order, store = strategy.split()
        found = exported(model, tmp_path / "out.aut", order=parse_order(order), store=parse_store(store))
        assert (found.initial, found.states) == (0, source.states), strategy
        assert numbered_by_labels(found) == source, strategy


@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
def test_pseudo_roots_with_little_memory_write_a_bisimilar_lts(
    random_model: scrimp.Model, tmp_path: Path, order: scrimp.Order
) -> None:
    source = numbered_breadth_first(0, list(edges_in_order(random_model)))
    path, states = tmp_path / "out.aut", 1
    while (
        found := scrimp.export(
            random_model, path, order=order, store=parse_store(f"pseudoroot:source=given,states={states}")
        )
    ).states is None:
        states += 1  # until it has room for the path
    written = read_lts(path)
    assert (found.states, found.transitions) == (written.states, len(written.edges))
    assert written.states >= source.states
    assert are_bisimilar(written, source)


@pytest.mark.parametrize("options", ["", ",policy=lru", ",policy=mfu:25+lru:75", ",compress=huffman"])
def test_a_cache_writes_a_bisimilar_lts(random_model: scrimp.Model, tmp_path: Path, options: str) -> None:
    source = numbered_depth_first(0, list(edges_in_order(random_model)))
    path, states = tmp_path / "out.aut", 1
    while (
        scrimp.export(
            random_model, path, order=scrimp.DepthFirst(), store=parse_store(f"cache:states={states}{options}")
        ).states
        is None
    ):
        states += 1  # until it has room for the path
    found = read_lts(path)
    assert found.states >= source.states
    assert are_bisimilar(found, source)


@pytest.mark.parametrize("store", ["snapshots", "snapshots:(c3,LLNR,1)", "snapshots:frontier", "snapshots:pebble"])
def test_snapshots_write_a_bisimilar_lts(random_model: scrimp.Model, tmp_path: Path, store: str) -> None:
    source = numbered_breadth_first(0, list(edges_in_order(random_model)))
    found = exported(random_model, tmp_path / "out.aut", store=parse_store(store))
    assert found.states >= source.states
    assert are_bisimilar(found, source)


def test_snapshots_write_redundant_states_and_count_them(tmp_path: Path) -> None:
    path = tmp_path / "ring.aut"
    edges = [(state, "go", (state + 1) % 40) for state in range(40)] + [(39, "back", 5)]
    path.write_text(aut_text(edges))
    result = scrimp.export(scrimp.load(path), tmp_path / "out.aut", store=parse_store("snapshots:(c30,LLNR,1)"))
    found = read_lts(tmp_path / "out.aut")
    assert found.states > 40
    assert result.states == found.states == result.result.statistics.visits
    assert result.transitions == len(found.edges)
    assert are_bisimilar(found, Lts(0, 40, edges))


RING = aut_text([(state, "go", (state + 1) % 40) for state in range(40)] + [(39, "back", 5)])


def test_redundant_states_are_estimated_and_counted_by_an_audit_and_minimising_removes_them(tmp_path: Path) -> None:
    (tmp_path / "ring.aut").write_text(RING)
    model, store = scrimp.load(tmp_path / "ring.aut"), parse_store("snapshots:(c30,LLNR,1)")
    estimated = scrimp.export(model, tmp_path / "out.aut", store=store)
    counted = scrimp.export(model, tmp_path / "out.aut", store=store, audit=True)
    minimised = scrimp.export(model, tmp_path / "min.aut", store=store, minimise="strong")
    assert counted.states is not None
    assert counted.redundant == counted.states - 40 > 0
    assert abs(estimated.redundant - counted.redundant) <= 2
    assert (counted.merged, minimised.redundant, minimised.merged) == (None, 0, counted.redundant)
    assert minimised.states == 40


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ((), r"about \d+ of the states are redundant"),
        (("--audit",), r"(?<!about )\d+ of the states are redundant"),
        (("--minimise", "strong"), r"\d+ of the \d+ visited states are bisimilar to others"),
    ],
)
def test_the_command_reports_redundant_states(tmp_path: Path, options: tuple[str, ...], reported: str) -> None:
    (tmp_path / "ring.aut").write_text(RING)
    store = "snapshots:(c30,LLNR,1)"
    ran = run_export(tmp_path / "ring.aut", "-o", tmp_path / "out.aut", "--store", store, *options)
    assert re.search(reported, ran.stdout)


def test_a_minimised_lts_is_bisimilar_and_as_small_as_can_be(random_model: scrimp.Model, tmp_path: Path) -> None:
    source = numbered_breadth_first(0, list(edges_in_order(random_model)))
    found = exported(random_model, tmp_path / "out.aut", minimise="strong")
    assert are_bisimilar(found, source)
    assert (found.states, len(found.edges)) == minimal_size(source)


def test_the_minimised_lts_does_not_depend_on_the_store(random_model: scrimp.Model, tmp_path: Path) -> None:
    full = exported(random_model, tmp_path / "full.aut", minimise="strong")
    store = parse_store("snapshots:(c3,LLNR,1)")
    snapshots = exported(random_model, tmp_path / "snapshots.aut", minimise="strong", store=store)
    assert (full.states, len(full.edges)) == (snapshots.states, len(snapshots.edges))
    assert are_bisimilar(full, snapshots)


def test_minimising_stays_within_the_memory_limit_and_names_one_that_suffices(tmp_path: Path) -> None:
    edges = [f'({state},"{label}",{(state + label) % 40_000})' for state in range(40_000) for label in range(4)]
    (tmp_path / "large.aut").write_text("\n".join(["des (0,160000,40000)", *edges, ""]))
    model, path = scrimp.load(tmp_path / "large.aut"), tmp_path / "min.aut"
    short = scrimp.export(model, path, minimise="strong", memory="9M")
    assert (short.result.verdict, short.result.ending) == (scrimp.Verdict.UNDETERMINED, scrimp.Ending.MEMORY)
    named = re.search(r"minimise 40,000 states and 160,000 transitions; try --memory (\d+M)", short.result.reason)
    assert named is not None
    assert not path.exists()
    assert scrimp.export(model, path, minimise="strong", memory=named[1]).states == 1


FORMATS = ["aut", "aut.gz", "dot", "dot.gz", "graphml", "graphml.gz"]


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_has_the_same_contents(tmp_path: Path, suffix: str) -> None:
    labels = ["a", 'say "x" \\ "', "<tag> & more", "é ≠ e", "tab\there", ""]
    edges = [(number, label, number + 1) for number, label in enumerate(labels)]
    path = tmp_path / "labels.aut"
    path.write_text(aut_text(edges, states=7), encoding="utf-8")
    assert exported(scrimp.load(path), tmp_path / f"out.{suffix}") == Lts(0, 7, edges)


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_lts_of_one_state_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "one.aut"
    path.write_text("des (3, 0, 5)\n")
    assert exported(scrimp.load(path), tmp_path / f"out.{suffix}") == Lts(0, 1, [])


def test_two_files_of_one_lts_have_the_same_bytes(tmp_path: Path) -> None:
    model = scrimp.load(MODELS / "peterson.dve")
    for name in ("one.aut.gz", "other.aut.gz"):
        scrimp.export(model, tmp_path / name)
    assert (tmp_path / "one.aut.gz").read_bytes() == (tmp_path / "other.aut.gz").read_bytes()


def test_parquet_is_refused_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match="needs pyarrow, which is not installed"):
        scrimp.export(scrimp.load(MODELS / "peterson.dve"), tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


def test_parquet_has_the_same_contents(tmp_path: Path) -> None:
    model = scrimp.load(MODELS / "peterson.dve")
    scrimp.export(model, tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet").to_pydict()
    edges = sorted(zip(table["source"], table["label"], table["target"], strict=True))
    assert edges == exported(model, tmp_path / "out.aut").edges


OURS = ["peterson.dve", "alternating_bit.dve", "philosophers.pnml", "two_phase_commit.pml", "token_ring.pml"]


@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
@pytest.mark.parametrize("name", OURS)
def test_our_models_have_the_states_and_transitions_that_were_counted(
    tmp_path: Path, name: str, order: scrimp.Order
) -> None:
    model = scrimp.load(MODELS / name)
    counted = scrimp.explore(model, order=order).statistics
    found = exported(model, tmp_path / "out.aut", order=order)
    assert (found.states, len(found.edges)) == (counted.states, counted.transitions)


@pytest.mark.parametrize("name", OURS)
def test_the_orders_write_the_same_lts(tmp_path: Path, name: str) -> None:
    model = scrimp.load(MODELS / name)
    found = [
        exported(model, tmp_path / "out.aut", minimise="strong", order=order, store=store)
        for order, store in (
            (scrimp.BreadthFirst(), scrimp.Full()),
            (scrimp.DepthFirst(), scrimp.Full()),
            (scrimp.BreadthFirst(), scrimp.Snapshots()),
            (scrimp.BreadthFirst(), scrimp.Full(compress="tree")),
            (scrimp.DepthFirst(), scrimp.Cache(states=30_000)),
        )
    ]
    assert len({(lts.states, len(lts.edges)) for lts in found}) == 1
    assert all(are_bisimilar(found[0], other) for other in found[1:])


@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
@pytest.mark.parametrize("name", ["alternating_bit.dve", "philosophers.pnml", "token_ring.pml"])
def test_other_stores_write_the_lts_of_our_models(tmp_path: Path, name: str, order: scrimp.Order) -> None:
    model = scrimp.load(MODELS / name)
    full = exported(model, tmp_path / "out.aut", order=order)
    for store in ("full:compress=cleary", "comback", "comback:delay=false", "pseudoroot:source=counted"):
        found = exported(model, tmp_path / "out.aut", order=order, store=parse_store(store))
        assert (found.states, len(found.edges)) == (full.states, len(full.edges)), store
        assert are_bisimilar(found, full), store


def test_an_exported_lts_can_be_loaded_and_searched(tmp_path: Path) -> None:
    model = scrimp.load(MODELS / "philosophers.dve")
    scrimp.export(model, tmp_path / "out.aut.gz")
    found, counted = scrimp.explore(scrimp.load(tmp_path / "out.aut.gz")), scrimp.explore(model)
    assert found.statistics.states == counted.statistics.states
    assert found.statistics.levels == counted.statistics.levels


ATOMIC = """\
byte x;
active proctype P() {
  do
  :: atomic { x < 2; if :: x = x + 1 :: x = x + 2; x = x - 1 fi }
  :: x > 1 -> x = 0
  od
}
"""


@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
@pytest.mark.parametrize("store", ["full", "full:compress=cleary", "comback", "pseudoroot:source=counted"])
def test_a_path_through_transient_states_is_one_transition_with_all_its_events(
    tmp_path: Path, order: scrimp.Order, store: str
) -> None:
    path = tmp_path / "atomic.pml"
    path.write_text(ATOMIC)
    found = exported(scrimp.load(path), tmp_path / "out.aut", order=order, store=parse_store(store))
    labels = {label for source, label, _ in found.edges if source == 0}
    assert labels == {
        "P:0: x < 2; P:0: x = x + 1; P:0: .(goto)",
        "P:0: x < 2; P:0: x = x + 2; P:0: x = x - 1; P:0: .(goto)",
    }


def test_a_search_that_starts_again_starts_a_new_file(tmp_path: Path) -> None:
    """The sampled range of `x` is too narrow: the search widens it on its way."""
    path = tmp_path / "wide.dve"
    path.write_text(
        "int x;\nprocess P { state a; init a; trans a -> a { guard x < 30000; effect x = x + 1; }; }\nsystem async;\n"
    )
    result = scrimp.export(scrimp.load(path), tmp_path / "out.aut")
    assert result.result.statistics.relayouts > 0
    found = read_lts(tmp_path / "out.aut")
    assert (found.states, len(found.edges)) == (30_001, 30_000)


@pytest.mark.parametrize(
    ("store", "reduction", "reason"),
    [
        ("full", "sleep", "leaves transitions out, and an LTS has all of them"),
        ("full", "stubborn", "leaves transitions out, and an LTS has all of them"),
        ("compact", "none", "export needs an exact store"),
        ("bitstate", "none", "export needs an exact store"),
        ("comback:mode=paper", "none", "export needs an exact store"),
    ],
)
def test_a_method_that_would_not_write_the_whole_lts_is_refused(
    tmp_path: Path, store: str, reduction: str, reason: str
) -> None:
    model = scrimp.load(MODELS / "peterson.dve")
    chosen: Store = parse_store(store)
    with pytest.raises(OptionError, match=reason):
        scrimp.export(
            model,
            tmp_path / "out.aut",
            order=scrimp.DepthFirst(),
            store=chosen,
            reduction=parse_reduction(reduction),
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("out.txt", r"unknown format '\.txt' \(choices: \.aut, \.dot, \.graphml, \.parquet\)"),
        ("out", "unknown format; expected a name that ends in"),
        ("out.gz", "unknown format; expected a name that ends in"),
        ("out.parquet.gz", "is already compressed"),
        ("missing/out.aut", "there is no directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_search(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        scrimp.export(scrimp.load(MODELS / "peterson.dve"), tmp_path / name)


def test_a_search_that_does_not_end_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "out.aut").write_text("old")
    model = scrimp.load(MODELS / "peterson.dve")
    found = scrimp.export(model, tmp_path / "out.aut", depth=3)
    assert (found.result.exit_code, found.states, found.transitions) == (3, None, None)
    assert [path.name for path in tmp_path.iterdir()] == ["out.aut"]
    assert (tmp_path / "out.aut").read_text() == "old"


LARGE = (MODELS / "sliding_window.dve", "-D", "MODULUS=6", "-D", "WINDOW=5", "-D", "CAPACITY=3")
"""A model of seven million states."""


def run_export(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrimp", "export", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def test_a_full_disk_is_reported_in_one_line_and_leaves_no_file(tmp_path: Path) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2**17, 2**17))

    path = tmp_path / "long.aut"
    path.write_text(aut_text([(state, "a long label " * 3, state + 1) for state in range(9_999)], states=10_000))
    environment = os.environ | {"SCRIMP_CACHE": "off"}
    finished = run_export(path, "-o", tmp_path / "out.aut", preexec_fn=limit, env=environment)
    reason = os.strerror(errno.EFBIG)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == f"scrimp: error: cannot write {tmp_path / 'out.aut'}: {reason}\n"
    assert list(tmp_path.iterdir()) == [path]


def test_running_out_of_memory_leaves_no_file(tmp_path: Path) -> None:
    finished = run_export(*LARGE, "-o", tmp_path / "out.aut", "--memory", "50M")
    assert finished.returncode == 3, finished.stderr
    assert "memory" in finished.stdout
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_ends_the_run_and_leaves_no_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scrimp", "export", *map(str, LARGE), "-o", str(tmp_path / "out.aut")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        wait_until_writing(process, tmp_path)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    assert process.returncode == 3
    assert "interrupted" in output
    assert "written" not in output
    assert list(tmp_path.iterdir()) == []


def test_not_even_a_kill_leaves_a_partial_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scrimp", "export", *map(str, LARGE), "-o", str(tmp_path / "out.aut")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        wait_until_writing(process, tmp_path)
        process.kill()
    assert list(tmp_path.iterdir()) == []


def wait_until_writing(process: subprocess.Popen[str] | subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until a process has written to a file of the folder, which need not have a name."""
    while not any(is_filling(handle, folder) for handle in Path(f"/proc/{process.pid}/fd").iterdir()):
        assert process.poll() is None


def is_filling(handle: Path, folder: Path) -> bool:
    try:
        return str(handle.readlink()).startswith(str(folder)) and handle.stat().st_size > 2**16
    except FileNotFoundError:  # closed meanwhile
        return False


def test_an_unfinished_table_is_dropped_silently(tmp_path: Path) -> None:
    finished = run_export(*LARGE, "-o", tmp_path / "out.parquet", "--time", "0.1s", "--quiet")
    reason = "UNFINISHED  the time limit was reached before all states were visited\n"
    assert (finished.returncode, finished.stdout, finished.stderr) == (3, reason, "")
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_the_file_and_says_so(tmp_path: Path) -> None:
    finished = run_export(MODELS / "peterson.dve", "-o", tmp_path / "out.aut.gz", "--minimise", "strong")
    found = read_lts(tmp_path / "out.aut.gz")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert f"written      {tmp_path / 'out.aut.gz'} · {found.states} states · {len(found.edges)} transitions" in (
        finished.stdout
    )
    assert gzip.decompress((tmp_path / "out.aut.gz").read_bytes()).startswith(b"des (0,")
