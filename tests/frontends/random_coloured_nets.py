"""Random coloured nets, and the token game on them: every binding of every transition is tried, nothing is pruned.

A term is its meaning, a function from bindings to multisets, beside its PNML. So the expected behaviour of a net is
found without the front end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st
from tests.frontends import coloured_pnml as xml

COLOURS = ("a", "b", "c")
VARIABLES = ("x", "y")

Colour = tuple[str, ...]
Binding = dict[str, str]
Marking = frozenset[tuple[str, Colour, int]]


@dataclass(frozen=True)
class Term:
    written: str
    tokens: Callable[[Binding], Counter[Colour]]


@dataclass(frozen=True)
class Condition:
    written: str
    holds: Callable[[Binding], bool]


@dataclass(frozen=True)
class Arc:
    place: str
    transition: str
    inward: bool
    term: Term


@dataclass(frozen=True)
class ColouredNet:
    """Places P and Q have a colour, R has two."""

    marking: dict[str, Term]
    conditions: dict[str, Condition | None]
    arcs: tuple[Arc, ...]

    @property
    def written(self) -> str:
        declarations = xml.declarations(
            xml.enumeration("Colour", *COLOURS),
            xml.product("Pair", "Colour", "Colour"),
            *(xml.declared(name, "Colour") for name in VARIABLES),
        )
        places = (
            xml.place(name, "Pair" if name == "R" else "Colour", term.written) for name, term in self.marking.items()
        )
        transitions = (
            xml.transition(name, "" if condition is None else condition.written)
            for name, condition in self.conditions.items()
        )
        arcs = (
            xml.arc(arc.place, arc.transition, arc.term.written)
            if arc.inward
            else xml.arc(arc.transition, arc.place, arc.term.written)
            for arc in self.arcs
        )
        return xml.net(declarations, *places, *transitions, *arcs)

    @property
    def initial(self) -> Marking:
        return _frozen({name: term.tokens({}) for name, term in self.marking.items()})

    def variables(self, transition: str) -> list[str]:
        """Those that the transition's arcs and condition mention."""
        texts = [arc.term.written for arc in self.arcs if arc.transition == transition]
        condition = self.conditions[transition]
        texts += [] if condition is None else [condition.written]
        return [name for name in VARIABLES if any(f'refvariable="{name}"' in text for text in texts)]

    def successors(self, marking: Marking) -> Iterator[Marking]:
        """The markings after each enabled binding."""
        for transition, condition in self.conditions.items():
            names = self.variables(transition)
            for values in product(COLOURS, repeat=len(names)):
                binding = dict(zip(names, values, strict=True))
                after = (
                    None if condition and not condition.holds(binding) else self._fired(marking, transition, binding)
                )
                if after is not None:
                    yield after

    def _fired(self, marking: Marking, transition: str, binding: Binding) -> Marking | None:
        places: dict[str, Counter[Colour]] = {name: Counter() for name in self.marking}
        for name, value, count in marking:
            places[name][value] = count
        arcs = [arc for arc in self.arcs if arc.transition == transition]
        for arc in arcs:
            if arc.inward:
                places[arc.place].subtract(arc.term.tokens(binding))
        if any(count < 0 for tokens in places.values() for count in tokens.values()):
            return None
        for arc in arcs:
            if not arc.inward:
                places[arc.place].update(arc.term.tokens(binding))
        return _frozen(places)


def _frozen(places: dict[str, Counter[Colour]]) -> Marking:
    return frozenset(
        (name, value, count) for name, tokens in places.items() for value, count in tokens.items() if count
    )


def _one(written: str, value: Callable[[Binding], Colour]) -> Term:
    return Term(written, lambda binding: Counter({value(binding): 1}))


def _stepped(name: str, steps: int) -> str:
    return COLOURS[(COLOURS.index(name) + steps) % len(COLOURS)]


