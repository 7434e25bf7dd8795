"""Findings of a search among canonical states, as findings in the system itself.

Each event of a path leads from a canonical state r to a state, which swaps bring to the next canonical state. If g is
the product of all swaps so far, r is the image under g of a state that the system itself reaches, in which it fires the
event whose image under g is the path's event.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace

from scrimp.machine.canonical import canonical
from scrimp.machine.layout import Layout
from scrimp.runner import Finding, Outcome
from scrimp.system import reference
from scrimp.system.reference import State
from scrimp.system.swaps import Swap, Symmetry
from scrimp.system.system import System


def rebuilt(system: System, symmetry: Symmetry, layout: Layout, outcome: Outcome) -> Outcome:
    """The outcome of a search among canonical states, in terms of the system itself."""
    findings = [_rebuilt(system, symmetry, layout, finding) for finding in outcome.findings]
    return replace(outcome, findings=findings, fired=fired(system, symmetry, outcome.fired))


def _rebuilt(system: System, symmetry: Symmetry, layout: Layout, finding: Finding) -> Finding:
    return replace(finding, events=concrete(system, symmetry, layout, finding.events))


def concrete(system: System, symmetry: Symmetry, layout: Layout, events: Sequence[int]) -> array[int]:
    """The events that the system itself fires, for a path from the canonical initial state through canonical states."""
    state, swaps = canonical(symmetry, layout, reference.initial(system))
    origin = _Origin(len(system.transitions))
    origin.follow(swaps)
    fired = array("I")
    for event in events:
        fired.append(origin.events[event])
        after = reference.fire(system, state, event)
        if not isinstance(after, State):
            break
        state = after
        if state.holder is None:
            state, swaps = canonical(symmetry, layout, state)
            origin.follow(swaps)
    return fired


class _Origin:
    """For each event of a canonical state, the event of the system's own state that it stands for."""

    def __init__(self, count: int) -> None:
        self.events: Sequence[int] = range(count)

    def follow(self, swaps: Sequence[Swap]) -> None:
        """A swap leads to another canonical state."""
        for swap in swaps:
            self.events = [self.events[event] for event in swap.events]


def fired(system: System, symmetry: Symmetry, among_canonical: bytes) -> bytes:
    """Which events the system itself fires, as far as that is known, given those that are fired in canonical states:
    if the initial state is symmetric, all that these are mapped to; if not, it is at least one of them."""
    is_symmetric = starts_symmetric(system, symmetry)
    result = bytearray(among_canonical)
    for event, was_fired in enumerate(among_canonical):
        orbit = symmetry.orbits.get(event, frozenset((event,)))
        if was_fired and len(orbit) > 1:
            for other in orbit:
                result[other] = is_symmetric
    return bytes(result)


def doubtful(system: System, symmetry: Symmetry, among_canonical: bytes) -> frozenset[int]:
    """The events of which it is not known whether the system itself fires them."""
    if starts_symmetric(system, symmetry):
        return frozenset()
    fired = (event for event, was_fired in enumerate(among_canonical) if was_fired)
    orbits = (symmetry.orbits.get(event, frozenset()) for event in fired)
    return frozenset(event for orbit in orbits if len(orbit) > 1 for event in orbit)


def starts_symmetric(system: System, symmetry: Symmetry) -> bool:
    """Whether every state that is symmetric to a reachable one is reachable."""
    return symmetry.is_everywhere and symmetry.fixes(reference.initial(system))
