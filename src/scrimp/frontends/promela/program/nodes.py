"""What the parser makes of tokens before names are looked up: tokens for names and numbers, a node for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scrimp.frontends.promela.text.tokens import Token


@dataclass(frozen=True, slots=True)
class Part:
    name: Token
    subscript: Node | None


@dataclass(frozen=True, slots=True)
class Path:
    """`a[i].b.c[j]`"""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    operator: Token
    operand: Node


@dataclass(frozen=True, slots=True)
class Infix:
    operator: Token
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Choice:
    start: Token
    test: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True, slots=True)
class Run:
    start: Token
    name: Token
    arguments: tuple[Node, ...]
    priority: Token | None


@dataclass(frozen=True, slots=True)
class Call:
    """`len(c)` and its like."""

    function: Token
    argument: Node


@dataclass(frozen=True, slots=True)
class Poll:
    channel: Path
    operator: Token
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class RemoteLabel:
    proctype: Token
    pid: Node | None
    label: Token


@dataclass(frozen=True, slots=True)
class RemoteVariable:
    proctype: Token
    pid: Node | None
    variable: Path


Node: TypeAlias = Token | Path | Prefix | Infix | Choice | Run | Call | Poll | RemoteLabel | RemoteVariable


@dataclass(frozen=True, slots=True)
class Argument:
    """Of a receive. `value` is a number, its sign in `operator`, or a path or, with `eval` as `operator`, anything."""

    operator: Token | None
    value: Node


@dataclass(frozen=True, slots=True)
class Type:
    """A basic type or structure; `set` is that of a named mtype."""

    name: Token
    set: Token | None


@dataclass(frozen=True, slots=True)
class Values:
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Channel:
    start: Token
    capacity: Node
    fields: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Variable:
    name: Token
    bits: Token | None
    length: Node | None
    initial: Node | Values | Channel | None


@dataclass(frozen=True, slots=True)
class Declaration:
    visibility: Token | None
    type: Type
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class Constants:
    """`mtype = { … }`"""

    type: Token
    set: Token | None
    names: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Typedef:
    name: Token
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True)
class Exclusive:
    """`xr` or `xs`: promises about channels, for reductions only."""

    channels: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Unless:
    main: Statement
    escape: Statement


@dataclass(frozen=True, slots=True)
class Labelled:
    label: Token
    statement: Statement | None


@dataclass(frozen=True, slots=True)
class Send:
    channel: Path
    operator: Token
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Receive:
    channel: Path
    operator: Token
    arguments: tuple[Argument, ...]
    keeps: bool


@dataclass(frozen=True, slots=True)
class Assign:
    target: Path
    value: Node


@dataclass(frozen=True, slots=True)
class Count:
    """`++` or `--`"""

    target: Path
    operator: Token


@dataclass(frozen=True, slots=True)
class AssignInline:
    """An inline's `return` values are assigned to the target."""

    target: Path
    block: Block


@dataclass(frozen=True, slots=True)
class Return:
    start: Token
    value: Node


@dataclass(frozen=True, slots=True)
class Print:
    start: Token
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Assertion:
    start: Token
    test: Node


@dataclass(frozen=True, slots=True)
class SetPriority:
    start: Token
    pid: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Condition:
    test: Node


@dataclass(frozen=True, slots=True)
class Else:
    start: Token


@dataclass(frozen=True, slots=True)
class Break:
    start: Token


@dataclass(frozen=True, slots=True)
class Goto:
    start: Token
    label: Token


@dataclass(frozen=True, slots=True)
class Selection:
    """`if`, or `do` where `repeats`."""

    start: Token
    options: tuple[Sequence, ...]
    repeats: bool


@dataclass(frozen=True, slots=True)
class ForRange:
    start: Token
    variable: Path
    first: Node
    last: Node
    body: Sequence


@dataclass(frozen=True, slots=True)
class ForIn:
    start: Token
    variable: Path
    container: Path
    body: Sequence


@dataclass(frozen=True, slots=True)
class Select:
    start: Token
    variable: Path
    first: Node
    last: Node


@dataclass(frozen=True, slots=True)
class Block:
    """`start` is the brace or what stands before it."""

    start: Token
    body: Sequence


Statement: TypeAlias = (
    Labelled
    | Send
    | Receive
    | Assign
    | Count
    | AssignInline
    | Return
    | Print
    | Assertion
    | SetPriority
    | Condition
    | Else
    | Break
    | Goto
    | Selection
    | ForRange
    | ForIn
    | Select
    | Block
)
Step: TypeAlias = Statement | Unless | Declaration | Exclusive
Sequence: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Body:
    sequence: Sequence
    end: Token


@dataclass(frozen=True, slots=True)
class Active:
    start: Token
    number: Node | None


@dataclass(frozen=True, slots=True)
class Proctype:
    """Also `init`, `never`, `trace` and `notrace`, which `start` tells; only proctypes have the rest."""

    start: Token
    name: Token | None
    body: Body
    active: Active | None = None
    parameters: tuple[Declaration, ...] = ()
    provided: Node | None = None
    priority: Token | None = None


Unit: TypeAlias = Proctype | Declaration | Constants | Typedef


def start_of(node: Node) -> Token:
    """The first token of an expression, but for parentheses around it."""
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
