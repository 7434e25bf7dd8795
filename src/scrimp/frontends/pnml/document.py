"""Shared by all kinds of nets in PNML: pages, nodes with names, references to nodes, arcs between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from scrimp.errors import OptionError
from scrimp.frontends.pnml.net_type import is_coloured
from scrimp.frontends.pnml.xml import Element, shortened

ArcKind: TypeAlias = Literal["normal", "inhibitor", "test", "reset"]

_NODES = ("place", "transition", "referencePlace", "referenceTransition")
# The default kinds of arcs, by tag. Besides the standard's tag there are TAPAAL's.
_ARCS: dict[str, ArcKind] = {
    "arc": "normal",
    "inputArc": "normal",
    "outputArc": "normal",
    "inhibitorArc": "inhibitor",
}
_REFERENCES = {"referencePlace": "place", "referenceTransition": "transition"}
# Names that tools use for kinds of arcs, most of which are not in the standard.
_ARC_KINDS: dict[str, ArcKind] = {
    "normal": "normal",
    "regular": "normal",
    "ordinary": "normal",
    "inhibitor": "inhibitor",
    "test": "test",
    "read": "test",
    "biflow": "test",
    "reset": "reset",
}


@dataclass(frozen=True, slots=True)
class Node:
    """A place or a transition. `name` is the one that users see; see `_shown_names`."""

    id: str
    name: str
    element: Element


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc between a place and a transition, by their numbers; `inward` if it leads to the transition."""

    place: int
    transition: int
    inward: bool
    kind: ArcKind
    element: Element


@dataclass
class Document:
    """The one net of a document."""

    coloured: bool
    name: str
    element: Element
    places: list[Node] = field(default_factory=list)
    transitions: list[Node] = field(default_factory=list)
    arcs: list[Arc] = field(default_factory=list)
    declarations: list[Element] = field(default_factory=list)


def read_document(root: Element, id_: str | None = None) -> Document:
    """The net under a document's root, by its id if there are several; raises ModelError."""
    net = _only_net(root) if id_ is None else _net(root, id_)
    document = Document(is_coloured(net), net.attributes.get("id", ""), net)
    nodes: dict[str, Element] = {}
    arcs: list[Element] = []
    for element in _objects(net):
        if element.tag == "declaration":
            document.declarations.append(element)
        elif element.tag in _ARCS:
            arcs.append(element)
        else:
            _enter(nodes, element)
    document.places = _named([element for element in nodes.values() if element.tag == "place"])
    document.transitions = _named([element for element in nodes.values() if element.tag == "transition"])
    document.arcs = _connected(document, nodes, arcs)
    return document


def label(element: Element, *tags: str) -> tuple[str, Element] | None:
    """The text of an element's label, and the element that contains the text; None if there is no such label. Instead
    of `<text>`, older files have `<value>`, or the text in the label itself."""
    found = element.first(*tags)
    if found is None:
        return None
    written = found.first("text", "value") or found
    return written.text.strip(), written


def names_of(nodes: Sequence[Node]) -> dict[str, tuple[int, ...]]:
    """Nodes by their ids, and by their names if these are unique."""
    found: dict[str, tuple[int, ...]] = {node.name: (number,) for number, node in enumerate(nodes)}
    found.update((node.id, (number,)) for number, node in enumerate(nodes))
    return found


def _nets(root: Element) -> list[Element]:
    if root.tag != "pnml":
        raise root.error(f"found <{shortened(root.tag)}>, expected <pnml>")
    nets = list(root.all("net"))
    if not nets:
        raise root.error("found no <net>, expected one")
    return nets


def _only_net(root: Element) -> Element:
    nets = _nets(root)
    if len(nets) > 1:
        first = shortened(nets[0].attributes.get("id", ""))
        raise nets[1].error(f"found a second <net>, expected one; use -D net={first} to choose the first")
    return nets[0]


