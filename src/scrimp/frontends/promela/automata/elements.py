"""Elements: the statements of a proctype as SPIN links them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from scrimp.errors import ModelError
from scrimp.frontends.promela.automata.automaton import Basic
from scrimp.frontends.promela.program import syntax
from scrimp.system.system import Position


class Kind(Enum):
    """JOIN: the point after a selection where its options meet. EXIT: the end of a loop."""

    BASIC = auto()
    END = auto()
    GOTO = auto()
    JOIN = auto()
    EXIT = auto()
    IF = auto()
    DO = auto()
    UNLESS = auto()
    BLOCK = auto()
    ATOMIC = auto()
    D_STEP = auto()
    LABELLED = auto()


SELECTIONS = (Kind.IF, Kind.DO)
BLOCKS = (Kind.BLOCK, Kind.ATOMIC, Kind.D_STEP)


@dataclass(eq=False, slots=True)
class Node:
    """A statement as read: a basic one, or one with `parts`. `d_step` identifies the `d_step` around it; -1: none."""

    kind: Kind
    position: Position
    d_step: int
    statement: Basic | None = None
    label: str | None = None
    parts: list[Chain] = field(default_factory=list)
    inner: Node | None = None


@dataclass(eq=False, slots=True)
class Element:
    """A node at its place. `atomic`: its process has exclusive control after it; `ends_atomic`: it is the last of an
    atomic sequence. `escapes` are the sequences that may interrupt it, the outermost first."""

    node: Node
    number: int
    identifier: int
    next: Element | None = None
    parts: list[Chain] = field(default_factory=list)
    escapes: list[Chain] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    atomic: bool = False
    ends_atomic: bool = False

    @property
    def kind(self) -> Kind:
        return self.node.kind


@dataclass(eq=False, slots=True)
class Chain:
    """Elements from `first` on, linked by `next`. `extent` is the last one read; `last` may be a join after it."""

    first: Element | None = None
    last: Element | None = None
    extent: Element | None = None

    def __iter__(self) -> Iterator[Element]:
        """All elements up to the extent."""
        element = self.first
        while element is not None:
            following = element.next
            yield element
            if element is self.extent:
                return
            element = following

    def append(self, element: Element) -> None:
        if self.last is None:
            self.first = element
        else:
            self.last.next = element
        self.last = element

    @property
    def start(self) -> Element:
        assert self.first is not None, "no chain is closed empty"
        return self.first

    @property
    def end(self) -> Element:
        assert self.last is not None, "no chain is closed empty"
        return self.last


@dataclass(eq=False, slots=True)
class Flow:
    """The elements of a proctype. `labels` are those of the text, and one with a colon for the exit of each loop.
    `size` is greater than the numbers of all states."""

    proctype: syntax.Proctype
    file: str
    body: Chain
    labels: dict[str, Element]
    size: int
    next_identifier: int

    def error(self, position: Position, message: str) -> ModelError:
        return ModelError(position.file or self.file, position.line, position.column, message)

    def target(self, goto: Node) -> Element:
        """The target of a `goto`; raises ModelError."""
        assert goto.label is not None
        found = self.labels[goto.label]
        self.refuse_jump_across(goto, found.node)
        return found

    def refuse_jump_across(self, goto: Node, target: Node) -> None:
        if goto.d_step == target.d_step:
            return
        if goto.d_step >= 0:
            raise self.error(goto.position, "a jump out of a d_step")
        raise self.error(goto.position, "a jump into a d_step; a label in front of one counts as inside")


def is_constant(statement: object, value: int) -> bool:
    """Whether a statement is the condition 1 (`skip`), or 0."""
    return (
        isinstance(statement, syntax.Condition)
        and isinstance(statement.test, syntax.Number)
        and statement.test.value == value
    )


def skip_at(position: Position) -> syntax.Condition:
    return syntax.Condition(syntax.Number(1, "1", position), position, "skip")
