"""Flow: a process or an action under construction: where it is, what it has assigned, and the edges made so far.

The local variables of a function are known by the calls that lead to it, so that every call has its own. Their types
and ranges are facts that grow while a body is translated: it is translated again until they no longer change.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from scrimp.errors import ModelError
from scrimp.frontends.python.algebra import ANY, Algebra, Interval, negated
from scrimp.frontends.python.expressions import Expressions
from scrimp.frontends.python.graph import Edge, Graph
from scrimp.frontends.python.program import Function, Program
from scrimp.frontends.python.source import shown
from scrimp.frontends.python.storage import Spot
from scrimp.frontends.python.types import INTEGER, Plain, SetType, common, width
from scrimp.frontends.python.values import Mismatch, Value, boolean, converted, integer
from scrimp.system.expressions import TRUE, Binary, Constant, Expression, Find, Length, Message, Read
from scrimp.system.statements import Assign, If, Place, Statement
from scrimp.system.system import Kind, Position, Variable
from scrimp.system.traverse import subexpressions
from scrimp.system.types import Range

Key: TypeAlias = tuple[object, ...]
MOST_PLACES = 20_000
_ROUNDS_BEFORE_WIDENING = 3


@dataclass(frozen=True)
class Fact:
    """The type of a local variable, and the range of each of its numbers; 0 is always among them."""

    type: Plain
    ranges: tuple[Interval, ...]


@dataclass
class Facts:
    """What is known of local variables, from earlier rounds and from this one."""

    known: dict[Key, Fact] = field(default_factory=dict)
    rounds: int = 0
    grown: bool = False

    def learn(self, key: Key, type_: Plain, ranges: tuple[Interval, ...]) -> bool:
        """Add what a variable may hold; returns whether its type changed."""
        known = self.known.get(key)
        ranges = tuple((min(low, 0), max(high, 0)) for low, high in ranges)
        if known is None:
            self.known[key] = Fact(type_, ranges)
            self.grown = True
            return False
        if known.type != type_:
            self.known[key] = Fact(type_, tuple(ANY for _ in range(width(type_))))
            self.grown = True
            return True
        joined = tuple(self._joined(old, new) for old, new in zip(known.ranges, ranges, strict=True))
        if joined != known.ranges:
            self.known[key] = Fact(type_, joined)
            self.grown = True
        return False

    def _joined(self, old: Interval, new: Interval) -> Interval:
        low, high = min(old[0], new[0]), max(old[1], new[1])
        if self.rounds >= _ROUNDS_BEFORE_WIDENING:
            low, high = (ANY[0] if low < old[0] else low), (ANY[1] if high > old[1] else high)
        return low, high


class TypeGrew(Exception):
    """A variable turned out to have a wider type: the body is translated again."""


@dataclass
class Frame:
    """A function that is being translated: its local names, the values of those that are constant here, and where to
    continue when it returns."""

    function: Function
    key: Key
    self_name: str | None
    locals: frozenset[str]
    calls: tuple[str, ...]
    return_place: int
    names: dict[str, Value] = field(default_factory=dict)
    returns_value: bool = False
    returned: bool = False
    cleanups: int = 0


@dataclass
class Loop:
    """A loop around the current statement. `assigned` is what is assigned wherever it is left by `break`."""

    break_place: int
    continue_place: int
    cleanups: int
    breaks: list[frozenset[Key]] = field(default_factory=list)


@dataclass
class Open:
    """The edge that is under construction."""

    source: int
    guard: Expression = TRUE
    effect: list[Statement] = field(default_factory=list)
    text: str = ""
    position: Position | None = None
    kind: Kind = Kind.OTHER
    required: Position | None = None


class Flow:
    """One process or action. `owner` is its number among the processes of the system."""

    def __init__(self, program: Program, owner: int, facts: Facts, is_action: bool) -> None:
        self.program = program
        self.storage = program.storage
        self.owner = owner
        self.facts = facts
        self.is_action = is_action
        self.algebra: Algebra = self.storage.algebra
        self.graph = Graph(self.algebra)
        self.variables: dict[Key, tuple[Plain, tuple[int, ...]]] = {}
        self.assigned: frozenset[Key] = frozenset()
        self.temporaries = 0
        self.frames: list[Frame] = []
        self.loops: list[Loop] = []
        self.cleanups: list[Spot | Sequence[ast.stmt]] = []  # what to do on leaving: release, or a finally block
        self.node: ast.AST = ast.Pass()
        self.open: Open | None = None

    # Where we are

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def expressions(self) -> Expressions:
        frame = self.frame
        return Expressions(self.program, frame.names, frame.self_name, self, frame.calls)

    def branch_value(
        self, test: Expression, then: Callable[[], Value], otherwise: Callable[[], Value], node: ast.expr
    ) -> Value:
        raise NotImplementedError

    def impure(self, node: ast.expr) -> Value:
        raise NotImplementedError

    def error(self, node: ast.AST, message: str) -> ModelError:
        return self.program.source.error(node, message)

    def emit(self, *statements: Statement, kind: Kind = Kind.OTHER) -> None:
        """Add to the effect of the edge under construction."""
        if self.open is None:
            return
        self._describe(self.open)
        if kind is not Kind.OTHER:
            self.open.kind = kind
        self.open.effect += statements

    def _describe(self, edge: Open) -> None:
        if not edge.text:
            edge.text = self.program.source.excerpt(self.node)
            edge.position = self.program.source.position(self.node)

    def enter(self, place: int) -> None:
        """Continue from a place."""
        self.open = Open(place)

    def goto(self, place: int) -> None:
        """End the edge under construction at a place; what follows is not reached from here."""
        if self.open is not None:
            self._add(self.open, place)
        self.open = None

    def _add(self, edge: Open, target: int) -> None:
        if self.graph.places > MOST_PLACES:
            raise self.error(self.node, f"this process needs more than {MOST_PLACES:,} places; make its loops shorter")
        position = edge.position or self.program.source.position(self.node)
        self.graph.edges.append(
            Edge(edge.source, target, edge.guard, tuple(edge.effect), edge.text, position, edge.kind, edge.required)
        )

    def cut(self) -> int:
        """End the edge under construction, and continue from its end: a place from which branches can leave."""
        place = self.graph.add_place()
        self.goto(place)
        self.enter(place)
        return place

    def wait(self, node: ast.AST, guard: Expression) -> None:
        """Wait until a guard holds, and begin a step."""
        if self.is_action:
            raise self.error(node, "an action cannot wait; use require(…), or a process")
        place = self.graph.add_place(f"line {self.program.source.position(node).line}")
        self.goto(place)
        self.open = Open(
            place, guard, text=self.program.source.excerpt(node), position=self.program.source.position(node)
        )

    def branch(self, test: Expression) -> tuple[int, int]:
        """The places after a test that is true, and after one that is false."""
        if self.algebra.may_fault(test):
            test = self.spill(boolean(test)).parts[0]
        here = self.cut()
        self.open = None
        then, otherwise = self.graph.add_place(), self.graph.add_place()
        text, position = self.program.source.excerpt(self.node), self.program.source.position(self.node)
        self.graph.edges.append(Edge(here, then, test, (), text, position, Kind.CONTROL))
        self.graph.edges.append(Edge(here, otherwise, negated(test), (), text, position, Kind.CONTROL))
        return then, otherwise

    # Local variables

    def read(self, name: str, node: ast.expr) -> Value | None:
        if name not in self.frame.locals:
            return None
        key = (*self.frame.key, name)
        if key not in self.assigned:
            hint = f"write self.{name}" if name in self.program.fields else "assign it on every way here"
            raise self.error(node, f"{shown(name)} may be used before it has a value; {hint}")
        return self.value_of(key)

    def value_of(self, key: Key) -> Value:
        type_, numbers = self.variables[key]
        return Value(type_, tuple(Read(number) for number in numbers))

    def assign(self, key: Key, name: str, value: Value) -> None:
        """Assign a local variable."""
        if isinstance(value.type, SetType) and not value.type.frozen:
            raise Mismatch("found a set, which could be changed; write frozenset({…})")
        known = self.facts.known.get(key)
        type_ = value.type if known is None else common(known.type, value.type)
        if type_ is None:
            assert known is not None
            raise Mismatch(f"{name} is {known.type} elsewhere, found {value.type}; use another name")
        value = converted(value, type_)
        if self.facts.learn(key, type_, tuple(map(self.algebra.interval, value.parts))):
            raise TypeGrew
        numbers = self._variable(key, name, self.facts.known[key])
        self.store([Place(number) for number in numbers], value.parts)
        self.assigned |= {key}

    def _variable(self, key: Key, name: str, fact: Fact) -> tuple[int, ...]:
        if key not in self.variables:
            numbers = []
            taken = {variable.name for variable in self.storage.variables if variable.owner == self.owner}
            for number, (low, high) in enumerate(fact.ranges):
                plain = name if len(fact.ranges) == 1 else f"{name}.{number}"
                unique = next(each for each in _numbered(plain) if each not in taken)
                taken.add(unique)
                numbers.append(len(self.storage.variables))
                self.storage.variables.append(Variable(unique, Range(low, high, wraps=False), (0,), owner=self.owner))
            self.variables[key] = fact.type, tuple(numbers)
        return self.variables[key][1]

    def store(self, places: Iterable[Place], parts: Iterable[Expression], kind: Kind = Kind.ASSIGN) -> None:
        """Assign several numbers at once."""
        pairs = list(zip(places, parts, strict=True))
        written: set[int] = set()
        for place, part in pairs:
            if any(isinstance(each, Read) and each.variable in written for each in subexpressions(part)):
                kept = self.spill(Value(INTEGER, tuple(part for _, part in pairs)))
                pairs = [(place, part) for (place, _), part in zip(pairs, kept.parts, strict=True)]
                break
            written.add(place.variable)
        self.emit(*(Assign(place, part) for place, part in pairs), kind=kind)

    def spill(self, value: Value) -> Value:
        parts: list[Expression] = []
        for part in value.parts:
            if isinstance(part, Constant):
                parts.append(part)
                continue
            key = ("temporary", self.temporaries)
            self.facts.learn(key, INTEGER, (self.algebra.interval(part),))
            (number,) = self._variable(key, f"_{self.temporaries + 1}", self.facts.known[key])
            self.temporaries += 1
            self.emit(Assign(Place(number), part))
            parts.append(Read(number))
        return Value(value.type, tuple(parts))

    def is_stable(self, value: Value) -> bool:
        local = {number for _, numbers in self.variables.values() for number in numbers}
        return not any(
            isinstance(each, Length | Message | Find) or (isinstance(each, Read) and each.variable not in local)
            for part in value.parts
            for each in subexpressions(part)
        ) and not any(map(self.algebra.may_fault, value.parts))

    def kept(self, value: Value) -> Value:
        """A value that the rest of an expression, and others while the process waits, do not change."""
        return value if self.is_stable(value) else self.spill(value)

    def fixed(self, value: Value) -> Value:
        """A value that later statements do not change, whatever they assign."""
        return value if value.is_constant else self.spill(value)

    def kept_spot(self, spot: Spot) -> Spot:
        """A field or its element, with an index that nothing changes."""
        if spot.index is None:
            return spot
        return replace(spot, index=self.kept(integer(spot.index)).parts[0])

    def evaluate(self, value: Value) -> None:
        """Evaluate a value that nobody uses, for its faults."""
        for part in value.parts:
            if self.algebra.may_fault(part):
                self.emit(If(part, (), ()))


def _numbered(name: str) -> Iterator[str]:
    """A name, and the same name with numbers."""
    yield name
    number = 2
    while True:
        yield f"{name}:{number}"
        number += 1


def dispatched(spot: Spot, statement: Iterable[tuple[int, Statement]]) -> Iterator[Statement]:
    """The statement for the channel of a queue, which may be an element of an array."""
    pairs = list(statement)
    if spot.index is None or isinstance(spot.index, Constant):
        place = spot.index.value if isinstance(spot.index, Constant) else 0
        yield pairs[place][1]
        return
    result = pairs[-1][1]
    for place, each in reversed(list(enumerate(each for _, each in pairs[:-1]))):
        result = If(Binary("==", spot.index, Constant(place)), (each,), (result,))
    yield result