def _net(root: Element, id_: str) -> Element:
    nets = _nets(root)
    for net in nets:
        if net.attributes.get("id") == id_:
            return net
    ids = ", ".join(shortened(net.attributes.get("id", "")) for net in nets)
    raise OptionError(f"-D net={id_}: there is no such net; the file has {ids}")


def _objects(element: Element) -> Iterator[Element]:
    """The nodes, arcs and declarations on all pages."""
    for child in element.children:
        if child.tag == "page":
            yield from _objects(child)
        elif child.tag in _NODES or child.tag in _ARCS or child.tag == "declaration":
            yield child
        elif {"source", "target"} <= child.attributes.keys():
            raise child.error(f"found an arc <{shortened(child.tag)}>, which is not supported")


def _enter(nodes: dict[str, Element], element: Element) -> None:
    id_ = element.attribute("id")
    if id_ in nodes:
        taken = nodes[id_].position
        raise element.error(f"the id '{shortened(id_)}' is already used by the <{nodes[id_].tag}> in line {taken.line}")
    nodes[id_] = element


def _named(elements: Sequence[Element]) -> list[Node]:
    ids = [element.attribute("id") for element in elements]
    written = [label(element, "name") for element in elements]
    names = [
        " ".join((name[0] if name is not None else element.attributes.get("name", "")).split())
        for name, element in zip(written, elements, strict=True)
    ]
    shown = _shown_names(ids, names)
    return [Node(id_, name, element) for id_, name, element in zip(ids, shown, elements, strict=True)]


def _shown_names(ids: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names of nodes if they are unique, otherwise the ids, which always are."""
    count = Counter(names)
    taken = set(ids)
    return [
        name if name and count[name] == 1 and (name == id_ or name not in taken) else id_
        for id_, name in zip(ids, names, strict=True)
    ]


def _connected(document: Document, nodes: dict[str, Element], arcs: Sequence[Element]) -> list[Arc]:
    places = {node.id: number for number, node in enumerate(document.places)}
    transitions = {node.id: number for number, node in enumerate(document.transitions)}
    found = []
    for element in arcs:
        source, target = (_end(nodes, element, end) for end in ("source", "target"))
        kind = _arc_kind(element)
        if source in places and target in transitions:
            found.append(Arc(places[source], transitions[target], True, kind, element))
        elif source in transitions and target in places:
            if kind == "test":
                found.append(Arc(places[target], transitions[source], True, kind, element))
                continue
            if kind != "normal":
                raise element.error(f"found an arc of kind '{kind}' to a place, expected one to a transition")
            found.append(Arc(places[target], transitions[source], False, kind, element))
        else:
            tags = f"a {nodes[source].tag} to a {nodes[target].tag}"
            raise element.error(f"found an arc from {tags}, expected one between a place and a transition")
    return found


def _end(nodes: dict[str, Element], arc: Element, attribute: str) -> str:
    """The id of the node at an end of an arc, after following references."""
    id_, asking = arc.attribute(attribute), arc
    seen = set()
    while True:
        if id_ not in nodes:
            raise asking.error(f"found '{shortened(id_)}', expected the id of a node")
        node = nodes[id_]
        if node.tag not in _REFERENCES:
            if asking is not arc and node.tag != _REFERENCES[asking.tag]:
                raise asking.error(f"found the {node.tag} '{shortened(id_)}', expected a {_REFERENCES[asking.tag]}")
            return id_
        if id_ in seen:
            raise node.error(f"the reference '{shortened(id_)}' refers to itself")
        seen.add(id_)
        id_, asking = node.attribute("ref"), node


def _arc_kind(arc: Element) -> ArcKind:
    written = label(arc, "type", "arctype")
    if written is None:
        text, place = arc.attributes.get("type", _ARCS[arc.tag]), arc
    else:
        text, place = written
        text = text or next((child.attributes["value"] for child in arc.all("type") if "value" in child.attributes), "")
    kind = _ARC_KINDS.get(text.strip().lower())
    if kind is None:
        raise place.error(f"found an arc of kind '{shortened(text)}', expected normal, inhibitor, test, read or reset")
    return kind
