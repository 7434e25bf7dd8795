"""Formulas of linear temporal logic, as values.

Equal formulas are one object, so that comparing and hashing them takes constant time. The functions in lower case make
formulas and apply the laws that never need a second look: constants disappear, conjunctions and disjunctions are flat,
sorted and without duplicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from hashlib import blake2b
from typing import Any, TypeAlias, TypeVar
from weakref import WeakValueDictionary

_interned: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()

T = TypeVar("T")


class _Interning(type):
    """Calling a class with the same arguments again gives the same object."""

    def __call__(cls: type[T], *arguments: Any) -> T:
        key = (cls, *arguments)
        found: T | None = _interned.get(key)
        if found is None:
            found = type.__call__(cls, *arguments)
            _interned[key] = found
        return found


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Node(metaclass=_Interning):
    """`rank` orders formulas in a way that depends on nothing but their text."""

    rank: int = field(init=False, repr=False, default=0)

    def __post_init__(self) -> None:
        parts = [type(self).__name__]
        for each in fields(self)[1:]:
            value = getattr(self, each.name)
            ranked = value if isinstance(value, tuple) else (value,)
            parts += [str(part.rank) if isinstance(part, Node) else repr(part) for part in ranked]
        object.__setattr__(self, "rank", int.from_bytes(blake2b("\0".join(parts).encode(), digest_size=8).digest()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self)[1:])

    def __str__(self) -> str:
        return _shown(self)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, slots=True)
class Constant(Node):
    value: bool


@dataclass(frozen=True, eq=False, slots=True)
class Atom(Node):
    """A proposition; `name` is its text, or a key into a mapping that the caller has."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Not(Node):
    operand: Formula


@dataclass(frozen=True, eq=False, slots=True)
class And(Node):
    operands: tuple[Formula, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Or(Node):
    operands: tuple[Formula, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Next(Node):
    operand: Formula


@dataclass(frozen=True, eq=False, slots=True)
class Eventually(Node):
    operand: Formula


@dataclass(frozen=True, eq=False, slots=True)
class Always(Node):
    operand: Formula


@dataclass(frozen=True, eq=False, slots=True)
class Until(Node):
    """`right` holds at some time, and `left` before it."""

    left: Formula
    right: Formula


@dataclass(frozen=True, eq=False, slots=True)
class WeakUntil(Node):
    """`left` holds until `right` does, which need not happen."""

    left: Formula
    right: Formula


@dataclass(frozen=True, eq=False, slots=True)
class Release(Node):
    """`right` holds up to and including the time at which `left` holds, which need not happen."""

    left: Formula
    right: Formula


@dataclass(frozen=True, eq=False, slots=True)
class StrongRelease(Node):
    """`left` holds at some time, and `right` up to and including that time."""

    left: Formula
    right: Formula


Formula: TypeAlias = (
    Constant | Atom | Not | And | Or | Next | Eventually | Always | Until | WeakUntil | Release | StrongRelease
)

TRUE = Constant(True)
FALSE = Constant(False)

Infix: TypeAlias = Until | WeakUntil | Release | StrongRelease
INFIX = (Until, WeakUntil, Release, StrongRelease)
"""The temporal operators with two operands."""


def conjunction(operands: Iterable[Formula]) -> Formula:
    """All of the operands."""
    return _combined(And, operands, TRUE, FALSE)


def disjunction(operands: Iterable[Formula]) -> Formula:
    """Any of the operands."""
    return _combined(Or, operands, FALSE, TRUE)


def _combined(kind: type[And] | type[Or], operands: Iterable[Formula], unit: Formula, zero: Formula) -> Formula:
    found: set[Formula] = set()
    for operand in operands:
        found.update(operand.operands if isinstance(operand, kind) else (operand,))
    found.discard(unit)
    if zero in found or any(isinstance(operand, Not) and operand.operand in found for operand in found):
        return zero
    if len(found) <= 1:
        return next(iter(found), unit)
    return kind(tuple(sorted(found, key=lambda operand: operand.rank)))


def negation(operand: Formula) -> Formula:
    match operand:
        case Constant(value):
            return FALSE if value else TRUE
        case Not(inner):
            return inner
    return Not(operand)


def implication(left: Formula, right: Formula) -> Formula:
    return disjunction((negation(left), right))


def equivalence(left: Formula, right: Formula) -> Formula:
    both, neither = conjunction((left, right)), conjunction((negation(left), negation(right)))
    return disjunction((both, neither))


def operands(formula: Formula) -> tuple[Formula, ...]:
    """The direct parts of a formula."""
    match formula:
        case Constant() | Atom():
            return ()
        case And(parts) | Or(parts):
            return parts
        case Not(operand) | Next(operand) | Eventually(operand) | Always(operand):
            return (operand,)
        case Until(left, right) | WeakUntil(left, right) | Release(left, right) | StrongRelease(left, right):
            return (left, right)


def rebuilt(formula: Formula, parts: tuple[Formula, ...]) -> Formula:
    """The same operator with other operands."""
    match formula:
        case Constant() | Atom():
            return formula
        case And():
            return conjunction(parts)
        case Or():
            return disjunction(parts)
        case Not():
            return negation(*parts)
        case _:
            made: Formula = type(formula)(*parts)
            return made


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Each subformula once, operands before the formulas that they are part of."""
    seen: set[Formula] = set()
    todo: list[tuple[Formula, bool]] = [(formula, False)]
    while todo:
        current, is_open = todo.pop()
        if is_open:
            yield current
        elif current not in seen:
            seen.add(current)
            todo.append((current, True))
            todo += ((part, False) for part in reversed(operands(current)))


def depth(formula: Formula) -> int:
    """How deep operators are nested."""
    found: dict[Formula, int] = {}
    for current in subformulas(formula):
        found[current] = 1 + max((found[part] for part in operands(current)), default=0)
    return found[formula]


def transformed(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """The formula in which `change` was applied to each subformula, the innermost first."""
    made: dict[Formula, Formula] = {}
    for current in subformulas(formula):
        made[current] = change(rebuilt(current, tuple(made[part] for part in operands(current))))
    return made[formula]


def atoms(formula: Formula) -> tuple[str, ...]:
    """The names of the atoms, in alphabetical order."""
    return tuple(sorted(part.name for part in subformulas(formula) if isinstance(part, Atom)))


def is_next_free(formula: Formula) -> bool:
    """Whether the formula does without X, so that repeating a letter of a word never changes its truth."""
    return not any(isinstance(part, Next) for part in subformulas(formula))


_PREFIX = {Not: "!", Next: "X ", Eventually: "<> ", Always: "[] "}
_SIGN = {Until: "U", WeakUntil: "W", Release: "R", StrongRelease: "M"}


def _shown(formula: Formula) -> str:
    match formula:
        case Constant(value):
            return "true" if value else "false"
        case Atom(name):
            return name if name.replace("_", "a").isalnum() else f"{{{name}}}"
        case And(parts):
            return " && ".join(map(_nested, parts))
        case Or(parts):
            return " || ".join(map(_nested, parts))
        case Not(operand) | Next(operand) | Eventually(operand) | Always(operand):
            return _PREFIX[type(formula)] + _nested(operand)
        case Until(left, right) | WeakUntil(left, right) | Release(left, right) | StrongRelease(left, right):
            return f"{_nested(left)} {_SIGN[type(formula)]} {_nested(right)}"


def _nested(formula: Formula) -> str:
    return f"({_shown(formula)})" if isinstance(formula, (And, Or, *INFIX)) else _shown(formula)
