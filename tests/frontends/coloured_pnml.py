"""Small coloured nets in PNML, written with one function per element."""

from __future__ import annotations

from tests.frontends.pnml import document, element, page


def declarations(*inside: str) -> str:
    return element("declaration", element("structure", element("declarations", *inside)))


def sort(id_: str, inside: str) -> str:
    return element("namedsort", inside, id=id_, name=id_)


def enumeration(id_: str, *names: str, cyclic: bool = True) -> str:
    constants = (element("feconstant", id=name, name=name) for name in names)
    return sort(id_, element("cyclicenumeration" if cyclic else "finiteenumeration", *constants))


def integers(start: int, end: int) -> str:
    return element("finiteintrange", start=str(start), end=str(end))


def product(id_: str, *sorts: str) -> str:
    return sort(id_, element("productsort", *(usersort(part) for part in sorts)))


def usersort(id_: str) -> str:
    return element("usersort", declaration=id_)


def declared(id_: str, sort_id: str) -> str:
    return element("variabledecl", usersort(sort_id), id=id_, name=id_)


def operator(tag: str, *operands: str, **attributes: str) -> str:
    return element(tag, *(element("subterm", operand) for operand in operands), **attributes)


def var(id_: str) -> str:
    return element("variable", refvariable=id_)


def const(id_: str) -> str:
    return element("useroperator", declaration=id_)


def integer(number: int, start: int, end: int) -> str:
    return element("finiteintrangeconstant", integers(start, end), value=str(number))


def every(sort_id: str) -> str:
    return element("all", usersort(sort_id))


def times(count: int, term: str) -> str:
    return operator("numberof", element("numberconstant", "<positive/>", value=str(count)), term)


def pair(*terms: str) -> str:
    return operator("tuple", *terms)


DOT = "<dotconstant/>"


def place(id_: str, sort_id: str, marking: str = "") -> str:
    label = element("hlinitialMarking", element("structure", marking)) if marking else ""
    return element("place", element("type", element("structure", usersort(sort_id))), label, id=id_)


def transition(id_: str, condition: str = "") -> str:
    label = element("condition", element("structure", condition)) if condition else ""
    return element("transition", label, id=id_)


def arc(source: str, target: str, term: str, *labels: str) -> str:
    label = element("hlinscription", element("structure", term))
    return element("arc", label, *labels, id=f"{source} {target} {len(term)}", source=source, target=target)


def net(declared_: str, *inside: str) -> str:
    return document(declared_, page(*inside), kind="symmetricnet")
