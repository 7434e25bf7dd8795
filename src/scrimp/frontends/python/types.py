"""Types: what the fields, values and containers of a model can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class BoolType:
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class IntType:
    """Whole numbers; with a range if one is declared. Values that are computed have no range."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        return "int" if self.low is None else f"int in {self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class NoneOnly:
    def __str__(self) -> str:
        return "None"


@dataclass(frozen=True, slots=True)
class EnumType:
    """Members are numbered in the order of their declaration; `numbers` are their values, if these are whole
    numbers."""

    name: str
    members: tuple[str, ...]
    numbers: tuple[int | None, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class RecordType:
    """A frozen dataclass."""

    name: str
    fields: tuple[tuple[str, Plain], ...]

    def __str__(self) -> str:
        return self.name

    def place(self, name: str) -> int | None:
        """The number of a field."""
        return next((number for number, (each, _) in enumerate(self.fields) if each == name), None)


@dataclass(frozen=True, slots=True)
class TupleType:
    items: tuple[Plain, ...]

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True, slots=True)
class OptionalType:
    item: Plain

    def __str__(self) -> str:
        return f"{self.item} | None"


@dataclass(frozen=True, slots=True)
class SetType:
    """A set over a small domain; the item of an empty set may be unknown. One that is not `frozen` is an operand, such
    as `{a, b}`: it is never stored, so that nobody can change it."""

    item: Plain | None
    frozen: bool = True

    def __str__(self) -> str:
        name = "frozenset" if self.frozen else "set"
        return name if self.item is None else f"{name}[{self.item}]"


Plain: TypeAlias = BoolType | IntType | NoneOnly | EnumType | RecordType | TupleType | OptionalType | SetType
"""The types of values."""


@dataclass(frozen=True, slots=True)
class ArrayType:
    item: Held
    length: int

    def __str__(self) -> str:
        return f"Array[{self.item}]"


@dataclass(frozen=True, slots=True)
class MapType:
    key: BoolType | EnumType
    item: Held

    def __str__(self) -> str:
        return f"Map[{self.key}, {self.item}]"

    @property
    def length(self) -> int:
        return 2 if isinstance(self.key, BoolType) else len(self.key.members)


@dataclass(frozen=True, slots=True)
class QueueType:
    item: Plain
    capacity: int

    def __str__(self) -> str:
        return f"Queue[{self.item}]"


@dataclass(frozen=True, slots=True)
class LockType:
    def __str__(self) -> str:
        return "Lock"


@dataclass(frozen=True, slots=True)
class EventType:
    def __str__(self) -> str:
        return "Event"


@dataclass(frozen=True, slots=True)
class SemaphoreType:
    permits: int

    def __str__(self) -> str:
        return "Semaphore"


@dataclass(frozen=True, slots=True)
class ConditionType:
    """A lock, the processes that wait for a notification, in their order, and those that have one."""

    def __str__(self) -> str:
        return "Condition"


Container: TypeAlias = ArrayType | MapType | QueueType | LockType | EventType | SemaphoreType | ConditionType
Held: TypeAlias = Plain | Container
"""The types of fields."""

CONTAINERS = (ArrayType, MapType, QueueType, LockType, EventType, SemaphoreType, ConditionType)
LARGEST_DOMAIN = 31

BOOL = BoolType()
INTEGER = IntType()
NONE = NoneOnly()


def width(type_: Plain) -> int:
    """How many numbers a value of the type consists of."""
    match type_:
        case NoneOnly():
            return 0
        case RecordType(_, fields):
            return sum(width(each) for _, each in fields)
        case TupleType(items):
            return sum(width(each) for each in items)
        case OptionalType(item):
            return 1 + width(item)
        case _:
            return 1


def unranged(type_: Plain) -> Plain:
    """The type of values of a declared type: without ranges, which only matter where something is stored."""
    match type_:
        case IntType():
            return INTEGER
        case RecordType(name, fields):
            return RecordType(name, tuple((each, unranged(kind)) for each, kind in fields))
        case TupleType(items):
            return TupleType(tuple(unranged(each) for each in items))
        case OptionalType(item):
            return OptionalType(unranged(item))
        case _:
            return type_


def domain_size(item: Plain) -> int | None:
    """How many elements a set over the type may have; None if that is not known."""
    match item:
        case BoolType():
            return 2
        case EnumType(_, members):
            return len(members)
        case IntType(int(low), int(high)):
            return high - low + 1
        case _:
            return None


def common(one: Plain, other: Plain) -> Plain | None:
    """The type of a value that is of one type or the other; None if there is none."""
    if one == other:
        return one
    match one, other:
        case (BoolType() | IntType(), BoolType() | IntType()):
            return INTEGER
        case (SetType(a, frozen), SetType(b, same)) if frozen == same and (a is None or b is None):
            return other if a is None else one
        case (NoneOnly(), OptionalType()):
            return other
        case (OptionalType(), NoneOnly()):
            return one
        case (NoneOnly(), item) | (item, NoneOnly()):
            return OptionalType(item)
        case (OptionalType(a), OptionalType(b)) | (OptionalType(a), b) | (a, OptionalType(b)):
            inner = common(a, b)
            return None if inner is None else OptionalType(inner)
        case (TupleType(a), TupleType(b)) if len(a) == len(b):
            items = [common(x, y) for x, y in zip(a, b, strict=True)]
            return TupleType(tuple(item for item in items if item)) if all(items) else None
        case _:
            return None
