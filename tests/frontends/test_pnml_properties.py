"""Expressions over nets: tokens of places, enabled transitions, and names of any kind."""

from __future__ import annotations

import pytest
from tests.frontends.pnml import document, element, model, page, place, ptnet, text, value

import scrimp
from scrimp.errors import ModelError
from scrimp.system.reference import EvaluationFault, enabled, explore

NET = model(ptnet({"p": 3, "q": 1, "r": 0}, "p -> t * 2", "q -> u", "u -> r", "r -? v", "q -o w", "u -> p"))
ODD = model(
    document(
        page(
            place("P-poll 1", 2, "polling, first"),
            place("and", 3),
            place('"quoted"', 4),
            place("net.sub.p", 5),
            place("x(1)", 6),
            element("transition", element("name", text("P-poll 1")), id="T"),
        )
    )
)

VALUES = {
    "p": 3,
    "p + q * 2": 5,
    "p - q - 1": 1,
    "7 / 2 % 2": 1,
    "p == 3 && r == 0": 1,
    "p != 3 || q < 1": 0,
    "p >= 3 and not (r > 0 or q <= 0)": 1,
    "!q + 1": 1,
    "-p + 4": 1,
    "1 + 2 == 3 && 2 < 3 == 1": 1,
    "fireable(t)": 1,
    "fireable(u) + fireable(v) + fireable(w)": 1,
    '"p" + "q"': 4,
}


@pytest.mark.parametrize("expression", VALUES)
def test_expressions_mean_what_they_do_in_c(expression: str) -> None:
    assert value(NET, expression) == VALUES[expression]


def test_names_that_are_not_identifiers_are_quoted() -> None:
    assert value(ODD, '"P-poll 1"') == value(ODD, '"polling, first"') == 2
    assert value(ODD, '"and"') == 3
    assert value(ODD, r'"\"quoted\""') == 4
    assert value(ODD, "net.sub.p") == 5
    assert value(ODD, "x(1)") == 6
    assert value(ODD, 'fireable("P-poll 1")') == 1


def test_a_long_sum_does_not_nest_deeply() -> None:
    tokens = {f"p{number}": 1 for number in range(600)}
    net = model(ptnet(tokens))
    assert value(net, " + ".join(tokens)) == 600
    assert value(net, " && ".join(f"{name} <= 1" for name in tokens)) == 1


BROKEN = {
    "nobody": "<expression>:1:1: unknown place 'nobody', expected a place of this net",
    "p + fireable(p)": "<expression>:1:14: unknown transition 'p', expected a transition of this net",
    "p(1)": "<expression>:1:1: unknown place 'p(1)', expected a place of this net",
    "p +": "<expression>:1:4: found the end of the text, expected a place, a number, fireable(…)",
    "p q": "<expression>:1:3: found 'q', expected a place, a number, fireable(…) or an operator",
    "p\n$": "<expression>:2:1: found the character '$', expected a place, a number, fireable(…) or an operator",
    "9999999999": "<expression>:1:1: found the number 9999999999, expected at most 2147483647",
    '"\\p"': '<expression>:1:1: found "\\p", expected a name with JSON escapes',
    "!" * 200 + "p": "<expression>:1:1: this expression is nested more than 150 levels deep",
}


@pytest.mark.parametrize("expression", BROKEN)
def test_broken_expressions_are_refused_in_one_line(expression: str) -> None:
    with pytest.raises(ModelError) as refused:
        NET.expression(expression)
    assert str(refused.value) == BROKEN[expression]


def test_fireable_is_what_the_search_fires() -> None:
    """In every reachable state a transition is fireable if and only if it is enabled, even if known bounds on places
    have strengthened its guard."""
    net = model(ptnet({"p": 1, "q": 0, "r": 1}, "p -> t", "t -> q", "q -> u", "u -> p", "r -> u", "u -> r", "q -o t"))
    for state in explore(net.system).states:
        fired = {net.system.transitions[event].moves[0].text for event in enabled(net.system, state)}
        assert fired == {name for name in "tu" if value(net, f"fireable({name})", state)}


def test_invariants_and_goals_are_checked() -> None:
    result = scrimp.check(NET, allow_deadlock=True, invariant=["p + q + r <= 5"], reach=["r == 1 && !fireable(u)"])
    assert result.verdict is scrimp.Verdict.PROVED
    refuted = scrimp.check(NET, allow_deadlock=True, invariant=["fireable(t) || fireable(v)"])
    assert refuted.verdict is scrimp.Verdict.REFUTED
    trace = refuted.violations[0].trace
    assert trace is not None
    assert [move.text for step in trace.steps for move in step.moves] == ["t"]


MOST = 2**30 - 1
LARGE = model(ptnet({"p": MOST, "q": MOST, "r": MOST, "s": 0}, f"p -> t * {MOST}", "t -> s"))


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("p + q", 2**31 - 2),
        ("p + q - r", MOST),
        ("p - (q + r)", -MOST),
        ("s - p - q", 2 - 2**31),
        ("p * (s + 2)", 2**31 - 2),
        ("-p - q - 2", -(2**31)),
        ("p * s * q", 0),
        ("q / 2 + p + q / 2", 2**31 - 3),
    ],
)
def test_numbers_of_tokens_are_computed_within_32_bits(expression: str, number: int) -> None:
    assert value(LARGE, expression) == number


@pytest.mark.parametrize(
    "expression", ["p + q + r", "p + q + 2", "-p - q - r", "s - p - q - 3", "p * 4", "p * q", "(p + q) * (s + 2)"]
)
def test_a_number_that_does_not_fit_into_32_bits_has_no_value(expression: str) -> None:
    with pytest.raises(EvaluationFault, match="exceeds 2,147,483,647"):
        value(LARGE, expression)


def test_native_code_answers_nothing_about_a_sum_that_does_not_fit() -> None:
    result = scrimp.check(LARGE, invariant="p + q + r > 0", allow_deadlock=True)
    assert result.reason == "p + q + r > 0 cannot be evaluated: a number that is computed exceeds 2,147,483,647"
    with pytest.raises(scrimp.OptionError, match="cannot be evaluated in a reachable state"):
        scrimp.check(LARGE, reach="p + q + r < 0", allow_deadlock=True)
    assert scrimp.check(LARGE, reach="p + q == r", allow_deadlock=True).verdict is scrimp.Verdict.PROVED


def test_tests_are_added_only_where_numbers_may_be_large() -> None:
    expression = NET.expression("p + q * 3 - r * r")
    assert "Conditional" not in repr(expression)
