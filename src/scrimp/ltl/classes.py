"""Classes of properties that the syntax of a formula shows.

Manna and Pnueli, *A hierarchy of temporal properties*, PODC 1990; Sistla, *Safety, liveness and fairness in temporal
logic*, Formal Aspects of Computing 6, 1994. A formula may belong to a class although its syntax does not show it; on
automata, `Automaton.is_safety` sees more.
"""

from __future__ import annotations

from functools import lru_cache

from scrimp.ltl.formula import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
)
from scrimp.ltl.normal import negation_normal_form

_REMEMBERED = 1 << 16


def is_safety(formula: Formula) -> bool:
    """Whether each violation has a finite prefix that shows it: without negations before them, the formula has no
    other temporal operators than X, [], W and R."""
    return _is_safety(negation_normal_form(formula))


def is_guarantee(formula: Formula) -> bool:
    """Whether each satisfying word has a finite prefix that shows it: the negation is safety."""
    return _is_guarantee(negation_normal_form(formula))


def is_obligation(formula: Formula) -> bool:
    """Whether the formula is a Boolean combination of safety and guarantee formulas."""
    return _is_obligation(negation_normal_form(formula))


@lru_cache(_REMEMBERED)
def _is_safety(formula: Formula) -> bool:
    match formula:
        case Constant() | Atom() | Not():
            return True
        case And(operands) | Or(operands):
            return all(map(_is_safety, operands))
        case Next(operand) | Always(operand):
            return _is_safety(operand)
        case WeakUntil(left, right) | Release(left, right):
            return _is_safety(left) and _is_safety(right)
        case Eventually() | Until() | StrongRelease():
            return False


@lru_cache(_REMEMBERED)
def _is_guarantee(formula: Formula) -> bool:
    match formula:
        case Constant() | Atom() | Not():
            return True
        case And(operands) | Or(operands):
            return all(map(_is_guarantee, operands))
        case Next(operand) | Eventually(operand):
            return _is_guarantee(operand)
        case Until(left, right) | StrongRelease(left, right):
            return _is_guarantee(left) and _is_guarantee(right)
        case Always() | WeakUntil() | Release():
            return False


@lru_cache(_REMEMBERED)
def _is_obligation(formula: Formula) -> bool:
    if _is_safety(formula) or _is_guarantee(formula):
        return True
    match formula:
        case And(operands) | Or(operands):
            return all(map(_is_obligation, operands))
        case Next(operand):
            return _is_obligation(operand)
        case Until(left, right) | StrongRelease(right, left):
            return _is_obligation(left) and _is_guarantee(right)
        case WeakUntil(left, right) | Release(right, left):
            return _is_safety(left) and _is_obligation(right)
    return False
