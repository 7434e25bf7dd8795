"""From formulas to automata: the states of an automaton are formulas, which its edges take apart.

Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999; with Duret-Lutz's diagrams over literals, next
formulas and promises (*LTL translation improvements in Spot*, VECoS 2011):

L1  A formula holds now if its literals do, the formulas that it defers to the next step hold then, and the promises
    that it makes are kept at some later time. `f U g` holds if g does; or if f does, `f U g` holds next, and g is
    promised.
L2  A state is a formula; states with the same diagram are one, because the same happens next.
L3  For each set of letters after which the same remains to be done, and each irredundant way to do it, there is an
    edge to the conjunction of the deferred formulas.
    Of the deferred formulas, those are left out that another one implies, if they are safety formulas: an eventuality
    must stay even then, because only its own promise makes sure that it is not put off again and again.
L4  An edge carries the mark of each promise that it does not make. A run in which a promise is made from some time on
    never keeps it, so it must take each mark infinitely often.
"""

from __future__ import annotations

from collections.abc import Iterable

from scrimp.ltl import diagrams as constants
from scrimp.ltl.classes import is_safety
from scrimp.ltl.diagrams import Diagram, Diagrams
from scrimp.ltl.formula import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    conjunction,
)
from scrimp.ltl.graph import Arc, Graph, order_of_discovery
from scrimp.ltl.implication import implies
from scrimp.ltl.simplify import simplified


def tableau(formula: Formula, names: tuple[str, ...], diagrams: Diagrams) -> Graph:
    """An automaton over the given atoms that accepts the words that satisfy the formula. Automata over the same atoms
    can be compared if their labels are diagrams of one collection."""
    return _Tableau(names, diagrams).build(simplified(formula))


class _Tableau:
    def __init__(self, names: tuple[str, ...], diagrams: Diagrams) -> None:
        self.names = names
        self.diagrams = diagrams
        self.literal = {name: self.diagrams.true_if(place) for place, name in enumerate(names)}
        self.deferred: dict[int, Formula] = {}  # by variable
        self.promised: dict[int, int] = {}  # the marks of promises, by variable
        self.variable: dict[tuple[bool, Formula], int] = {}
        self.known: dict[Formula, Diagram] = {}
        self.remaining: dict[Diagram, dict[Diagram, Diagram]] = {}

    def build(self, formula: Formula) -> Graph:
        states = {self.now(formula): 0}
        leaving: list[list[tuple[Diagram, int, int]]] = []
        for state in order_of_discovery(states):
            leaving.append([])
            for residue, label in self.residues(state).items():
                for cube, _ in self.diagrams.cubes(residue):  # L3
                    variables = [place for place in range(cube.bit_length()) if cube >> place & 1]
                    following = self.now(_conjunction(self.deferred[v] for v in variables if v in self.deferred))
                    promises = sum(1 << self.promised[v] for v in variables if v in self.promised)
                    if following != constants.FALSE:
                        place = states.setdefault(following, len(states))  # L2
                        leaving[-1].append((label, promises, place))
        marks = len(self.promised)
        everything = (1 << marks) - 1
        made = [[Arc(label, everything & ~promises, place) for label, promises, place in arcs] for arcs in leaving]
        return Graph(self.diagrams, self.names, 0, (), marks).with_arcs(made)  # L4

    def residues(self, diagram: Diagram) -> dict[Diagram, Diagram]:
        """What may remain to be done after a letter, each with the letters after which it remains."""
        place = self.diagrams.variable[diagram]
        if place >= len(self.names):
            return {diagram: constants.TRUE} if diagram != constants.FALSE else {}
        found = self.remaining.get(diagram)
        if found is None:
            low, high = self.residues(self.diagrams.low[diagram]), self.residues(self.diagrams.high[diagram])
            found = self.remaining[diagram] = {
                residue: self.diagrams.node(
                    place, low.get(residue, constants.FALSE), high.get(residue, constants.FALSE)
                )
                for residue in (*low, *high)
            }
        return found

    def now(self, formula: Formula) -> Diagram:
        """When a formula holds: a function of letters, deferred formulas and promises (L1)."""
        found = self.known.get(formula)
        if found is None:
            found = self.known[formula] = self._now(formula)
        return found

    def _now(self, formula: Formula) -> Diagram:
        both, either = self.diagrams.both, self.diagrams.either
        match formula:
            case Constant(value):
                return constants.TRUE if value else constants.FALSE
            case Atom(name):
                return self.literal[name]
            case Not(operand):
                return self.diagrams.neither(self.now(operand))
            case And(operands):
                return self.diagrams.all(map(self.now, operands))
            case Or(operands):
                return self.diagrams.any(map(self.now, operands))
            case Next(operand):
                return self._later(operand)
            case Eventually(operand):
                return either(self.now(operand), both(self._promise(operand), self._later(formula)))
            case Always(operand):
                return both(self.now(operand), self._later(formula))
            case Until(left, right):
                waiting = both(self._promise(right), self._later(formula))
                return either(self.now(right), both(self.now(left), waiting))
            case WeakUntil(left, right):
                return either(self.now(right), both(self.now(left), self._later(formula)))
            case Release(left, right):
                return both(self.now(right), either(self.now(left), self._later(formula)))
            case StrongRelease(left, right):
                waiting = both(self._promise(left), self._later(formula))
                return both(self.now(right), either(self.now(left), waiting))

    def _later(self, formula: Formula) -> Diagram:
        if isinstance(formula, Constant):
            return self.now(formula)
        if isinstance(formula, And):
            return self.diagrams.all(map(self._later, formula.operands))
        variable = self._variable(False, formula)
        self.deferred[variable] = formula
        return self.diagrams.true_if(variable)

    def _promise(self, formula: Formula) -> Diagram:
        variable = self._variable(True, formula)
        self.promised.setdefault(variable, len(self.promised))
        return self.diagrams.true_if(variable)

    def _variable(self, is_promise: bool, formula: Formula) -> int:
        return self.variable.setdefault((is_promise, formula), len(self.names) + len(self.variable))


def _conjunction(parts: Iterable[Formula]) -> Formula:
    """The conjunction of deferred formulas, without needless ones (L3)."""
    joined = conjunction(parts)
    if not isinstance(joined, And):
        return joined
    kept = list(joined.operands)
    for part in filter(is_safety, joined.operands):
        if any(implies(other, part) for other in kept if other is not part):
            kept.remove(part)
    return conjunction(kept)
