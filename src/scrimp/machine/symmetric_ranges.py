"""Room for the values of canonical states: fields whose contents change places have room for the same values.

The bounds of a system hold in the states that it reaches. A canonical state may be one that it does not reach, if the
initial state is not symmetric; but it is the image of one that it does. So bounds that hold for a field hold for all
that it changes places with, once they are joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrimp import disk_cache
from scrimp.machine.boxes import Key
from scrimp.machine.intervals import Interval, contains, join
from scrimp.machine.layout import Layout, lay_out
from scrimp.machine.nesting import fingerprint
from scrimp.machine.ranges import Ranges, static_ranges
from scrimp.system import reference
from scrimp.system.swaps import Pairs, Swap, Symmetry
from scrimp.system.system import System


def symmetric_ranges(system: System, ranges: Ranges, symmetry: Symmetry) -> Ranges:
    """Ranges with the same room for everything that swaps exchange; those of an earlier search, if there was one."""
    key = disk_cache.key_of("symmetric", ranges.key, fingerprint(symmetry)) if ranges.key else ""
    found = disk_cache.recall(key) if key else None
    return symmetrised(system, found if isinstance(found, Ranges) else replace(ranges, key=key), symmetry)


def static_layout(system: System, symmetry: Symmetry) -> Layout:
    """A layout with room for everything, in all states of the orbits of reachable ones."""
    return lay_out(system, symmetrised(system, static_ranges(system), symmetry), symmetry.swaps)


def symmetrised(system: System, ranges: Ranges, symmetry: Symmetry) -> Ranges:
    bounds = ranges.bounds
    limits = _joined(system, symmetry, _keyed(bounds.variables, bounds.messages, ()))
    wanted = _joined(system, symmetry, _keyed(ranges.variables, ranges.messages, ranges.lengths))
    for key, interval in wanted.items():
        # An interval around the end of its type has no simple union with others.
        if key[0] != "l" and not contains(limits[key], interval):
            wanted.update((other, limits[other]) for other in _together(system, symmetry, key))
    assigned = bounds.assigned | frozenset(_unlike(system, symmetry))
    for a, b in _exchanged_keys(system, symmetry):
        if a[0] == "v" and {a[1], b[1]} & assigned:
            assigned |= {a[1], b[1]}
    limited, limited_messages, _ = _unkeyed(system, limits, ())
    variables, messages, lengths = _unkeyed(system, wanted, ranges.lengths)
    return replace(
        ranges,
        bounds=replace(bounds, variables=limited, messages=limited_messages, assigned=assigned),
        variables=variables,
        messages=messages,
        lengths=lengths,
    )


def _keyed(
    variables: Sequence[Interval], messages: Sequence[Sequence[Interval]], lengths: Sequence[int]
) -> dict[Key, Interval]:
    keyed: dict[Key, Interval] = {("v", number, 0): interval for number, interval in enumerate(variables)}
    keyed |= {("m", c, f): interval for c, fields in enumerate(messages) for f, interval in enumerate(fields)}
    return keyed | {("l", number, 0): (0, length) for number, length in enumerate(lengths)}


def _unkeyed(
    system: System, keyed: dict[Key, Interval], lengths: Sequence[int]
) -> tuple[tuple[Interval, ...], tuple[tuple[Interval, ...], ...], tuple[int, ...]]:
    return (
        tuple(keyed["v", number, 0] for number in range(len(system.variables))),
        tuple(
            tuple(keyed["m", number, field] for field in range(len(channel.fields)))
            for number, channel in enumerate(system.channels)
        ),
        tuple(keyed["l", number, 0][1] for number in range(len(lengths))),
    )


def _joined(system: System, symmetry: Symmetry, keyed: dict[Key, Interval]) -> dict[Key, Interval]:
    """Intervals that are equal for all fields that change places, and have both of two values that do, or neither."""
    exchanged = [(a, b) for a, b in _exchanged_keys(system, symmetry) if a in keyed]
    valued = [(key, pairs) for swap in symmetry.swaps for key, pairs in _valued_keys(swap)]
    changed = True
    while changed:
        changed = False
        for a, b in exchanged:
            if keyed[a] != keyed[b]:
                keyed[a] = keyed[b] = join(keyed[a], keyed[b])
                changed = True
        for key, pairs in valued:
            for pair in pairs:
                low, high = keyed[key]
                if any(low <= value <= high for value in pair) and not contains(keyed[key], (min(pair), max(pair))):
                    keyed[key] = join(keyed[key], (min(pair), max(pair)))
                    changed = True
    return keyed


def _together(system: System, symmetry: Symmetry, key: Key) -> set[Key]:
    """The fields that change places with one, itself included."""
    found, size = {key}, 0
    while len(found) > size:
        size = len(found)
        for a, b in _exchanged_keys(system, symmetry):
            if a in found or b in found:
                found |= {a, b}
    return found


def _exchanged_keys(system: System, symmetry: Symmetry) -> Iterator[tuple[Key, Key]]:
    for swap in symmetry.swaps:
        for (v, _), (w, _) in swap.cells:
            yield ("v", v, 0), ("v", w, 0)
        for a, b in swap.channels:
            yield ("l", a, 0), ("l", b, 0)
            yield from ((("m", a, field), ("m", b, field)) for field in range(len(system.channels[a].fields)))


def _valued_keys(swap: Swap) -> Iterator[tuple[Key, Pairs]]:
    for variable, pairs in swap.variable_values:
        yield ("v", variable, 0), pairs
    for (channel, field), pairs in swap.message_values:
        yield ("m", channel, field), pairs


def _unlike(system: System, symmetry: Symmetry) -> Iterator[int]:
    """The variables whose initial values some swap changes: they are not constants, even if nothing is assigned to
    them."""
    start = reference.initial(system)
    for swap in symmetry.swaps:
        image = swap(start)
        yield from (
            number for number, (old, new) in enumerate(zip(start.values, image.values, strict=True)) if old != new
        )
