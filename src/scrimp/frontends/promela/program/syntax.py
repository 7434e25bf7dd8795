"""The syntax tree of a Promela model: names looked up, inlines expanded, the preprocessor long gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from scrimp.system.system import Position

BasicType: TypeAlias = Literal["bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "chan"]


class Node:
    """What a tree is made of; `parts_of` knows nothing else."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]


def parts_of(part: object) -> Iterator[object]:
    """What a node, or a tuple of nodes, is made of; nothing for a symbol: it is declared once and named often."""
    if isinstance(part, tuple):
        yield from part
    elif isinstance(part, Node):
        for name in part.__match_args__:
            yield getattr(part, name)


def walk(part: object) -> Iterator[object]:
    """A node, or a tuple of nodes, and all that it is made of: each before its own parts, in order."""
    waiting = [part]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed([*parts_of(part)])


@dataclass(frozen=True, slots=True)
class Structure(Node):
    """A `typedef`. Its fields are symbols without an owner."""

    name: str
    fields: tuple[Symbol, ...]


@dataclass(frozen=True, slots=True)
class ChannelShape(Node):
    """`[capacity] of { type, … }`; capacity 0 is rendezvous. A structure stands for its fields, one after the other."""

    capacity: int
    fields: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Unsigned(Node):
    """`unsigned name : bits`"""

    bits: int


Type: TypeAlias = BasicType | Unsigned | Structure


@dataclass(frozen=True, eq=False, slots=True)
class Symbol:
    """A variable, parameter or structure field. Each declaration makes one; two are the same only if identical.

    `name` is as written. `length` is given for arrays. `initial` is the expression, the values of an array, or
    the shape of the channel (each element of an array has its own channel); None: 0. `owner` is the proctype a local
    belongs to, None for a global. `mtype` names the set of a variable of a named mtype. `at_creation`: a local whose
    initial value is given when the process starts; else (SPIN 6 after the first statement) the initialiser is also in
    the body as an Assign.
    """

    name: str
    type: Type
    length: int | None
    initial: Expression | Values | ChannelShape | None
    owner: str | None
    position: Position
    hidden: bool = False
    mtype: str | None = None
    at_creation: bool = True


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A constant, `true`, `false` or the name of an mtype constant (`text` is what to show)."""

    value: int
    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Values(Node):
    """`{ value, … }`: the elements of an array; where there are too few, the last one stands for the rest."""

    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Part(Node):
    """One link of `a[i].b[j].c`."""

    symbol: Symbol
    index: Expression | None


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """A variable, an element of an array, a field of a structure: the value, or the target of an assignment."""

    parts: tuple[Part, ...]
    position: Position

    @property
    def symbol(self) -> Symbol:
        """The last part: what the reference is a value of."""
        return self.parts[-1].symbol


@dataclass(frozen=True, slots=True)
class Predefined(Node):
    """`_pid`, `_nr_pr`, `_last`, `_priority`, `np_`, `timeout`; `_` as a place to throw values away."""

    name: Literal["_pid", "_nr_pr", "_last", "_priority", "np_", "timeout", "_"]
    position: Position


@dataclass(frozen=True, slots=True)
class Prefix(Node):
    operator: Literal["-", "!", "~"]
    operand: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Infix(Node):
    operator: str
    left: Expression
    right: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`(test -> then : otherwise)`"""

    test: Expression
    then: Expression
    otherwise: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class ChannelTest(Node):
    kind: Literal["len", "full", "empty", "nfull", "nempty"]
    channel: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Poll(Node):
    """`c?[…]`, or `c??[…]` where `anywhere`."""

    channel: Expression
    arguments: tuple[Argument, ...]
    anywhere: bool
    position: Position


@dataclass(frozen=True, slots=True)
class Run(Node):
    proctype: str
    arguments: tuple[Expression, ...]
    position: Position
    priority: int = 1


@dataclass(frozen=True, slots=True)
class RemoteLabel(Node):
    """`proctype[pid]@label`; without a pid, that of the only instance."""

    proctype: str
    pid: Expression | None
    label: str
    position: Position


@dataclass(frozen=True, slots=True)
class RemoteVariable(Node):
    """`proctype[pid]:variable`"""

    proctype: str
    pid: Expression | None
    variable: Reference
    position: Position


@dataclass(frozen=True, slots=True)
class ProcessTest(Node):
    """`enabled(pid)`, `pc_value(pid)` or `get_priority(pid)`"""

    kind: Literal["enabled", "pc_value", "get_priority"]
    pid: Expression
    position: Position


OfProcess: TypeAlias = RemoteLabel | RemoteVariable | ProcessTest
OfChannel: TypeAlias = ChannelTest | Poll
Expression: TypeAlias = Number | Reference | Predefined | Prefix | Infix | Choice | OfChannel | Run | OfProcess


