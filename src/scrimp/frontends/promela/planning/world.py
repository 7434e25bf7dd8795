"""The slots of a plan as processes of the system, with their locations, and the channels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from scrimp.frontends.promela.automata.automaton import Automaton, Edge, End
from scrimp.frontends.promela.planning.channels import Channel, Numbering
from scrimp.frontends.promela.planning.plan import Plan
from scrimp.frontends.promela.planning.storage import Leaf, Storage, sum_of
from scrimp.frontends.promela.program.syntax import Proctype, Program, Symbol
from scrimp.system.expressions import (
    TRUE,
    At,
    Binary,
    Conditional,
    Constant,
    Expression,
    Length,
    Read,
    Unary,
    conjunction,
    disjunction,
)
from scrimp.system.statements import Statement
from scrimp.system.types import BYTE

# The location of a slot in which nothing runs.
ABSENT = 0


def plain_name(proctype: Proctype) -> str:
    """Without the colons of `:init:` and `:never:`."""
    return proctype.name.strip(":")


@dataclass(frozen=True)
class Instance:
    """A proctype in a slot. `locations` maps SPIN's states to the slot's locations."""

    slot: int
    proctype: Proctype
    automaton: Automaton
    locations: dict[int, int]

    @property
    def name(self) -> str:
        return self.proctype.name

    @property
    def display_name(self) -> str:
        """The process as users know it: name and number, such as `Sender:2`; a claim has no number."""
        return (
            plain_name(self.proctype) if self.proctype.kind == "claim" else f"{plain_name(self.proctype)}:{self.slot}"
        )

    def exits(self) -> Iterator[Exit]:
        for state, edges in self.automaton.edges.items():
            for ordinal, edge in enumerate(edges):
                yield Exit(self, state, ordinal, edge)


@dataclass(frozen=True, slots=True)
class Exit:
    """An edge of an instance, identified by its source state and its place among the edges there."""

    instance: Instance
    state: int
    ordinal: int
    edge: Edge

    @property
    def key(self) -> tuple[int, str, int, int]:
        return self.instance.slot, self.instance.name, self.state, self.ordinal

    @property
    def is_here(self) -> Expression:
        """Whether the process is in the edge's source state."""
        return At(self.instance.slot, self.instance.locations[self.state])

    def up_to_here(self) -> list[Exit]:
        """The edges of the same state, up to this one."""
        edges = self.instance.automaton.edges[self.state][: self.ordinal + 1]
        return [Exit(self.instance, self.state, ordinal, edge) for ordinal, edge in enumerate(edges)]


Observation: TypeAlias = Literal["send", "receive"]


class Observer(Protocol):
    """The effect of a send or receive of a message on the model's assertion about events."""

    def __call__(
        self, kind: Observation, channel: Channel, message: tuple[Expression, ...]
    ) -> tuple[Statement, ...]: ...


def nothing_observed(kind: Observation, channel: Channel, message: tuple[Expression, ...]) -> tuple[Statement, ...]:
    """There is no assertion about events."""
    return ()


@dataclass(frozen=True, slots=True)
class Traced:
    """A `trace` or `notrace` assertion as an automaton over events; `end` is its last state."""

    kind: Literal["trace", "notrace"]
    automaton: Automaton

    @property
    def end(self) -> int:
        """The state in which all events have happened; 0 if there is none."""
        ends = (state for state, edges in self.automaton.edges.items() if isinstance(edges[0].statement, End))
        return next(ends, 0)


