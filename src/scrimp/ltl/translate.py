"""From formulas to small automata."""

from __future__ import annotations

from scrimp.errors import OptionError
from scrimp.ltl.automaton import MOST_ATOMS, Automaton
from scrimp.ltl.classes import is_obligation
from scrimp.ltl.diagrams import Diagrams
from scrimp.ltl.formula import Formula, atoms
from scrimp.ltl.graph import Graph, automaton_of
from scrimp.ltl.normal import negated
from scrimp.ltl.obligation import is_equivalent, minimal_deterministic
from scrimp.ltl.prune import pruned
from scrimp.ltl.simulation import reduced_by_simulation
from scrimp.ltl.tableau import tableau

# Automata up to this size are compared with that of the negated formula, to find obligations that syntax does not show.
MOST_COMPARED = 40


def translate(formula: Formula) -> Automaton:
    """An automaton that accepts exactly the words that satisfy the formula; raises OptionError for too many atoms."""
    if len(atoms(formula)) > MOST_ATOMS:
        raise OptionError(f"the formula has {len(atoms(formula))} atoms, at most {MOST_ATOMS} are possible")
    return automaton_of(smallest(formula))


def smallest(formula: Formula) -> Graph:
    """The smaller one of two automata: the reduced tableau, and a deterministic one if the formula is an obligation.
    The second is taken, too, if only with it finite prefixes decide."""
    first = reduced(tableau(formula, atoms(formula), Diagrams()))
    second = _deterministic(formula, first)
    if second is None:
        return first
    decides = automaton_of(second).is_terminal and not automaton_of(first).is_terminal
    return second if decides or len(second.leaving) <= len(first.leaving) else first


def reduced(graph: Graph) -> Graph:
    """Prune and merge until nothing becomes smaller."""
    graph = pruned(graph)
    while True:
        smaller = pruned(reduced_by_simulation(graph))
        if smaller.size >= graph.size:
            return graph
        graph = smaller


def _deterministic(formula: Formula, graph: Graph) -> Graph | None:
    """The minimal deterministic automaton, if the formula is known to be an obligation."""
    found = minimal_deterministic(graph)
    if found is None:
        return None
    if not is_obligation(formula):
        if len(graph.leaving) > MOST_COMPARED:
            return None
        opposite = pruned(tableau(negated(formula), graph.atoms, graph.diagrams))
        if len(opposite.leaving) > MOST_COMPARED or not is_equivalent(found, graph, opposite):
            return None
    return pruned(found)
