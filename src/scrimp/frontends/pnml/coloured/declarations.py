"""The declarations of a coloured net: sorts, the constants of enumerations, partitions, variables and operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scrimp.frontends.pnml.coloured.sorts import BOOL, DOT, Basic, Colour, Sort, enumeration
from scrimp.frontends.pnml.coloured.terms import Constant, Variable
from scrimp.frontends.pnml.xml import Element, shortened

_LARGEST_NUMBER = 2**31 - 1
_NO_DECLARATION = {"dot": DOT, "bool": BOOL}


@dataclass(frozen=True, slots=True)
class Partition:
    """`parts` maps each colour of the sort `whole` to its element of the partition, a colour of `sort`."""

    whole: Sort
    sort: Sort
    parts: Mapping[Colour, Colour]


@dataclass(frozen=True, slots=True)
class Operator:
    """An abbreviation: `definition` is the element of a term or condition over the parameters."""

    parameters: tuple[Variable, ...]
    definition: Element


@dataclass
class Declarations:
    """All declarations, by id. Sorts may be used before they are declared."""

    constants: dict[str, Constant] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    variable_names: dict[str, str] = field(default_factory=dict)
    partitions: dict[str, Partition] = field(default_factory=dict)
    operators: dict[str, Operator] = field(default_factory=dict)
    _elements: dict[str, Element] = field(default_factory=dict)
    _sorts: dict[str, Sort] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)

    def sort(self, element: Element) -> Sort:
        """The sort that an element denotes; raises ModelError."""
        match element.tag:
            case "usersort":
                return self._declared(element, element.attribute("declaration"))
            case "multisetsort":
                return self.sort(element.only())
            case "productsort":
                return tuple(basic for part in element.children for basic in self.sort(part)) or DOT
            case "dot":
                return DOT
            case "bool":
                return BOOL
            case "finiteenumeration" | "cyclicenumeration":
                return self._enumeration(element)
            case "finiteintrange":
                return (_range(element),)
        raise element.error(
            f"found the sort <{shortened(element.tag)}>, expected dot, bool, an enumeration, a range of integers or a "
            "product of these"
        )

    def enter(self, element: Element) -> None:
        """Record a sort or partition under its id."""
        id_ = element.attribute("id")
        if id_ in self._elements:
            raise element.error(f"the id '{shortened(id_)}' is already used by the <{self._elements[id_].tag}> above")
        self._elements[id_] = element

    def settle(self, id_: str) -> Sort:
        """The sort declared under an id."""
        element = self._elements[id_]
        if id_ not in self._sorts:
            if id_ in self._open:
                raise element.error(f"the sort '{shortened(id_)}' is defined in terms of itself")
            self._open.add(id_)
            settle: Callable[[Element], Sort] = self._partition if element.tag == "partition" else self._named
            self._sorts[id_] = settle(element)
        return self._sorts[id_]

    def _declared(self, element: Element, id_: str) -> Sort:
        if id_ in self._elements:
            return self.settle(id_)
        if id_.lower() in _NO_DECLARATION:
            return _NO_DECLARATION[id_.lower()]
        raise element.error(f"unknown sort '{shortened(id_)}', expected a declared sort")

    def _named(self, element: Element) -> Sort:
        return self.sort(element.only())

    def _enumeration(self, element: Element) -> Sort:
        constants = list(element.all("feconstant"))
        if not constants:
            raise element.error("found an enumeration without elements, expected at least one <feconstant>")
        return self._enumerated(constants)

    def _enumerated(self, elements: Sequence[Element]) -> Sort:
        ids = [element.attribute("id") for element in elements]
        names = tuple(element.attributes.get("name") or id_ for element, id_ in zip(elements, ids, strict=True))
        sort = (enumeration(names if len(set(names)) == len(names) else tuple(ids)),)
        for number, (element, id_) in enumerate(zip(elements, ids, strict=True)):
            if id_ in self.constants:
                raise element.error(f"the id '{shortened(id_)}' is already used by another constant")
            self.constants[id_] = Constant((number,), sort)
        return sort

    def _partition(self, element: Element) -> Sort:
        wholes = [child for child in element.children if child.tag != "partitionelement"]
        if len(wholes) != 1:
            raise element.error(f"found a partition of {len(wholes) or 'no'} sorts, expected one, as a <usersort>")
        (whole,) = wholes
        elements = list(element.all("partitionelement"))
        if not elements:
            raise element.error("found a partition without elements, expected at least one <partitionelement>")
        whole_sort = self.sort(whole)
        sort = self._enumerated(elements)
        parts = {value: (number,) for number, part in enumerate(elements) for value in self._members(part)}
        self.partitions[element.attribute("id")] = Partition(whole_sort, sort, parts)
        return sort

    def _members(self, part: Element) -> Iterator[Colour]:
        for member in part.children:
            if member.tag == "useroperator":
                yield self.constant(member, member.attribute("declaration")).colour
            elif member.tag == "finiteintrangeconstant":
                yield (member.whole_number("value"),)
            else:
                raise member.error(f"found <{shortened(member.tag)}> in a partition, expected constants")

    def constant(self, element: Element, id_: str) -> Constant:
        if id_ not in self.constants:
            if self._sorts.get(id_, DOT) == DOT and id_.lower() == "dot":  # TAPAAL's name for the only colour of dot
                return Constant((0,), DOT)
            raise element.error(f"unknown constant '{shortened(id_)}', expected a constant of an enumeration")
        return self.constants[id_]


def read_declarations(elements: Sequence[Element]) -> Declarations:
    """The declarations in `<declaration>` elements; raises ModelError."""
    declarations = Declarations()
    found = list(_declared(elements))
    sorts = [element for element in found if element.tag in ("namedsort", "partition")]
    for element in sorts:
        declarations.enter(element)
    for element in sorts:
        declarations.settle(element.attribute("id"))
    for element in found:
        if element.tag == "variabledecl":
            _declare_variable(declarations, element)
        elif element.tag == "namedoperator":
            _declare_operator(declarations, element)
        elif element.tag not in ("namedsort", "partition"):
            raise element.error(
                f"found <{shortened(element.tag)}>, expected <namedsort>, <partition>, <variabledecl> or "
                "<namedoperator>"
            )
    return declarations


def _declared(elements: Sequence[Element]) -> Iterator[Element]:
    for element in elements:
        for structure in element.all("structure"):
            for declarations in structure.all("declarations"):
                yield from declarations.children


def _declare_variable(declarations: Declarations, element: Element) -> Variable:
    id_ = element.attribute("id")
    if id_ in declarations.variables:
        raise element.error(f"the id '{shortened(id_)}' is already used by another variable")
    declarations.variables[id_] = variable = Variable(id_, declarations.sort(element.only()))
    declarations.variable_names[id_] = element.attributes.get("name") or id_
    return variable


def _declare_operator(declarations: Declarations, element: Element) -> None:
    id_ = element.attribute("id")
    if id_ in declarations.operators or id_ in declarations.constants:
        raise element.error(f"the id '{shortened(id_)}' is already used by another operator")
    definition = element.first("def")
    if definition is None:
        raise element.error("found an operator without a <def>, expected its definition")
    parameters = [parameter for listed in element.all("parameter") for parameter in listed.all("variabledecl")]
    declared = tuple(_declare_variable(declarations, parameter) for parameter in parameters)
    declarations.operators[id_] = Operator(declared, definition.only())


def _range(element: Element) -> Basic:
    start, end = element.whole_number("start"), element.whole_number("end")
    if not -_LARGEST_NUMBER <= start <= end <= _LARGEST_NUMBER:
        raise element.error(f"found the range {start}..{end}, expected a non-empty range within 32 bits")
    return Basic(start, end)
