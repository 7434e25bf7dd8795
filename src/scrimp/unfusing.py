"""Translates findings into the system's own events: native code fires chains of them as one.

See machine/fusion.py.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from scrimp.machine.explicit import EachAlone
from scrimp.system import reference
from scrimp.system.reference import Fault, State
from scrimp.trace import ReplayedSteps

if TYPE_CHECKING:
    from scrimp import _engine
    from scrimp.system.system import System

Chains: TypeAlias = Sequence[tuple[int, ...]]


class FindingKind(StrEnum):
    """The kinds of the engine's findings."""

    DEADLOCK = "deadlock"
    FAULT = "fault"
    FAILED = "failed"
    ENDLESS = "endless"
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class Finding:
    """As the engine's: a path and, if it is not empty, a cycle that leads back to the end of the path."""

    kind: FindingKind
    watch: int
    events: Sequence[int]
    cycle: Sequence[int] = ()


def unfused(system: System, chains: Chains, finding: Finding | _engine.Finding) -> Finding:
    """A finding with the chains that native code fired taken apart into events. If an event of the last chain faults,
    the path ends there."""
    kind, events, cycle = FindingKind(finding.kind), _each(chains, finding.events), _each(chains, finding.cycle)
    if kind is FindingKind.FAULT:
        last = chains[finding.events[-1]]
        before = events[: len(events) - len(last)]
        events = before + array("I", _up_to_the_fault(system, before, last))
    return Finding(kind, finding.watch, events, cycle)


def _each(chains: Chains, fired: Sequence[int]) -> array[int]:
    return array("I", (event for chain in fired for event in chains[chain]))


def _up_to_the_fault(system: System, before: array[int], chain: tuple[int, ...]) -> tuple[int, ...]:
    """A chain up to the event that faults; the whole chain if none does, and the replay will report that."""
    if len(chain) == 1:
        return chain
    state = ReplayedSteps(system, before).end
    for number, event in enumerate(chain, start=1):
        assert isinstance(state, State)
        state = reference.fire(system, state, event)
        if isinstance(state, Fault):
            return chain[:number]
    return chain


def fired_events(chains: Chains, fired: bytes, count: int) -> bytes:
    """Which of `count` events were fired, one byte each, given which of the chains were. Events after a fault in a
    chain count, too: it is not known how far each chain got."""
    if isinstance(chains, EachAlone):
        return fired
    result = bytearray(count)
    for chain, was_fired in zip(chains, fired, strict=True):
        if was_fired:
            for event in chain:
                result[event] = 1
    return bytes(result)
