"""Negation normal form: negations stand only before atoms."""

from __future__ import annotations

from scrimp.ltl.formula import (
    FALSE,
    TRUE,
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
    conjunction,
    disjunction,
    subformulas,
)


def negation_normal_form(formula: Formula) -> Formula:
    return _both_ways(formula)[0]


def negated(formula: Formula) -> Formula:
    """The negation of a formula, in negation normal form."""
    return _both_ways(formula)[1]


def _both_ways(formula: Formula) -> tuple[Formula, Formula]:
    """The formula and its negation, both in negation normal form."""
    made: dict[Formula, tuple[Formula, Formula]] = {}
    for part in subformulas(formula):
        made[part] = _pair(part, made)
    return made[formula]


def _pair(formula: Formula, made: dict[Formula, tuple[Formula, Formula]]) -> tuple[Formula, Formula]:
    match formula:
        case Constant(value):
            return (TRUE, FALSE) if value else (FALSE, TRUE)
        case Atom():
            return formula, Not(formula)
        case Not(operand):
            positive, negative = made[operand]
            return negative, positive
        case And(operands):
            return conjunction(made[each][0] for each in operands), disjunction(made[each][1] for each in operands)
        case Or(operands):
            return disjunction(made[each][0] for each in operands), conjunction(made[each][1] for each in operands)
        case Next(operand):
            return Next(made[operand][0]), Next(made[operand][1])
        case Eventually(operand):
            return Eventually(made[operand][0]), Always(made[operand][1])
        case Always(operand):
            return Always(made[operand][0]), Eventually(made[operand][1])
        case Until(left, right):
            return Until(made[left][0], made[right][0]), Release(made[left][1], made[right][1])
        case Release(left, right):
            return Release(made[left][0], made[right][0]), Until(made[left][1], made[right][1])
        case WeakUntil(left, right):
            return WeakUntil(made[left][0], made[right][0]), StrongRelease(made[left][1], made[right][1])
        case StrongRelease(left, right):
            return StrongRelease(made[left][0], made[right][0]), WeakUntil(made[left][1], made[right][1])
