"""Property files of the Model Checking Contest: questions about a net, in XML.

Each formula becomes a question in the net's own expression syntax. A path formula is one of linear temporal logic if
nothing but its outermost operator is a path quantifier, `all-paths`; everything else is CTL, which is not answered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from scrimp.errors import ModelError
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
from scrimp.system.types import INT

_QUANTIFIERS = ("all-paths", "exists-path")
_TEMPORAL = (*_QUANTIFIERS, "next", "finally", "globally", "until")
_CONNECTIVES = ("negation", "conjunction", "disjunction", "implication", "equivalence", "exclusive-disjunction")
_COMPARISONS = {
    "integer-le": "<=",
    "integer-lt": "<",
    "integer-ge": ">=",
    "integer-gt": ">",
    "integer-eq": "==",
    "integer-ne": "!=",
}
_OPERATIONS = {"integer-sum": "+", "integer-difference": "-", "integer-product": "*"}


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
        return " + ".join(map(quoted, self.places)) or "0"


@dataclass(frozen=True, slots=True)
class OnAllRuns:
    """All maximal runs satisfy a formula, whose atoms are expressions; a dead marking is repeated forever."""

    formula: Formula


@dataclass(frozen=True, slots=True)
class Branching:
    """A formula of CTL that is not one of the above; `error` says where that shows."""

    error: ModelError


Question: TypeAlias = Possible | Invariable | PossibleDeadlock | UpperBound | OnAllRuns | Branching


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


class _BranchingError(ModelError):
    """A formula is one of CTL."""


def _branching(element: Element, where: str) -> _BranchingError:
    line, column = element.position.line, element.position.column
    return _BranchingError(element.file, line, column, f"found <{element.tag}> {where}: CTL is not supported")


class _Reader:
    def __init__(self, net: Net) -> None:
        self.net = net
        self.ids: set[str] = set()

    def property(self, element: Element) -> ContestProperty:
        labelled, formula = element.first("id"), element.first("formula")
        if labelled is None or formula is None:
            raise element.error("found a <property> without <id> and <formula>, expected both")
        id_ = labelled.text.strip()
        if id_ in self.ids:
            raise element.error(f"the id '{shortened(id_)}' is already used by another property")
        self.ids.add(id_)
        try:
            return ContestProperty(id_, self.question(formula.only()))
        except _BranchingError as error:
            return ContestProperty(id_, Branching(error))

    def question(self, element: Element) -> Question:
        if element.tag == "place-bound":
            return UpperBound(self._names(element, "place"))
        if element.tag in _CONNECTIVES and _is_temporal(element):
            raise _branching(element, "around path quantifiers")
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
            raise _branching(element, f"with <{shortened(path.tag)}>")
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
                raise _branching(element, "inside a path formula")
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
                return f"({' || '.join(f'fireable({quoted(name)})' for name in names) or '0'})"
            case comparison if comparison in _COMPARISONS:
                return self._joined(_COMPARISONS[comparison], _two(element), self.number)
            case "deadlock":
                return f"!({' || '.join(f'fireable({quoted(name)})' for name in self._all_transitions()) or '0'})"
            case tag if tag in _TEMPORAL:
                raise _branching(element, "inside a state formula")
        raise element.error(f"found <{shortened(element.tag)}>, expected a formula")

    def number(self, element: Element) -> str:
        match element.tag:
            case "tokens-count":
                return f"({' + '.join(map(quoted, self._names(element, 'place'))) or '0'})"
            case "integer-constant":
                written = element.text.strip()
                digits = written.removeprefix("-")
                if not (digits.isascii() and digits.isdecimal()):
                    raise element.error(f"found '{shortened(written)}', expected a whole number")
                if len(digits) > len(str(INT.high)) or int(digits) > INT.high:
                    raise element.error(f"found the number {shortened(written)}, expected at most {INT.high}")
                return written if written == digits else f"({written})"
            case operation if operation in _OPERATIONS and element.children:
                return self._joined(_OPERATIONS[operation], element.children, self.number)
        raise element.error(f"found <{shortened(element.tag)}>, expected a number of tokens or a constant")

    def _truth(self, element: Element) -> str:
        """The truth of a formula as 0 or 1: negated twice."""
        return f"!!{self.state(element)}"

    def _joined(self, operator: str, parts: Iterable[Element], text: Callable[[Element], str]) -> str:
        texts = [text(part) for part in parts]
        if texts:
            return f"({f' {operator} '.join(texts)})"
        return {"&&": "1", "||": "0"}.get(operator, "0")

    def _all_transitions(self) -> list[str]:
        """Names that together stand for all transitions."""
        names: list[str] = []
        named: set[int] = set()
        for name, numbers in self.net.transition_names.items():
            if not named.issuperset(numbers):
                names.append(name)
                named.update(numbers)
        return names

    def _names(self, element: Element, tag: str) -> tuple[str, ...]:
        """The names of places or transitions; some files of the contest have none: no tokens, nothing enabled."""
        known = self.net.place_names if tag == "place" else self.net.transition_names
        names = []
        for child in element.all(tag):
            name = child.text.strip()
            if name not in known:
                raise child.error(f"unknown {tag} '{shortened(name)}', expected a {tag} of the net")
            names.append(name)
        if not names and element.children:
            raise element.error(f"found <{element.tag}> without <{tag}>, expected one at least")
        return tuple(names)


def _two(element: Element) -> list[Element]:
    if len(element.children) != 2:
        raise element.error(f"found {len(element.children)} elements in <{element.tag}>, expected two")
    return element.children


def _is_temporal(element: Element) -> bool:
    return element.tag in _TEMPORAL or any(map(_is_temporal, element.children))