@dataclass
class World:
    """Everything that the lowering of statements refers to. `watched_by` names the claim, if there is one; `traced` is
    the assertion about events. `empty_channels`: a valid end state has no messages left."""

    program: Program
    automata: Mapping[str, Automaton]
    plan: Plan
    watched_by: str | None = None
    empty_channels: bool = False
    traced: Traced | None = None
    storage: Storage = field(default_factory=Storage)

    def __post_init__(self) -> None:
        self.numbering = Numbering(self.program)
        self.last: int | None = None
        # Set when the variable that holds the state of the assertion about events exists.
        self.observed: Observer = nothing_observed
        self.event: int | None = None
        # Of the process in each slot, if the model has priorities.
        self.priorities: list[Constant | Read] = []
        self.unread: set[Symbol] = set()
        self.proctypes = {proctype.name: proctype for proctype in self.program.proctypes}
        self.location_names: list[list[str]] = []
        self.slots: list[list[Instance]] = []
        for slot, names in enumerate(self.plan.slots):
            locations = ["absent"]
            self.slots.append([self._instance(slot, name, locations) for name in names])
            self.location_names.append(locations)
        self.claim = None if self.watched_by is None else self._claim_instance(self.watched_by)
        self.channels: list[Channel] = list(self.numbering.of_globals)
        for slot, names in enumerate(self.plan.slots):
            for name in names:
                self.channels += self.numbering.of_process(slot, name)
        self.buffered = {
            channel: number
            for number, channel in enumerate(channel for channel in self.channels if not channel.is_rendezvous)
        }
        self._by_element = {(c.slot, c.leaf, c.element): c for c in self.channels}
        self._numbers = {channel: self._number(channel) for channel in self.channels}

    def _instance(self, slot: int, name: str, locations: list[str]) -> Instance:
        """Names of locations do not depend on what else the slot may run."""
        automaton = self.automata[name]
        labels = {state: label for label, state in automaton.labels.items()}
        numbers: dict[int, int] = {}
        used = set(locations)
        for state in automaton.edges:
            numbers[state] = len(locations)
            shown = f"{plain_name(self.proctypes[name])}.{labels.get(state, f's{state}')}"
            locations.append(f"{shown}_{state}" if shown in used else shown)
            used.add(locations[-1])
        return Instance(slot, self.proctypes[name], automaton, numbers)

    def _claim_instance(self, name: str) -> Instance:
        """The claim, as the last process of the system; it has no slot and always exists."""
        locations = ["absent"]
        self.location_names.append(locations)
        return self._instance(len(self.slots), name, locations)

    def last_variable(self) -> int:
        """The variable that holds `_last`; every transition writes it once something reads it."""
        if self.last is None:
            self.last = self.storage.add("_last", BYTE, (0,), None, None)
        return self.last

    @property
    def instances(self) -> list[Instance]:
        return [instance for slot in self.slots for instance in slot]

    @property
    def everybody(self) -> list[Instance]:
        """All instances, and the claim."""
        return [*self.instances, *([] if self.claim is None else [self.claim])]

    def running(self) -> list[Automaton]:
        """The state machines of all proctypes that may run, and of the claim."""
        names = [p.name for p in self.program.proctypes if p.kind != "claim" or p.name == self.watched_by]
        return [*(self.automata[name] for name in names), *([self.traced.automaton] if self.traced else [])]

    @property
    def active_slots(self) -> int:
        """How many processes exist initially: they have the first slots."""
        return sum(proctype.active for proctype in self.program.proctypes if proctype.kind != "claim")

    def add_location(self, slot: int, name: str) -> int:
        """A location that SPIN does not have, within one of its steps."""
        self.location_names[slot].append(name)
        return len(self.location_names[slot]) - 1

    def is_present(self, slot: int) -> Expression:
        return Unary("!", At(slot, ABSENT))

    def runs(self, instance: Instance) -> Expression:
        """Whether the slot runs this proctype."""
        if len(self.slots[instance.slot]) == 1:
            return self.is_present(instance.slot)
        return disjunction(*(At(instance.slot, location) for location in instance.locations.values()))

    def channel(self, slot: int | None, leaf: Leaf, element: int) -> Channel | None:
        """The channel that an element of a leaf was declared with."""
        return self._by_element.get((slot, leaf, element))

    def number(self, channel: Channel) -> Expression:
        """The number that a channel has in the model."""
        return self._numbers[channel]

    def may_share_its_number(self, channel: Channel, others: Iterable[Channel]) -> bool:
        """Whether another channel may have the number when this one does not exist."""
        numbers = [self._numbers[other] for other in others if other is not channel]
        number = self._numbers[channel]
        if not isinstance(number, Constant):
            return bool(numbers)
        return any(not isinstance(other, Constant) or other == number for other in numbers)

    def exists(self, channel: Channel) -> Expression:
        """Whether the process that a channel belongs to exists."""
        if channel.slot is None:
            return TRUE
        return self.runs(next(i for i in self.slots[channel.slot] if i.name == channel.proctype))

    def _number(self, channel: Channel) -> Expression:
        if channel.slot is None:
            return Constant(channel.ordinal + 1)
        total: Expression = Constant(len(self.numbering.of_globals) + channel.ordinal + 1)
        for slot in range(channel.slot):
            total = sum_of(total, self._count(slot))
        return Constant(BYTE.wrap(total.value)) if isinstance(total, Constant) else total

    def _count(self, slot: int) -> Expression:
        """How many channels the process in a slot has declared."""
        counts = {self.numbering.count(instance.name) for instance in self.slots[slot]}
        if len(counts) == 1:
            return Constant(counts.pop())
        result: Expression = Constant(0)
        for instance in self.slots[slot]:
            result = Conditional(self.runs(instance), Constant(self.numbering.count(instance.name)), result)
        return result

    def number_of_processes(self) -> Expression:
        """The value of `_nr_pr`: a claim counts, too."""
        total: Expression = Constant(int(self.claim is not None))
        for slot in range(len(self.slots)):
            total = sum_of(total, self.is_present(slot))
        return total

    def valid_end(self) -> Expression:
        """Whether every process is absent or in an end state, and no message is left if `empty_channels`. SPIN does not
        check end states in a model with a claim."""
        if self.claim is not None:
            return TRUE
        tests: list[Expression] = []
        for slot, instances in enumerate(self.slots):
            ends = [
                At(slot, location)
                for instance in instances
                for state, location in instance.locations.items()
                if state in instance.automaton.end_states
            ]
            tests.append(disjunction(At(slot, ABSENT), *ends))
        if self.empty_channels:
            tests += [Binary("==", Length(number), Constant(0)) for number in self.buffered.values()]
        return conjunction(*tests, *([] if self.empty_channels else self._trace_ends()))

    def _trace_ends(self) -> list[Expression]:
        """Whether a `trace` assertion may end here: SPIN asks only while processes are left, and not if it asks for
        empty channels."""
        if self.event is None or self.traced is None or self.traced.kind == "notrace":
            return []
        states = sorted(self.traced.automaton.end_states)
        ended = (Binary("==", Read(self.event), Constant(state)) for state in states)
        nobody = conjunction(*(At(slot, ABSENT) for slot in range(len(self.slots))))
        return [disjunction(nobody, *ended)]
