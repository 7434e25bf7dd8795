"""Random nets, and the token game on them in a few lines: the front end and everything behind it must agree with it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

PLACES = ("p", "q", "r", "s")
TRANSITIONS = ("t", "u", "v", "w")


class Arc(NamedTuple):
    source: str
    kind: str
    target: str
    weight: int


def arcs_of(written: Sequence[str]) -> list[Arc]:
    """Arcs as `tests.frontends.pnml.arc` writes them."""
    found = []
    for line in written:
        ends, _, weight = line.partition("*")
        source, kind, target = ends.split()
        found.append(Arc(source, kind, target, int(weight or 1)))
    return found


@st.composite
def nets(draw: st.DrawFn, special: bool = True) -> tuple[dict[str, int], tuple[str, ...]]:
    """A marking and arcs. Every transition takes at least as much as it gives, or nearly, so that most are bounded."""
    tokens = {place: draw(st.integers(0, 2)) for place in PLACES[: draw(st.integers(1, 4))]}
    places = st.sampled_from(sorted(tokens))
    arcs: list[str] = []
    for transition in TRANSITIONS[: draw(st.integers(1, 4))]:
        for _ in range(draw(st.integers(1, 3))):
            arcs.append(f"{draw(places)} -> {transition} * {draw(st.integers(1, 2))}")
        for _ in range(draw(st.integers(0, 2))):
            arcs.append(f"{transition} -> {draw(places)}")
        if special and draw(st.booleans()):
            kind = draw(st.sampled_from(["-o", "-?", "-x"]))
            arcs.append(f"{draw(places)} {kind} {transition} * {draw(st.integers(1, 3))}")
    return tokens, tuple(arcs)


@st.composite
def nets_of_processes(draw: st.DrawFn) -> tuple[dict[str, int], tuple[str, ...]]:
    """Mostly single tokens that move from place to place and synchronise: there are sets of places that share one
    token."""
    ways = [[f"p{way}{step}" for step in range(draw(st.integers(2, 5)))] for way in range(draw(st.integers(1, 3)))]
    tokens = {place: int(place == way[0]) for way in ways for place in way} | {"buffer": draw(st.integers(0, 1))}
    places = st.sampled_from(sorted(tokens))
    arcs: list[str] = []
    for number in range(draw(st.integers(2, 7))):
        transition = f"t{number}"
        for way in draw(st.lists(st.sampled_from(ways), min_size=1, max_size=2, unique_by=lambda way: way[0])):
            arcs.append(f"{draw(st.sampled_from(way))} -> {transition}")
            if draw(st.integers(0, 9)):
                arcs.append(f"{transition} -> {draw(st.sampled_from(way))}")
        if not draw(st.integers(0, 2)):
            kind = draw(st.sampled_from(["-o", "-?", "-?", "-x"]))
            arcs.append(f"{draw(places)} {kind} {transition} * {draw(st.sampled_from([1, 1, 1, 2]))}")
        if not draw(st.integers(0, 3)):
            arcs.append(draw(st.sampled_from([f"buffer -> {transition}", f"{transition} -> buffer"])))
    return tokens, tuple(dict.fromkeys(arcs))


def successors(marking: Mapping[str, int], arcs: Sequence[Arc]) -> Iterator[tuple[str, dict[str, int]]]:
    """The markings after each enabled transition."""
    for transition in dict.fromkeys(arc.target if arc.source in marking else arc.source for arc in arcs):
        inward = [arc for arc in arcs if arc.target == transition]
        after = dict(marking)
        for arc in inward:
            after[arc.source] -= arc.weight if arc.kind == "->" else 0
        blocked = any(
            (arc.kind == "-o" and marking[arc.source] >= arc.weight)
            or (arc.kind == "-?" and marking[arc.source] < arc.weight)
            for arc in inward
        )
        if blocked or min(after.values()) < 0:
            continue
        for arc in inward:
            if arc.kind == "-x":
                after[arc.source] = 0
        for arc in arcs:
            if arc.source == transition:
                after[arc.target] += arc.weight
        yield transition, after


def markings(tokens: Mapping[str, int], arcs: Sequence[Arc], limit: int) -> list[dict[str, int]]:
    """Reachable markings, breadth first; no more than a limit of them are expanded."""
    found = [dict(tokens)]
    seen = {tuple(tokens.values())}
    waiting = deque(found)
    while waiting and len(found) < limit:
        for _, after in successors(waiting.popleft(), arcs):
            if tuple(after.values()) not in seen:
                seen.add(tuple(after.values()))
                found.append(after)
                waiting.append(after)
    return found
