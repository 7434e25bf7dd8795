"""Values: a type, and an expression of the system for each number that the value consists of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrimp.frontends.python.algebra import (
    ZERO,
    Algebra,
    comparison,
    conditional,
    conjoined,
    disjoined,
    negated,
    truth,
)
from scrimp.frontends.python.types import (
    BOOL,
    INTEGER,
    NONE,
    BoolType,
    EnumType,
    IntType,
    NoneOnly,
    OptionalType,
    Plain,
    RecordType,
    SetType,
    TupleType,
    common,
    domain_size,
    unranged,
    width,
)
from scrimp.system.expressions import FALSE, TRUE, Binary, Constant, Expression, Undefined


class Mismatch(Exception):
    """An operation does not fit the types of its operands. The text says why, for a message."""


@dataclass(frozen=True, slots=True)
class Value:
    """An optional value begins with whether it is there; if not, its other numbers are 0."""

    type: Plain
    parts: tuple[Expression, ...]

    @property
    def is_constant(self) -> bool:
        return all(isinstance(part, Constant) for part in self.parts)

    @property
    def number(self) -> int | None:
        """The value of a constant whole number or boolean."""
        if isinstance(self.type, IntType | BoolType) and isinstance(self.parts[0], Constant):
            return self.parts[0].value
        return None

    def items(self) -> Iterator[Value]:
        """The fields of a record or the items of a tuple."""
        kinds: Sequence[Plain]
        match self.type:
            case RecordType(_, fields):
                kinds = [kind for _, kind in fields]
            case TupleType(items):
                kinds = items
            case _:
                kinds = ()
        start = 0
        for kind in kinds:
            yield Value(kind, self.parts[start : start + width(kind)])
            start += width(kind)


NOTHING = Value(NONE, ())


def integer(expression: Expression) -> Value:
    return Value(INTEGER, (expression,))


def boolean(expression: Expression) -> Value:
    return Value(BOOL, (expression,))


def constant(number: int | bool) -> Value:
    return Value(BOOL if isinstance(number, bool) else INTEGER, (Constant(int(number)),))


def member(type_: EnumType, number: int) -> Value:
    return Value(type_, (Constant(number),))


def tuple_of(values: Sequence[Value]) -> Value:
    return Value(
        TupleType(tuple(value.type for value in values)), tuple(part for each in values for part in each.parts)
    )


def present(value: Value, what: str = "a value") -> Value:
    """The value inside an optional one; a fault if it is None."""
    if not isinstance(value.type, OptionalType):
        return value
    flag, *parts = value.parts
    missing = Undefined(f"TypeError: found None, expected {what}")
    return Value(value.type.item, tuple(conditional(flag, part, missing) for part in parts))


def as_number(value: Value) -> Expression:
    """A number for arithmetic; True is 1."""
    value = present(value, "a number")
    if not isinstance(value.type, IntType | BoolType):
        raise Mismatch(f"found {value.type}, expected a number")
    return value.parts[0]


def truth_of(value: Value) -> Expression:
    """Whether `if` takes a value as true."""
    match value.type:
        case NoneOnly():
            return FALSE
        case OptionalType(item):
            return conjoined(value.parts[0], truth_of(Value(item, value.parts[1:])))
        case TupleType(items):
            return TRUE if items else FALSE
        case EnumType() | RecordType():
            return TRUE
        case BoolType():
            return value.parts[0]
        case _:
            return truth(value.parts[0])


def is_none(value: Value) -> Expression:
    match value.type:
        case NoneOnly():
            return TRUE
        case OptionalType():
            return negated(value.parts[0])
        case _:
            return FALSE


def equality(one: Value, other: Value) -> Expression:
    """`one == other`; values of types that are never equal are refused."""
    match one.type, other.type:
        case (NoneOnly(), _):
            return is_none(other)
        case (_, NoneOnly()):
            return is_none(one)
        case (OptionalType(a), OptionalType(b)):
            both = equality(Value(a, one.parts[1:]), Value(b, other.parts[1:]))
            same = comparison("==", one.parts[0], other.parts[0])
            return conjoined(same, disjoined(negated(one.parts[0]), both))
        case (OptionalType(a), _):
            return conjoined(one.parts[0], equality(Value(a, one.parts[1:]), other))
        case (_, OptionalType(b)):
            return conjoined(other.parts[0], equality(one, Value(b, other.parts[1:])))
        case (IntType() | BoolType(), IntType() | BoolType()):
            return comparison("==", one.parts[0], other.parts[0])
        case (TupleType(a), TupleType(b)) if len(a) == len(b):
            return _all_equal(one, other)
        case (RecordType(name), RecordType(same)) if name == same:
            return _all_equal(one, other)
        case (EnumType(name), EnumType(same)) if name == same:
            return comparison("==", one.parts[0], other.parts[0])
        case (SetType(a), SetType(b)) if a is None or b is None or a == b:
            return comparison("==", one.parts[0], other.parts[0])
        case _:
            raise Mismatch(f"a value of {one.type} never equals one of {other.type}")


def _all_equal(one: Value, other: Value) -> Expression:
    test: Expression = TRUE
    for a, b in zip(one.items(), other.items(), strict=True):
        test = equality(a, b) if test == TRUE else conjoined(test, equality(a, b))
    return test


def less(one: Value, other: Value, or_equal: bool) -> Expression:
    """`one < other` or `one <= other`, for numbers and for tuples of them."""
    if isinstance(one.type, TupleType) and isinstance(other.type, TupleType):
        if len(one.type.items) != len(other.type.items) or not one.type.items:
            raise Mismatch(f"cannot order {one.type} and {other.type}")
        *pairs, (a, b) = zip(one.items(), other.items(), strict=True)
        result = less(a, b, or_equal)
        for a, b in reversed(pairs):
            result = conditional(equality(a, b), result, less(a, b, False))
        return result
    return comparison("<=" if or_equal else "<", as_number(one), as_number(other))


def converted(value: Value, type_: Plain) -> Value:
    """A value as one of a wider type, such as None as an optional number; raises Mismatch."""
    wanted = unranged(type_)
    if value.type == wanted:
        return value
    match value.type, wanted:
        case (NoneOnly(), OptionalType()):
            return Value(wanted, (ZERO,) * width(wanted))
        case (BoolType(), IntType()):
            return Value(wanted, value.parts)
        case (OptionalType(item), OptionalType(inner)):
            flag, *parts = value.parts
            return Value(wanted, (flag, *converted(Value(item, tuple(parts)), inner).parts))
        case (OptionalType(item), _):
            return converted(present(value, f"a value of {item}"), wanted)
        case (_, OptionalType(inner)):
            return Value(wanted, (TRUE, *converted(value, inner).parts))
        case (TupleType(a), TupleType(b)) if len(a) == len(b):
            items = [converted(each, kind) for each, kind in zip(value.items(), b, strict=True)]
            return Value(wanted, tuple_of(items).parts)
        case (RecordType(name), RecordType(same, fields)) if name == same:
            items = [converted(each, kind) for each, (_, kind) in zip(value.items(), fields, strict=True)]
            return Value(wanted, tuple_of(items).parts)
        case (SetType(None, True), SetType(_, True)):
            return Value(wanted, value.parts)
        case (SetType(_, False), SetType(_, True)):
            raise Mismatch("found a set, which could be changed; write frozenset({…})")
        case _:
            raise Mismatch(f"found {value.type}, expected {type_}")


def either(test: Expression, one: Value, other: Value) -> Value:
    """One value or the other."""
    if isinstance(test, Constant):
        return one if test.value else other
    type_ = common(one.type, other.type)
    if type_ is None:
        raise Mismatch(f"found {one.type} and {other.type}, expected values of one type")
    one, other = converted(one, type_), converted(other, type_)
    return Value(type_, tuple(conditional(test, a, b) for a, b in zip(one.parts, other.parts, strict=True)))


def bit(element: Value, item: Plain, algebra: Algebra, *, must_fit: bool) -> Expression:
    """The bit of an element in a set. One outside the domain is a fault if it `must_fit`, and otherwise no bit."""
    size = domain_size(item)
    assert size is not None
    if isinstance(item, IntType):
        assert item.low is not None
        index = algebra.difference(as_number(element), Constant(item.low))
    else:
        if not isinstance(element.type, type(item)) or element.type != item:
            raise Mismatch(f"found {element.type}, expected an element of frozenset[{item}]")
        index = element.parts[0]
    if isinstance(index, Constant):
        if 0 <= index.value < size:
            return Constant(1 << index.value)
        return Undefined("a value is outside the domain of the set") if must_fit else ZERO
    low, high = algebra.interval(index)
    shifted = Binary("<<", Constant(1), index)
    if low >= 0 and high < size:
        return shifted
    inside = conjoined(comparison(">=", index, ZERO), comparison("<", index, Constant(size)))
    outside = Undefined("a value is outside the domain of the set") if must_fit else ZERO
    return conditional(inside, shifted, outside)


def domain_members(item: Plain) -> list[Value]:
    """The elements that a set may have."""
    match item:
        case EnumType(_, members):
            return [member(item, number) for number in range(len(members))]
        case IntType(int(low), int(high)):
            return [constant(number) for number in range(low, high + 1)]
        case _:
            return [constant(False), constant(True)]
