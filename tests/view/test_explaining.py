"""Why a formula is true or false: the tree names the parts that decide, and where."""

from __future__ import annotations

import random
from typing import Any

from tests.view.serving import MODELS

from scrimp.checking import check
from scrimp.frontends import load
from scrimp.ltl.formula import atoms
from scrimp.ltl.parse import parse
from scrimp.ltl.words import evaluate
from scrimp.system import reference
from scrimp.system.reference import State
from scrimp.viewing.explaining import explain_expression, explain_formula
from scrimp.walking import Walk, follow_trace, take_random_steps

CYCLE = "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 1 od }"


def lasso(formula: str) -> Walk:
    model = load(text=CYCLE, language="promela")
    trace = check(model, ltl=formula).trace
    assert trace is not None
    walk = Walk(model)
    follow_trace(walk, trace, "the trace")
    return walk


def leaves(node: Any) -> list[tuple[str, int | None]]:
    parts = node.get("parts", ())
    return [leaf for part in parts for leaf in leaves(part)] if parts else [(node["text"], node.get("at"))]


def test_of_a_conjunction_that_is_false_only_the_false_parts_matter() -> None:
    walk = Walk(load(MODELS / "broken_lock.dve"))
    tree = explain_expression(walk, 0, "taken == 0 and inside == 1")
    assert tree["holds"] is False
    assert [(part["text"], part.get("idle", False)) for part in tree["parts"]] == [
        ("taken == 0", True),
        ("inside == 1", False),
    ]
    assert tree["parts"][1]["parts"] == [{"text": "inside", "holds": False, "value": "0"}]


def test_always_points_to_the_first_state_in_which_its_operand_is_false() -> None:
    walk = lasso("[] (x < 3)")
    tree = explain_formula(walk, 0, "[] (x < 3)")
    (part,) = tree["parts"]
    assert tree["holds"] is False
    state = walk.state(part["at"])
    assert isinstance(state, State)
    assert reference.evaluate(walk.system, state, walk.model.expression("x")) == 3


def test_eventually_says_that_no_state_fulfils_it() -> None:
    tree = explain_formula(lasso("<> (x > 3)"), 0, "<> (x > 3)")
    assert (tree["holds"], tree["note"]) == (False, "in no state from here on")


def test_a_formula_that_a_walk_does_not_decide_is_open() -> None:
    walk = Walk(load(text=CYCLE, language="promela"))
    tree = explain_formula(walk, 0, "<> (x == 3)")
    assert (tree["holds"], tree["note"]) == (None, "the walk ends before this is decided")


def test_on_a_lasso_the_tree_agrees_with_the_meaning_of_formulas() -> None:
    walk = lasso("<> [] (x == 2)")
    start = walk.before_cycle or 0
    states = list(walk.states(0, walk.length))
    operators = ["[] {}", "<> {}", "X {}", "!{}", "({} U {})", "({} W {})", "({} R {})", "({} M {})", "({} && {})"]
    chosen = random.Random(7)
    for _ in range(150):
        text = chosen.choice(["(x == 2)", "(x > 1)", "(x < 3)"])
        for _ in range(chosen.randint(1, 3)):
            text = (
                chosen.choice(operators).replace("{}", text, 1).replace("{}", chosen.choice(["(x == 1)", "(x != 3)"]))
            )
        formula = parse(text, file="test")
        tests = {name: walk.model.expression(name) for name in atoms(formula)}
        word = [
            frozenset(name for name, test in tests.items() if reference.evaluate(walk.system, state, test))
            for state in states
        ]
        assert explain_formula(walk, 0, text)["holds"] is evaluate(formula, word[:start], word[start:]), text


def test_a_long_walk_is_explained_without_recursion() -> None:
    walk = Walk(load(text=CYCLE, language="promela"))
    take_random_steps(walk, random.Random(0), 3000)
    assert explain_formula(walk, 0, "[] (x <= 3)")["holds"] is None
