"""Sets of small numbers as the bits of an integer: unions and intersections of thousands of members in one step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_


def members(bits: int) -> Iterator[int]:
    """The members of a set, in order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def of(numbers: Iterable[int]) -> int:
    return union(1 << number for number in numbers)


def union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def inverted(sets: Iterable[int], count: int) -> list[int]:
    """For each of `count` possible members, the numbers of the sets that contain it."""
    found = [0] * count
    for number, bits in enumerate(sets):
        for member in members(bits):
            found[member] |= 1 << number
    return found


def spread(own: Sequence[int], following: Sequence[Iterable[int]]) -> list[int]:
    """For each node of a graph, the union of its own set and those of all nodes reachable from it."""
    result = list(own)
    order = _postorder(following)
    changed = True
    while changed:
        changed = False
        for node in order:
            merged = union((result[node], *(result[other] for other in following[node])))
            changed |= merged != result[node]
            result[node] = merged
    return result


def _postorder(following: Sequence[Iterable[int]]) -> list[int]:
    """All nodes, mostly after their successors, so that one pass propagates sets far."""
    order: list[int] = []
    seen: set[int] = set()
    for start in range(len(following)):
        if start in seen:
            continue
        seen.add(start)
        path = [(start, iter(following[start]))]
        while path:
            node, others = path[-1]
            fresh = next((other for other in others if other not in seen), None)
            if fresh is None:
                order.append(node)
                path.pop()
            else:
                seen.add(fresh)
                path.append((fresh, iter(following[fresh])))
    return order
