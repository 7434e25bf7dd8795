"""Simple searches and a simple bisimulation, to compare with."""

from __future__ import annotations

from collections import deque

from tests.lts.reading import Edge, Lts


def leaving(edges: list[Edge]) -> dict[int, list[tuple[str, int]]]:
    found: dict[int, list[tuple[str, int]]] = {}
    for source, label, target in edges:
        found.setdefault(source, []).append((label, target))
    return found


def numbered_breadth_first(initial: int, edges: list[Edge]) -> Lts:
    """The reachable part, with states numbered in the order of a breadth-first search along the edges as listed."""
    after = leaving(edges)
    numbers = {initial: 0}
    queue = deque([initial])
    found = []
    while queue:
        state = queue.popleft()
        for label, target in after.get(state, ()):
            if target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
            found.append((numbers[state], label, numbers[target]))
    return Lts(0, len(numbers), sorted(found))


def numbered_depth_first(initial: int, edges: list[Edge]) -> Lts:
    """Likewise, depth first."""
    after = leaving(edges)
    numbers = {initial: 0}
    path = [(initial, iter(after.get(initial, ())))]
    found = []
    while path:
        state, left = path[-1]
        step = next(left, None)
        if step is None:
            path.pop()
            continue
        label, target = step
        if target not in numbers:
            numbers[target] = len(numbers)
            path.append((target, iter(after.get(target, ()))))
        found.append((numbers[state], label, numbers[target]))
    return Lts(0, len(numbers), sorted(found))


def with_distinct_labels(edges: list[Edge]) -> list[Edge]:
    """The same edges, each with a label of its own."""
    return [(source, f"{number} {label}", target) for number, (source, label, target) in enumerate(edges)]


def numbered_by_labels(lts: Lts) -> Lts:
    """An LTS in which no state has two edges with the same label, with states numbered by labels only. Two such LTSs
    are isomorphic if the results are equal."""
    return numbered_breadth_first(lts.initial, sorted(lts.edges, key=lambda edge: edge[1]))


def bisimulation_classes(states: int, edges: list[Edge]) -> list[int]:
    """The class of each state: classes are split by the successors of their states until no class is split any more."""
    after = leaving(edges)
    classes = [0] * states
    while True:
        seen: dict[object, int] = {}
        split = []
        for state in range(states):
            steps = frozenset((label, classes[target]) for label, target in after.get(state, ()))
            split.append(seen.setdefault((classes[state], steps), len(seen)))
        if len(set(split)) == len(set(classes)):
            return split
        classes = split


def are_bisimilar(one: Lts, other: Lts) -> bool:
    """Whether the initial states of two LTSs are strongly bisimilar: side by side they are in one class."""
    moved = [(source + one.states, label, target + one.states) for source, label, target in other.edges]
    classes = bisimulation_classes(one.states + other.states, one.edges + moved)
    return classes[one.initial] == classes[other.initial + one.states]


def minimal_size(lts: Lts) -> tuple[int, int]:
    """States and transitions of the smallest bisimilar LTS; all states must be reachable."""
    classes = bisimulation_classes(lts.states, lts.edges)
    edges = {(classes[source], label, classes[target]) for source, label, target in lts.edges}
    return len(set(classes)), len(edges)
