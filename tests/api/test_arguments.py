"""The Python interface refuses unusable arguments as the command line does: in one line, before it searches."""

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
        ({"order": "dsf"}, r"unknown order 'dsf'; did you mean 'dfs'\?"),
        ({"order": 3}, r"order: expected an order such as BreadthFirst\(\), found 3"),
        ({"store": "ful"}, r"unknown store 'ful'; did you mean 'full'\?"),
        ({"store": "full:compress=tre"}, "store 'full': option 'compress' takes .*, found 'tre'"),
        ({"store": scrimp.Full}, r"store: expected a store such as Full\(\), found <class"),
        ({"reduction": "slep"}, r"unknown reduction 'slep'; did you mean 'sleep'\?"),
        ({"reduction": False}, "reduction: expected a reduction"),
        ({"method": "dfs/full/slep"}, r"method: unknown reduction 'slep'; did you mean 'sleep'\?"),
        ({"method": 3}, "method: expected a method such as 'dfs/full/sleep', found 3"),
        ({"method": "dfs", "store": "full"}, "method: give either a method or its parts; found method and store"),
        ({"order": "bfs", "store": scrimp.Cache(states=9)}, "store 'cache' needs --order dfs"),
        ({"method": "bfs/full/local+sleep"}, r"reduction 'local\+sleep' needs --order dfs"),
        ({"audit": True, "as_written": True}, "--audit has nothing to check"),
        ({"memory": "lots"}, "memory: expected an amount of memory such as 64M or 2G, found 'lots'"),
        ({"memory": True}, "memory: expected a number of bytes or a text such as '200M', found True"),
        ({"memory": 0.5}, "memory: expected a number of bytes or a text such as '200M', found 0.5"),
        ({"memory": -1}, "memory: the limit must be positive and finite, found -1"),
        ({"time": "soon"}, "time: expected a time such as 30s, 10m or 1h30m, found 'soon'"),
        ({"time": []}, r"time: expected a number of seconds or a text such as '10m', found \[\]"),
        ({"time": 0}, "time: the limit must be positive and finite, found 0"),
        ({"depth": 1.5}, "depth: the limit must be a whole number"),
        ({"depth": "3"}, "depth: the limit must be"),
        ({"threads": 0}, "threads: expected a whole number from 1 to 1024, found 0"),
        ({"threads": 1025}, "threads: expected a whole number from 1 to 1024, found 1025"),
        ({"threads": True}, "threads: expected a whole number from 1 to 1024, found True"),
        ({"threads": 2.0}, r"threads: expected a whole number from 1 to 1024, found 2\.0"),
        ({"threads": "2"}, "threads: expected a whole number from 1 to 1024, found '2'"),
        ({"threads": 2, "order": "dfs"}, "--threads 2: a search with order 'dfs' has one thread"),
        ({"invariant": None}, "invariant: expected an expression or several, found None"),
        ({"allow_deadlock": 0}, "allow_deadlock: expected True or False, found 0"),
        ({"seed": 3}, "seed: 3 needs shuffle=True"),
        ({"shuffle": 3}, "shuffle: expected True or False, found 3"),
        ({"progress": 3}, "progress: expected a function of a Progress, found 3"),
        ({"reach": [3]}, r"reach: expected an expression or several, found \[3\]"),
    ],
)
def test_an_argument_of_the_wrong_type_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(scrimp.OptionError, match=message):
        scrimp.check(scrimp.load(MODEL), **arguments)


def test_invariants_may_come_from_an_iterator() -> None:
    asked = (text for text in ["taken <= 1", "false"])
    found = scrimp.check(scrimp.load(MODEL), invariant=asked)
    assert found.verdict is scrimp.Verdict.REFUTED
    assert found.reason == "false does not hold"


@pytest.mark.parametrize("ask", [scrimp.check, scrimp.explore, scrimp.simulate, scrimp.advise])
def test_a_number_is_not_a_model(ask: Callable[..., object]) -> None:
    with pytest.raises(scrimp.OptionError, match=r'model: expected a model such as load\("lock.dve"\), or its path'):
        ask(3)


def test_an_unusable_argument_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="unknown order"):
        scrimp.check(MODEL, order="dsf")


@pytest.mark.parametrize("defines", [{"MODULUS": 6.5}, {"MODULUS": True}, {3: "3"}, 3])
def test_constants_must_be_strings_or_integers(defines: Any) -> None:
    with pytest.raises(scrimp.OptionError, match="defines: expected "):
        scrimp.load(MODEL.with_name("sliding_window.dve"), defines=defines)


def test_integers_are_taken_as_their_texts() -> None:
    net = MODEL.with_name("philosophers.pnml")
    assert scrimp.load(net, defines={"tokens": 5}) == scrimp.load(net, defines={"tokens": "5"})


def test_completion_offers_public_names_that_are_not_imported_yet() -> None:
    offered = subprocess.run(
        [sys.executable, "-c", "import scrimp; print(*dir(scrimp))"], capture_output=True, text=True, check=True
    )
    assert set(scrimp.__all__) <= set(offered.stdout.split())
