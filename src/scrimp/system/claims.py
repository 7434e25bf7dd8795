"""Claims as automata: a process that watches the others becomes an automaton over expressions of the system.

A never claim or a property process reads every state before the others move, as an edge of an automaton does. A run
violates the claim if it passes its accepting locations infinitely often, or if an assertion on the way fails: then
whatever follows is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scrimp.ltl.automaton import ANY, Automaton, Cube, Edge
from scrimp.system.expressions import FALSE, TRUE, At, Constant, Expression, Read, Unary, conjunction, disjunction
from scrimp.system.statements import Assert, Assign, Place
from scrimp.system.system import System, Transition, Variable
from scrimp.system.types import BIT

# The automaton's atoms are watches, and one watch is for atoms that cannot be evaluated.
MOST_GUARDS = 62
# A sequence that the claim executes alone may have very many ways through it.
MOST_ARCS = 2_000


class NotSeparable(Exception):
    """A claim is more than an automaton over the states of the others: it changes variables, or has too many
    conditions."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A move of a claim between its locations. The assertions are about the state that the claim reads."""

    source: int
    target: int
    guard: Expression
    assertions: tuple[Expression, ...] = ()


def claim_automaton(
    initial: int, arcs: Iterable[Arc], accepting: frozenset[int], accepts: Expression | None = None
) -> tuple[Automaton, tuple[Expression, ...]]:
    """The automaton of a claim, and the expressions that its atoms stand for. Edges that leave an accepting location
    have its only mark, and so have all edges that read a state in which `accepts` holds."""
    return _Builder(initial, accepting, accepts).build(arcs)


class _Builder:
    def __init__(self, initial: int, accepting: frozenset[int], accepts: Expression | None) -> None:
        self.initial = initial
        self.accepting = accepting
        self.atoms: dict[Expression, int] = {}
        self.marked = None if accepts is None else self._cube(accepts)
        self.edges: list[Edge] = []
        self.numbers = {initial: 0}
        self.violated: int | None = None

    def build(self, arcs: Iterable[Arc]) -> tuple[Automaton, tuple[Expression, ...]]:
        for arc in arcs:
            if FALSE in arc.assertions:
                self._add(arc.source, self._violation(), arc.guard)
                continue
            holds = conjunction(*arc.assertions)
            if holds != TRUE:
                self._add(arc.source, self._violation(), conjunction(arc.guard, Unary("!", holds)))
            self._add(arc.source, self._number(arc.target), conjunction(arc.guard, holds))
        names = tuple(f"guard {number}" for number in range(len(self.atoms)))
        edges = tuple(sorted(self.edges, key=lambda edge: edge.source))
        return Automaton(names, len(self.numbers), 0, edges, marks=1), tuple(self.atoms)

    def _add(self, location: int, target: int, guard: Expression) -> None:
        source, cube = self._number(location), self._cube(guard)
        if cube is None:
            return
        self.edges.append(Edge(source, target, (cube,), int(location in self.accepting)))
        if self.marked is not None and location not in self.accepting:
            both = Cube(cube.true | self.marked.true, cube.false | self.marked.false)
            self.edges.append(Edge(source, target, (both,), 1))

    def _number(self, location: int) -> int:
        return self.numbers.setdefault(location, len(self.numbers))

    def _violation(self) -> int:
        """The state after a violation, in which everything is accepted."""
        if self.violated is None:
            self.violated = self._number(-1)
            self.edges.append(Edge(self.violated, self.violated, (ANY,), 1))
        return self.violated

    def _cube(self, guard: Expression) -> Cube | None:
        """None if the guard is never true."""
        if isinstance(guard, Constant):
            return ANY if guard.value else None
        if isinstance(guard, Unary) and guard.operator == "!":
            return Cube(0, 1 << self._atom(guard.operand))
        return Cube(1 << self._atom(guard), 0)

    def _atom(self, test: Expression) -> int:
        return self.atoms.setdefault(test, len(self.atoms))


