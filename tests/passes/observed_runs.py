"""What an observer sees of the runs of two graphs, compared by the subset construction.

An observer knows the label of the present state. Up to stuttering, he notices only changes of it, and that it never
changes again: because nothing can happen, or because the run goes on forever in states of the same label. He cannot
distinguish the two, and neither can formulas without X.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.passes.kept import Kept

Nodes: TypeAlias = frozenset[Hashable]


@dataclass
class Graph:
    """`edges` has the successors of every node; a node without edges is dead."""

    start: Hashable
    edges: dict[Hashable, list[Hashable]] = field(default_factory=dict)
    labels: dict[Hashable, Hashable] = field(default_factory=dict)

    def closed(self, nodes: Iterable[Hashable]) -> Nodes:
        """These nodes, and all that can be reached without changing the label."""
        found, todo = set(nodes), list(nodes)
        while todo:
            for after in self._stuttering(todo.pop()):
                if after not in found:
                    found.add(after)
                    todo.append(after)
        return frozenset(found)

    def _stuttering(self, node: Hashable) -> Iterable[Hashable]:
        return (after for after in self.edges[node] if self.labels[after] == self.labels[node])

    def may_stay(self, nodes: Nodes) -> bool:
        """Whether a run may keep the label forever: by a dead node, or by a cycle."""
        left = {node: sum(1 for _ in self._stuttering(node)) for node in nodes}
        if any(not self.edges[node] for node in nodes):
            return True
        before: dict[Hashable, list[Hashable]] = {node: [] for node in nodes}
        for node in nodes:
            for after in self._stuttering(node):
                before[after].append(node)
        todo = [node for node, count in left.items() if not count]
        while todo:
            node = todo.pop()
            del left[node]
            for each in before[node]:
                left[each] -= 1
                if not left[each]:
                    todo.append(each)
        return bool(left)


def seen_difference(one: Graph, other: Graph, kept: Kept) -> str:
    """What an observer sees in one graph and not in the other."""
    steps = kept is Kept.STEPS

    def begin(graph: Graph, nodes: Iterable[Hashable]) -> Nodes:
        return frozenset(nodes) if steps else graph.closed(nodes)

    first = (begin(one, [one.start]), begin(other, [other.start]))
    known, todo = {first}, [first]
    while todo:
        pair = todo.pop()
        if kept is Kept.RUNS and one.may_stay(pair[0]) != other.may_stay(pair[1]):
            return "the label may stay forever in only one of them"
        mine, theirs = (_after(graph, nodes, steps) for graph, nodes in zip((one, other), pair, strict=True))
        if mine.keys() != theirs.keys():
            return f"labels that come next: {sorted(map(repr, mine.keys() ^ theirs.keys()))}"
        for label in mine:
            later = (begin(one, mine[label]), begin(other, theirs[label]))
            if later not in known:
                known.add(later)
                todo.append(later)
    return ""


def _after(graph: Graph, nodes: Nodes, steps: bool) -> Mapping[Hashable, Sequence[Hashable]]:
    """The successors by label; with `steps`, those of the same label, too, and a dead node is repeated."""
    found: dict[Hashable, list[Hashable]] = {}
    for node in nodes:
        for after in graph.edges[node] or ([node] if steps else []):
            if steps or graph.labels[after] != graph.labels[node]:
                found.setdefault(graph.labels[after], []).append(after)
    return found
