"""Which variables and message fields a question can depend on.

Whatever decides which events are enabled, how effects branch and whether they fault, and what a question looks at, is
relevant; and so is everything that a relevant variable or field is computed from. These are the variables that are not
*faint* (Giegerich, Möncke, Wilhelm, "Invariance of approximate semantics with respect to program transformations",
1981), found for the whole system at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.machine.boxes import Box
from scrimp.machine.nesting import deep_recursion
from scrimp.passes.faults import Faults, join_branches
from scrimp.system.expressions import Expression, Find, Message, Read
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, If, Statement
from scrimp.system.system import System
from scrimp.system.traverse import subexpressions

Key: TypeAlias = tuple[str, int, int]
"""A variable ("v", number, 0), or a field of a channel's messages ("m", channel, field), as in machine/boxes.py."""


def keys_read(expression: Expression) -> Iterator[Key]:
    """The variables and fields that the value of an expression depends on."""
    for part in subexpressions(expression):
        match part:
            case Read(variable):
                yield "v", variable, 0
            case Message(channel, number):
                yield "m", channel, number
            case Find(channel, pattern):
                yield from (("m", channel, number) for number, wanted in enumerate(pattern) if wanted is not None)


def relevant(system: System, faults: Faults, seen: Sequence[Expression]) -> frozenset[Key]:
    """The relevant variables and fields; `seen` is what the question looks at."""
    with deep_recursion():
        flows = _Flows(system, faults)
        outside = [*seen, *(invariant.test for invariant in system.invariants), *(test for _, test in system.offers)]
        flows.need(*outside, *(test for test in (system.committed, system.valid_end) if test is not None))
        for transition in system.transitions:
            flows.need(transition.guard)
            flows.execute(transition.effect, faults.after_guard(transition))
        return flows.closed()


@dataclass
class _Flows:
    """Who is needed, and for the others from what they are computed."""

    system: System
    faults: Faults
    needed: set[Key] = field(default_factory=set)
    sources: dict[Key, set[Key]] = field(default_factory=dict)

    def need(self, *expressions: Expression) -> None:
        for expression in expressions:
            self.needed.update(keys_read(expression))

    def closed(self) -> frozenset[Key]:
        todo = list(self.needed)
        while todo:
            fresh = self.sources.get(todo.pop(), set()) - self.needed
            self.needed |= fresh
            todo += fresh
        return frozenset(self.needed)

    def execute(self, statements: Iterable[Statement], box: Box) -> None:
        for statement in statements:
            if isinstance(statement, If):
                self._branch(statement, box)
                continue
            for key, sources in _computed(statement):
                self.sources.setdefault(key, set()).update(sources)
            match statement:
                case Assign(place) if place.index is not None:
                    self.need(place.index)
                case Dequeue(_, places, position):
                    self.need(position, *(each.index for each in places if each is not None and each.index is not None))
                case Enqueue(channel, _, True):
                    count = len(self.system.channels[channel].fields)
                    self.needed.update(("m", channel, number) for number in range(count))
                case Assert(test):
                    self.need(test)
            if self.faults.in_statement(statement, box):
                self.needed.update(key for _, sources in _computed(statement) for key in sources)

    def _branch(self, statement: If, box: Box) -> None:
        self.need(statement.test)
        ends = box.fork(), box.fork()
        self.faults.assume(statement.test, *ends)
        self.execute(statement.then, ends[0])
        self.execute(statement.otherwise, ends[1])
        join_branches(box, *ends)


def _computed(statement: Statement) -> Iterator[tuple[Key, set[Key]]]:
    """What a statement writes, each with what its value is computed from."""
    match statement:
        case Assign(place, value):
            yield ("v", place.variable, 0), set(keys_read(value))
        case Enqueue(channel, values):
            for number, value in enumerate(values):
                yield ("m", channel, number), set(keys_read(value))
        case Dequeue(channel, places):
            for number, target in enumerate(places):
                if target is not None:
                    yield ("v", target.variable, 0), {("m", channel, number)}