def _basic(name: str) -> list[Term]:
    """Terms over one variable."""
    return [
        _one(xml.var(name), lambda binding: (binding[name],)),
        _one(xml.operator("successor", xml.var(name)), lambda binding: (_stepped(binding[name], 1),)),
        _one(xml.operator("predecessor", xml.var(name)), lambda binding: (_stepped(binding[name], -1),)),
    ]


CONSTANTS = [_one(xml.const(name), lambda _, name=name: (name,)) for name in COLOURS]  # type: ignore[misc]
EVERY = Term(xml.every("Colour"), lambda _: Counter({(name,): 1 for name in COLOURS}))
VARYING = [term for name in VARIABLES for term in _basic(name)]


def _pair(left: Term, right: Term) -> Term:
    def tokens(binding: Binding) -> Counter[Colour]:
        pairs = product(left.tokens(binding).items(), right.tokens(binding).items())
        return Counter({a + b: count * times for (a, count), (b, times) in pairs})

    return Term(xml.pair(left.written, right.written), tokens)


def _sum(left: Term, right: Term) -> Term:
    written = xml.operator("add", left.written, right.written)
    return Term(written, lambda binding: left.tokens(binding) + right.tokens(binding))


def _difference(left: Term, right: Term) -> Term:
    written = xml.operator("subtract", left.written, right.written)
    return Term(written, lambda binding: left.tokens(binding) - right.tokens(binding))


def _times(count: int, term: Term) -> Term:
    def tokens(binding: Binding) -> Counter[Colour]:
        return Counter({value: count * times for value, times in term.tokens(binding).items()})

    return Term(xml.times(count, term.written), tokens)


def _terms(simple: list[Term], place: str) -> st.SearchStrategy[Term]:
    one = st.sampled_from(simple)
    if place == "R":
        pairs = st.builds(_pair, one, one) | st.builds(_pair, st.just(EVERY), one)
        return pairs | st.builds(_sum, pairs, pairs)
    return (
        one
        | one
        | st.builds(_times, st.integers(1, 2), one)
        | st.builds(_sum, one, one)
        | st.just(EVERY)
        | st.builds(_difference, st.just(EVERY), one)
    )


def _comparison(tag: str, left: Term, right: Term) -> Condition:
    def holds(binding: Binding) -> bool:
        ((a,),), ((b,),) = left.tokens(binding), right.tokens(binding)
        return {"equality": a == b, "inequality": a != b, "lessthan": a < b, "greaterthanorequal": a >= b}[tag]

    return Condition(xml.operator(tag, left.written, right.written), holds)


def _negation(condition: Condition) -> Condition:
    return Condition(xml.operator("not", condition.written), lambda binding: not condition.holds(binding))


def _joined(tag: str, left: Condition, right: Condition) -> Condition:
    def holds(binding: Binding) -> bool:
        truths = [left.holds(binding), right.holds(binding)]
        return all(truths) if tag == "and" else any(truths)

    return Condition(xml.operator(tag, left.written, right.written), holds)


_COMPARISONS = st.builds(
    _comparison,
    st.sampled_from(["equality", "inequality", "lessthan", "greaterthanorequal"]),
    st.sampled_from(VARYING),
    st.sampled_from([*VARYING, *CONSTANTS]),
)
CONDITIONS = (
    _COMPARISONS
    | st.builds(_negation, _COMPARISONS)
    | st.builds(_joined, st.sampled_from(["and", "or"]), _COMPARISONS, _COMPARISONS)
)


@st.composite
def coloured_nets(draw: st.DrawFn) -> ColouredNet:
    names = ("P", "Q", "R")
    marking = {name: draw(_terms(CONSTANTS, name)) for name in names}
    conditions = {name: draw(st.none() | CONDITIONS) for name in ("t", "u", "v")[: draw(st.integers(1, 3))]}
    arcs = []
    for transition in conditions:
        for inward, most in ((True, 2), (False, 2)):
            for place in draw(st.lists(st.sampled_from(names), min_size=int(inward), max_size=most, unique=True)):
                arcs.append(Arc(place, transition, inward, draw(_terms([*VARYING, *CONSTANTS[:1]], place))))
    return ColouredNet(marking, conditions, tuple(arcs))
