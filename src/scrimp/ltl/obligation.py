"""Minimal deterministic automata for obligations: Boolean combinations of safety and guarantee properties.

Dax, Eisinger and Klaedtke, *Mechanizing the powerset construction for restricted classes of ω-automata*, ATVA 2007;
Löding, *Efficient minimization of deterministic weak ω-automata*, Information Processing Letters 79, 2001.

O1  Determinise by the powerset construction. If the words form an obligation, all cycles of a component of the result
    are alike: they are accepting if the word along one of them is accepted from the states in the set.
O2  Colour components from the leaves on with the largest colours that are even for accepting and odd for rejecting
    ones and no larger than those of their successors; a component without cycles takes its successors' least colour.
O3  Minimise like an automaton over finite words in which states with an even colour are final.
O4  If it is not known that the words form an obligation, compare: nothing may be accepted by the result and by the
    automaton of the negated formula, nor by the negated result and by the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrimp.ltl.components import strong_components
from scrimp.ltl.diagrams import FALSE, TRUE, Diagram
from scrimp.ltl.graph import Arc, Graph, automaton_of, order_of_discovery

# The powerset construction stops at this many sets of states, and comparisons at this many pairs.
MOST_SETS = 200
MOST_PAIRS = 20_000


def minimal_deterministic(graph: Graph) -> Graph | None:
    """The smallest complete deterministic weak automaton for the words that an automaton accepts, if they form an
    obligation; otherwise, an automaton for other words. None if it would be too large."""
    determinised = _determinised(graph)
    if determinised is None:
        return None
    complete, sets = determinised
    final = _final(complete, _is_accepting(graph, complete, sets))
    marked = complete.with_arcs(
        [arc._replace(marks=int(is_final)) for arc in arcs]
        for arcs, is_final in zip(complete.leaving, final, strict=True)
    )
    return marked.renumbered(_classes(complete, final))


def is_equivalent(weak: Graph, original: Graph, opposite: Graph) -> bool:
    """Whether a complete deterministic weak automaton accepts the words of `original` and none of `opposite`, which
    accepts all others (O4)."""
    complement = weak.with_arcs([arc._replace(marks=1 - arc.marks) for arc in arcs] for arcs in weak.leaving)
    return not may_intersect(weak, opposite) and not may_intersect(complement, original)


def may_intersect(left: Graph, right: Graph) -> bool:
    """Whether some word is accepted by both automata, whose labels are diagrams of one collection; also if there are
    too many pairs to know."""
    pairs = {left.initial * len(right.leaving) + right.initial: 0}
    leaving: list[list[Arc]] = []
    for pair in order_of_discovery(pairs):
        first, second = divmod(pair, len(right.leaving))
        leaving.append([])
        for a in left.leaving[first]:
            for b in right.leaving[second]:
                if left.diagrams.both(a.label, b.label) != FALSE:
                    place = pairs.setdefault(a.target * len(right.leaving) + b.target, len(pairs))
                    leaving[-1].append(Arc(TRUE, a.marks | b.marks << left.marks, place))
        if len(pairs) > MOST_PAIRS:
            return True
    component = strong_components([[arc.target for arc in arcs] for arcs in leaving])
    collected = dict.fromkeys(component, 0)
    cyclic = set()
    for state, arcs in enumerate(leaving):
        for arc in arcs:
            if component[arc.target] == component[state]:
                collected[component[state]] |= arc.marks
                cyclic.add(component[state])
    everything = left.all_marks | right.all_marks << left.marks
    return any(collected[number] == everything for number in cyclic)


def _determinised(graph: Graph) -> tuple[Graph, list[frozenset[int]]] | None:
    """The powerset construction: its automaton, in which every letter has an edge, and the sets that are its states."""
    sets: dict[frozenset[int], int] = {frozenset({graph.initial}): 0}
    leaving: list[list[Arc]] = []
    done = 0
    listed = list(sets)
    while done < len(listed):
        leaving.append([])
        for targets, label in _moves(graph, listed[done]).items():
            if targets not in sets:
                sets[targets] = len(listed)
                listed.append(targets)
            leaving[-1].append(Arc(label, 0, sets[targets]))
        if len(listed) > MOST_SETS:
            return None
        done += 1
    return replace(graph, initial=0, marks=1).with_arcs(leaving), listed


def _moves(graph: Graph, states: frozenset[int]) -> dict[frozenset[int], Diagram]:
    """The sets that follow a set of states, each with the letters under which it does."""
    labels: dict[int, Diagram] = {}
    for state in sorted(states):
        for arc in graph.leaving[state]:
            labels[arc.target] = graph.diagrams.either(labels.get(arc.target, FALSE), arc.label)
    moves: dict[frozenset[int], Diagram] = {frozenset(): TRUE}
    for target, label in labels.items():
        split: dict[frozenset[int], Diagram] = {}
        for targets, letters in moves.items():
            split[targets | {target}] = graph.diagrams.both(letters, label)
            split[targets] = graph.diagrams.both(letters, graph.diagrams.neither(label))
        moves = {targets: letters for targets, letters in split.items() if letters != FALSE}
    return moves


def _is_accepting(graph: Graph, complete: Graph, sets: Sequence[frozenset[int]]) -> list[bool | None]:
    """Whether the cycles through each state are accepting; None if there are none (O1)."""
    component = complete.components()
    automaton = automaton_of(graph)
    known: dict[int, bool | None] = {}
    for state, number in enumerate(component):
        if number not in known:
            word = _cycle(complete, component, state)
            known[number] = automaton.accepts_from(sets[state], [], word) if word else None
    return [known[number] for number in component]


def _cycle(graph: Graph, component: Sequence[int], start: int) -> list[int]:
    """The letters along a shortest cycle through a state; empty if there is none."""
    words: dict[int, list[int]] = {}
    todo: list[tuple[int, list[int]]] = [(start, [])]
    for state, word in todo:
        for label, _, target in graph.leaving[state]:
            if component[target] == component[start] and target not in words:
                words[target] = [*word, graph.diagrams.cubes(label)[0][0]]
                if target == start:
                    return words[target]
                todo.append((target, words[target]))
    return []


def _final(graph: Graph, accepting: Sequence[bool | None]) -> list[bool]:
    """The states with even colours (O2)."""
    component = graph.components()
    top = 2 * len(component)
    colour: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    for state, number in enumerate(component):
        members.setdefault(number, []).append(state)
    for number in sorted(members):
        following = {component[arc.target] for state in members[number] for arc in graph.leaving[state]} - {number}
        least = min((colour[other] for other in following), default=top)
        kind = accepting[members[number][0]]
        colour[number] = least if kind is None or (least % 2 == 0) == kind else least - 1
    return [colour[number] % 2 == 0 for number in component]


def _classes(graph: Graph, final: Sequence[bool]) -> list[int]:
    """The classes of states that no finite word distinguishes, by Moore's refinement (O3)."""
    classes = [int(is_final) for is_final in final]
    while True:
        signatures: dict[tuple[int, frozenset[tuple[int, Diagram]]], int] = {}
        refined = []
        for state, arcs in enumerate(graph.leaving):
            labels: dict[int, Diagram] = {}
            for arc in arcs:
                target = classes[arc.target]
                labels[target] = graph.diagrams.either(labels.get(target, FALSE), arc.label)
            signature = (classes[state], frozenset(labels.items()))
            refined.append(signatures.setdefault(signature, len(signatures)))
        if len(set(refined)) == len(set(classes)):
            return classes
        classes = refined
