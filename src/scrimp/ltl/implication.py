"""Implications between formulas that their syntax shows, and formulas whose truth lasts.

Somenzi and Bloem, *Efficient Büchi automata from LTL formulae*, CAV 2000; Etessami and Holzmann, *Optimizing Büchi
automata*, CONCUR 2000. All formulas are in negation normal form.

A formula is *eventual* if prepending letters to a word keeps it true, and *universal* if removing letters from the
beginning keeps it true.
"""

from __future__ import annotations

from functools import lru_cache

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
)

_REMEMBERED = 1 << 16


@lru_cache(_REMEMBERED)
def is_eventual(formula: Formula) -> bool:
    match formula:
        case Constant() | Eventually():
            return True
        case Atom() | Not():
            return False
        case And(operands) | Or(operands):
            return all(map(is_eventual, operands))
        case Next(operand) | Always(operand):
            return is_eventual(operand)
        case Until(_, right):
            return is_eventual(right)
        case Release(left, right) | WeakUntil(left, right) | StrongRelease(left, right):
            return is_eventual(left) and is_eventual(right)


@lru_cache(_REMEMBERED)
def is_universal(formula: Formula) -> bool:
    match formula:
        case Constant() | Always():
            return True
        case Atom() | Not():
            return False
        case And(operands) | Or(operands):
            return all(map(is_universal, operands))
        case Next(operand) | Eventually(operand):
            return is_universal(operand)
        case Release(_, right):
            return is_universal(right)
        case Until(left, right) | WeakUntil(left, right) | StrongRelease(left, right):
            return is_universal(left) and is_universal(right)


def is_suspendable(formula: Formula) -> bool:
    """Whether the formula's truth depends on the far end of a word only."""
    return is_eventual(formula) and is_universal(formula)


@lru_cache(_REMEMBERED)
def implies(left: Formula, right: Formula) -> bool:
    """Whether every word that satisfies `left` satisfies `right`; False may also mean that it does not show."""
    if left is right or left is FALSE or right is TRUE:
        return True
    if left is TRUE or right is FALSE:
        return False
    if isinstance(left, Or):
        return all(implies(each, right) for each in left.operands)
    if isinstance(right, And):
        return all(implies(left, each) for each in right.operands)
    return _by_left(left, right) or _by_right(left, right) or _side_by_side(left, right)


def _by_left(left: Formula, right: Formula) -> bool:
    """Implications because of what `left` says about now, or about later if `right` is eventual."""
    match left:
        case And(operands):
            return any(implies(each, right) for each in operands)
        case Always(operand):
            return implies(operand, right)
        case Next(operand) | Eventually(operand):
            return is_eventual(right) and implies(operand, right)
        case Until(first, second):
            return implies(second, right) and (is_eventual(right) or implies(first, right))
        case WeakUntil(first, second):
            return implies(first, right) and implies(second, right)
        case Release(_, second):
            return implies(second, right)
        case StrongRelease(first, second):
            return implies(second, right) or (is_eventual(right) and implies(first, right))
    return False


def _by_right(left: Formula, right: Formula) -> bool:
    """Implications because of what suffices for `right` now, or later if `left` is universal."""
    match right:
        case Or(operands):
            return any(implies(left, each) for each in operands)
        case Eventually(operand):
            return implies(left, operand)
        case Next(operand) | Always(operand):
            return is_universal(left) and implies(left, operand)
        case Until(_, second):
            return implies(left, second)
        case WeakUntil(first, second):
            return implies(left, second) or (is_universal(left) and implies(left, first))
        case Release(first, second):
            return implies(left, second) and (is_universal(left) or implies(left, first))
        case StrongRelease(first, second):
            return implies(left, first) and implies(left, second)
    return False


def _side_by_side(left: Formula, right: Formula) -> bool:
    """Implications between operators of the same shape."""
    match left, right:
        case (Next(a), Next(b)) | (Eventually(a), Eventually(b)) | (Always(a), Always(b)):
            return implies(a, b)
        case (Until(a, b), Until(c, d) | WeakUntil(c, d)) | (WeakUntil(a, b), WeakUntil(c, d)):
            return implies(a, c) and implies(b, d)
        case (StrongRelease(a, b), StrongRelease(c, d) | Release(c, d)) | (Release(a, b), Release(c, d)):
            return implies(a, c) and implies(b, d)
        case (StrongRelease(a, b), Until(c, d) | WeakUntil(c, d)) | (Release(a, b), WeakUntil(c, d)):
            return implies(b, c) and (implies(a, d) or implies(b, d))
        case (Until(a, b), StrongRelease(c, d) | Release(c, d)) | (WeakUntil(a, b), Release(c, d)):
            return implies(a, d) and implies(b, c) and implies(b, d)
    return False
