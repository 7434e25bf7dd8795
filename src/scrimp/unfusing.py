"""Findings of a search in terms of the system's own events: native code fires chains of them as one.

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
    from scrimp import runner
    from scrimp.system.system import System

Chains: TypeAlias = Sequence[tuple[int, ...]]


class FindingKind(StrEnum):
    """The engine's kinds of findings."""

    DEADLOCK = "deadlock"
    FAULT = "fault"
    FAILED = "failed"
    ENDLESS = "endless"
    WATCH = "watch"
    LASSO = "lasso"


@dataclass(frozen=True, slots=True)
class Finding:
    """Like the engine's: a path, and a cycle from its end back to it, empty if there is none. A lasso without a cycle
    repeats its last state, which has no events."""

    kind: FindingKind
    watch: int
    events: Sequence[int]
    cycle: Sequence[int] = ()


def unfused(system: System, chains: Chains, finding: Finding | runner.Finding) -> Finding:
    """A finding with the chains that native code fired replaced by their events. If an event of the last chain faults,
    the path ends with it."""
    kind, events, cycle = FindingKind(finding.kind), _each(chains, finding.events), _each(chains, finding.cycle)
    if kind is FindingKind.FAULT:
        last = chains[finding.events[-1]]
        before = events[: len(events) - len(last)]
        events = before + array("I", _up_to_the_fault(system, before, last))
    return Finding(kind, finding.watch, events, cycle)


def _each(chains: Chains, fired: Sequence[int]) -> array[int]:
    return array("I", (event for chain in fired for event in chains[chain]))


def _up_to_the_fault(system: System, before: array[int], chain: tuple[int, ...]) -> tuple[int, ...]:
    """A chain up to the event that faults. If none does, all of it: the replay will report that."""
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
    chain count, too: how far each chain got is not known."""
    if isinstance(chains, EachAlone):
        return fired
    result = bytearray(count)
    for chain, was_fired in zip(chains, fired, strict=True):
        if was_fired:
            for event in chain:
                result[event] = 1
    return bytes(result)
