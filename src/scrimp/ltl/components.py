"""Strongly connected components, by Tarjan's algorithm (SIAM J. Comput. 1, 1972) without recursion."""

from __future__ import annotations

from collections.abc import Sequence


def strong_components(successors: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The number of each node's component. Components are numbered from the leaves on: an edge from one to another
    leads to a lower number."""
    nodes = len(successors)
    index, low, component = [-1] * nodes, [0] * nodes, [-1] * nodes
    stack: list[int] = []
    visited = found = 0
    for root in range(nodes):
        if index[root] >= 0:
            continue
        index[root] = low[root] = visited
        visited += 1
        stack.append(root)
        path = [(root, iter(successors[root]))]
        while path:
            node, rest = path[-1]
            for target in rest:
                if index[target] < 0:
                    index[target] = low[target] = visited
                    visited += 1
                    stack.append(target)
                    path.append((target, iter(successors[target])))
                    break
                if component[target] < 0:
                    low[node] = min(low[node], index[target])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    while component[node] < 0:
                        component[stack.pop()] = found
                    found += 1
    return tuple(component)
