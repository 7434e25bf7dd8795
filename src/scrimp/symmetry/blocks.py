"""What belongs to each member of a group of processes that can be exchanged, so that members can be sorted.

Swap k exchanges members k and k+1. What belongs to member k is moved by the swaps k-1 and k, and by no other one; so
are values that stand for it. Whatever else is moved, or has values that stand for members of some group and belongs to
one itself, relates members to each other: sorting cannot take it into account.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from scrimp.system.swaps import Block, Swap
from scrimp.system.system import System

Thing: TypeAlias = tuple[str, int, int, int]
"""("process", number, 0, 0), ("cell", variable, element, 0), ("channel", number, 0, 0), or a value: ("variable",
variable, 0, value), ("message", channel, field, value)."""


def blocks(system: System, swaps: Sequence[Swap], every: Sequence[Sequence[Swap]]) -> tuple[tuple[Block, ...], bool]:
    """The blocks of the members of a group, given its swaps and those of all groups; and whether these blocks are all
    that its swaps move."""
    maps = [dict(_pairs(swap)) for swap in swaps]
    inverse = [{b: a for a, b in places.items()} for places in maps]
    both = [{**back, **there} for there, back in zip(maps, inverse, strict=True)]
    first = sorted(_first(maps, both))
    chains = [chain for thing in first if (chain := _chain(thing, both)) is not None]
    held = {thing for chain in chains for thing in chain}
    is_complete = all(thing in held for places in both for thing in places)
    others = [swap for group in every for swap in group]
    valued = {variable for swap in others for variable, _ in swap.variable_values}
    relating = {("cell", v) for v in valued} | {("channel", c) for s in others for (c, _), _ in s.message_values}
    pure = [chain for chain in chains if (chain[0][0], chain[0][1]) not in relating]
    moved = {(kind, a, b) for swap in others for pair in _pairs(swap) for kind, a, b, _ in pair}
    members = tuple(_block(system, [chain[k] for chain in pure], moved) for k in range(len(swaps) + 1))
    named = sum(len(_places(system, chain[0], moved)) for chain in pure if chain[0][0] in ("variable", "message"))
    wanted = sum(_count(system, chain[0]) for chain in pure if chain[0][0] in ("variable", "message"))
    return members, is_complete and len(pure) == len(chains) and named == wanted


def _pairs(swap: Swap) -> Iterator[tuple[Thing, Thing]]:
    for a, b in swap.processes:
        yield ("process", a, 0, 0), ("process", b, 0, 0)
    for (v, i), (w, j) in swap.cells:
        yield ("cell", v, i, 0), ("cell", w, j, 0)
    for a, b in swap.channels:
        yield ("channel", a, 0, 0), ("channel", b, 0, 0)
    for variable, pairs in swap.variable_values:
        yield from ((("variable", variable, 0, a), ("variable", variable, 0, b)) for a, b in pairs)
    for (channel, field), pairs in swap.message_values:
        yield from ((("message", channel, field, a), ("message", channel, field, b)) for a, b in pairs)


def _first(maps: Sequence[dict[Thing, Thing]], both: Sequence[dict[Thing, Thing]]) -> set[Thing]:
    """What belongs to the first member: of a group of two, what comes first in the pairs."""
    if len(maps) == 1:
        return set(maps[0])
    return {thing for thing in both[0] if not any(thing in places for places in both[1:])}


def _chain(thing: Thing, both: Sequence[dict[Thing, Thing]]) -> list[Thing] | None:
    """A thing of the first member, and those of the others in its place; None if they are not moved as they should."""
    chain = [thing]
    for places in both:
        if chain[-1] not in places:
            return None
        chain.append(places[chain[-1]])
    is_regular = all(
        (each in places) == (k in (number, number + 1))
        for k, each in enumerate(chain)
        for number, places in enumerate(both)
    )
    return chain if is_regular and len(set(chain)) == len(chain) else None


def _block(system: System, things: Sequence[Thing], moved: set[tuple[str, int, int]]) -> Block:
    named = [(thing, place) for thing in things for place in _places(system, thing, moved)]
    return Block(
        tuple(a for kind, a, _, _ in things if kind == "process"),
        tuple((a, b) for kind, a, b, _ in things if kind == "cell"),
        tuple(a for kind, a, _, _ in things if kind == "channel"),
        tuple((place, thing[3]) for thing, place in named if thing[0] == "variable"),
        tuple((place, thing[3]) for thing, place in named if thing[0] == "message"),
    )


def _places(system: System, thing: Thing, moved: set[tuple[str, int, int]]) -> list[tuple[int, int]]:
    """Where a value that stands for a member may be, among what belongs to no member of any group."""
    kind, a, b, _ = thing
    if kind == "variable":
        return [(a, element) for element in range(_count(system, thing)) if ("cell", a, element) not in moved]
    if kind == "message":
        return [(a, b)] if ("channel", a, 0) not in moved else []
    return []


def _count(system: System, thing: Thing) -> int:
    return len(system.variables[thing[1]].initial) if thing[0] == "variable" else 1
