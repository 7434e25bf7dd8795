"""What a search found, told in the system's own events: native code fires chains of them as one.

See machine/fusion.py.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from scrimp.system import reference
from scrimp.system.reference import Fault
from scrimp.trace import ReplayedSteps

if TYPE_CHECKING:
    from scrimp import _engine
    from scrimp.system.system import System

Chains: TypeAlias = Sequence[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Finding:
    """As the engine's."""

    kind: str
    watch: int
    events: Sequence[int]


def unfused(system: System, chains: Chains, finding: _engine.Finding) -> Finding:
    """A finding with the events that native code fired one by one. What went wrong in an event of the last chain is the
    end of the path."""
    events = array("I")
    for event in finding.events[:-1]:
        events.extend(chains[event])
    for event in finding.events[-1:]:
        chain = chains[event]
        events.extend(chain if finding.kind == "watch" or len(chain) == 1 else _wrong_part(system, events, chain))
    return Finding(finding.kind, finding.watch, events)


def _wrong_part(system: System, before: array[int], chain: tuple[int, ...]) -> tuple[int, ...]:
    """A chain up to the event that faults or violates something; all of it where none does."""
    state = ReplayedSteps(system, before).end
    for number, event in enumerate(chain, start=1):
        assert not isinstance(state, Fault)
        outcome = reference.outcome(system, state, event)
        if outcome.failed or isinstance(outcome.after, Fault):
            return chain[:number]
        state = outcome.after
    return chain


def fired_events(chains: Chains, fired: bytes, count: int) -> bytes:
    """Which of `count` events were fired, one byte each, given which of the chains were."""
    result = bytearray(count)
    for chain, was_fired in zip(chains, fired, strict=True):
        if was_fired:
            for event in chain:
                result[event] = 1
    return bytes(result)
