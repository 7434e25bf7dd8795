"""Property files: each formula becomes a question, and what cannot be decided is refused where it stands."""

from __future__ import annotations

import pytest
from tests.frontends.pnml import model, ptnet

from scrimp.errors import ModelError
from scrimp.frontends.pnml.contest import (
    Branching,
    Invariable,
    OnAllRuns,
    Possible,
    PossibleDeadlock,
    Question,
    UpperBound,
    read_properties,
)
from scrimp.frontends.pnml.properties import NetScope
from scrimp.ltl.parse import parse

NET = model(ptnet({"p": 3, "q": 1}, "p -> t", "t -> q", "q -> u"))
P_LE_2 = "<integer-le><tokens-count><place>p</place></tokens-count><integer-constant>2</integer-constant></integer-le>"
T = "<is-fireable><transition>t</transition></is-fireable>"


def file(formula: str) -> str:
    return f"<property-set>\n<property><id>x</id>\n<formula>{formula}</formula></property></property-set>"


def question(formula: str) -> Question:
    assert isinstance(NET.scope, NetScope)
    (found,) = read_properties("f.xml", file(formula), NET.scope.net)
    assert found.id == "x"
    return found.question


def test_reachability_asks_for_a_marking() -> None:
    assert question(f"<exists-path><finally>{P_LE_2}</finally></exists-path>") == Possible('(("p") <= 2)')


def test_an_invariant_is_about_all_markings() -> None:
    formula = f"<all-paths><globally><negation>{T}</negation></globally></all-paths>"
    assert question(formula) == Invariable('!(fireable("t"))')


def test_several_transitions_mean_one_of_them() -> None:
    either = "<is-fireable><transition>t</transition><transition>u</transition></is-fireable>"
    asked = question(f"<exists-path><finally>{either}</finally></exists-path>")
    assert asked == Possible('(fireable("t") || fireable("u"))')


def test_a_dead_marking_is_asked_for_by_name() -> None:
    assert question("<exists-path><finally><deadlock/></finally></exists-path>") == PossibleDeadlock()


def test_a_dead_marking_within_a_formula_is_one_that_enables_no_transition() -> None:
    alive = "<all-paths><globally><negation><deadlock/></negation></globally></all-paths>"
    assert question(alive) == Invariable('!!(fireable("t") || fireable("u"))')


def test_numbers_are_added_subtracted_and_multiplied_from_the_left() -> None:
    p = "<tokens-count><place>p</place></tokens-count>"
    product = f"<integer-product>{p}{p}</integer-product>"
    difference = f"<integer-difference>{product}{p}<integer-constant>1</integer-constant></integer-difference>"
    test = f"<integer-eq>{difference}<integer-constant>5</integer-constant></integer-eq>"
    asked = question(f"<exists-path><finally>{test}</finally></exists-path>")
    assert asked == Possible('(((("p") * ("p")) - ("p") - 1) == 5)')


def test_a_constant_may_be_negative() -> None:
    test = "<integer-lt><integer-constant> -2 </integer-constant><integer-constant>0</integer-constant></integer-lt>"
    assert question(f"<exists-path><finally>{test}</finally></exists-path>") == Possible("((-2) < 0)")


def test_a_bound_is_that_of_a_sum() -> None:
    asked = question("<place-bound><place>p</place><place>q</place></place-bound>")
    assert asked == UpperBound(("p", "q"))
    assert asked.expression == '"p" + "q"'


def test_no_places_hold_no_tokens_and_no_transitions_are_enabled() -> None:
    assert question("<place-bound/>").expression == "0"  # type: ignore[union-attr]
    test = "<integer-le><tokens-count/><integer-constant>0</integer-constant></integer-le>"
    assert question(f"<all-paths><globally>{test}</globally></all-paths>") == Invariable("((0) <= 0)")
    assert question("<exists-path><finally><is-fireable/></finally></exists-path>") == Possible("(0)")


def test_path_formulas_are_those_of_linear_temporal_logic() -> None:
    until = f"<until><before>{P_LE_2}</before><reach><next><finally>{T}</finally></next></reach></until>"
    asked = question(f"<all-paths><globally>{until}</globally></all-paths>")
    assert asked == OnAllRuns(parse('[] ({(("p") <= 2)} U X <> {(fireable("t"))})'))


def test_equivalence_compares_truth_values() -> None:
    asked = question(f"<all-paths><globally><equivalence>{P_LE_2}{T}</equivalence></globally></all-paths>")
    assert asked == Invariable('(!!(("p") <= 2) == !!(fireable("t")))')


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (
            f"<exists-path><globally>{T}</globally></exists-path>",
            "f.xml:3:10: found <exists-path> with <globally>: CTL is not supported",
        ),
        (
            f"<all-paths><finally><exists-path><next>{T}</next></exists-path></finally></all-paths>",
            "f.xml:3:30: found <exists-path> inside a path formula: CTL is not supported",
        ),
        (
            f"<negation><exists-path><finally>{T}</finally></exists-path></negation>",
            "f.xml:3:10: found <negation> around path quantifiers: CTL is not supported",
        ),
    ],
)
def test_what_is_neither_reachability_nor_linear_is_branching(formula: str, message: str) -> None:
    found = question(formula)
    assert isinstance(found, Branching)
    assert str(found.error) == message


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (T, "f.xml:3:10: found <is-fireable>, expected <all-paths>, <exists-path> or <place-bound>"),
        (
            "<place-bound><place>z</place></place-bound>",
            "f.xml:3:23: unknown place 'z', expected a place of the net",
        ),
        (
            "<all-paths><globally><is-fireable><transition>z</transition></is-fireable></globally></all-paths>",
            "f.xml:3:44: unknown transition 'z', expected a transition of the net",
        ),
        (
            "<all-paths><globally><is-live/></globally></all-paths>",
            "f.xml:3:31: found <is-live>, expected a formula",
        ),
        (
            "<all-paths><globally><integer-le><tokens-count/><integer-constant>2147483648</integer-constant>"
            "</integer-le></globally></all-paths>",
            "f.xml:3:58: found the number 2147483648, expected at most 2147483647",
        ),
        (
            "<place-bound><plaice>p</plaice></place-bound>",
            "f.xml:3:10: found <place-bound> without <place>, expected one at least",
        ),
    ],
)
def test_what_cannot_be_decided_is_refused(formula: str, message: str) -> None:
    with pytest.raises(ModelError) as raised:
        question(formula)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<pnml/>", "f.xml:1:1: found <pnml>, expected <property-set>"),
        ("<property-set/>", "f.xml:1:1: found no <property>, expected one at least"),
        (
            "<property-set><property><id>x</id></property></property-set>",
            "f.xml:1:15: found a <property> without <id> and <formula>, expected both",
        ),
        ("<property-set>", "f.xml:1:15: invalid XML: no element found"),
        (
            "<property-set>"
            + 2 * "<property><id>x</id><formula><place-bound><place>p</place></place-bound></formula></property>\n"
            + "</property-set>",
            "f.xml:2:1: the id 'x' is already used by another property",
        ),
    ],
)
def test_other_files_are_refused(text: str, message: str) -> None:
    assert isinstance(NET.scope, NetScope)
    with pytest.raises(ModelError) as raised:
        read_properties("f.xml", text, NET.scope.net)
    assert str(raised.value) == message