@dataclass(frozen=True, slots=True)
class Match(Node):
    """`eval(expression)` or a constant in a receive: the field must equal it."""

    value: Expression


Argument: TypeAlias = Match | Reference | Predefined
"""Of a receive or poll; a structure stands as the references to its fields. In polls a variable matches anything."""


@dataclass(frozen=True, slots=True)
class Condition(Node):
    """An expression as a statement; `skip` is the constant 1."""

    test: Expression
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """Also `++` and `--`. Target `_` throws the value away."""

    target: Reference | Predefined
    value: Expression
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Send(Node):
    """`c!…`, or `c!!…` where `sorted`; a structure stands as the references to its fields."""

    channel: Expression
    values: tuple[Expression, ...]
    sorted: bool
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Receive(Node):
    """`c?…`; `anywhere`: `??`; `keeps`: `<…>`, the message stays."""

    channel: Expression
    arguments: tuple[Argument, ...]
    anywhere: bool
    keeps: bool
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Assert(Node):
    test: Expression
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class SetPriority(Node):
    """`set_priority(pid, value)`; also `_priority = value`."""

    pid: Expression
    value: Expression
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Print(Node):
    """`printf` and `printm`: one step without effect, unless a value cannot be computed."""

    position: Position
    text: str
    values: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Else(Node):
    position: Position
    text: str = "else"


@dataclass(frozen=True, slots=True)
class Break(Node):
    position: Position
    text: str = "break"


@dataclass(frozen=True, slots=True)
class Goto(Node):
    label: str
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Labelled(Node):
    """`label: statement`; labels of one statement nest."""

    label: str
    statement: Statement
    position: Position


@dataclass(frozen=True, slots=True)
class Selection(Node):
    """`if … fi`, or `do … od` where `repeats`."""

    options: tuple[Sequence, ...]
    repeats: bool
    position: Position


@dataclass(frozen=True, slots=True)
class ForRange(Node):
    """`for (variable : first .. last) { body }`; `for (i in array)` comes as a range too."""

    variable: Reference
    first: Expression
    last: Expression
    body: Sequence
    position: Position


@dataclass(frozen=True, slots=True)
class ForMessages(Node):
    """`for (variable in channel) { body }`: a loop over the messages, which rotate; `counter` is a local of its own."""

    variable: Reference
    channel: Reference
    counter: Reference
    body: Sequence
    position: Position


@dataclass(frozen=True, slots=True)
class Select(Node):
    """`select (variable : first .. last)`"""

    variable: Reference
    first: Expression
    last: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Block(Node):
    """`{ … }`, `atomic { … }` or `d_step { … }`; an inline comes as a `block`."""

    kind: Literal["block", "atomic", "d_step"]
    body: Sequence
    position: Position


@dataclass(frozen=True, slots=True)
class Unless(Node):
    main: Statement
    escape: Statement
    position: Position


Basic: TypeAlias = Condition | Assign | Send | Receive | Assert | SetPriority | Print | Else
Statement: TypeAlias = Basic | Break | Goto | Labelled | Selection | ForRange | ForMessages | Select | Block | Unless
Sequence: TypeAlias = tuple[Statement, ...]
"""Declarations are not statements; an initialiser that SPIN executes where it stands is an Assign."""


@dataclass(frozen=True, slots=True)
class Proctype(Node):
    """Also `init` (named ":init:") and `never` (named ":never:" or its own name).

    `locals` has the parameters first, then every local of the body in order, whatever its block. `active` is how many
    start at once, with the `priority` that is declared. `kind` "claim" is a never claim.
    """

    name: str
    kind: Literal["proctype", "init", "claim"]
    parameters: int
    locals: tuple[Symbol, ...]
    body: Sequence
    active: int
    provided: Expression | None
    position: Position
    end: Position
    deterministic: bool = False
    priority: int = 1


@dataclass(frozen=True, slots=True)
class Program(Node):
    """A model. `proctypes` are in the order of the text: SPIN numbers and starts them so. `mtypes` maps the name of
    each set ("" for the unnamed one) to its constants in the order of their values, from 1 on. `refused` are constructs
    that only liveness needs (`ltl`, `trace`), each with where it stands and what it is. `priorities` is where those
    of processes are first mentioned, if they are. `warnings` are lines to show: what was accepted but is doubtful.
    `macros` are those of the text, for expressions that are asked."""

    globals: tuple[Symbol, ...]
    proctypes: tuple[Proctype, ...]
    mtypes: dict[str, tuple[str, ...]]
    refused: tuple[tuple[Position, str], ...]
    priorities: Position | None = None
    warnings: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
