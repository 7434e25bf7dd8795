"""The JSON record: stable, complete and documented."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.results import COMPACTED, PROVED, REBUILT, REFERENCED, REFUTED, SAMPLED

from scrimp.evidence import Violation
from scrimp.outputs.json import record_pieces, result_pieces
from scrimp.result import Result
from scrimp.steps import Step, StepMove, Trace
from scrimp.system.violations import ViolationKind

MANUAL = Path(__file__).parents[2] / "docs" / "json.md"

PROMISED = re.findall(
    r"\w+",
    """verdict reason ending property properties model strategy states states_exact visits transitions matched depth
    levels deadlocks stored_peak bytes_peak bytes_per_state events_executed seconds compile_seconds trace""",
)

TYPES: dict[str, Any] = {"number": (int, float), "text": str, "list": list, "object": dict, "bool": bool}
MAY_BE_NULL = ("trace", "states_forecast")


def documented(section: int) -> dict[str, str]:
    """Key → type of the nth table of the manual."""
    tables = re.split(r"\n\| key \| type \| meaning \|\n", MANUAL.read_text(encoding="utf-8"))
    rows = tables[section].split("\n\n")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", rows, re.MULTILINE))


@pytest.mark.parametrize("result", [PROVED, REFUTED], ids=["proved", "refuted"])
def test_the_record_has_exactly_the_documented_keys(result: Result) -> None:
    assert list(result.to_dict()) == list(documented(1))


def test_the_record_has_every_key_the_design_promises() -> None:
    assert set(PROMISED) <= set(documented(1))


@pytest.mark.parametrize("result", [PROVED, REFUTED], ids=["proved", "refuted"])
def test_values_have_the_documented_types(result: Result) -> None:
    record = result.to_dict()
    for key, kind in documented(1).items():
        assert isinstance(record[key], TYPES[kind]) or (key in MAY_BE_NULL and record[key] is None), key


def test_the_steps_of_a_trace_have_the_documented_keys() -> None:
    for step in REFUTED.to_dict()["trace"]["steps"]:
        assert list(step) == list(documented(2))


def test_the_text_is_json_that_parses_to_the_record() -> None:
    assert json.loads("".join(result_pieces(REFUTED))) == json.loads(json.dumps(REFUTED.to_dict()))


def test_the_text_of_a_trace_is_produced_step_by_step() -> None:
    trace = Trace((Step(0, (StepMove("P", "s", "s", "s -> s { }", 1, 1),)),) * 1000)
    result = replace(REFUTED, violations=(Violation(ViolationKind.DEADLOCK, "", "deadlock", trace),))
    assert max(len(piece) for piece in result_pieces(result)) < 1000
    assert json.loads("".join(result_pieces(result))) == json.loads(json.dumps(result.to_dict()))


def test_each_key_stands_on_a_line_of_its_own() -> None:
    lines = "".join(result_pieces(PROVED)).splitlines()
    for key in PROVED.to_dict():
        assert any(line.startswith(f'  "{key}": ') for line in lines)


def test_long_values_are_broken_by_element() -> None:
    record = {"short": [1, 2], "long": [{"name": "x" * 60}, {"name": "y" * 60}], "object": {"steps": ["z" * 100] * 2}}
    text = "".join(record_pieces(record))
    assert json.loads(text) == record
    assert max(len(line) for line in text.splitlines()) < 120


def test_the_record_names_the_strategy_by_its_options() -> None:
    assert PROVED.to_dict()["strategy"] == {
        "method": "bfs/full:compress=tree",
        "order": {"name": "bfs"},
        "store": {"name": "full", "compress": "tree"},
        "reduction": {"name": "none"},
        "order_reason": "",
        "store_reason": "",
        "reduction_reason": "",
        "passes": [],
        "symmetry": [],
        "seed": None,
        "audit": False,
    }


def test_derived_numbers_are_filled_in() -> None:
    record = PROVED.to_dict()
    assert record["visits"] == record["stored_peak"] == record["states"] == 12_376
    assert record["events_executed"] == record["transitions"]
    assert record["bytes_per_state"] == 8.0
    assert record["bytes_peak"] == 3 * 2**19


def test_the_effort_to_rebuild_states_is_recorded() -> None:
    record = REBUILT.to_dict()
    assert record["reconstructions"] == {"states": 9_000, "events": 60_000, "detections": 12}
    assert record["events_per_transition"] == round(1 + 60_000 / 40_123, 6)
    assert PROVED.to_dict()["reconstructions"] == {"states": 0, "events": 0, "detections": 0}
    assert PROVED.to_dict()["events_per_transition"] == 1.0


def test_the_numbers_of_snapshots_are_recorded() -> None:
    record = SAMPLED.to_dict()["snapshots"]
    assert (record["taken"], record["kept"], record["backtracking"]) == (70, 4, 12)
    assert list(record["hits_by_cache"]) == [900, 80]
    assert (record["hits_by_open"], record["hits_by_kept"], record["hits_by_backtracking"]) == (50, 7, 3)
    assert list(record["hits_by_distance"]) == [400, 500, 130]
    assert PROVED.to_dict()["snapshots"]["taken"] == 0


def test_the_numbers_of_counted_references_are_recorded() -> None:
    assert REFERENCED.to_dict()["pseudoroot"] == {
        "kept": 31,
        "discarded": 700,
        "restarts": 1,
        "counted_states": 12_376,
        "counted_bytes": 3 * 2**20,
        "counted_seconds": 0.25,
    }
    assert not any(PROVED.to_dict()["pseudoroot"].values())


def test_expected_omissions_are_recorded() -> None:
    assert COMPACTED.to_dict()["expected_omissions"] == 0.0178
    assert PROVED.to_dict()["expected_omissions"] == 0


def test_the_trace_of_a_result_is_the_first_violations() -> None:
    assert REFUTED.to_dict()["trace"] == REFUTED.to_dict()["violations"][0]["trace"]
