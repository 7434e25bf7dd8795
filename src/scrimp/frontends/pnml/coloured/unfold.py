"""From a coloured net to a place/transition net: a place for each colour it may hold, a transition for each binding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scrimp.frontends.pnml.coloured import terms
from scrimp.frontends.pnml.coloured.bindings import BindingSearch, Bound, Pattern, Rule, Tokens
from scrimp.frontends.pnml.coloured.declarations import Declarations, read_declarations
from scrimp.frontends.pnml.coloured.reading import TermReader, content_of
from scrimp.frontends.pnml.coloured.sorts import DOT, Colour, Sort, colour_text, contains, size, sort_text
from scrimp.frontends.pnml.coloured.terms import Condition, Multiset, Term, conjuncts, multiset, surely_asked, variables
from scrimp.frontends.pnml.document import Arc, Document, Node
from scrimp.frontends.pnml.net import Net, NetTransition, Place
from scrimp.frontends.pnml.ptnet import MOST_TOKENS, Connections, capacity_of, tokens_of, weight_of
from scrimp.frontends.pnml.xml import Element

MOST_TRANSITIONS = 100_000


@dataclass(frozen=True, slots=True)
class _ColouredArc:
    arc: Arc
    tokens: Term


@dataclass(slots=True)
class _Coloured:
    """A transition of the coloured net."""

    node: Node
    condition: Condition | None
    arcs: list[_ColouredArc] = field(default_factory=list)
    variables: dict[str, Sort] = field(default_factory=dict)

    def rule(self) -> Rule:
        patterns = [
            Pattern(coloured.arc.place, asked)
            for coloured in self.arcs
            if coloured.arc.inward and coloured.arc.kind in ("normal", "test")
            for asked in surely_asked(coloured.tokens)
        ]
        conditions = conjuncts(self.condition) if self.condition is not None else []
        return Rule(tuple(patterns), tuple(conditions), self.variables)

    def bindings(self) -> int:
        """The number of bindings, possible or not."""
        count = 1
        for sort in self.variables.values():
            count *= size(sort)
        return count


def read_coloured(document: Document) -> Net:
    """The unfolded net of a document; raises ModelError."""
    return _Unfolding(document).net()


class _Unfolding:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.declarations: Declarations = read_declarations(document.declarations)
        self.reader = TermReader(self.declarations)
        self.sorts = [self._sort(node) for node in document.places]
        self.marking = [self._marking(node, sort) for node, sort in zip(document.places, self.sorts, strict=True)]
        self.transitions = self._transitions()
        self.tokens = Tokens(len(document.places))
        self.instances: list[tuple[int, dict[str, Colour]]] = []

    def net(self) -> Net:
        initial = [(place, value) for place, marking in enumerate(self.marking) for value in marking]
        search = BindingSearch([coloured.rule() for coloured in self.transitions], self.tokens, self._found)
        search.run(initial)
        numbers = self._numbered()
        unfolded = [self._instance(number, binding, numbers) for number, binding in self._in_order()]
        return self._named([pair for pair in unfolded if pair is not None], numbers)

    def _sort(self, node: Node) -> Sort:
        structure = _structure(node.element, "type")
        if structure is None:
            raise node.element.error("found a place without a <type>, expected its sort")
        return self.declarations.sort(structure)

    def _marking(self, node: Node, sort: Sort) -> Multiset:
        if capacity_of(node.element) is not None:
            raise node.element.error("found a <capacity> in a coloured net, which is not supported")
        structure = _structure(node.element, "hlinitialMarking")
        if structure is None:
            count = tokens_of(node.element)
            if count and sort != DOT:
                raise node.element.error(
                    f"found a number of tokens, expected an <hlinitialMarking> of {sort_text(sort)}"
                )
            return {(0,): count} if count else {}
        term = self.reader.tokens(structure, sort)
        for id_ in variables(term):
            raise structure.error(f"found the variable '{id_}' in an initial marking, expected constants")
        return _placed(multiset(term, {}), sort, structure)

    def _transitions(self) -> list[_Coloured]:
        found = [_Coloured(node, self._condition(node)) for node in self.document.transitions]
        for arc in self.document.arcs:
            found[arc.transition].arcs.append(_ColouredArc(arc, self._inscription(arc)))
        for coloured in found:
            for part in coloured.arcs:
                coloured.variables |= variables(part.tokens)
            if coloured.condition is not None:
                coloured.variables |= variables(coloured.condition)
        return found

    def _inscription(self, arc: Arc) -> Term:
        """The tokens that an arc takes or gives; those of sort dot may be given as a number, as in a P/T net."""
        sort = self.sorts[arc.place]
        structure = _structure(arc.element, "hlinscription")
        if structure is not None:
            return self.reader.tokens(structure, sort)
        if sort == DOT:
            return terms.Times(weight_of(arc.element), terms.Constant((0,), DOT), DOT)
        raise arc.element.error("found an arc without an inscription, expected an <hlinscription>")

    def _condition(self, node: Node) -> Condition | None:
        structure = _structure(node.element, "condition")
        return None if structure is None else self.reader.condition(structure)

    def _found(self, number: int, binding: Bound) -> Iterator[tuple[int, Colour]]:
        """Record a binding, and yield the tokens that firing it would produce."""
        self.instances.append((number, binding))
        if len(self.instances) > MOST_TRANSITIONS:
            raise self._too_many()
        for coloured in self.transitions[number].arcs:
            if not coloured.arc.inward:
                place = coloured.arc.place
                tokens = multiset(coloured.tokens, binding)
                yield from ((place, value) for value in _placed(tokens, self.sorts[place], coloured.arc.element))

    def _too_many(self) -> Exception:
        bindings = sum(coloured.bindings() for coloured in self.transitions)
        return self.document.element.error(
            f"this net unfolds to more than {MOST_TRANSITIONS:,} transitions (there are {bindings:,} bindings), "
            "expected fewer"
        )

    def _numbered(self) -> list[dict[Colour, int]]:
        """The number of the unfolded place for each place and colour."""
        numbers: list[dict[Colour, int]] = []
        following = 0
        for found in self.tokens.colours:
            numbers.append({value: following + offset for offset, value in enumerate(sorted(found))})
            following += len(found)
        return numbers

    def _in_order(self) -> list[tuple[int, dict[str, Colour]]]:
        """The instances of transitions in the order of the text, each transition's in the order of its colours."""

        def key(instance: tuple[int, dict[str, Colour]]) -> tuple[int, list[Colour]]:
            number, binding = instance
            return number, [binding[id_] for id_ in self.transitions[number].variables]

        return sorted(self.instances, key=key)

    def _instance(
        self, number: int, binding: Bound, numbers: Sequence[Mapping[Colour, int]]
    ) -> tuple[int, NetTransition] | None:
        """A transition under a binding; None if it needs tokens that never exist."""
        coloured = self.transitions[number]
        connections = Connections()
        for part in coloured.arcs:
            places = numbers[part.arc.place]
            for value, count in multiset(part.tokens, binding).items():
                if value in places:
                    connections.add(part.arc, places[value], count)
                elif part.arc.kind in ("normal", "test"):
                    return None
        name = self._instance_name(coloured, binding)
        return number, connections.transition(name, coloured.node.element.position)

    def _instance_name(self, coloured: _Coloured, binding: Bound) -> str:
        names = self.declarations.variable_names
        values = (
            f"{names[id_]}={colour_text(sort, binding[id_]).strip('()') or 'dot'}"
            for id_, sort in coloured.variables.items()
        )
        text = ",".join(values)
        return f"{coloured.node.name}({text})" if text else coloured.node.name

    def _named(self, unfolded: Sequence[tuple[int, NetTransition]], numbers: Sequence[Mapping[Colour, int]]) -> Net:
        places: list[Place] = []
        place_names: dict[str, tuple[int, ...]] = {}
        for node, sort, found, marking in zip(self.document.places, self.sorts, numbers, self.marking, strict=True):
            for value, number in found.items():
                text = colour_text(sort, value)
                places.append(Place(_free(node.name + text, place_names), marking.get(value, 0)))
                place_names |= {node.name + text: (number,), node.id + text: (number,)}
            every = tuple(found.values())
            place_names |= {node.name: every, node.id: every}
        transition_names: dict[str, tuple[int, ...]] = {}
        for number, node in enumerate(self.document.transitions):
            every = tuple(place for place, (origin, _) in enumerate(unfolded) if origin == number)
            transition_names |= {node.name: every, node.id: every}
        for place, (_, transition) in enumerate(unfolded):
            transition_names.setdefault(transition.name, (place,))
        transitions = tuple(transition for _, transition in unfolded)
        return Net(self.document.name, tuple(places), transitions, place_names, transition_names)


def _structure(element: Element, tag: str) -> Element | None:
    """The content of the `<structure>` of a label; None if there is no such label."""
    labelled = element.first(tag)
    if labelled is None:
        return None
    structure = labelled.first("structure")
    if structure is None:
        raise labelled.error(f"found no <structure> in <{tag}>, expected one")
    return content_of(structure)


def _placed(tokens: Multiset, sort: Sort, where: Element) -> Multiset:
    """Tokens for a place; raises ModelError if their colours are not of its sort, or there are too many."""
    for value, count in tokens.items():
        if not contains(sort, value):
            shown = ",".join(str(number) for number in value)
            raise where.error(f"found a token of colour ({shown}), expected one of {sort_text(sort)}")
        if count > MOST_TOKENS:
            raise where.error(f"found {count} tokens of one colour, expected at most {MOST_TOKENS}")
    return tokens


def _free(name: str, taken: Mapping[str, object]) -> str:
    while name in taken:
        name += "'"
    return name
