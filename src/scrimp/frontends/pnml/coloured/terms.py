"""Terms: the inscriptions, markings and conditions of a coloured net.

Under a binding of its variables, a colour term has a colour, a multiset term a number of tokens of each colour, and a
condition is true or false. If a multiset is needed, a colour term stands for one token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from operator import ge, gt, le, lt
from typing import TypeAlias, cast

from scrimp.frontends.pnml.coloured.sorts import Colour, Sort, colours

Binding: TypeAlias = Mapping[str, Colour]
"""The colours of variables, by their ids."""
Multiset: TypeAlias = dict[Colour, int]


@dataclass(frozen=True, slots=True)
class Variable:
    id: str
    sort: Sort


@dataclass(frozen=True, slots=True)
class Constant:
    colour: Colour
    sort: Sort


@dataclass(frozen=True, slots=True)
class Stepped:
    """The colour so many steps after another in a basic sort, cyclically."""

    term: ColourTerm
    steps: int
    sort: Sort


@dataclass(frozen=True, slots=True)
class PartOf:
    """The element of a partition that a colour belongs to."""

    term: ColourTerm
    parts: Mapping[Colour, Colour]
    sort: Sort


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of colours; or of multisets, for all combinations of their colours."""

    terms: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class All:
    """One token of every colour."""

    sort: Sort


@dataclass(frozen=True, slots=True)
class Times:
    count: int
    term: Term
    sort: Sort


@dataclass(frozen=True, slots=True)
class Sum:
    terms: tuple[Term, ...]
    sort: Sort


@dataclass(frozen=True, slots=True)
class Difference:
    """The first multiset minus the others, but never less than none of a colour."""

    terms: tuple[Term, ...]
    sort: Sort


ColourTerm: TypeAlias = Variable | Constant | Stepped | PartOf | Tuple
Term: TypeAlias = ColourTerm | All | Times | Sum | Difference


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: str
    left: ColourTerm
    right: ColourTerm


@dataclass(frozen=True, slots=True)
class Both:
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Either:
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    condition: Condition


@dataclass(frozen=True, slots=True)
class Truth:
    """A colour term of the sort bool."""

    term: ColourTerm


Condition: TypeAlias = Comparison | Both | Either | Not | Truth

Arguments: TypeAlias = Mapping[str, ColourTerm]
"""The arguments of a declared operator, by the ids of its parameters."""

_ORDERS: dict[str, Callable[[Colour, Colour], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def is_colour(term: Term) -> bool:
    """Whether a term denotes a single colour."""
    match term:
        case Variable() | Constant() | Stepped() | PartOf():
            return True
        case Tuple(terms):
            return all(is_colour(part) for part in terms)
        case _:
            return False


def colour(term: Term, binding: Binding) -> Colour:
    """The colour of a colour term."""
    match term:
        case Variable(id_):
            return binding[id_]
        case Constant(value):
            return value
        case Stepped(inner, steps, sort):
            return (sort[0].stepped(colour(inner, binding)[0], steps),)
        case PartOf(inner, parts):
            return parts[colour(inner, binding)]
        case Tuple(terms):
            return tuple(number for part in terms for number in colour(part, binding))
    raise AssertionError(f"{term} is not a colour")


def multiset(term: Term, binding: Binding) -> Multiset:
    """How many tokens of each colour a term denotes; colours without tokens are left out."""
    match term:
        case All(sort):
            return dict.fromkeys(colours(sort), 1)
        case Times(count, inner):
            return {value: count * times for value, times in multiset(inner, binding).items()} if count else {}
        case Sum(terms):
            return _sum([multiset(part, binding) for part in terms])
        case Difference(terms):
            first, *others = (multiset(part, binding) for part in terms)
            taken = _sum(others)
            left = {value: count - taken.get(value, 0) for value, count in first.items()}
            return {value: count for value, count in left.items() if count > 0}
        case Tuple(terms) if not is_colour(term):
            return _combinations([multiset(part, binding) for part in terms])
    return {colour(term, binding): 1}


def holds(condition: Condition, binding: Binding) -> bool:
    match condition:
        case Comparison(operator, left, right):
            a, b = colour(left, binding), colour(right, binding)
            if operator in _ORDERS:
                return _ORDERS[operator](a, b)
            return (a == b) == (operator == "==")
        case Both(conditions):
            return all(holds(part, binding) for part in conditions)
        case Either(conditions):
            return any(holds(part, binding) for part in conditions)
        case Not(inner):
            return not holds(inner, binding)
        case Truth(term):
            return colour(term, binding) != (0,)


def variables(term: Term | Condition) -> dict[str, Sort]:
    """The variables of a term or condition with their sorts, in the order of the text."""
    match term:
        case Variable(id_, sort):
            return {id_: sort}
        case Stepped(inner) | PartOf(inner) | Times(_, inner) | Truth(inner):
            return variables(inner)
        case Tuple(terms) | Sum(terms) | Difference(terms):
            return _union([variables(part) for part in terms])
        case Comparison(_, left, right):
            return variables(left) | variables(right)
        case Both(conditions) | Either(conditions):
            return _union([variables(part) for part in conditions])
        case Not(condition):
            return variables(condition)
        case _:
            return {}


def conjuncts(condition: Condition) -> list[Condition]:
    """The conditions that must all hold for a condition to hold."""
    if isinstance(condition, Both):
        return [part for inner in condition.conditions for part in conjuncts(inner)]
    return [condition]


def surely_asked(term: Term) -> list[ColourTerm]:
    """Colour terms of which a multiset contains a token under every binding."""
    match term:
        case Times(count, inner):
            return surely_asked(inner) if count else []
        case Sum(terms):
            return [asked for part in terms for asked in surely_asked(part)]
        case Variable() | Constant() | Stepped() | PartOf():
            return [term]
        case Tuple() if is_colour(term):
            return [term]
        case _:
            return []


def applied(term: Term, arguments: Arguments) -> Term:
    """A term with arguments in place of parameters. Arguments are colours, so a colour term remains one."""
    match term:
        case Variable(id_):
            return arguments.get(id_, term)
        case Constant() | All():
            return term
        case Stepped(inner) | PartOf(inner):
            return replace(term, term=cast(ColourTerm, applied(inner, arguments)))
        case Times(_, inner):
            return replace(term, term=applied(inner, arguments))
        case Tuple(terms) | Sum(terms) | Difference(terms):
            return replace(term, terms=tuple(applied(part, arguments) for part in terms))


def applied_condition(condition: Condition, arguments: Arguments) -> Condition:
    match condition:
        case Comparison(_, left, right):
            a, b = (cast(ColourTerm, applied(part, arguments)) for part in (left, right))
            return replace(condition, left=a, right=b)
        case Both(conditions) | Either(conditions):
            return replace(condition, conditions=tuple(applied_condition(part, arguments) for part in conditions))
        case Not(inner):
            return Not(applied_condition(inner, arguments))
        case Truth(term):
            return Truth(cast(ColourTerm, applied(term, arguments)))


def _sum(multisets: list[Multiset]) -> Multiset:
    total: Multiset = {}
    for tokens in multisets:
        for value, count in tokens.items():
            total[value] = total.get(value, 0) + count
    return total


def _combinations(parts: list[Multiset]) -> Multiset:
    found: Multiset = {}
    for combination in product(*(part.items() for part in parts)):
        value = tuple(number for part, _ in combination for number in part)
        count = 1
        for _, times in combination:
            count *= times
        found[value] = count
    return found


def _union(parts: list[dict[str, Sort]]) -> dict[str, Sort]:
    found: dict[str, Sort] = {}
    for part in parts:
        found |= part
    return found
