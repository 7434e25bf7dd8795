"""The syntax tree of a Promela model, after the preprocessor, with inlines expanded and names resolved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from scrimp.frontends.promela.text.formulas import LtlBlock
from scrimp.system.system import Position

BasicType: TypeAlias = Literal["bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "chan"]


class Node:
    """A node of the tree; `parts_of` enters only these and tuples."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]


def parts_of(part: object) -> Iterator[object]:
    """The direct parts of a node, or of a tuple of nodes. A symbol has none: it is declared once, but used often."""
    if isinstance(part, tuple):
        yield from part
    elif isinstance(part, Node):
        for name in part.__match_args__:
            yield getattr(part, name)


def walk(part: object) -> Iterator[object]:
    """A node, or a tuple of nodes, and all its parts, direct and indirect, in preorder."""
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
    """`[capacity] of { type, … }`; capacity 0 is rendezvous. A structure stands for all its fields, in order."""

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

    `name` is as written. `length` is that of an array, otherwise None. `initial` is the expression, the values of an
    array, or the shape of the channel (each element of an array has its own channel); None: 0. `owner` is the proctype
    that a local belongs to, None for a global. `mtype` is the set of a variable of a named mtype. `at_creation`: the
    initial value of a local is assigned when the process starts; otherwise, if it is declared after a statement, the
    initialiser is also in the body as an Assign.
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
    """A number, `true`, `false` or an mtype constant; `text` is how to show it."""

    value: int
    text: str
    position: Position


@dataclass(frozen=True, slots=True)
class Values(Node):
    """`{ value, … }`: the elements of an array; if there are too few, the last one is repeated."""

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
        """That of the last part, whose value the reference denotes."""
        return self.parts[-1].symbol


@dataclass(frozen=True, slots=True)
class Predefined(Node):
    """`_pid`, `_nr_pr`, `_last`, `_priority`, `np_`, `timeout`; `_` as a target that discards values."""

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
    """`c?[…]`, or `c??[…]` if `anywhere`."""

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
    """`proctype[pid]@label`; without a pid, the only instance is meant."""

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
"""Of a receive or poll; a structure is replaced by references to its fields. In polls, a variable matches anything."""


@dataclass(frozen=True, slots=True)
class Condition(Node):
    """An expression as a statement; `skip` is the constant 1."""

    test: Expression
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """Also `++` and `--`. Target `_` discards the value."""

    target: Reference | Predefined
    value: Expression
    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class Send(Node):
    """`c!…`, or `c!!…` if `sorted`; a structure is replaced by references to its fields."""

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
    """`if … fi`, or `do … od` if `repeats`."""

    options: tuple[Sequence, ...]
    repeats: bool
    position: Position


@dataclass(frozen=True, slots=True)
class ForRange(Node):
    """`for (variable : first .. last) { body }`; `for (i in array)` is a range, too."""

    variable: Reference
    first: Expression
    last: Expression
    body: Sequence
    position: Position


@dataclass(frozen=True, slots=True)
class ForMessages(Node):
    """`for (variable in channel) { body }`: a loop over the messages, which rotate; `counter` is a separate local."""

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
    """`{ … }`, `atomic { … }` or `d_step { … }`; an expanded inline is a `block`."""

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
"""Declarations are not statements; the initialiser of a declaration after a statement is an Assign."""


@dataclass(frozen=True, slots=True)
class Proctype(Node):
    """Also `init` (named ":init:") and `never` (named ":never:" or its own name).

    `locals` has the parameters first, then the locals of all blocks of the body, in order. `active` is the number of
    initial instances, which have the declared `priority`. `kind` "claim" is a never claim; "trace" and "notrace" are
    assertions about events, whose statements are sends and receives.
    """

    name: str
    kind: Literal["proctype", "init", "claim", "trace", "notrace"]
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
    """A model. `proctypes` are in the order of the text, in which SPIN numbers and starts them. `mtypes` maps the name
    of each set ("" for the unnamed one) to its constants in the order of their values, from 1 on. `formulas` are its
    `ltl` blocks, `trace` its assertion about events. `priorities` is the first mention of process priorities, if any.
    `warnings` are lines about text that is accepted but doubtful. `macros` are those of the text, for the expressions
    of properties."""

    globals: tuple[Symbol, ...]
    proctypes: tuple[Proctype, ...]
    mtypes: dict[str, tuple[str, ...]]
    formulas: tuple[LtlBlock, ...]
    trace: Proctype | None = None
    priorities: Position | None = None
    warnings: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
