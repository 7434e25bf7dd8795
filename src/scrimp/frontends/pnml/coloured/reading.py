"""From the elements of inscriptions, markings and conditions to terms, with their sorts checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from scrimp.frontends.pnml.coloured import terms
from scrimp.frontends.pnml.coloured.declarations import Declarations, Operator
from scrimp.frontends.pnml.coloured.sorts import BOOL, DOT, Sort, comparable, contains, size, sort_text
from scrimp.frontends.pnml.coloured.terms import (
    Arguments,
    ColourTerm,
    Condition,
    Term,
    applied,
    applied_condition,
    is_colour,
)
from scrimp.frontends.pnml.ptnet import MOST_TOKENS
from scrimp.frontends.pnml.xml import Element, shortened

LARGEST_SORT = 1_000_000
"""The size of the largest sort that `<all>` may be used with."""

_COMPARISONS = {
    "equality": "==",
    "inequality": "!=",
    "lessthan": "<",
    "lessthanorequal": "<=",
    "greaterthan": ">",
    "greaterthanorequal": ">=",
    "ltp": "<",
    "gtp": ">",
}


@dataclass(frozen=True)
class TermReader:
    """`_open` are the operators whose definitions are being read."""

    declarations: Declarations
    _open: set[str] = field(default_factory=set)

    def condition(self, element: Element) -> Condition:
        """The condition of an element; raises ModelError."""
        match element.tag:
            case "and":
                return terms.Both(tuple(self.condition(part) for part in _operands(element)))
            case "or":
                return terms.Either(tuple(self.condition(part) for part in _operands(element)))
            case "not":
                return terms.Not(self.condition(_operand(element)))
            case "imply":
                premise, conclusion = _operands(element, 2)
                return terms.Either((terms.Not(self.condition(premise)), self.condition(conclusion)))
            case "useroperator" if (operator := self._operator(element)) is not None:
                arguments = self._arguments(element, operator)
                with self._unfolding(element):
                    return applied_condition(self.condition(operator.definition), arguments)
            case tag if tag in _COMPARISONS:
                return self._comparison(element)
        term = self._colour(element)
        if term.sort != BOOL:
            raise element.error(f"found a term of sort {sort_text(term.sort)}, expected a condition")
        return terms.Truth(term)

    def tokens(self, element: Element, sort: Sort) -> Term:
        """A term for tokens of a place's sort."""
        term = self.term(element, sort)
        self._require(element, term, sort)
        return term

    def term(self, element: Element, wanted: Sort = ()) -> Term:
        """The term of an element; `wanted` is the sort that its place asks for, or begins with it."""
        match element.tag:
            case "all":
                sort = self.declarations.sort(element.only())
                if size(sort) > LARGEST_SORT:
                    raise element.error(
                        f"found all {size(sort):,} colours of a sort, expected at most {LARGEST_SORT:,}"
                    )
                return terms.All(sort)
            case "empty":
                return terms.Sum((), self.declarations.sort(element.only()))
            case "numberof":
                *number, inner = _operands(element)
                return self._times(number, inner, wanted)
            case "scalarproduct":
                count, inner = _operands(element, 2)
                return self._times([count], inner, wanted)
            case "add":
                parts = self._alike(element, wanted)
                return terms.Sum(parts, parts[0].sort)
            case "subtract":
                parts = self._alike(element, wanted)
                return terms.Difference(parts, parts[0].sort)
            case "tuple":
                return self._tuple(element, wanted)
            case "useroperator" if (operator := self._operator(element)) is not None:
                arguments = self._arguments(element, operator)
                with self._unfolding(element):
                    return applied(self.term(operator.definition), arguments)
        return self._members(self._colour(element), wanted)

    def _tuple(self, element: Element, wanted: Sort) -> terms.Tuple:
        parts: list[Term] = []
        sort: Sort = ()
        for part in _operands(element):
            parts.append(self.term(part, wanted[len(sort) :]))
            sort += parts[-1].sort
        return terms.Tuple(tuple(parts), sort)

    def _members(self, term: ColourTerm, wanted: Sort) -> Term:
        """A term for tokens; the element of a partition stands for all its members, as GreatSPN writes it."""
        if not isinstance(term, terms.Constant) or not wanted or term.sort == wanted[:1]:
            return term
        for partition in self.declarations.partitions.values():
            if term.sort == partition.sort and partition.whole == wanted[:1]:
                members = [value for value, part in partition.parts.items() if part == term.colour]
                return terms.Sum(tuple(terms.Constant(value, partition.whole) for value in members), partition.whole)
        return term

    def _colour(self, element: Element) -> ColourTerm:
        match element.tag:
            case "variable":
                id_ = element.attribute("refvariable")
                if id_ not in self.declarations.variables:
                    raise element.error(f"unknown variable '{shortened(id_)}', expected a declared variable")
                return self.declarations.variables[id_]
            case "useroperator" if self._operator(element) is None:
                return self.declarations.constant(element, element.attribute("declaration"))
            case "dotconstant":
                return terms.Constant((0,), DOT)
            case "booleanconstant":
                return terms.Constant((int(element.attribute("value").strip().lower() == "true"),), BOOL)
            case "finiteintrangeconstant":
                return self._integer(element)
            case "successor" | "predecessor":
                return self._stepped(element)
            case "partitionelementof":
                return self._part(element)
            case "tuple" | "useroperator":
                term = self.term(element)
                if is_colour(term):
                    return cast(ColourTerm, term)
        raise element.error(f"found <{shortened(element.tag)}>, which is not supported here")

    def _operator(self, element: Element) -> Operator | None:
        """The declared operator that an element applies; None for a constant."""
        return self.declarations.operators.get(element.attribute("declaration"))

    def _arguments(self, element: Element, operator: Operator) -> Arguments:
        operands = [content_of(subterm) for subterm in element.all("subterm")]
        if len(operands) != len(operator.parameters):
            raise element.error(f"found {len(operands)} arguments of an operator, expected {len(operator.parameters)}")
        arguments = {}
        for operand, parameter in zip(operands, operator.parameters, strict=True):
            arguments[parameter.id] = self._colour(operand)
            self._require(operand, arguments[parameter.id], parameter.sort)
        return arguments

    @contextmanager
    def _unfolding(self, element: Element) -> Iterator[None]:
        """The context in which the definition of the operator that an element applies is read."""
        id_ = element.attribute("declaration")
        if id_ in self._open:
            raise element.error(f"the operator '{shortened(id_)}' is defined in terms of itself")
        self._open.add(id_)
        yield
        self._open.remove(id_)

    def _integer(self, element: Element) -> terms.Constant:
        sort = self.declarations.sort(element.only())
        colour = (element.whole_number("value"),)
        if not contains(sort, colour):
            raise element.error(f"found the constant {colour[0]}, expected one of {sort_text(sort)}")
        return terms.Constant(colour, sort)

    def _stepped(self, element: Element) -> ColourTerm:
        inner = self._colour(_operand(element))
        if len(inner.sort) != 1:
            raise element.error(f"found the {element.tag} of a tuple, expected that of an element")
        return terms.Stepped(inner, 1 if element.tag == "successor" else -1, inner.sort)

    def _part(self, element: Element) -> ColourTerm:
        id_ = element.attribute("refpartition")
        if id_ not in self.declarations.partitions:
            raise element.error(f"unknown partition '{shortened(id_)}', expected a declared partition")
        partition = self.declarations.partitions[id_]
        inner = self._colour(_operand(element))
        if inner.sort != partition.whole or len(partition.parts) != size(partition.whole):
            raise element.error(f"the partition '{shortened(id_)}' does not assign every colour to an element")
        return terms.PartOf(inner, partition.parts, partition.sort)

    def _comparison(self, element: Element) -> terms.Comparison:
        left, right = _operands(element, 2)
        a, b = self._colour(left), self._colour(right)
        if not comparable(a.sort, b.sort):
            raise right.error(
                f"found a term of sort {sort_text(b.sort)}, expected one comparable to {sort_text(a.sort)}"
            )
        return terms.Comparison(_COMPARISONS[element.tag], a, b)

    def _times(self, number: list[Element], inner: Element, wanted: Sort) -> Term:
        term = self.term(inner, wanted)
        return terms.Times(_count(number[0]) if number else 1, term, term.sort)

    def _alike(self, element: Element, wanted: Sort) -> tuple[Term, ...]:
        operands = _operands(element)
        alike = tuple(self.term(part, wanted) for part in operands)
        for part, term in zip(operands, alike, strict=True):
            self._require(part, term, alike[0].sort)
        return alike

    def _require(self, element: Element, term: Term, sort: Sort) -> None:
        if not comparable(term.sort, sort):
            raise element.error(f"found a term of sort {sort_text(term.sort)}, expected {sort_text(sort)}")


def content_of(element: Element) -> Element:
    """The term inside an element; some tools put more than one `<subterm>` around it, or one where there is none."""
    content = element.only()
    return content_of(content) if content.tag == "subterm" else content


def _operands(element: Element, count: int | None = None) -> list[Element]:
    """The contents of the `<subterm>` elements."""
    found = [content_of(subterm) for subterm in element.all("subterm")]
    if not found or (count is not None and len(found) != count):
        wanted = "at least one" if count is None else str(count)
        plural = "" if len(found) == 1 else "s"
        raise element.error(f"found {len(found)} operand{plural} of <{element.tag}>, expected {wanted}")
    return found


def _operand(element: Element) -> Element:
    return _operands(element, 1)[0]


def _count(element: Element) -> int:
    if element.tag != "numberconstant":
        raise element.error(f"found <{shortened(element.tag)}>, expected <numberconstant>")
    number = element.whole_number("value")
    if not 0 <= number <= MOST_TOKENS:
        raise element.error(f"found the number {shortened(str(number))}, expected one from 0 to {MOST_TOKENS}")
    return number
