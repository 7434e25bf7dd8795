"""HGP92's Table I: which operations on one channel depend on each other if both can be executed.

Unlike the paper, we distinguish tests of the channel by what they test; and sorted sends and random receives depend on
every operation (erratum). A send that is executable on a full channel, where it loses its message or is a fault,
depends on receives.
"""

from __future__ import annotations

from itertools import product

import pytest
from tests.reduction.passing import Related, related

from scrimp.system.reference import State, initial
from scrimp.system.text import parse_system

CAPACITY = 3

OPERATIONS = {
    "send": "when len(c) < 3; c ! 2;",
    "two sends": "when len(c) <= 1; c ! 1; c ! 2;",
    "receive": "when len(c) > 0; c ? _;",
    "receive a 2": "when len(c) > 0 && message(c, 0, 0) == 2; c ? _;",
    "peek": "when 0 < len(c); {process}.x = message(c, 0, 0);",
    "not empty": "when len(c) != 0;",
    "not full": "when !(len(c) == 3);",
    "one message": "when len(c) == 1;",
    "length": "{process}.x = len(c);",
    "find": "{process}.x = find(c, 2) + 1;",
    "second message": "when len(c) > 0; {process}.x = message(c, 1, 0);",
    "unguarded send": "c ! 2;",
    "unguarded receive": "c ? _;",
    "lossy send": "if len(c) < 3 {{ c ! 2; }}",
    "sorted send": "when len(c) < 3; c !! 2;",
    "random receive": "when len(c) > 0; c ?[find(c, 2) >= 0] _;",
    "clear": "clear c;",
}
INDEPENDENT = {
    *product(("send", "two sends"), ("receive", "receive a 2", "peek", "not empty")),
    *product(("lossy send", "unguarded send"), ("peek", "not empty")),
    *product(("receive", "receive a 2", "unguarded receive"), ("not full",)),
    *product(("peek", "not empty", "not full", "one message", "length", "find", "second message"), repeat=2),
}


def model_of(one: str, other: str) -> Related:
    """A process for each of the operations."""
    return related(
        parse_system(
            f"""
            system s;
            process P {{ a, b }}
            process Q {{ a, b }}
            variable P.x: 0..3;
            variable Q.x: 0..3;
            channel c[{CAPACITY}]: {{0..3}};
            transition {{ P: a -> b; {OPERATIONS[one].format(process="P")} }}
            transition {{ Q: a -> b; {OPERATIONS[other].format(process="Q")} }}
            """
        )
    )


def fillings(model: Related) -> list[State]:
    """The initial state with whatever the channel may hold."""
    first = initial(model.system)
    contents = [messages for count in range(CAPACITY + 1) for messages in product(((1,), (2,), (3,)), repeat=count)]
    return [State(first.locations, first.values, (messages,)) for messages in contents]


def always_commute(model: Related) -> bool:
    return all(model.commute(state, 0, 1) for state in fillings(model) if model.enabled(state) == {0, 1})


@pytest.mark.parametrize("other", OPERATIONS)
@pytest.mark.parametrize("one", OPERATIONS)
def test_operations_are_independent_as_the_table_says_and_then_commute(one: str, other: str) -> None:
    model = model_of(one, other)
    is_independent = (one, other) in INDEPENDENT or (other, one) in INDEPENDENT
    assert model.relations.dependent(0, 1) != is_independent
    assert always_commute(model) or not is_independent


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("send", "send"),
        ("receive", "receive a 2"),
        ("send", "length"),
        ("receive", "length"),
        ("receive", "peek"),
        ("receive", "not empty"),
        ("send", "not full"),
        ("send", "find"),
        ("send", "lossy send"),
        ("send", "second message"),
        ("receive", "unguarded send"),
        ("send", "unguarded receive"),
        ("receive", "lossy send"),
        ("receive", "sorted send"),
        ("send", "random receive"),
        ("send", "clear"),
    ],
)
def test_operations_that_depend_on_each_other_need_not_commute(one: str, other: str) -> None:
    assert not always_commute(model_of(one, other))
