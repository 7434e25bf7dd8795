"""The paths through an effect, each a straight line: the final value of every cell, in terms of the state before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from scrimp.machine.backward.work import Impossible, Work
from scrimp.machine.boxes import Box, evaluate
from scrimp.machine.intervals import WHOLE, Interval, contains
from scrimp.system.expressions import Binary, Conditional, Constant, Expression, Find, Length, Message, Read, Unary
from scrimp.system.statements import OLDEST, Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.system import System
from scrimp.system.types import INT, Range

MOST_PATHS = 64


@dataclass(frozen=True, slots=True)
class Cell:
    """A variable, or the element of an array that has some index in the state before."""

    variable: int
    index: Expression | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """The value that a cell was given: as computed, and as stored in the cell. The latter is None if the value may wrap
    around the end of the type and no expression describes that."""

    computed: Expression
    kept: Expression | None


@dataclass(slots=True)
class Path:
    """All expressions are over the state before. `conditions` hold if the path is taken and nothing faults."""

    conditions: list[Expression] = field(default_factory=list)
    written: dict[Cell, Given] = field(default_factory=dict)
    sent: dict[int, tuple[Expression, ...]] = field(default_factory=dict)
    received: set[int] = field(default_factory=set)

    def fork(self) -> Path:
        return Path(list(self.conditions), dict(self.written), dict(self.sent), set(self.received))

    def cells(self, variable: int) -> list[Cell]:
        return [cell for cell in self.written if cell.variable == variable]


def paths(system: System, effect: tuple[Statement, ...], box: Box, work: Work) -> list[Path]:
    """The paths through an effect; `box` has the intervals of values before it. Raises Impossible."""
    found: list[Path] = []
    for path in _Execution(system, box, work).run(Path(), effect):
        found.append(path)
        if len(found) > MOST_PATHS:
            raise Impossible(f"there are more than {MOST_PATHS} paths through it")
    return found


def rebuilt(expression: Expression, rewrite: Callable[[Expression], Expression]) -> Expression:
    """An expression whose direct parts have all been rewritten."""
    match expression:
        case Read(variable, index) if index is not None:
            return Read(variable, rewrite(index))
        case Message(channel, number, position):
            return Message(channel, number, rewrite(position))
        case Find(channel, pattern):
            return Find(channel, tuple(None if part is None else rewrite(part) for part in pattern))
        case Unary(operator, operand):
            return Unary(operator, rewrite(operand))
        case Binary(operator, left, right):
            return Binary(operator, rewrite(left), rewrite(right))
        case Conditional(test, then, otherwise):
            return Conditional(rewrite(test), rewrite(then), rewrite(otherwise))
        case _:
            return expression


def same_or_apart(a: Expression | None, b: Expression | None, box: Box | None = None) -> bool | None:
    """Whether two indices of one array are the same; None if that depends on the state; `box` has the intervals of
    values."""
    if a == b or a is None or b is None:
        return a == b
    (these, this), (those, that) = _summands(a), _summands(b)
    if these == those:
        return INT.wrap(this - that) == 0
    return False if box is not None and _never_zero({**these, **_minus(these, those)}, this - that, box) else None


def _minus(these: Mapping[Expression, int], those: Mapping[Expression, int]) -> dict[Expression, int]:
    return {term: these.get(term, 0) - times for term, times in those.items()}


def _never_zero(summands: Mapping[Expression, int], number: int, box: Box) -> bool:
    low, high = total([(1, Constant(number)), *((times, term) for term, times in summands.items())], box)
    return contains(WHOLE, (low, high)) and not low <= 0 <= high


def total(summands: Iterable[tuple[int, Expression]], box: Box) -> Interval:
    """The interval of a sum, each of whose terms is multiplied by a factor, if nothing wraps around."""
    ends = [sorted(times * end for end in evaluate(term, box)) for times, term in summands]
    return (sum(low for low, _ in ends), sum(high for _, high in ends))


@lru_cache
def _summands(expression: Expression) -> tuple[Mapping[Expression, int], int]:
    """A sum as its terms, each with its factor, and a number."""
    found: Counter[Expression] = Counter()
    number = 0
    waiting = [(1, expression)]
    while waiting:
        times, part = waiting.pop()
        match part:
            case Constant(value):
                number += times * value
            case Binary("*", factor, Constant(value)) | Binary("*", Constant(value), factor):
                waiting.append((times * value, factor))
            case Binary("+" | "-" as operator, left, right):
                waiting += ((times, left), (times if operator == "+" else -times, right))
            case Unary("-", operand):
                waiting.append((-times, operand))
            case _:
                found[part] += times
    return {term: times for term, times in found.items() if times}, number


def terms(expression: Expression, sign: int = 1) -> Iterator[tuple[int, Expression]]:
    """The terms of a sum, each with its sign."""
    match expression:
        case Binary("+" | "-" as operator, left, right):
            yield from terms(left, sign)
            yield from terms(right, sign if operator == "+" else -sign)
        case Unary("-", operand):
            yield from terms(operand, -sign)
        case _:
            yield sign, expression


def wrapped(value: Expression, lies: Interval, type_: Range) -> Expression | None:
    """A value as stored in a variable of some type; None if there is no expression for that."""
    if not type_.wraps or contains((type_.low, type_.high), lies) or type_.size == INT.size:
        return value
    if type_.low == 0 and type_.size & type_.size - 1 == 0:
        return Binary("&", value, Constant(type_.size - 1))
    distance = (lies[0] - type_.low, lies[1] - type_.low)
    if not contains((INT.low, INT.high - type_.size), distance):
        return None
    remainder = Binary("%", Binary("-", value, Constant(type_.low)), Constant(type_.size))
    if distance[0] < 0:
        remainder = Binary("%", Binary("+", remainder, Constant(type_.size)), Constant(type_.size))
    return Binary("+", remainder, Constant(type_.low))


def _has_a_value(expression: Expression) -> Expression:
    """A condition that holds unless an expression faults."""
    return Binary("==", expression, expression)


class _Execution:
    """Executes statements symbolically, forking at branches."""

    def __init__(self, system: System, box: Box, work: Work) -> None:
        self.system = system
        self.box = box
        self.work = work

    def run(self, path: Path, statements: tuple[Statement, ...]) -> Iterator[Path]:
        for number, statement in enumerate(statements):
            match statement:
                case If(test, then, otherwise):
                    rest = statements[number + 1 :]
                    decision = self._paid(path, test)
                    for condition, branch in ((decision, then), (Unary("!", decision), otherwise)):
                        taken = path.fork()
                        taken.conditions.append(condition)
                        yield from self.run(taken, (*branch, *rest))
                    return
                case Outgrow():
                    return
                case _:
                    self._execute(path, statement)
        yield path

    def _execute(self, path: Path, statement: Statement) -> None:
        match statement:
            case Assign(place, value):
                self._assign(path, place, self._paid(path, value))
            case Enqueue(channel, values, is_sorted):
                if is_sorted:
                    raise Impossible("it inserts a message in sorted order")
                self._touch(path, channel)
                path.sent[channel] = tuple(self._paid(path, value) for value in values)
            case Dequeue(channel, places, position):
                self._receive(path, channel, places, position)
            case Clear():
                raise Impossible("it empties a channel")
            case Assert(test, _, fatal):
                decision = self._paid(path, test)
                path.conditions.append(decision if fatal else _has_a_value(decision))
            case _:
                pass

    def _receive(self, path: Path, channel: int, places: tuple[Place | None, ...], position: Expression) -> None:
        if position != OLDEST:
            raise Impossible("it receives a message from the middle of a channel")
        self._touch(path, channel)
        path.received.add(channel)
        for number, place in enumerate(places):
            if place is not None:
                self._assign(path, place, Message(channel, number, OLDEST))

    def _touch(self, path: Path, channel: int) -> None:
        if channel in path.sent or channel in path.received:
            raise Impossible(f"it uses channel {self.system.channels[channel].name} more than once")

    def _assign(self, path: Path, place: Place, value: Expression) -> None:
        type_ = self.system.variables[place.variable].type
        cell = Cell(place.variable, None if place.index is None else self._paid(path, place.index))
        if any(same_or_apart(cell.index, other.index, self.box) is None for other in path.cells(place.variable)):
            name = self.system.variables[place.variable].name
            raise Impossible(f"it writes elements of {name} whose indices may be equal")
        if cell in path.written:
            path.conditions.append(_has_a_value(path.written[cell].computed))
        lies = evaluate(value, self.box)
        if not type_.wraps and not contains((type_.low, type_.high), lies):
            path.conditions += (Binary(">=", value, Constant(type_.low)), Binary("<=", value, Constant(type_.high)))
        path.written[cell] = Given(value, wrapped(value, lies, type_))

    def _paid(self, path: Path, expression: Expression) -> Expression:
        return self.work.pay(self._now(path, expression))

    def _now(self, path: Path, expression: Expression) -> Expression:
        """An expression over the state that the path has reached so far, in terms of the state before."""
        expression = rebuilt(expression, lambda part: self._now(path, part))
        match expression:
            case Read(variable, index):
                result: Expression = expression
                for cell in path.cells(variable):
                    same = same_or_apart(index, cell.index, self.box)
                    if same:
                        return self._kept(path, cell)
                    if same is None and index is not None and cell.index is not None:
                        result = Conditional(Binary("==", index, cell.index), self._kept(path, cell), result)
                return result
            case Length(channel) | Message(channel) | Find(channel) if channel in path.sent or channel in path.received:
                raise Impossible(f"it reads channel {self.system.channels[channel].name} after changing it")
            case _:
                return expression

    def _kept(self, path: Path, cell: Cell) -> Expression:
        kept = path.written[cell].kept
        if kept is None:
            raise Impossible(f"{self.system.variables[cell.variable].name} may wrap around in it")
        return kept
