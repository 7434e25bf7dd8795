"""Operators that a net declares: abbreviations of terms and conditions, with arguments for the parameters in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from scrimp.frontends.pnml.coloured.terms import (
    All,
    Both,
    ColourTerm,
    Comparison,
    Condition,
    Constant,
    Difference,
    Either,
    Not,
    PartOf,
    Stepped,
    Sum,
    Term,
    Times,
    Truth,
    Tuple,
    Variable,
)
from scrimp.frontends.pnml.xml import Element


@dataclass(frozen=True, slots=True)
class Operator:
    """`definition` is the element of a term or condition over the parameters."""

    parameters: tuple[Variable, ...]
    definition: Element


Arguments = Mapping[str, ColourTerm]
"""By the ids of the parameters."""


def applied(term: Term, arguments: Arguments) -> Term:
    """A term with arguments for parameters. They are colours, so that every colour stays one."""
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
