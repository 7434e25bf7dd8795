"""System: the intermediate representation between the languages and the machine.

A system is a set of variables, buffered channels and processes, and the transitions between their locations. A state
gives every variable its value, every channel its messages and every process its location.

A transition *moves* one or more processes: a local step has one move, a rendezvous two, a step of a synchronous system
one per process. It is *enabled* if every moving process is at the source of its move, the guard is true, and either
no process is at a committed location (`System.committed` is false) or the transition is `urgent`. Firing it executes
the effect, then brings every moving process to the target of its move, all in one step. Firing is deterministic: an
**event** is a transition, named by its index in `System.transitions`, and a state's events are tried in that order.

If the guard or the effect faults, the transition is enabled and firing it is a violation: it leads to no state.

After a transition with a *holder*, that process continues alone: if it leads some enabled transition, the state is
*transient*, those transitions are its only events, and searches pass through it without storing or counting it. If it
leads none, the state is an ordinary one.

`Timeout` is false at first; it becomes true only if an ordinary state would have no events otherwise, and then the
events are those that are enabled while it is true. In a transient state it is false.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from scrimp.system.expressions import TRUE, Expression
from scrimp.system.statements import Statement
from scrimp.system.types import Range


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the model's text; lines and columns count from 1. `file` is given only for an included file."""

    line: int
    column: int
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, or an array if `length` is given. `owner` is the process it is local to, None for a global one."""

    name: str
    type: Range
    initial: tuple[int, ...]
    length: int | None = None
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """A first-in first-out buffer of at most `capacity` messages, each with the given fields; empty at first."""

    name: str
    capacity: int
    fields: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Process:
    """A program counter over named locations. `accepting` locations matter only to liveness."""

    name: str
    locations: Sequence[str]
    initial: int
    accepting: frozenset[int] = frozenset()


class Kind(IntEnum):
    """The main action of a transition: the types of GHP92's type-oriented replacement."""

    CONTROL = 1
    RECEIVE = 2
    SEND = 3
    ASSIGN = 4
    OTHER = 5


@dataclass(frozen=True, slots=True)
class Move:
    """The move of one process from a location to another, with its text and place in the model. `name` is the name of
    the process during this move, empty if it is the process's own name."""

    process: int
    source: int
    target: int
    text: str
    position: Position
    name: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """`holder` is the process that continues alone. `steps` is what the transition adds to the depth of a path: SPIN
    counts a handshake as two steps and a step within `d_step` as none; several steps in a row count as their sum."""

    moves: tuple[Move, ...]
    guard: Expression = TRUE
    effect: tuple[Statement, ...] = ()
    kind: Kind = Kind.OTHER
    urgent: bool = False
    holder: int | None = None
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Invariant:
    """Must hold in every reachable state."""

    name: str
    test: Expression
    position: Position | None = None


RUN_OUT = "numbers"
"""What a system lacks that may start more processes than its stack has room for: then their numbers matter."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Processes that come and go like the elements of a stack: the first that is absent is started next, and only the
    last that is present can end. All processes of a system belong to it.

    `ends` has the locations of each process at which it only waits for its end: each is left by the transitions to
    `absent`, which need no more than that the next process is absent. Valid ends are the same whether such a process
    has ended or not, except for what its channels hold. What a language knows besides:

    Attributes:
        starts_first: no process is started after one has ended.
        is_anonymous: nothing depends on the numbers of processes, nor on whether they have ended, except for starts,
            ends, and what their own channels are.
        room: if so, how many can be started before numbers run out; 0 if they may.
        own_channels: channels that belong to a process, and that only this process and younger ones can refer to.
        is_early: whether processes end as soon as they can, with few exceptions: set by the pass that arranges it.
        counter: the variable in which it counts starts, if there is only so much room.
    """

    ends: tuple[frozenset[int], ...]
    absent: int
    starts_first: bool = False
    is_anonymous: bool = False
    room: int = 0
    own_channels: frozenset[int] = frozenset()
    is_early: bool = False
    counter: int | None = None

    def is_start(self, transition: Transition) -> bool:
        return any(move.source == self.absent != move.target for move in transition.moves)

    def brings_to_end(self, transition: Transition) -> bool:
        return any(move.target in self.ends[move.process] for move in transition.moves)

    def is_end(self, transition: Transition) -> bool:
        move = transition.moves[0]
        return len(transition.moves) == 1 and move.target == self.absent and move.source in self.ends[move.process]


@dataclass(frozen=True)
class System:
    """`committed` holds in states in which only urgent transitions are enabled (None: in no state); `valid_end` in
    states that are not deadlocks even without enabled transitions (None: in no state). `offers` lists, for processes
    that come first in handshakes, when they offer one: SPIN enters the middle of a handshake to see whether another
    process accepts, and counts that towards the depth it reached. It does so before it looks for a timeout, so
    `Timeout` is false there.

    `claim` is a process that watches the others: in an ordinary state only the transitions it leads are enabled, and
    after one of them it is the turn of the others, in a transient state, before the claim moves again. If the others
    have no event, the claim moves once more, from that transient state to an ordinary one. After a transition of the
    claim whose holder is the claim, the claim continues alone, and the others have their turn after a transition
    without a holder; if the claim cannot continue, the sequence ends without a state.

    `stack` is given if processes come and go, and it is known how."""

    name: str
    variables: tuple[Variable, ...]
    channels: tuple[Channel, ...]
    processes: tuple[Process, ...]
    transitions: Sequence[Transition]
    invariants: tuple[Invariant, ...] = ()
    committed: Expression | None = None
    valid_end: Expression | None = None
    offers: tuple[tuple[int, Expression], ...] = ()
    claim: int | None = None
    stack: Stack | None = None

    def mover(self, move: Move) -> str:
        """The name of the process that makes a move."""
        return move.name or self.processes[move.process].name

    @cached_property
    def leaving(self) -> Mapping[tuple[int, int], Sequence[int]]:
        """The events that a process leads from a location, in order."""
        found: dict[tuple[int, int], list[int]] = {}
        for event, transition in enumerate(self.transitions):
            found.setdefault((transition.moves[0].process, transition.moves[0].source), []).append(event)
        return {place: tuple(events) for place, events in found.items()}
