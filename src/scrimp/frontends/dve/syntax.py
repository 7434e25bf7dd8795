"""The syntax tree of a DVE model, as written, before names are resolved. Offsets are places in the text.

Named tuples rather than frozen dataclasses: large models have tens of thousands of nodes, and creating these takes a
third of the time. Names and numbers are tokens, too: `type` is their terminal in the grammar.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Identifier(NamedTuple):
    """A name; as an expression, its value."""

    name: str
    offset: int
    type: str = "NAME"


class Number(NamedTuple):
    value: int
    offset: int
    type: str = "NUMBER"


class Element(NamedTuple):
    array: Identifier
    subscript: Node

    @property
    def offset(self) -> int:
        return self.array.offset


class StateTest(NamedTuple):
    """`process.state`: whether the process is in the state."""

    process: Identifier
    state: Identifier

    @property
    def offset(self) -> int:
        return self.process.offset


class Foreign(NamedTuple):
    """`process->variable` or `process->array[subscript]`."""

    process: Identifier
    variable: Identifier
    subscript: Node | None

    @property
    def offset(self) -> int:
        return self.process.offset


class Prefix(NamedTuple):
    operator: str
    operand: Node
    offset: int


class Infix(NamedTuple):
    operator: str
    left: Node
    right: Node
    offset: int


Node: TypeAlias = Identifier | Number | Element | StateTest | Foreign | Prefix | Infix
Target: TypeAlias = Identifier | Element


class Values(NamedTuple):
    """`{value, …}`"""

    values: tuple[Node, ...]


class Declarator(NamedTuple):
    name: Identifier
    size: Node | None
    initial: Node | Values | None


class Variables(NamedTuple):
    constant: bool
    type: str
    declarators: tuple[Declarator, ...]


class Channels(NamedTuple):
    """Channels with the sizes of their buffers, if any; `types` is None if they are untyped."""

    types: tuple[str, ...] | None
    channels: tuple[tuple[Identifier, Node | None], ...]


Declaration: TypeAlias = Variables | Channels


class ForeignChannel(NamedTuple):
    """`process->channel`"""

    process: Identifier
    channel: Identifier


ChannelName: TypeAlias = Identifier | ForeignChannel


class Send(NamedTuple):
    channel: ChannelName
    values: tuple[Node, ...]


class Receive(NamedTuple):
    channel: ChannelName
    targets: tuple[Target, ...]


class Assignment(NamedTuple):
    target: Target
    value: Node


class Transition(NamedTuple):
    """`source` is None if it is that of the previous transition."""

    source: Identifier | None
    target: Identifier
    guard: Node | None
    communication: Send | Receive | None
    effect: tuple[Assignment, ...]
    start: int
    end: int


class Probabilistic(NamedTuple):
    source: Identifier


class States(NamedTuple):
    states: tuple[Identifier, ...]


class Init(NamedTuple):
    state: Identifier


class Commit(NamedTuple):
    states: tuple[Identifier, ...]


class Accept(NamedTuple):
    """Accepting states. `buchi` is false if acceptance is defined by sets or pairs of sets, flattened here."""

    states: tuple[Identifier, ...]
    buchi: bool


class Assertion(NamedTuple):
    state: Identifier
    test: Node
    end: int


class Assertions(NamedTuple):
    assertions: tuple[Assertion, ...]


Clause: TypeAlias = States | Init | Commit | Accept | Assertions


class Process(NamedTuple):
    name: Identifier
    declarations: tuple[Declaration, ...]
    clauses: tuple[Clause, ...]
    transitions: tuple[Transition | Probabilistic, ...]

    @property
    def states(self) -> tuple[Identifier, ...]:
        return tuple(state for clause in self.clauses if isinstance(clause, States) for state in clause.states)


class Model(NamedTuple):
    """`timing` is the offset of `sync` or `async`."""

    declarations: tuple[Declaration, ...]
    processes: tuple[Process, ...]
    synchronous: bool
    timing: int
    property_process: Identifier | None
