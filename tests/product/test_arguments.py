"""The Python interface refuses what it cannot use, as the command line does: in one line, before it searches."""

from __future__ import annotations

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
        ({"store": scrimp.Cache(states=9)}, "a store that forgets terminates only under a search that holds its path"),
        ({"reduction": scrimp.Local() + scrimp.Sleep()}, "a reduction knows what it may leave out only under"),
        ({"audit": True}, "there is nothing to audit"),
        ({"limits": 64}, "limits: expected limits"),
        ({"invariants": "taken <= 1"}, "invariants: expected a sequence of expressions, found 'taken <= 1'"),
        ({"reach": [3]}, r"reach: expected a sequence of expressions, found \[3\]"),
    ],
)
def test_an_argument_of_another_kind_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(scrimp.OptionError, match=message):
        scrimp.check(scrimp.load(MODEL), **arguments)
