"""An obvious answer to questions about infinite runs: all states by the reference interpreter, the product with the
automaton as a set of edges, and its components by reachability."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from scrimp.fairness import Fairness
from scrimp.ltl.automaton import Automaton
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.reference import Fault, State
from scrimp.system.system import System

Processes = frozenset[int]


class TooLargeError(Exception):
    """A system has more states than wanted."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The ordinary states of a system, by number from the initial one; a state without events leads to itself."""

    letters: tuple[int, ...]
    able: tuple[Processes, ...]
    edges: tuple[frozenset[tuple[int, Processes]], ...]


def graph(system: System, atoms: Sequence[Expression], most: int) -> Graph:
    numbers = {reference.initial(system): 0}
    waiting = list(numbers)
    letters, able, edges = [], [], []
    for state in waiting:
        found = set()
        for after, moved in _arrivals(system, state):
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            found.add((numbers[after], moved))
        if len(waiting) > most:
            raise TooLargeError
        events = reference.enabled(system, state)
        if not events:
            found.add((numbers[state], frozenset()))
        edges.append(frozenset(found))
        able.append(_movers(system, events))
        letters.append(sum(bool(reference.evaluate(system, state, atom)) << bit for bit, atom in enumerate(atoms)))
    return Graph(tuple(letters), tuple(able), tuple(edges))


def _movers(system: System, events: Sequence[int]) -> Processes:
    return frozenset(move.process for event in events for move in system.transitions[event].moves)


def _arrivals(system: System, state: State) -> Iterator[tuple[State, Processes]]:
    """The ordinary states after one, through transient states, and the processes that move on the way."""
    waiting: list[tuple[State, Processes]] = [(state, frozenset())]
    seen = set(waiting)
    while waiting:
        before, moved = waiting.pop()
        for event in reference.enabled(system, before):
            after = reference.fire(system, before, event)
            if isinstance(after, Fault):
                continue
            now = after, moved | _movers(system, [event])
            if after.holder is None:
                yield now
            elif now not in seen:
                seen.add(now)
                waiting.append(now)


@dataclass(frozen=True, slots=True)
class ProductEdge:
    source: tuple[int, int]
    target: tuple[int, int]
    marks: int
    moved: Processes


def product(system: Graph, automaton: Automaton) -> list[ProductEdge]:
    """The edges that are reachable from the initial state."""
    start = 0, automaton.initial
    waiting, seen, found = [start], {start}, []
    while waiting:
        state, place = source = waiting.pop()
        for edge in automaton.leaving[place]:
            if not edge.admits(system.letters[state]):
                continue
            for after, moved in system.edges[state]:
                target = after, edge.target
                found.append(ProductEdge(source, target, edge.marks, moved))
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
    return found


def has_run(system: Graph, automaton: Automaton, fair: Mapping[int, Fairness]) -> bool:
    """Whether the automaton accepts a run that is fair to some processes. Each set of strongly fair processes is tried
    as that of those that can move infinitely often: the others cannot move at all, from some point on."""
    edges = product(system, automaton)
    strong = frozenset(process for process, fairness in fair.items() if fairness is Fairness.STRONG)
    subsets = chain.from_iterable(combinations(sorted(strong), size) for size in range(len(strong) + 1))
    for stuck in map(frozenset, subsets):
        kept = [e for e in edges if not (system.able[e.source[0]] | system.able[e.target[0]]) & stuck]
        if any(_is_accepted(system, automaton, fair, part) for part in components(kept)):
            return True
    return False


def _is_accepted(system: Graph, automaton: Automaton, fair: Mapping[int, Fairness], part: list[ProductEdge]) -> bool:
    marks = 0
    for edge in part:
        marks |= edge.marks
    if marks != automaton.all_marks:
        return False
    for process, fairness in fair.items():
        moves = any(process in edge.moved for edge in part)
        able = [process in system.able[edge.source[0]] for edge in part]
        if fairness is Fairness.WEAK and all(able) and not moves:
            return False
        if fairness is Fairness.STRONG and any(able) and not moves:
            return False
    return True


def components(edges: Sequence[ProductEdge]) -> Iterator[list[ProductEdge]]:
    """The edges inside each strongly connected component that has any."""
    after: dict[tuple[int, int], set[tuple[int, int]]] = {}
    before: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for edge in edges:
        after.setdefault(edge.source, set()).add(edge.target)
        before.setdefault(edge.target, set()).add(edge.source)
    done: set[tuple[int, int]] = set()
    for node in after:
        if node in done:
            continue
        members = _reached(after, node) & _reached(before, node)
        done |= members
        inside = [edge for edge in edges if edge.source in members and edge.target in members]
        if inside:
            yield inside


def _reached(neighbours: dict[tuple[int, int], set[tuple[int, int]]], start: tuple[int, int]) -> set[tuple[int, int]]:
    seen, waiting = {start}, [start]
    while waiting:
        for node in neighbours.get(waiting.pop(), set()) - seen:
            seen.add(node)
            waiting.append(node)
    return seen