def separated(
    system: System, accepting: frozenset[int], accepts: Expression | None
) -> tuple[System, Automaton, tuple[Expression, ...]]:
    """A system without its claim, which is its last process, and the automaton of the claim with its atoms. Raises
    NotSeparable."""
    claim = system.claim
    assert claim == len(system.processes) - 1
    if any(variable.owner == claim for variable in system.variables):
        raise NotSeparable
    initial = system.processes[claim].initial
    automaton, atoms = claim_automaton(initial, _arcs(system, claim), accepting, accepts)
    if len(automaton.atoms) > MOST_GUARDS:
        raise NotSeparable
    others = tuple(transition for transition in system.transitions if transition.moves[0].process != claim)
    offers = tuple((process, test) for process, test in system.offers if process != claim)
    return (
        replace(system, processes=system.processes[:claim], transitions=others, offers=offers, claim=None),
        automaton,
        atoms,
    )


def _arcs(system: System, claim: int) -> Iterator[Arc]:
    """The moves of a claim from the locations in which it reads a state. While it continues alone, all its conditions
    are about that state: such a sequence is one arc."""
    seen = {system.processes[claim].initial}
    waiting = [*seen]
    while waiting:
        for arc in _arcs_from(system, claim, waiting.pop()):
            yield arc
            if arc.target not in seen:
                seen.add(arc.target)
                waiting.append(arc.target)


def _arcs_from(system: System, claim: int, start: int) -> Iterator[Arc]:
    """Depth first; a sequence that returns to where it has been never ends, and leads nowhere."""
    ways: list[tuple[int, Expression, frozenset[int]]] = [(start, TRUE, frozenset())]
    arcs = 0
    while ways:
        location, so_far, passed = ways.pop()
        for event in system.leaving.get((claim, location), ()):
            transition = system.transitions[event]
            if not all(isinstance(each, Assert) for each in transition.effect):
                raise NotSeparable
            target = transition.moves[0].target
            guard = conjunction(so_far, transition.guard)
            holds = conjunction(*(each.test for each in transition.effect if isinstance(each, Assert)))
            if transition.holder is None:
                yield Arc(start, target, guard, (holds,))
            elif target not in passed:
                if holds != TRUE:
                    yield Arc(start, start, conjunction(guard, Unary("!", holds)), (FALSE,))
                ways.append((target, conjunction(guard, holds), passed | {target}))
            arcs += 1
            if arcs > MOST_ARCS:
                raise NotSeparable


def observed(
    system: System, accepting: frozenset[int], accepts: Expression | None
) -> tuple[System, Automaton, tuple[Expression, ...]]:
    """A system with its claim, and an automaton that accepts the runs in which the claim passes accepting locations
    infinitely often. The claim may move twice between two states of a run: a variable remembers whether it was at an
    accepting location before its last move."""
    claim = system.claim
    assert claim is not None
    before = len(system.variables)

    def remembering(transition: Transition) -> Transition:
        move = transition.moves[0]
        if move.process != claim or move.source not in entered:
            return transition
        was_accepting = Constant(int(move.source in accepting))
        return replace(transition, effect=(*transition.effect, Assign(Place(before), was_accepting)))

    own = [transition for transition in system.transitions if transition.moves[0].process == claim]
    entered = {t.moves[0].target for t in own if t.holder is None} | {system.processes[claim].initial}
    remembered = Variable("accepted", BIT, (0,), owner=claim)
    places = [At(claim, location) for location in sorted(accepting)]
    accepted = disjunction(*places, Read(before), *([] if accepts is None else [accepts]))
    edges = (Edge(0, 0, (ANY,), 0), Edge(0, 0, (Cube(1, 0),), 1))
    automaton = Automaton(("accepted",), states=1, initial=0, edges=edges, marks=1)
    transitions = tuple(map(remembering, system.transitions))
    return replace(system, variables=(*system.variables, remembered), transitions=transitions), automaton, (accepted,)
