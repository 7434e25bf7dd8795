"""The parser's result, before names are resolved: tokens for names and numbers, a node for everything else.

Named tuples rather than frozen dataclasses, because creating them takes a third of the time.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from scrimp.frontends.promela.text.tokens import Token


class Part(NamedTuple):
    name: Token
    subscript: Node | None


class Path(NamedTuple):
    """`a[i].b.c[j]`"""

    parts: tuple[Part, ...]


class Prefix(NamedTuple):
    operator: Token
    operand: Node


class Infix(NamedTuple):
    operator: Token
    left: Node
    right: Node


class Choice(NamedTuple):
    start: Token
    test: Node
    then: Node
    otherwise: Node


class Run(NamedTuple):
    start: Token
    name: Token
    arguments: tuple[Node, ...]
    priority: Token | None


class Call(NamedTuple):
    """`len(c)` and similar calls."""

    function: Token
    argument: Node


class Poll(NamedTuple):
    channel: Path
    operator: Token
    arguments: tuple[Argument, ...]


class RemoteLabel(NamedTuple):
    proctype: Token
    pid: Node | None
    label: Token


class RemoteVariable(NamedTuple):
    proctype: Token
    pid: Node | None
    variable: Path


Node: TypeAlias = Token | Path | Prefix | Infix | Choice | Run | Call | Poll | RemoteLabel | RemoteVariable


class Argument(NamedTuple):
    """Of a receive. `value` is a number with its sign in `operator`, a path, or, if `operator` is `eval`, anything."""

    operator: Token | None
    value: Node


class Type(NamedTuple):
    """A basic type or structure; `set` is the name of an mtype."""

    name: Token
    set: Token | None = None


class Values(NamedTuple):
    values: tuple[Node, ...]


class Channel(NamedTuple):
    start: Token
    capacity: Node
    fields: tuple[Type, ...]


class Variable(NamedTuple):
    name: Token
    bits: Token | None
    length: Node | None
    initial: Node | Values | Channel | None


class Declaration(NamedTuple):
    visibility: Token | None
    type: Type
    variables: tuple[Variable, ...]


class Constants(NamedTuple):
    """`mtype = { … }`"""

    type: Token
    set: Token | None
    names: tuple[Token, ...]


class Typedef(NamedTuple):
    name: Token
    declarations: tuple[Declaration, ...]


class Exclusive(NamedTuple):
    """`xr` or `xs`: assertions about channels that only reductions use."""

    channels: tuple[Path, ...]


class Unless(NamedTuple):
    main: Statement
    escape: Statement


class Labelled(NamedTuple):
    label: Token
    statement: Statement | None = None


class Send(NamedTuple):
    channel: Path
    operator: Token
    values: tuple[Node, ...]


class Receive(NamedTuple):
    channel: Path
    operator: Token
    arguments: tuple[Argument, ...]
    keeps: bool


class Assign(NamedTuple):
    target: Path
    value: Node


class Count(NamedTuple):
    """`++` or `--`"""

    target: Path
    operator: Token


class AssignInline(NamedTuple):
    """The `return` values of an inline are assigned to the target."""

    target: Path
    block: Block


class Return(NamedTuple):
    start: Token
    value: Node


class Print(NamedTuple):
    start: Token
    values: tuple[Node, ...]


class Assertion(NamedTuple):
    start: Token
    test: Node


class SetPriority(NamedTuple):
    start: Token
    pid: Node
    value: Node


class Condition(NamedTuple):
    test: Node


class Else(NamedTuple):
    start: Token


class Break(NamedTuple):
    start: Token


class Goto(NamedTuple):
    start: Token
    label: Token


class Selection(NamedTuple):
    """`if`, or `do` if `repeats`."""

    start: Token
    options: tuple[Sequence, ...]
    repeats: bool


class ForRange(NamedTuple):
    start: Token
    variable: Path
    first: Node
    last: Node
    body: Sequence


class ForIn(NamedTuple):
    start: Token
    variable: Path
    container: Path
    body: Sequence


class Select(NamedTuple):
    start: Token
    variable: Path
    first: Node
    last: Node


class Block(NamedTuple):
    """`start` is the brace or the keyword before it."""

    start: Token
    body: Sequence


Basic: TypeAlias = Send | Receive | Assign | Count | Return | Print | Assertion | SetPriority | Condition | Else
Statement: TypeAlias = Basic | AssignInline | Break | Goto | Labelled | Selection | ForRange | ForIn | Select | Block
Step: TypeAlias = Statement | Unless | Declaration | Exclusive
Sequence: TypeAlias = tuple[Step, ...]


class Body(NamedTuple):
    sequence: Sequence
    end: Token


class Active(NamedTuple):
    start: Token
    number: Node | None


class Proctype(NamedTuple):
    """Also `init`, `never`, `trace` or `notrace`, depending on `start`; most optional parts are only in proctypes."""

    start: Token
    name: Token | None
    body: Body
    active: Active | None = None
    parameters: tuple[Declaration, ...] = ()
    provided: Node | None = None
    priority: Token | None = None


Unit: TypeAlias = Proctype | Declaration | Constants | Typedef


def start_of(node: Node) -> Token:
    """The first token of an expression, without parentheses around it."""
    while not isinstance(node, Token):
        match node:
            case Path(parts):
                return parts[0].name
            case Infix(_, left, _):
                node = left
            case Poll(channel, _, _):
                node = channel
            case RemoteLabel() | RemoteVariable():
                return node.proctype
            case Call(function, _):
                return function
            case Prefix(operator, _):
                return operator
            case Choice() | Run():
                return node.start
    return node
