"""Storage: the variables and channels in which the fields of a model lie, and how values are stored in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scrimp.frontends.python.algebra import Algebra, comparison, conditional
from scrimp.frontends.python.types import (
    ArrayType,
    BoolType,
    ConditionType,
    EnumType,
    EventType,
    Held,
    IntType,
    LockType,
    MapType,
    NoneOnly,
    OptionalType,
    Plain,
    QueueType,
    RecordType,
    SemaphoreType,
    SetType,
    TupleType,
    domain_size,
    unranged,
)
from scrimp.frontends.python.values import Value, converted, domain_members, tuple_of
from scrimp.system.expressions import Constant, Expression, Read
from scrimp.system.statements import Place
from scrimp.system.system import Channel, Variable
from scrimp.system.types import INT, Range
from scrimp.vocabulary import Names

_MOST_SETS_NAMED = 7
_TRUTHS: Names = {0: "False", 1: "True"}


@dataclass(frozen=True, slots=True)
class Slot:
    """One number of a stored value: the end of its name, its range, the names of its values."""

    suffix: str
    range: Range
    names: Names = field(default_factory=dict)


def _checked(low: int, high: int) -> Range:
    return Range(low, high, wraps=False)


def none_code(item: Plain) -> int | None:
    """The number that stands for None beside the values of a type that are stored as one number; None if there is no
    room for it, or more than one number."""
    slots = list(slots_of(item))
    if len(slots) != 1 or isinstance(item, OptionalType):
        return None
    range_ = slots[0].range
    if range_.low > INT.low and range_.size < 2**31:
        return range_.low - 1
    return None


def slots_of(type_: Plain, suffix: str = "") -> Iterator[Slot]:
    """How values of a declared type are stored. None is one more number where one is enough."""
    match type_:
        case BoolType():
            yield Slot(suffix, _checked(0, 1), _TRUTHS)
        case IntType(low, high):
            yield Slot(suffix, _checked(INT.low if low is None else low, INT.high if high is None else high))
        case EnumType(_, members):
            yield Slot(suffix, _checked(0, len(members) - 1), dict(enumerate(members)))
        case NoneOnly():
            return
        case SetType(item):
            assert item is not None
            size = domain_size(item)
            assert size is not None
            yield Slot(suffix, _checked(0, 2**size - 1), _set_names(item) if size <= _MOST_SETS_NAMED else {})
        case RecordType(_, fields):
            for name, kind in fields:
                yield from slots_of(kind, f"{suffix}.{name}")
        case TupleType(items):
            for number, kind in enumerate(items):
                yield from slots_of(kind, f"{suffix}[{number}]")
        case OptionalType(item):
            code = none_code(item)
            if code is None:
                yield Slot(f"{suffix} is not None", _checked(0, 1), _TRUTHS)
                for slot in slots_of(item, suffix):
                    low, high = min(slot.range.low, 0), max(slot.range.high, 0)
                    yield Slot(slot.suffix, _checked(low, high), slot.names)
                return
            (slot,) = slots_of(item, suffix)
            yield Slot(suffix, _checked(code, slot.range.high), {**slot.names, code: "None"})


def _set_names(item: Plain) -> Names:
    texts = [_text_of(value) for value in domain_members(item)]
    masks = range(2 ** len(texts))
    return {mask: "{" + ",".join(text for i, text in enumerate(texts) if mask >> i & 1) + "}" for mask in masks}


def _text_of(value: Value) -> str:
    (part,) = value.parts
    assert isinstance(part, Constant)
    if isinstance(value.type, EnumType):
        return value.type.members[part.value]
    return str(bool(part.value)) if isinstance(value.type, BoolType) else str(part.value)


def encoded(value: Value, type_: Plain) -> tuple[Expression, ...]:
    """The numbers to store for a value; raises Mismatch if it is of another type."""
    return tuple(_encoded(converted(value, type_), type_))


def _encoded(value: Value, type_: Plain) -> Iterator[Expression]:
    match type_:
        case RecordType(_, fields):
            for part, (_, kind) in zip(value.items(), fields, strict=True):
                yield from _encoded(part, kind)
        case TupleType(items):
            for part, kind in zip(value.items(), items, strict=True):
                yield from _encoded(part, kind)
        case OptionalType(item):
            code = none_code(item)
            flag, *parts = value.parts
            inner = list(_encoded(Value(unranged(item), tuple(parts)), item))
            if code is not None:
                yield conditional(flag, inner[0], Constant(code))
            else:
                yield flag
                yield from inner
        case _:
            yield from value.parts


def decoded(type_: Plain, numbers: Sequence[Expression]) -> Value:
    """The value of stored numbers."""
    value, rest = _decoded(type_, list(numbers))
    assert not rest
    return Value(unranged(type_), value.parts)


def _decoded(type_: Plain, numbers: list[Expression]) -> tuple[Value, list[Expression]]:
    match type_:
        case RecordType() | TupleType():
            kinds = [kind for _, kind in type_.fields] if isinstance(type_, RecordType) else type_.items
            found = []
            for kind in kinds:
                value, numbers = _decoded(kind, numbers)
                found.append(value)
            return Value(type_, tuple_of(found).parts), numbers
        case NoneOnly():
            return Value(type_, ()), numbers
        case OptionalType(item):
            code = none_code(item)
            if code is not None:
                number, *numbers = numbers
                there = comparison("!=", number, Constant(code))
                payload = number if code == 0 else conditional(there, number, Constant(0))
                return Value(type_, (there, payload)), numbers
            flag, *numbers = numbers
            value, numbers = _decoded(item, numbers)
            return Value(type_, (flag, *value.parts)), numbers
        case _:
            return Value(type_, (numbers[0],)), numbers[1:]


@dataclass(frozen=True, slots=True)
class Spot:
    """A field, or one element of it: `numbers` are its variables, or those of its channels for a queue. `index` selects
    among the elements of all arrays around it."""

    name: str
    type: Held
    numbers: tuple[int, ...]
    index: Expression | None = None

    def element(self, algebra: Algebra, key: Expression, container: ArrayType | MapType, shown: str) -> Spot:
        """An element of an array or a map."""
        inner = algebra.checked(key, container.length, self.name)
        index = inner
        if self.index is not None:
            index = algebra.sum(algebra.product(self.index, Constant(container.length)), inner)
        return Spot(f"{self.name}[{shown}]", container.item, self.numbers, index)

    @property
    def reads(self) -> tuple[Expression, ...]:
        return tuple(Read(number, self.index) for number in self.numbers)

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(Place(number, self.index) for number in self.numbers)


@dataclass
class Storage:
    """The variables and channels of a system under construction, and the names in which users see them."""

    variables: list[Variable] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    values: dict[int, Names] = field(default_factory=dict)
    elements: dict[int, tuple[str, ...]] = field(default_factory=dict)
    messages: dict[int, tuple[Names, ...]] = field(default_factory=dict)
    conditions: list[tuple[int, int]] = field(default_factory=list)

    @property
    def algebra(self) -> Algebra:
        return Algebra(self.variables, self.channels)

    def add_field(self, name: str, type_: Held, initial: Mapping[tuple[str, ...], Value] | Value | None) -> Spot:
        """A field with its initial value: that of every innermost element for a container, None for one that begins
        empty."""
        keys = list(_keys(type_, name))
        inner = _innermost(type_)
        if isinstance(inner, QueueType):
            return Spot(name, type_, tuple(self._add_channel(key or name, inner) for key in keys))
        if isinstance(type_, ConditionType):
            return self._add_condition(name)
        assert initial is None or isinstance(initial, Value)
        numbers = []
        length = len(keys) if isinstance(type_, ArrayType | MapType) else None
        slots = list(_container_slots(inner))
        starts = _container_start(inner, initial)
        for slot, start in zip(slots, starts, strict=True):
            number = len(self.variables)
            self.variables.append(Variable(name + slot.suffix, slot.range, (start,) * len(keys), length))
            numbers.append(number)
            if slot.names:
                self.values[number] = slot.names
            if length is not None:
                self.elements[number] = tuple(key + slot.suffix for key in keys)
        return Spot(name, type_, tuple(numbers))

    def _add_condition(self, name: str) -> Spot:
        """The lock, the woken processes, and the channel of those that wait; `add_waiting` makes room for them."""
        lock, woken = len(self.variables), len(self.variables) + 1
        self.variables.append(Variable(name, _checked(0, 1), (0,)))
        self.variables.append(Variable(f"{name}.woken", _checked(0, 1), (0,), 1))
        self.values[lock] = self.values[woken] = _TRUTHS
        self.conditions.append((woken, len(self.channels)))
        self.channels.append(Channel(f"{name}.waiting", 1, (_checked(0, 0),)))
        return Spot(name, ConditionType(), (lock, woken, len(self.channels) - 1))

    def add_waiting(self, processes: Sequence[str]) -> None:
        """Make room in conditions for all processes to wait."""
        count = max(1, len(processes))
        for woken, waiting in self.conditions:
            variable, channel = self.variables[woken], self.channels[waiting]
            self.variables[woken] = replace(variable, initial=(0,) * count, length=count)
            self.elements[woken] = tuple(f"{variable.name}[{name}]" for name in processes)
            self.channels[waiting] = replace(channel, capacity=count, fields=(_checked(0, count - 1),))
            self.messages[waiting] = (dict(enumerate(processes)),)

    def _add_channel(self, name: str, type_: QueueType) -> int:
        slots = list(slots_of(type_.item))
        self.messages[len(self.channels)] = tuple(slot.names for slot in slots)
        self.channels.append(Channel(name, type_.capacity, tuple(slot.range for slot in slots)))
        return len(self.channels) - 1


def _innermost(type_: Held) -> Held:
    while isinstance(type_, ArrayType | MapType):
        type_ = type_.item
    return type_


def _keys(type_: Held, name: str) -> Iterator[str]:
    """The names of all innermost elements."""
    match type_:
        case ArrayType(item, length):
            for index in range(length):
                yield from _keys(item, f"{name}[{index}]")
        case MapType(key, item):
            for value in domain_members(key):
                yield from _keys(item, f"{name}[{_text_of(value)}]")
        case _:
            yield name


def _container_slots(type_: Held) -> Iterator[Slot]:
    match type_:
        case LockType() | EventType():
            yield Slot("", _checked(0, 1), _TRUTHS)
        case SemaphoreType(permits):
            yield Slot("", _checked(0, permits))
        case ArrayType() | MapType() | QueueType() | ConditionType():
            raise AssertionError(type_)
        case _:
            yield from slots_of(type_)


def _container_start(type_: Held, initial: Value | None) -> Iterator[int]:
    match type_:
        case LockType() | EventType():
            yield 0
        case SemaphoreType(permits):
            yield permits
        case ArrayType() | MapType() | QueueType() | ConditionType():
            raise AssertionError(type_)
        case _:
            assert initial is not None
            for part in encoded(initial, type_):
                assert isinstance(part, Constant)
                yield part.value
