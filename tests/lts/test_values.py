"""The values of states beside an exported LTS: one row for each state, under its number in the LTS."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.lts.random_lts import aut_text, random_edges
from tests.lts.reading import read_lts
from tests.lts.test_export import EXACT

import scrimp
from scrimp.system import reference
from scrimp.system.reference import State
from scrimp.valuation import Valuation

MODELS = Path(__file__).resolve().parents[2] / "models"

METHODS = [
    "bfs full",
    "dfs full",
    "bfs full:compress=tree",
    "dfs full:compress=huffman",
    *EXACT,
    "dfs cache:states=30",
    "dfs cache:states=30,compress=huffman",
    "bfs snapshots",
    "bfs snapshots:(c3,LLNR,1)",
    "bfs pseudoroot:source=given,states=12",
    "dfs pseudoroot:source=given,states=25",
]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_writes_each_state_under_its_number_in_the_lts(tmp_path: Path, method: str) -> None:
    order, store = method.split()
    for seed in range(6):
        edges = random_edges(seed)
        (tmp_path / "random.aut").write_text(aut_text(edges))
        lts, values = tmp_path / "out.aut", tmp_path / "out.csv"
        found = scrimp.export(tmp_path / "random.aut", lts, values=values, order=order, store=store)
        if found.states is None:
            assert not values.exists()
            continue
        rows = rows_of(values)
        assert sorted(int(row["state"]) for row in rows) == list(range(found.states))
        given = {int(row["state"]): int(row["lts"]) for row in rows}
        written = read_lts(lts)
        assert given[written.initial] == 0
        assert {(given[source], label, given[target]) for source, label, target in written.edges} <= set(edges)
        values.unlink()


@pytest.mark.parametrize("name", ["peterson.dve", "leader_election.pml", "philosophers.pnml"])
def test_the_values_are_those_of_all_states_that_the_reference_interpreter_reaches(tmp_path: Path, name: str) -> None:
    model = scrimp.load(MODELS / name)
    scrimp.export(model, tmp_path / "out.aut", values=tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    valuation = Valuation(model)
    expected = [
        {name: cell for name, cell in zip(valuation.columns, valuation.cells(state), strict=True) if cell is not None}
        for state in reachable(model)
    ]
    assert sorted(json.dumps(line["values"]) for line in lines) == sorted(map(json.dumps, expected))


def reachable(model: scrimp.Model) -> set[State]:
    """The states of a model that are not transient."""
    met = {reference.initial(model.system)}
    waiting = list(met)
    while waiting:
        state = waiting.pop()
        for event in reference.enabled(model.system, state):
            after = reference.fire(model.system, state, event)
            if isinstance(after, State) and after not in met:
                met.add(after)
                waiting.append(after)
    return {state for state in met if state.holder is None}


COUNTER = """\
mtype = { red, green };
mtype light = red;
chan q = [2] of { byte, mtype };
active proctype P() { byte x; q!7(green); light = green; x = 3 }
"""


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    path = tmp_path / "counter.pml"
    path.write_text(COUNTER)
    return path


def test_a_csv_file_shows_locations_names_and_messages_as_traces_do(counter: Path, tmp_path: Path) -> None:
    scrimp.export(counter, tmp_path / "out.aut", values=tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == (
        "state,P:0,light,P:0.x,q\n"
        "0,s1,red,0,[]\n"
        "1,s2,red,0,[7 green]\n"
        "2,s3,green,0,[7 green]\n"
        "3,s4,green,3,[7 green]\n"
        "4,,green,,[7 green]\n"
    )


def test_a_jsonl_file_has_an_object_for_each_state_without_variables_of_absent_processes(
    counter: Path, tmp_path: Path
) -> None:
    scrimp.export(counter, tmp_path / "out.aut", values=tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert json.loads(lines[1]) == {
        "state": 1,
        "values": {"P:0": "s2", "light": "red", "P:0.x": 0, "q": [[7, "green"]]},
    }
    assert json.loads(lines[4]) == {"state": 4, "values": {"light": "green", "q": [[7, "green"]]}}


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_compressed_file_has_the_same_text(counter: Path, tmp_path: Path, suffix: str) -> None:
    for name in (f"out.{suffix}", f"out.{suffix}.gz"):
        scrimp.export(counter, tmp_path / "out.aut", values=tmp_path / name)
    compressed = gzip.decompress((tmp_path / f"out.{suffix}.gz").read_bytes())
    assert compressed == (tmp_path / f"out.{suffix}").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"values": "out.txt"}, r"--values .*out\.txt: unknown format '\.txt' \(choices: \.csv, \.jsonl\)"),
        (
            {"values": "out.csv", "minimise": "strong"},
            "--values cannot be combined with --minimise: bisimilar states may have different values",
        ),
        ({"values": "lts.aut"}, "--values and --output both name"),
        ({"values": "absent/out.csv"}, "cannot write .*out.csv: there is no directory"),
    ],
)
def test_values_that_cannot_be_written_are_refused(
    counter: Path, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    options["values"] = tmp_path / options["values"]
    with pytest.raises(scrimp.OptionError, match=message):
        scrimp.export(counter, tmp_path / "lts.aut", **options)
    assert list(tmp_path.iterdir()) == [counter]


def test_a_search_that_is_cut_short_leaves_no_file(counter: Path, tmp_path: Path) -> None:
    scrimp.export(counter, tmp_path / "lts.aut", values=tmp_path / "out.csv", depth=2)
    assert list(tmp_path.iterdir()) == [counter]
