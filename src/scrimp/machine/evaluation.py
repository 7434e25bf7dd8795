"""Expressions as code. Every part is computed, needed or not: branch-free code, in which faults are bits.

A part that the semantics of an expression skips (the right side of `&&`, a branch of a conditional) must therefore be
harmless when it is skipped: divisors are replaced, indices into memory clamped, and its fault bit counts only if the
part is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from scrimp.machine.boxes import Box, evaluate, refine
from scrimp.machine.draft import Draft
from scrimp.machine.intervals import BOOLEAN, NO, YES, Interval, binary, contains, join, negation, unary
from scrimp.machine.layout import Field, Layout
from scrimp.machine.tables import Tables
from scrimp.machine.writer import Writer
from scrimp.system.expressions import (
    At,
    Binary,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Timeout,
    Unary,
    Undefined,
)
from scrimp.system.types import INT

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
_DIVISIONS = {"/": "sdiv", "%": "srem"}
_SHIFTS = {"<<": "shl", ">>": "ashr"}
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


class Value(NamedTuple):
    """An i32, or a truth value as an i1, and its interval."""

    text: str
    interval: Interval
    is_bit: bool = False

    @property
    def constant(self) -> int | None:
        return self.interval[0] if self.interval[0] == self.interval[1] else None


TRUE_BIT = Value("true", YES, True)
FALSE_BIT = Value("false", NO, True)


def constant_value(number: int) -> Value:
    return Value(str(number), (number, number))


@dataclass(slots=True, eq=False)
class Evaluator:
    """Emits expressions over a draft. `faults` collects the bits that say whether the evaluation so far has faulted."""

    writer: Writer
    layout: Layout
    tables: Tables
    draft: Draft
    box: Box
    at: Mapping[int, int]
    timeout: Value = FALSE_BIT
    faults: list[str] = field(default_factory=list, init=False)
    _earlier_faults: list[list[str]] = field(default_factory=list, init=False)

    @property
    def skippable(self) -> bool:
        """Whether the code being written may run although its result is not used."""
        return bool(self._earlier_faults)

    def faulted(self) -> str | None:
        """Whether anything has faulted so far, in the part being written or before; None if nothing can have."""
        return self.either([fault for faults in (*self._earlier_faults, self.faults) for fault in faults])

    def value(self, expression: Expression) -> Value:
        match expression:
            case Constant(number):
                return constant_value(number)
            case Read(variable, index):
                return self._read(variable, index)
            case Binary("&&" | "||"):
                return self.test(expression)
            case Binary(operator, left, right):
                return self._binary(operator, self.value(left), self.value(right))
            case At(process, location):
                return self._at(process, location)
            case Length(channel):
                return self.length(channel)
            case Message(channel, field, position):
                return self.message(self.layout.messages[channel][field], self.slot(channel, position))
            case Find():
                return self._find(expression)
            case Timeout():
                return self.timeout
            case Undefined():
                self.faults.append("true")
                return constant_value(0)
            case Unary("!", operand):
                return self.negated(self.test(operand))
            case Unary(operator, operand):
                return self._unary(operator, self.value(operand))
            case Conditional(test, then, otherwise):
                return self._conditional(test, then, otherwise)

    def test(self, expression: Expression) -> Value:
        """The truth of an expression, as an i1."""
        match expression:
            case Binary("&&"):
                with self._kept_box():
                    return self.all_of(conjuncts(expression))
            case Binary("||"):
                return self._any_of(_flattened("||", expression))
            case _:
                return self.as_bit(self.value(expression))

    def all_of(self, tests: Sequence[Expression]) -> Value:
        """Whether all tests are true, each evaluated only if those before it are.

        Tests of fields for fixed values in one word become one comparison. The box is narrowed to values for which all
        are true.
        """
        equalities: dict[str, tuple[int, int]] = {}
        truths: list[str] = []
        for test in tests:
            fixed = self._equality(test)
            if fixed is not None:
                word, mask, bits = fixed
                seen_mask, seen_bits = equalities.get(word, (0, 0))
                if (seen_bits ^ bits) & seen_mask & mask:
                    return FALSE_BIT
                equalities[word] = (seen_mask | mask, seen_bits | bits)
            else:
                before = partial(self._conjoined, equalities, truths) if equalities or truths else None
                value = self._tested_where(before, test)
                if value.interval == NO:
                    return FALSE_BIT
                if value.interval != YES:
                    truths.append(value.text)
            refine(self.box, test, True)
        return self._conjoined(equalities, truths)

    def length(self, channel: int) -> Value:
        place = self.layout.lengths[channel]
        known = self.decoded(place, self.draft.read(place, 0)) if place.bits else constant_value(place.from_raw(0))
        return self._narrowed(known, self.box.length(channel))

    def as_bit(self, value: Value) -> Value:
        if value.is_bit:
            return value
        truth = negation(negation(value.interval))
        if truth != BOOLEAN:
            return TRUE_BIT if truth == YES else FALSE_BIT
        return Value(self.writer.value(f"icmp ne i32 {value.text}, 0"), BOOLEAN, True)

    def as_number(self, value: Value) -> Value:
        if value.constant is not None:
            return constant_value(value.constant)
        if value.is_bit:
            return Value(self.writer.value(f"zext i1 {value.text} to i32"), value.interval)
        return value

    def either(self, bits: Sequence[str]) -> str | None:
        """The disjunction of some i1 names; None if there are none."""
        result = None
        for bit in dict.fromkeys(bits):
            result = bit if result is None else self.writer.value(f"or i1 {result}, {bit}")
        return result

    def both(self, a: str | None, b: str | None) -> str | None:
        """The conjunction of two i1 names; None stands for true."""
        if a is None or b is None:
            return a or b
        return self.writer.value(f"and i1 {a}, {b}")

    @contextmanager
    def only_where(self, condition: str, test: Expression, wanted: bool) -> Iterator[None]:
        """Code that always runs but is meaningful only if a condition holds: that `test` is as `wanted`."""
        with self._kept_box(), self._collecting_faults() as faults:
            refine(self.box, test, wanted)
            yield
        if faults:
            self._fault_where(condition, faults)

    @contextmanager
    def _collecting_faults(self) -> Iterator[list[str]]:
        outer, self.faults = self.faults, []
        self._earlier_faults.append(outer)
        yield self.faults
        self._earlier_faults.pop()
        self.faults = outer

    def _fault_where(self, condition: str, faults: list[str]) -> None:
        self.faults.append(self.writer.value(f"and i1 {condition}, {self.either(faults)}"))

    def element(self, place: Field, index: Expression) -> int | str:
        """The index of an element: a number if it is known, or the name of an i32 that is harmless to use."""
        value = self.as_number(self.value(index))
        last = place.length - 1
        if value.constant is not None and 0 <= value.constant <= last:
            return value.constant
        outside = f"icmp ugt i32 {value.text}, {last}"
        if not contains((0, last), value.interval):
            self.faults.append(self.writer.value(outside))
        elif not self.skippable or (place.words == 1 and place.constants is None):
            return value.text
        return self.writer.value(f"select i1 {self.writer.value(outside)}, i32 0, i32 {value.text}")

    def slot(self, channel: int, position: Expression) -> int | str:
        """The slot of a message in a channel: as for `element`. A fault if there is no such message."""
        value = self.as_number(self.value(position))
        count = self.length(channel)
        last = self.layout.lengths[channel].high - 1
        found = isinstance(position, Find) and position.channel == channel
        inside = value.interval[0] >= 0 and (found or value.interval[1] < count.interval[0])
        if not inside:
            self.faults.append(self.writer.value(f"icmp ule i32 {count.text}, {value.text}"))
        if value.constant is not None:
            return value.constant if 0 <= value.constant <= last else 0
        if inside and not self.skippable:
            return value.text
        outside = self.writer.value(f"icmp ugt i32 {value.text}, {max(0, last)}")
        return self.writer.value(f"select i1 {outside}, i32 0, i32 {value.text}")

    def message(self, place: Field, slot: int | str) -> Value:
        """A field of the message in a slot."""
        if place.bits == 0 or place.length == 0:
            return constant_value(place.from_raw(0))
        return self.decoded(place, self.draft.read(place, slot))

    def decoded(self, place: Field, raw: str) -> Value:
        """The value that the bits of a field stand for."""
        text = raw
        if place.base:
            text = self.writer.value(f"add i32 {text}, {place.base}")
        if place.is_circular:
            text = self._wrapped(place, text)
        return Value(text, place.interval)

    def _tested_where(self, condition: Callable[[], Value] | None, test: Expression) -> Value:
        """A test whose faults count only if a condition holds, which is written after it; None: always."""
        if condition is None:
            return self.test(test)
        with self._collecting_faults() as faults:
            value = self.test(test)
        if faults:
            self._fault_where(condition().text, faults)
        return value

    def _conjoined(self, equalities: dict[str, tuple[int, int]], truths: list[str]) -> Value:
        tests = [
            self.writer.value(f"icmp eq i64 {self.writer.value(f'and i64 {word}, {mask}')}, {bits}")
            for word, (mask, bits) in equalities.items()
        ]
        result = None
        for text in (*tests, *truths):
            result = self.both(result, text)
        return TRUE_BIT if result is None else Value(result, BOOLEAN, True)

    def _equality(self, test: Expression) -> tuple[str, int, int] | None:
        """A word, a mask and the bits that a test requires under it; None if it is not such a test."""
        variables = self.layout.variables
        match test:
            case At(process, location) if process not in self.at and location in self.layout.raws[process]:
                return self._bits(self.layout.locations[process], 0, self.layout.raws[process][location])
            case Binary("==", Read(variable, None), Constant(number)):
                return self._element_equality(variables[variable], 0, number)
            case Binary("==", Read(variable, Constant(element)), Constant(number)):
                inside = 0 <= element < variables[variable].length
                return self._element_equality(variables[variable], element, number) if inside else None
            case Unary("!", Read(variable, None)):
                return self._element_equality(variables[variable], 0, 0)
            case Read(variable, None) if variables[variable].interval == BOOLEAN:
                return self._element_equality(variables[variable], 0, 1)
            case Binary("==", Message(channel, field, Constant(slot)), Constant(number)):
                if 0 <= slot < self.box.length(channel)[0]:
                    return self._element_equality(self.layout.messages[channel][field], slot, number)
                return None
            case _:
                return None

    def _element_equality(self, place: Field, element: int, number: int) -> tuple[str, int, int] | None:
        return self._bits(place, element, place.to_raw(number)) if place.low <= number <= place.high else None

    def _bits(self, place: Field, element: int, raw: int | None) -> tuple[str, int, int] | None:
        if raw is None or not place.bits:
            return None
        word, shift = place.position(element)
        return self.draft.word(word), place.mask << shift, raw << shift

    def _any_of(self, tests: Sequence[Expression]) -> Value:
        truths: list[str] = []
        result = FALSE_BIT
        with self._kept_box():
            for test in tests:
                value = self._tested_where(partial(self.negated, result) if truths else None, test)
                if value.interval == YES:
                    return TRUE_BIT
                if value.interval != NO:
                    truths.append(value.text)
                    result = Value(self.either(truths) or "false", BOOLEAN, True)
                refine(self.box, test, False)
        return result

    @contextmanager
    def _kept_box(self) -> Iterator[None]:
        outer, self.box = self.box, self.box.fork()
        try:
            yield
        finally:
            self.box = outer

    def _read(self, variable: int, index: Expression | None) -> Value:
        place = self.layout.variables[variable]
        element = 0 if index is None else self.element(place, index)
        if place.constants is not None:
            return self._constant_element(variable, place.constants, element)
        if place.bits == 0:
            return constant_value(place.from_raw(0))
        known = self.box.variable(variable)
        if index is None and place.low <= known[0] == known[1] <= place.high:
            return constant_value(known[0])
        return self._narrowed(self.decoded(place, self.draft.read(place, element)), known)

    def _find(self, find: Find) -> Value:
        """Tests every slot that may hold a message, from the last to the first: the oldest match is chosen last."""
        fields = self.layout.messages[find.channel]
        wanted = [
            (field, self.as_number(self.value(part)))
            for field, part in zip(fields, find.pattern, strict=True)
            if part is not None
        ]
        count = self.length(find.channel)
        result = "-1"
        if all(binary("==", field.interval, value.interval) != NO for field, value in wanted):
            for slot in reversed(range(count.interval[1])):
                here = self._matches(count, slot, wanted).text
                result = self.writer.value(f"select i1 {here}, i32 {slot}, i32 {result}")
        if result == "-1":
            return constant_value(-1)
        return self._narrowed(Value(result, (-1, count.interval[1] - 1)), evaluate(find, self.box))

    def _matches(self, count: Value, slot: int, wanted: Sequence[tuple[Field, Value]]) -> Value:
        """Whether a slot holds a message, and one with the wanted values."""
        truths = [] if slot < count.interval[0] else [self.writer.value(f"icmp sgt i32 {count.text}, {slot}")]
        equalities: dict[str, tuple[int, int]] = {}
        for place, value in wanted:
            fixed = None if value.constant is None else self._element_equality(place, slot, value.constant)
            if fixed is not None:
                word, mask, bits = fixed
                seen_mask, seen_bits = equalities.get(word, (0, 0))
                equalities[word] = (seen_mask | mask, seen_bits | bits)
            else:
                truths.append(self._binary("==", self.message(place, slot), value).text)
        return self._conjoined(equalities, truths)

    def _constant_element(self, variable: int, constants: tuple[int, ...], element: int | str) -> Value:
        if isinstance(element, int):
            return constant_value(constants[element])
        interval = (min(constants), max(constants))
        if interval[0] == interval[1]:
            return constant_value(interval[0])
        return Value(self.tables.look_up(self.writer, variable, constants, element), interval)

    def _narrowed(self, value: Value, interval: Interval) -> Value:
        """The same value, known to lie in a smaller interval; a number if only one value is left."""
        low, high = max(value.interval[0], interval[0]), min(value.interval[1], interval[1])
        if low > high:
            return value
        return constant_value(low) if low == high else Value(value.text, (low, high))

    def _at(self, process: int, location: int) -> Value:
        known = self.at.get(process)
        if known is not None:
            return TRUE_BIT if known == location else FALSE_BIT
        raws = self.layout.raws[process]
        if location not in raws or len(raws) == 1:
            return TRUE_BIT if location in raws else FALSE_BIT
        return self.all_of((At(process, location),))

    def _wrapped(self, place: Field, text: str) -> str:
        """A value of a circular field, which is less than one period below the range of its type."""
        type_ = place.type
        if type_.low == 0 and type_.size & type_.size - 1 == 0:
            return self.writer.value(f"and i32 {text}, {type_.high}")
        below = self.writer.value(f"icmp slt i32 {text}, {type_.low}")
        turned = self.writer.value(f"add i32 {text}, {type_.size}")
        return self.writer.value(f"select i1 {below}, i32 {turned}, i32 {text}")

    def negated(self, value: Value) -> Value:
        if value.interval != BOOLEAN:
            return FALSE_BIT if value.interval == YES else TRUE_BIT
        return Value(self.writer.value(f"xor i1 {value.text}, true"), BOOLEAN, True)

    def _unary(self, operator: str, value: Value) -> Value:
        number = self.as_number(value)
        interval = unary(operator, number.interval)
        if interval[0] == interval[1]:
            return constant_value(interval[0])
        text = f"sub i32 0, {number.text}" if operator == "-" else f"xor i32 {number.text}, -1"
        return Value(self.writer.value(text), interval)

    def _binary(self, operator: str, left: Value, right: Value) -> Value:
        a, b = self.as_number(left), self.as_number(right)
        interval = binary(operator, a.interval, b.interval)
        if operator in _DIVISIONS:
            return self._division(operator, a, b, interval)
        if interval[0] == interval[1] and operator in _COMPARISONS:
            return TRUE_BIT if interval == YES else FALSE_BIT
        if interval[0] == interval[1]:
            return constant_value(interval[0])
        if operator in _COMPARISONS:
            return Value(self.writer.value(f"icmp {_COMPARISONS[operator]} i32 {a.text}, {b.text}"), interval, True)
        if operator in _SHIFTS:
            return self._shift(operator, a, b, interval)
        return Value(self.writer.value(f"{_ARITHMETIC[operator]} i32 {a.text}, {b.text}"), interval)

    def _shift(self, operator: str, value: Value, count: Value, interval: Interval) -> Value:
        by = self.writer.value(f"and i32 {count.text}, 31") if count.constant is None else str(count.constant & 31)
        return Value(self.writer.value(f"{_SHIFTS[operator]} i32 {value.text}, {by}"), interval)

    def _division(self, operator: str, value: Value, divisor: Value, interval: Interval) -> Value:
        zero_possible = divisor.interval[0] <= 0 <= divisor.interval[1]
        overflow_possible = value.interval[0] == INT.low and divisor.interval[0] <= -1 <= divisor.interval[1]
        if not zero_possible and not overflow_possible:
            if interval[0] == interval[1]:
                return constant_value(interval[0])
            if divisor.constant is not None:
                return Value(self.writer.value(f"{_DIVISIONS[operator]} i32 {value.text}, {divisor.text}"), interval)
        bad = self._bad_division(value, divisor)
        if zero_possible or overflow_possible:
            self.faults.append(bad)
        safe = self.writer.value(f"select i1 {bad}, i32 1, i32 {divisor.text}")
        quotient = self.writer.value(f"{_DIVISIONS[operator]} i32 {value.text}, {safe}")
        return Value(self.writer.value(f"select i1 {bad}, i32 {interval[0]}, i32 {quotient}"), interval)

    def _bad_division(self, value: Value, divisor: Value) -> str:
        zero = self.writer.value(f"icmp eq i32 {divisor.text}, 0")
        smallest = self.writer.value(f"icmp eq i32 {value.text}, {INT.low}")
        minus_one = self.writer.value(f"icmp eq i32 {divisor.text}, -1")
        return self.writer.value(f"or i1 {zero}, {self.writer.value(f'and i1 {smallest}, {minus_one}')}")

    def _conditional(self, test: Expression, then: Expression, otherwise: Expression) -> Value:
        decision = self.test(test)
        if decision.interval != BOOLEAN:
            return self.value(then if decision.interval == YES else otherwise)
        with self.only_where(decision.text, test, True):
            left = self.as_number(self.value(then))
        with self.only_where(self.negated(decision).text, test, False):
            right = self.as_number(self.value(otherwise))
        text = self.writer.value(f"select i1 {decision.text}, i32 {left.text}, i32 {right.text}")
        return Value(text, join(left.interval, right.interval))


def conjuncts(expression: Expression) -> list[Expression]:
    return _flattened("&&", expression)


def _flattened(operator: str, expression: Expression) -> list[Expression]:
    """The operands of a chain of one associative operator, in order."""
    found: list[Expression] = []
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Binary) and part.operator == operator:
            waiting += (part.right, part.left)
        else:
            found.append(part)
    return found
