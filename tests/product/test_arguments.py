"""The Python interface refuses what it cannot use, as the command line does: in one line, before it searches."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrimp

MODEL = Path(__file__).parents[2] / "models" / "broken_lock.dve"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"violations": 0}, 'violations: expected a whole number from 1 to .* or "all", found 0'),
        ({"violations": -1}, "violations: expected a whole number"),
        ({"violations": "some"}, "violations: expected a whole number"),
        ({"violations": 2**70}, "violations: expected a whole number"),
        ({"shuffle": True, "seed": -1}, "seed: expected a whole number from 0"),
        ({"shuffle": True, "seed": 2**64}, "seed: expected a whole number from 0"),
        ({"order": "dfs"}, r"order: expected an order such as BreadthFirst\(\), found 'dfs'"),
        ({"store": scrimp.Full}, r"store: expected a store such as Full\(\), found <class"),
        ({"reduction": None}, "reduction: expected a reduction"),
        ({"order": scrimp.BreadthFirst(), "store": scrimp.Cache(states=9)}, "store 'cache' needs --order dfs: "),
        ({"order": scrimp.BreadthFirst(), "reduction": scrimp.Local()}, "reduction 'local' needs --order dfs"),
        ({"audit": True}, "--audit has nothing to check"),
        ({"limits": 64}, "limits: expected limits"),
        ({"invariants": "taken <= 1"}, "invariants: expected a sequence of expressions, found 'taken <= 1'"),
        ({"invariants": None}, "invariants: expected a sequence of expressions, found None"),
        ({"deadlock": 0}, "deadlock: expected True or False, found 0"),
        ({"seed": 3}, "seed: 3 needs shuffle=True"),
        ({"shuffle": 3}, "shuffle: expected True or False, found 3"),
        ({"progress": 3}, "progress: expected a function of a Progress, found 3"),
        ({"reach": [3]}, r"reach: expected a sequence of expressions, found \[3\]"),
    ],
)
def test_an_argument_of_another_kind_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(scrimp.OptionError, match=message):
        scrimp.check(scrimp.load(MODEL), **arguments)


def test_invariants_that_can_be_looked_at_once_are_asked() -> None:
    asked = (text for text in ["taken <= 1", "false"])
    found = scrimp.check(scrimp.load(MODEL), invariants=asked)  # type: ignore[arg-type]
    assert found.verdict is scrimp.Verdict.REFUTED
    assert found.reason == "false does not hold"


@pytest.mark.parametrize("ask", [scrimp.check, scrimp.explore])
def test_a_path_is_no_model(ask: Callable[..., scrimp.Result]) -> None:
    with pytest.raises(scrimp.OptionError, match=r'model: expected a model such as load\("lock.dve"\), found'):
        ask(str(MODEL))


@pytest.mark.parametrize("defines", [{"MODULUS": 6.5}, {"MODULUS": True}, {3: "3"}, 3])
def test_constants_are_texts_or_whole_numbers(defines: Any) -> None:
    with pytest.raises(scrimp.OptionError, match="defines: expected "):
        scrimp.load(MODEL.with_name("sliding_window.dve"), defines)


def test_whole_numbers_are_taken_as_their_texts() -> None:
    net = MODEL.with_name("philosophers.pnml")
    assert scrimp.load(net, {"tokens": 5}) == scrimp.load(net, {"tokens": "5"})


def test_completion_offers_what_was_not_used_yet() -> None:
    offered = subprocess.run(
        [sys.executable, "-c", "import scrimp; print(*dir(scrimp))"], capture_output=True, text=True, check=True
    )
    assert set(scrimp.__all__) <= set(offered.stdout.split())
