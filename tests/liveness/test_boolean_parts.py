"""In parts of a formula without temporal operators, operands are evaluated from left to right, as far as necessary."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import scrimp
from scrimp import boolean_parts, temporal

ROUND = (
    "byte a[3], i; bool b; active proctype P() { do :: i < 3 -> i++ :: i == 3 -> i = 0; a[1] = 1 - a[1]; b = !b od }"
)

# The verdicts are SPIN's.
FORMULAS = {
    "[] (i < 3 -> a[i] < 2)": "proved",
    "[] (i < 3 -> a[i] == 0)": "refuted",
    "[] (i >= 3 || a[i] < 2)": "proved",
    "[] (i == 3 || b || a[i] == 0)": "proved",
    "[] (b || i == 3 || a[i] == 0)": "proved",
    "[] !(i < 3 && a[i] == 1 && !b)": "proved",
    "[] (!(i < 3 && a[i] == 1) || b)": "proved",
    "[] <> (i < 3 && a[i] == 1)": "proved",
    "<> [] (i < 3 && a[i] == 1)": "refuted",
    "[] ((i < 3 && a[i] == 1) -> <> (i < 3 && a[i] == 0))": "proved",
    "(i == 3 || a[i] == 0) U (i < 3 && a[i] == 1)": "proved",
    "(i < 3 -> a[i] == 0) W b": "proved",
    "[] ((i < 3 -> (b || 6 / (3 - i) > 1)) && i < 4)": "proved",
}

MUTANTS = {
    "operands change places": ("operands = (negation(left), right)", "operands = (right, negation(left))"),
    "an implication is a disjunction": ('if operator == "->" else', "if False else"),
    "every operator is a conjunction": ('conjunction if operator == "&&" else disjunction', "conjunction"),
    "atoms always have a value": ("may_fault(self._model.expression(atom))", "False"),
}


def verdict(formula: str) -> str:
    return scrimp.check(scrimp.load(text=ROUND, language="promela"), ltl=formula).verdict.value


@pytest.mark.parametrize("formula", FORMULAS)
def test_an_operand_without_a_value_may_be_guarded(formula: str) -> None:
    assert verdict(formula) == FORMULAS[formula]


@pytest.mark.parametrize("formula", ["[] (a[i] < 2 || i == 3)", "[] (i < 3 -> a[i] U b)", "[] (i == 3 <-> a[i] == 1)"])
def test_an_operand_without_a_value_is_an_error_without_a_guard(formula: str) -> None:
    with pytest.raises(scrimp.OptionError, match="cannot be evaluated in a reachable state: index 3 is outside"):
        verdict(formula)


def test_a_mistake_beside_a_guard_has_its_place() -> None:
    with pytest.raises(scrimp.ModelError, match=r":1:22: unknown name 'c'"):
        verdict("[] (i < 3 -> a[i] == c)")


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = MUTANTS[name]
    text = inspect.getsource(boolean_parts)
    assert text.count(before) == 1
    mutated = ModuleType(boolean_parts.__name__)
    exec(compile(text.replace(before, after), str(boolean_parts.__file__), "exec"), mutated.__dict__)
    monkeypatch.setattr(temporal, "BooleanParts", mutated.__dict__["BooleanParts"])
    assert any(differs(formula) for formula in FORMULAS)


def differs(formula: str) -> bool:
    try:
        return verdict(formula) != FORMULAS[formula]
    except scrimp.OptionError:
        return True
