"""Statements as code: each changes the draft, within a branch under a condition, and adds to the possible errors."""

from __future__ import annotations

from scrimp.machine.evaluation import TRUE_BIT, Evaluator, Value, constant_value
from scrimp.machine.intervals import BOOLEAN, WHOLE, YES, Interval, contains, into_type
from scrimp.machine.layout import Field
from scrimp.system.expressions import Expression
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.types import INT


class Effects:
    """Executes statements. `misfits` collects the bits that say whether a value did not fit its field, `failures` those
    of non-fatal assertions that failed.

    A misfit counts only if nothing has faulted before it: after the first of either, everything is meaningless, and the
    event must be reported as whatever happened first.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.writer = evaluator.writer
        self.draft = evaluator.draft
        self.layout = evaluator.layout
        self.misfits: list[str] = []
        self.failures: list[str] = []
        self.active: str | None = None

    def execute(self, statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            match statement:
                case Assign(place, value):
                    self._assign(place, self.evaluator.as_number(self.evaluator.value(value)))
                case Enqueue(channel, values, is_sorted):
                    numbers = [self.evaluator.as_number(self.evaluator.value(value)) for value in values]
                    self._enqueue(channel, numbers, is_sorted)
                case Dequeue(channel, places, position):
                    self._dequeue(channel, places, position)
                case Clear(channel):
                    self._clear(channel)
                case If():
                    self._branch(statement)
                case Assert(test, _, fatal):
                    self._assert(test, fatal)
                case Outgrow():
                    self._misfit_if(TRUE_BIT)
                    return
            if not isinstance(statement, If | Assert):
                self.evaluator.box.found.clear()

    def _assert(self, test: Expression, fatal: bool) -> None:
        failed = self.evaluator.negated(self.evaluator.test(test))
        if fatal:
            self._fault_if(failed)
        elif failed.interval[1]:
            self.failures.append(self.evaluator.both(self.active, failed.text) or "true")

    def _branch(self, statement: If) -> None:
        decision = self.evaluator.test(statement.test)
        if decision.interval != BOOLEAN:
            self.execute(statement.then if decision.interval == YES else statement.otherwise)
            return
        outer, before = self.active, self.evaluator.box
        after = []
        for wanted, branch, body in (
            (True, decision, statement.then),
            (False, self.evaluator.negated(decision), statement.otherwise),
        ):
            with self.evaluator.only_where(branch.text, statement.test, wanted):
                self.active = self.evaluator.both(outer, branch.text)
                self.execute(body)
                after.append(self.evaluator.box)
        self.active = outer
        after[0].absorb(after[1])
        before.local, before.local_lengths, before.found = after[0].local, after[0].local_lengths, after[0].found

    def _assign(self, place: Place, value: Value) -> None:
        field = self.layout.variables[place.variable]
        element = 0 if place.index is None else self.evaluator.element(field, place.index)
        raw, kept = self._encoded(field, value)
        self._write(field, element, raw)
        self._remember(place.variable, kept)

    def _remember(self, variable: int, kept: Interval | None) -> None:
        """Note the interval of a variable: no narrower than its field if the value may not have fitted."""
        box = self.evaluator.box
        if variable in box.scalars:
            field = self.layout.variables[variable]
            box.local[variable] = kept or field.interval

    def _write(self, field: Field, element: int | str, raw: str | int) -> None:
        if field.bits:
            self.draft.write(field, element, raw, self.active)

    def _enqueue(self, channel: int, values: list[Value], is_sorted: bool) -> None:
        length = self.layout.lengths[channel]
        fields = self.layout.messages[channel]
        count = self.evaluator.length(channel)
        if count.interval[1] >= length.type.high:
            self._fault_if(self._compared("sge", count, length.type.high))
        bits = [self._encoded(field, value)[0] for field, value in zip(fields, values, strict=True)]
        if length.high < length.type.high and count.interval[1] >= length.high:
            self._misfit_if(self._compared("sge", count, length.high))
        if length.high == 0:
            return
        slot = self._clamped(count, length.high - 1)
        place = self._before_the_greater(channel, bits, slot) if is_sorted else slot
        for field, raw in zip(fields, bits, strict=True):
            if is_sorted and field.bits:
                self.draft.lift(field, place, self.active)
            self._write(field, place, raw)
        self._set_length(channel, slot, 1)

    def _before_the_greater(self, channel: int, bits: list[str | int], end: int | str) -> int | str:
        """The first slot whose message is greater than one of the given bits; `end` if none is."""
        if end == 0:
            return 0
        count = self.evaluator.length(channel)
        result = str(end)
        for slot in reversed(range(self.layout.lengths[channel].high - 1)):
            greater = self._is_greater(channel, slot, bits)
            if greater is not None:
                here = self.evaluator.both(self._compared("sgt", count, slot).text, greater)
                result = self.writer.value(f"select i1 {here}, i32 {slot}, i32 {result}")
        return result

    def _is_greater(self, channel: int, slot: int, bits: list[str | int]) -> str | None:
        """Whether the message in a slot is greater than one of the given bits; None if it never is."""
        greater: str | None = None
        for field, raw in reversed(list(zip(self.layout.messages[channel], bits, strict=True))):
            if field.bits == 0:
                continue
            mine, other = self.draft.read(field, slot), str(raw)
            if field.is_circular:
                mine, other = (self.evaluator.decoded(field, text).text for text in (mine, other))
            above = self.writer.value(f"icmp {'sgt' if field.is_circular else 'ugt'} i32 {mine}, {other}")
            if greater is not None:
                equal = self.writer.value(f"icmp eq i32 {mine}, {other}")
                above = self.writer.value(f"or i1 {above}, {self.writer.value(f'and i1 {equal}, {greater}')}")
            greater = above
        return greater

    def _clear(self, channel: int) -> None:
        for field in self.layout.messages[channel]:
            if field.bits and field.length:
                self.draft.clear(field, self.active)
        self._write(self.layout.lengths[channel], 0, 0)
        self.evaluator.box.local_lengths[channel] = (0, 0)

    def _dequeue(self, channel: int, places: tuple[Place | None, ...], position: Expression) -> None:
        length = self.layout.lengths[channel]
        slot = self.evaluator.slot(channel, position)
        if length.high == 0:
            self._receive_nothing(places)
            return
        count = self.evaluator.length(channel)
        values = [self.evaluator.message(field, slot) for field in self.layout.messages[channel]]
        for field in self.layout.messages[channel]:
            if field.bits:
                self.draft.drop(field, slot, self.active)
        below = self._clamped(self._shifted(count, -1), length.high - 1)
        self._set_length(channel, below, 0)
        for place, value in zip(places, values, strict=True):
            if place is not None:
                self._assign(place, value)

    def _receive_nothing(self, places: tuple[Place | None, ...]) -> None:
        """A channel that never holds a message: the only result is the fault, but indices may be tested further."""
        for place in places:
            if place is not None:
                self._remember(place.variable, None)

    def _set_length(self, channel: int, count: int | str, more: int) -> None:
        """Set a channel's length to `count + more`, which fits."""
        length = self.layout.lengths[channel]
        if isinstance(count, int):
            raw: int | str = count + more
        else:
            raw = self.writer.value(f"add i32 {count}, {more}") if more else count
        self._write(length, 0, raw)
        self.evaluator.box.local_lengths[channel] = (more, length.high - 1 + more)

    def _clamped(self, count: Value, last: int) -> int | str:
        """A count as an index of a slot: harmless if it is out of range."""
        if count.constant is not None:
            return min(max(count.constant, 0), last)
        if contains((0, last), count.interval) and not self.evaluator.skippable:
            return count.text
        outside = self.writer.value(f"icmp ugt i32 {count.text}, {last}")
        return self.writer.value(f"select i1 {outside}, i32 0, i32 {count.text}")

    def _shifted(self, value: Value, by: int) -> Value:
        if value.constant is not None:
            return constant_value(INT.wrap(value.constant + by))
        if by == 0:
            return value
        interval = (value.interval[0] + by, value.interval[1] + by)
        return Value(self.writer.value(f"add i32 {value.text}, {by}"), interval)

    def _compared(self, relation: str, value: Value, number: int) -> Value:
        return Value(self.writer.value(f"icmp {relation} i32 {value.text}, {number}"), BOOLEAN, True)

    def _encoded(self, field: Field, value: Value) -> tuple[str | int, Interval | None]:
        """The bits for a value converted to a field's type, and its interval if it certainly fits."""
        type_ = field.type
        typed = into_type(value.interval, type_)
        turn = _turn(field, typed)
        bad = []
        if not type_.wraps and not contains((type_.low, type_.high), value.interval):
            bad.append(self._compared("ugt", self._shifted(value, -type_.low), type_.high - type_.low))
            self._fault_if(bad[0])
        if turn is not None and not bad:
            if typed[0] == typed[1]:
                return typed[0] + turn - field.base, typed
            return self._raw(field, value, typed, turn), typed
        raw = self._raw(field, value, typed, turn)
        if turn is None:
            bad.append(self._compared("ugt", Value(raw, WHOLE), field.mask))
            self._misfit_if(bad[-1])
        return self.writer.value(f"select i1 {self.evaluator.either([b.text for b in bad])}, i32 0, i32 {raw}"), None

    def _raw(self, field: Field, value: Value, typed: Interval, turn: int | None) -> str:
        """The distance of a value from the field's base, modulo the size of a type that wraps; too large if it does not
        fit."""
        type_ = field.type
        if typed == value.interval and turn is not None:
            return self._shifted(value, turn - field.base).text
        distance = self._shifted(value, -field.base).text
        if not type_.wraps or type_.size == 1 << 32 or (typed == value.interval and not field.is_circular):
            return distance
        if type_.size & type_.size - 1 == 0:
            return self.writer.value(f"and i32 {distance}, {type_.size - 1}")
        return self._modulo(value, type_.size, field.base)

    def _modulo(self, value: Value, size: int, base: int) -> str:
        wide = self.writer.value(f"sext i32 {value.text} to i64")
        distance = self.writer.value(f"sub i64 {wide}, {base}")
        remainder = self.writer.value(f"srem i64 {distance}, {size}")
        negative = self.writer.value(f"icmp slt i64 {remainder}, 0")
        turned = self.writer.value(f"add i64 {remainder}, {size}")
        result = self.writer.value(f"select i1 {negative}, i64 {turned}, i64 {remainder}")
        return self.writer.value(f"trunc i64 {result} to i32")

    def _fault_if(self, condition: Value) -> None:
        if condition.interval[1]:
            self.evaluator.faults.append(condition.text)

    def _misfit_if(self, condition: Value) -> None:
        if not condition.interval[1]:
            return
        bit = self.evaluator.both(self.active, condition.text)
        faulted = self.evaluator.faulted()
        if faulted is not None:
            bit = self.evaluator.both(bit, self.writer.value(f"xor i1 {faulted}, true"))
        assert bit is not None
        self.misfits.append(bit)


def _turn(field: Field, typed: Interval) -> int | None:
    """What to add to values of an interval so that they lie in the field's; None if they may not fit."""
    room = (field.base, field.base + field.mask)
    if contains(room, typed):
        return 0
    if field.is_circular and contains(room, (typed[0] - field.type.size, typed[1] - field.type.size)):
        return -field.type.size
    return None
