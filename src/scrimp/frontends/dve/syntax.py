"""The syntax tree of a DVE model: what was written, names not yet looked up. Offsets are places in the text.

Named tuples rather than frozen dataclasses: large models have tens of thousands of nodes, and these are made in a third
of the time. Names and numbers are tokens, too: `type` is their terminal in the grammar.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Identifier(NamedTuple):
    """A name; as an expression, the value of what it names."""

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
    """Untyped channels: rendezvous of any values."""

    names: tuple[Identifier, ...]


class TypedChannels(NamedTuple):
    types: tuple[str, ...]
    channels: tuple[tuple[Identifier, Node], ...]


Declaration: TypeAlias = Variables | Channels | TypedChannels


class Send(NamedTuple):
    channel: Identifier
    values: tuple[Node, ...]


class Receive(NamedTuple):
    channel: Identifier
    targets: tuple[Target, ...]


class Assignment(NamedTuple):
    target: Target
    value: Node


class Transition(NamedTuple):
    """`source` is None where it is that of the transition before."""

    source: Identifier | None
    target: Identifier
    guard: Node | None
    communication: Send | Receive | None
    effect: tuple[Assignment, ...]
    start: int
    end: int


class Probabilistic(NamedTuple):
    source: Identifier


class Init(NamedTuple):
    state: Identifier


class Commit(NamedTuple):
    states: tuple[Identifier, ...]


class Accept(NamedTuple):
    """Accepting states. `buchi` is false where acceptance is stated by sets or pairs of sets, flattened here."""

    states: tuple[Identifier, ...]
    buchi: bool


class Assertion(NamedTuple):
    state: Identifier
    test: Node
    end: int


class Assertions(NamedTuple):
    assertions: tuple[Assertion, ...]


Clause: TypeAlias = Init | Commit | Accept | Assertions


class Process(NamedTuple):
    name: Identifier
    variables: tuple[Variables, ...]
    states: tuple[Identifier, ...]
    clauses: tuple[Clause, ...]
    transitions: tuple[Transition | Probabilistic, ...]


class Model(NamedTuple):
    """`timing` is where the model says whether it is synchronous."""

    declarations: tuple[Declaration, ...]
    processes: tuple[Process, ...]
    synchronous: bool
    timing: int
    property_process: Identifier | None
