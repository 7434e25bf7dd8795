"""Simpler formulas with the same meaning, which lead to smaller automata.

The laws are those of Etessami and Holzmann (CONCUR 2000), Somenzi and Bloem (CAV 2000) and of the manual of Spot's
library (Duret-Lutz, *Spot's temporal logic formulas*), with their conditions decided by `implication`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from scrimp.ltl.formula import (
    FALSE,
    TRUE,
    Always,
    And,
    Constant,
    Eventually,
    Formula,
    Next,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    conjunction,
    disjunction,
    operands,
    rebuilt,
    subformulas,
)
from scrimp.ltl.implication import implies, is_eventual, is_suspendable, is_universal
from scrimp.ltl.normal import negated, negation_normal_form

_REMEMBERED = 1 << 14


def simplified(formula: Formula) -> Formula:
    """A simpler formula in negation normal form."""
    return _settled(negation_normal_form(formula))


@lru_cache(_REMEMBERED)
def _settled(formula: Formula) -> Formula:
    """Rewrite from the innermost subformulas on until nothing changes. No law makes a formula that another one turns
    back: each has fewer operators, fewer temporal operators, or moves them inwards or outwards in one direction."""
    made: dict[Formula, Formula] = {}
    for part in subformulas(formula):
        made[part] = _once(rebuilt(part, tuple(made[each] for each in operands(part))))
    return made[formula]


def _once(formula: Formula) -> Formula:
    """The formula by the laws for its operator; its operands are simplified already."""
    match formula:
        case And(parts):
            rewritten = _and(parts)
        case Or(parts):
            rewritten = _or(parts)
        case Next(operand):
            rewritten = _next(operand)
        case Eventually(operand):
            rewritten = _eventually(operand)
        case Always(operand):
            rewritten = _always(operand)
        case Until(left, right):
            rewritten = _until(left, right)
        case WeakUntil(left, right):
            rewritten = _weak_until(left, right)
        case Release(left, right):
            rewritten = _release(left, right)
        case StrongRelease(left, right):
            rewritten = _strong_release(left, right)
        case _:
            return formula
    return formula if rewritten is formula else _settled(rewritten)


def _and(parts: tuple[Formula, ...]) -> Formula:
    parts = _strongest(parts)
    if any(implies(a, negated(b)) for place, a in enumerate(parts) for b in parts[:place]):
        return FALSE
    parts = _merged(parts, Always, conjunction)
    parts = _merged(parts, Next, conjunction)
    return conjunction(_joined(parts, _meet))


def _or(parts: tuple[Formula, ...]) -> Formula:
    parts = _weakest(parts)
    if any(implies(negated(a), b) for place, a in enumerate(parts) for b in parts[:place]):
        return TRUE
    parts = _merged(parts, Eventually, disjunction)
    parts = _merged(parts, Next, disjunction)
    return disjunction(_joined(parts, _join))


def _strongest(parts: Iterable[Formula]) -> tuple[Formula, ...]:
    """The operands of a conjunction without those that another one implies."""
    kept: list[Formula] = []
    for part in parts:
        if not any(implies(other, part) for other in kept):
            kept = [other for other in kept if not implies(part, other)]
            kept.append(part)
    return tuple(kept)


def _weakest(parts: Iterable[Formula]) -> tuple[Formula, ...]:
    """The operands of a disjunction without those that imply another one."""
    kept: list[Formula] = []
    for part in parts:
        if not any(implies(part, other) for other in kept):
            kept = [other for other in kept if not implies(other, part)]
            kept.append(part)
    return tuple(kept)


def _merged(
    parts: tuple[Formula, ...], kind: type[Always | Eventually | Next], combine: Callable[[Iterable[Formula]], Formula]
) -> tuple[Formula, ...]:
    """[] a && [] b is [] (a && b); likewise for <> and ||, and for X with both. Suspendable formulas stay apart."""
    chosen = [part for part in parts if isinstance(part, kind) and (kind is Next or not is_suspendable(part))]
    if len(chosen) < 2:
        return parts
    return (*(part for part in parts if part not in chosen), kind(combine(part.operand for part in chosen)))


def _joined(parts: tuple[Formula, ...], join: Callable[[Formula, Formula], Formula | None]) -> list[Formula]:
    """The parts, each two that have something in common replaced by one."""
    kept: list[Formula] = []
    for part in parts:
        for place, other in enumerate(kept):
            common = join(part, other) or join(other, part)
            if common is not None:
                kept[place] = common
                break
        else:
            kept.append(part)
    return kept


def _meet(a: Formula, b: Formula) -> Formula | None:
    """One temporal operator for a conjunction of two, if there is one."""
    match a, b:
        case (Until(f, g), Until(h, k)) if g is k:
            return Until(conjunction((f, h)), g)
        case (WeakUntil(f, g), WeakUntil(h, k) | Until(h, k)) if g is k:
            return type(b)(conjunction((f, h)), g)
        case (Release(f, g), Release(h, k)) if f is h:
            return Release(f, conjunction((g, k)))
        case (Release(f, g), StrongRelease(h, k)) if f is h:
            return StrongRelease(f, conjunction((g, k)))
        case (StrongRelease(f, g), StrongRelease(h, k)) if f is h:
            return StrongRelease(f, conjunction((g, k)))
        case (WeakUntil(f, g), Eventually(h)) if g is h:
            return Until(f, g)
        case (Release(f, g), Eventually(h)) if f is h:
            return StrongRelease(f, g)
    return None


def _join(a: Formula, b: Formula) -> Formula | None:
    """One temporal operator for a disjunction of two, if there is one."""
    match a, b:
        case (Until(f, g), Until(h, k)) if f is h:
            return Until(f, disjunction((g, k)))
        case (WeakUntil(f, g), WeakUntil(h, k) | Until(h, k)) if f is h:
            return WeakUntil(f, disjunction((g, k)))
        case (Release(f, g), Release(h, k)) if g is k:
            return Release(disjunction((f, h)), g)
        case (StrongRelease(f, g), StrongRelease(h, k) | Release(h, k)) if g is k:
            return type(b)(disjunction((f, h)), g)
        case (Until(f, g), Always(h)) if f is h:
            return WeakUntil(f, g)
        case (StrongRelease(f, g), Always(h)) if g is h:
            return Release(f, g)
    return None


def _next(operand: Formula) -> Formula:
    if isinstance(operand, Constant) or is_suspendable(operand):
        return operand
    if isinstance(operand, And | Or) and any(map(is_suspendable, operand.operands)):
        return rebuilt(operand, tuple(Next(each) for each in operand.operands))
    return Next(operand)


def _eventually(operand: Formula) -> Formula:
    if is_eventual(operand):
        return operand
    match operand:
        case Next(inner):
            return Next(Eventually(inner))
        case Until(_, right):
            return Eventually(right)
        case StrongRelease(left, right):
            return Eventually(conjunction((left, right)))
        case WeakUntil(left, right):
            return disjunction((Eventually(right), Eventually(Always(left))))
        case Release(left, right):
            return disjunction((Eventually(conjunction((left, right))), Eventually(Always(right))))
        case Or(parts) if any(map(is_eventual, parts)):
            return disjunction(map(Eventually, parts))
        case And(parts) if any(map(is_suspendable, parts)):
            return _apart(Eventually, conjunction, parts)
    return Eventually(operand)


def _always(operand: Formula) -> Formula:
    if is_universal(operand):
        return operand
    match operand:
        case Next(inner):
            return Next(Always(inner))
        case Release(_, right):
            return Always(right)
        case WeakUntil(left, right):
            return Always(disjunction((left, right)))
        case StrongRelease(left, right):
            return conjunction((Always(right), Always(Eventually(left))))
        case Until(left, right):
            return conjunction((Always(disjunction((left, right))), Always(Eventually(right))))
        case And(parts) if any(map(is_universal, parts)) or any(isinstance(part, Eventually) for part in parts):
            return conjunction(map(Always, parts))
        case Or(parts) if any(map(is_suspendable, parts)):
            return _apart(Always, disjunction, parts)
    return Always(operand)


def _apart(
    kind: type[Always | Eventually], combine: Callable[[Iterable[Formula]], Formula], parts: tuple[Formula, ...]
) -> Formula:
    """The suspendable operands outside of an operator that makes no difference to them."""
    inside = combine(part for part in parts if not is_suspendable(part))
    return combine((*filter(is_suspendable, parts), kind(inside)))


def _until(left: Formula, right: Formula) -> Formula:
    if isinstance(right, Constant) or left is FALSE or implies(left, right) or is_eventual(right):
        return right
    if implies(negated(right), left):
        return Eventually(right)
    if is_universal(left):
        return disjunction((right, conjunction((left, Eventually(right)))))
    match left, right:
        case Next(a), Next(b):
            return Next(Until(a, b))
        case _, Until(a, _) if implies(left, a):
            return right
        case Or(parts), _ if any(implies(part, right) for part in parts):
            return Until(disjunction(part for part in parts if not implies(part, right)), right)
        case _, And(parts) if any(map(is_suspendable, parts)):
            outside = filter(is_suspendable, parts)
            return conjunction((*outside, Until(left, conjunction(p for p in parts if not is_suspendable(p)))))
        case _, And(parts) if left in parts:
            return StrongRelease(*_split(left, parts))
        case _, Or(parts) if any(map(is_eventual, parts)):
            return disjunction(Until(left, part) for part in parts)
    return Until(left, right)


def _weak_until(left: Formula, right: Formula) -> Formula:
    if left is TRUE or right is TRUE or implies(negated(left), right):
        return TRUE
    if implies(left, right):
        return right
    if right is FALSE:
        return Always(left)
    if is_eventual(right):
        return disjunction((Always(left), right))
    if is_universal(left):
        return disjunction((left, right))
    match left, right:
        case Next(a), Next(b):
            return Next(WeakUntil(a, b))
        case _, WeakUntil(a, _) if implies(left, a):
            return right
        case Or(parts), _ if any(implies(part, right) for part in parts):
            return WeakUntil(disjunction(part for part in parts if not implies(part, right)), right)
        case _, And(parts) if left in parts:
            return Release(*_split(left, parts))
    return WeakUntil(left, right)


def _release(left: Formula, right: Formula) -> Formula:
    if isinstance(right, Constant) or left is TRUE or implies(right, left) or is_universal(right):
        return right
    if implies(left, negated(right)):
        return Always(right)
    if is_eventual(left):
        return conjunction((right, disjunction((left, Always(right)))))
    match left, right:
        case Next(a), Next(b):
            return Next(Release(a, b))
        case _, Release(a, _) if implies(a, left):
            return right
        case And(parts), _ if any(implies(right, part) for part in parts):
            return Release(conjunction(part for part in parts if not implies(right, part)), right)
        case _, Or(parts) if any(map(is_suspendable, parts)):
            outside = filter(is_suspendable, parts)
            return disjunction((*outside, Release(left, disjunction(p for p in parts if not is_suspendable(p)))))
        case _, And(parts) if any(map(is_universal, parts)):
            return conjunction(Release(left, part) for part in parts)
    return Release(left, right)


def _strong_release(left: Formula, right: Formula) -> Formula:
    if left is FALSE or right is FALSE or implies(left, negated(right)):
        return FALSE
    if implies(right, left):
        return right
    if right is TRUE:
        return Eventually(left)
    if is_universal(right):
        return conjunction((Eventually(left), right))
    if is_eventual(left):
        return conjunction((left, right))
    match left, right:
        case Next(a), Next(b):
            return Next(StrongRelease(a, b))
        case _, StrongRelease(a, _) if implies(a, left):
            return right
        case And(parts), _ if any(implies(right, part) for part in parts):
            return StrongRelease(conjunction(part for part in parts if not implies(right, part)), right)
    return StrongRelease(left, right)


def _split(left: Formula, parts: tuple[Formula, ...]) -> tuple[Formula, Formula]:
    """f U (f && g) is g M f, and f W (f && g) is g R f: the operands g and f."""
    return conjunction(part for part in parts if part is not left), left
