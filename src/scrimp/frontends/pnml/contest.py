"""Property files of the Model Checking Contest: questions about a net, in XML.

Each formula becomes a question in the net's own expression syntax. A path formula is one of linear temporal logic if
nothing but its outermost operator is a path quantifier, `all-paths`; everything else is CTL, which is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from scrimp.frontends.pnml.net import Net
from scrimp.frontends.pnml.xml import Element, parse_xml, shortened
from scrimp.ltl.formula import (
    Always,
    Atom,
    Eventually,
    Formula,
    Next,
    Until,
    conjunction,
    disjunction,
    equivalence,
    implication,
    negation,
)

_QUANTIFIERS = ("all-paths", "exists-path")
_TEMPORAL = (*_QUANTIFIERS, "next", "finally", "globally", "until")
_COMPARISONS = {
    "integer-le": "<=",
    "integer-lt": "<",
    "integer-ge": ">=",
    "integer-gt": ">",
    "integer-eq": "==",
    "integer-ne": "!=",
}


@dataclass(frozen=True, slots=True)
class Possible:
    """Some reachable marking satisfies an expression."""

    expression: str


@dataclass(frozen=True, slots=True)
class Invariable:
    """Every reachable marking satisfies an expression."""

    expression: str


@dataclass(frozen=True, slots=True)
class PossibleDeadlock:
    """Some reachable marking enables no transition."""


@dataclass(frozen=True, slots=True)
class UpperBound:
    """The most tokens that some places ever hold together."""

    places: tuple[str, ...]

    @property
    def expression(self) -> str:
        return " + ".join(map(quoted, self.places))


@dataclass(frozen=True, slots=True)
class OnAllRuns:
    """All maximal runs satisfy a formula, whose atoms are expressions; a dead marking is repeated forever."""

    formula: Formula


Question: TypeAlias = Possible | Invariable | PossibleDeadlock | UpperBound | OnAllRuns


@dataclass(frozen=True, slots=True)
class ContestProperty:
    """A question under its name in the contest."""

    id: str
    question: Question


DEADLOCK = ContestProperty("ReachabilityDeadlock", PossibleDeadlock())
"""The examination that has no file, because it is about the net alone."""


def quoted(name: str) -> str:
    """A name in the syntax of expressions over nets."""
    return json.dumps(name, ensure_ascii=False)


def read_properties(file: str, text: str, net: Net) -> tuple[ContestProperty, ...]:
    """The properties of a file, in order; raises ModelError."""
    root = parse_xml(file, text)
    if root.tag != "property-set":
        raise root.error(f"found <{shortened(root.tag)}>, expected <property-set>")
    reader = _Reader(net)
    found = [reader.property(element) for element in root.all("property")]
    if not found:
        raise root.error("found no <property>, expected one at least")
    return tuple(found)


class _Reader:
    def __init__(self, net: Net) -> None:
        self.net = net

    def property(self, element: Element) -> ContestProperty:
        id_, formula = element.first("id"), element.first("formula")
        if id_ is None or formula is None:
            raise element.error("found a <property> without <id> and <formula>, expected both")
        return ContestProperty(id_.text.strip(), self.question(formula.only()))

    def question(self, element: Element) -> Question:
        if element.tag == "place-bound":
            return UpperBound(self._names(element, "place"))
        if element.tag not in _QUANTIFIERS:
            raise element.error(
                f"found <{shortened(element.tag)}>, expected <all-paths>, <exists-path> or <place-bound>"
            )
        path = element.only()
        if element.tag == "all-paths" and path.tag == "globally" and not _is_temporal(path.only()):
            return Invariable(self.state(path.only()))
        if element.tag == "exists-path" and path.tag == "finally" and not _is_temporal(path.only()):
            inner = path.only()
            return PossibleDeadlock() if inner.tag == "deadlock" else Possible(self.state(inner))
        if element.tag == "exists-path":
            raise element.error(f"found <exists-path> with <{shortened(path.tag)}>: CTL is not supported")
        return OnAllRuns(self.path(path))

    def path(self, element: Element) -> Formula:
        """A formula of linear temporal logic."""
        parts = element.children
        match element.tag:
            case "next":
                return Next(self.path(element.only()))
            case "finally":
                return Eventually(self.path(element.only()))
            case "globally":
                return Always(self.path(element.only()))
            case "until":
                before, reach = element.first("before"), element.first("reach")
                if before is None or reach is None:
                    raise element.error("found <until> without <before> and <reach>, expected both")
                return Until(self.path(before.only()), self.path(reach.only()))
            case "negation":
                return negation(self.path(element.only()))
            case "conjunction":
                return conjunction(map(self.path, parts))
            case "disjunction":
                return disjunction(map(self.path, parts))
            case "implication":
                return implication(*map(self.path, _two(element)))
            case "equivalence":
                return equivalence(*map(self.path, _two(element)))
            case "exclusive-disjunction":
                return negation(equivalence(*map(self.path, _two(element))))
            case "all-paths" | "exists-path":
                raise element.error(f"found <{element.tag}> inside a path formula: CTL is not supported")
        return Atom(self.state(element))

    def state(self, element: Element) -> str:
        """An expression over a marking, in parentheses if it has an operator."""
        parts = element.children
        match element.tag:
            case "true" | "false":
                return str(int(element.tag == "true"))
            case "negation":
                return f"!{self.state(element.only())}"
            case "conjunction":
                return self._joined("&&", parts, self.state)
            case "disjunction":
                return self._joined("||", parts, self.state)
            case "implication":
                return self._joined("->", _two(element), self.state)
            case "equivalence":
                return self._joined("==", _two(element), self._truth)
            case "exclusive-disjunction":
                return self._joined("!=", _two(element), self._truth)
            case "is-fireable":
                names = self._names(element, "transition")
                return f"({' || '.join(f'fireable({quoted(name)})' for name in names)})"
            case comparison if comparison in _COMPARISONS:
                return self._joined(_COMPARISONS[comparison], _two(element), self.number)
            case "deadlock":
                raise element.error("found <deadlock> inside a formula, expected it alone under EF")
            case tag if tag in _TEMPORAL:
                raise element.error(f"found <{tag}> inside a state formula: CTL is not supported")
        raise element.error(f"found <{shortened(element.tag)}>, expected a formula")

    def number(self, element: Element) -> str:
        match element.tag:
            case "tokens-count":
                return f"({' + '.join(map(quoted, self._names(element, 'place')))})"
            case "integer-constant":
                digits = element.text.strip()
                if not (digits.isascii() and digits.isdecimal()):
                    raise element.error(f"found '{shortened(digits)}', expected a whole number")
                return digits
            case "integer-sum":
                return self._joined("+", element.children, self.number)
            case "integer-difference":
                return self._joined("-", _two(element), self.number)
        raise element.error(f"found <{shortened(element.tag)}>, expected a number of tokens or a constant")

    def _truth(self, element: Element) -> str:
        """The truth of a formula as 0 or 1: negated twice."""
        return f"!!{self.state(element)}"

    def _joined(self, operator: str, parts: Iterable[Element], text: Callable[[Element], str]) -> str:
        texts = [text(part) for part in parts]
        if texts:
            return f"({f' {operator} '.join(texts)})"
        return {"&&": "1", "||": "0"}.get(operator, "0")

    def _names(self, element: Element, tag: str) -> tuple[str, ...]:
        known = self.net.place_names if tag == "place" else self.net.transition_names
        names = []
        for child in element.all(tag):
            name = child.text.strip()
            if name not in known:
                raise child.error(f"unknown {tag} '{shortened(name)}', expected a {tag} of the net")
            names.append(name)
        if not names:
            raise element.error(f"found <{element.tag}> without <{tag}>, expected one at least")
        return tuple(names)


def _two(element: Element) -> list[Element]:
    if len(element.children) != 2:
        raise element.error(f"found {len(element.children)} elements in <{element.tag}>, expected two")
    return element.children


def _is_temporal(element: Element) -> bool:
    return element.tag in _TEMPORAL or any(map(_is_temporal, element.children))
