"""A pass: a function from systems to systems that have the same answers and fewer states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

from scrimp.machine.explicit import EachAlone
from scrimp.notes import Note
from scrimp.system.expressions import Expression
from scrimp.system.system import System


@dataclass(frozen=True)
class Passed:
    """A system with the processes, locations, variables and channels of another one, which it stands for. Its event i
    is the chain `events[i]` of events of the other one, fired in this order.

    Attributes:
        covers: for an event that stands for more than its chain, all events that can be fired if it can.
        unknown: the events of which it is not known whether they can be fired, unless one that covers them is.
        hidden: the processes whose locations in a deadlock may differ.
        prefix: the events that every path begins with in the other system.
        fired: the events that can be fired because the prefix can.
        completes: whether a path to a deadlock has to be completed by all that can still be fired.
        keeps_deadlocks: whether the two systems have the same deadlocks.
        keeps_violations: whether they violate the same assertions and invariants.
        alike: if processes have other numbers than in the other system, a number for each of its events that can be
            fired: what is said of an event is true of one with the same number. None if every event is meant itself.
    """

    system: System
    events: Sequence[tuple[int, ...]]
    notes: tuple[Note, ...] = ()
    covers: Sequence[tuple[int, ...]] | None = None
    unknown: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()
    prefix: tuple[int, ...] = ()
    fired: frozenset[int] = frozenset()
    completes: bool = False
    keeps_deadlocks: bool = True
    keeps_violations: bool = True
    alike: Mapping[int, int] | None = None

    def then(self, later: Passed) -> Passed:
        """This one, followed by one of its system."""
        if isinstance(later.events, EachAlone):
            keeps_violations = self.keeps_violations and later.keeps_violations
            alike = self._alike_after(later)
            return replace(self, system=later.system, notes=later.notes, keeps_violations=keeps_violations, alike=alike)
        return Passed(
            later.system,
            tuple(_followed(self.events, events) for events in later.events),
            later.notes,
            tuple(_followed(self.covered, events) for events in later.covered),
            self.unknown | {event for unknown in later.unknown for event in self.covered[unknown]},
            self.hidden | later.hidden,
            self.prefix + _followed(self.events, later.prefix),
            self.fired | {event for fired in later.fired for event in self.covered[fired]},
            self.completes or later.completes,
            self.keeps_deadlocks and later.keeps_deadlocks,
            self.keeps_violations and later.keeps_violations,
            self._alike_after(later),
        )

    def _alike_after(self, later: Passed) -> Mapping[int, int] | None:
        """What is alike in the other system if this one is followed by a later one."""
        if later.alike is None:
            return self.alike
        assert self.alike is None
        return {self.events[event][0]: number for event, number in later.alike.items()}

    @property
    def covered(self) -> Sequence[tuple[int, ...]]:
        """For each event, the events of the other system that can be fired if it can."""
        return self.events if self.covers is None else self.covers


def _followed(chains: Sequence[tuple[int, ...]], events: tuple[int, ...]) -> tuple[int, ...]:
    return chains[events[0]] if len(events) == 1 else tuple(chain.from_iterable(chains[event] for event in events))


def unchanged(system: System) -> Passed:
    return Passed(system, EachAlone(len(system.transitions)))


@dataclass(frozen=True)
class Pass:
    """Makes a smaller system of a system. `seen` are the expressions that a question looks at: their values must be as
    in the original system.

    Every run of the new system is a run of the original one: only values that do not matter may differ, and states in
    between may be transient or left out. So a trace is undone by replaying its events on the original system."""

    name: ClassVar[str]
    does: ClassVar[str]
    """In words, for lists of passes."""
    keeps_values: ClassVar[bool] = True
    """Whether variables and fields have no other values than before."""

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        raise NotImplementedError
