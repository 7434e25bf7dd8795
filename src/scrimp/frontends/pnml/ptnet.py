"""Place/transition nets in PNML: markings and weights are numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrimp.frontends.pnml.document import Arc, Document, label, names_of
from scrimp.frontends.pnml.net import Net, NetTransition, Place
from scrimp.frontends.pnml.xml import Element, shortened
from scrimp.system.system import Position

MOST_TOKENS = 2**30 - 1
"""In a place: the sum of two such numbers fits into 32 bits."""


@dataclass(slots=True)
class Connections:
    """The arcs of one transition; those between the same nodes are combined."""

    consumes: dict[int, int] = field(default_factory=dict)
    produces: dict[int, int] = field(default_factory=dict)
    tests: dict[int, int] = field(default_factory=dict)
    inhibitors: dict[int, int] = field(default_factory=dict)
    resets: set[int] = field(default_factory=set)

    def add(self, arc: Arc, place: int, weight: int) -> None:
        match arc.kind:
            case "normal":
                weights = self.consumes if arc.inward else self.produces
                weights[place] = weights.get(place, 0) + weight
            case "test":
                self.tests[place] = max(self.tests.get(place, 0), weight)
            case "inhibitor":
                self.inhibitors[place] = min(self.inhibitors.get(place, weight), weight)
            case "reset":
                self.resets.add(place)

    def transition(self, name: str, position: Position) -> NetTransition:
        weights = self.consumes, self.produces, self.tests, self.inhibitors
        return NetTransition(name, position, *weights, frozenset(self.resets))


def read_ptnet(document: Document) -> Net:
    """The net of a document; raises ModelError."""
    places = [Place(node.name, tokens_of(node.element)) for node in document.places]
    connections = [Connections() for _ in document.transitions]
    for arc in document.arcs:
        connections[arc.transition].add(arc, arc.place, weight_of(arc.element))
    _respect_capacities(document, places, connections)
    transitions = [
        connected.transition(node.name, node.element.position)
        for node, connected in zip(document.transitions, connections, strict=True)
    ]
    names = names_of(document.places), names_of(document.transitions)
    return Net(document.name, tuple(places), tuple(transitions), *names)


def tokens_of(place: Element) -> int:
    """The initial marking of a place."""
    written = label(place, "initialMarking")
    if written is None and "initialMarking" in place.attributes:
        written = place.attributes["initialMarking"].strip(), place
    return 0 if written is None or not written[0] else _number(*written, least=0)


def _respect_capacities(document: Document, places: list[Place], connections: list[Connections]) -> None:
    """A transition that would exceed the capacity of a place is disabled, by an inhibitor arc from the place."""
    for number, (node, place) in enumerate(zip(document.places, places, strict=True)):
        capacity = capacity_of(node.element)
        if capacity is None:
            continue
        if place.tokens > capacity:
            raise node.element.error(f"found {place.tokens} tokens in a place of capacity {capacity}")
        for c in connections:
            gain = c.produces.get(number, 0) - c.consumes.get(number, 0)
            if number not in c.resets and gain > 0:
                least = max(capacity - gain + 1, 0)
                c.inhibitors[number] = min(c.inhibitors.get(number, least), least)
            elif c.produces.get(number, 0) > capacity and number in c.resets:
                c.inhibitors[number] = 0


def capacity_of(place: Element) -> int | None:
    """How many tokens a place may hold, if the file says so; PIPE writes 0 for no limit."""
    written = label(place, "capacity")
    return None if written is None or not written[0] else _number(*written, least=0) or None


def weight_of(arc: Element) -> int:
    written = label(arc, "inscription")
    return 1 if written is None or not written[0] else _number(*written, least=1)


def _number(text: str, place: Element, least: int) -> int:
    """A number as written; some tools put the name of the only kind of token in front, as in `Default,1`."""
    digits = text.removeprefix("Default,").strip()
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else None
    if number is None or not least <= number <= MOST_TOKENS:
        raise place.error(f"found '{shortened(text)}', expected a whole number from {least} to {MOST_TOKENS}")
    return number
