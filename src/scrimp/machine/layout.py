"""Layout: the position of every field in the words of a state.

    word 0   [ … | variables of process 0 | location of process 0 | 1 ]     bit 0 is always set
    word 1   [ … | variables of process 1 | location of process 1 ]
    …

No field straddles a word. A field holds `value - base`, modulo the size of its type if that wraps: a byte that takes
the values 255, 0, 1, 2 has base -1 and 2 bits. The elements of an array are stored in lanes, see packing.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

from scrimp.machine.boxes import Box
from scrimp.machine.intervals import Interval, meet
from scrimp.machine.packing import Item, pack
from scrimp.machine.ranges import Ranges
from scrimp.system.reference import State
from scrimp.system.swaps import Swap
from scrimp.system.system import System
from scrimp.system.types import Range


class DoesNotFit(Exception):
    """A state holds a value that does not fit its field."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value, or `length` of them, in the bits of a state.

    Element i has lane `first + i`: the words from `word` on have `per_word` lanes each, `stride` bits apart, the lowest
    at `shift`. A value lies in `low`…`high`. `constants`, if given, are values that no transition changes: they take no
    bits.
    """

    type: Range
    base: int
    bits: int
    low: int
    high: int
    length: int = 1
    stride: int = 0
    word: int = 0
    shift: int = 0
    first: int = 0
    per_word: int = 1
    constants: tuple[int, ...] | None = None

    @property
    def is_circular(self) -> bool:
        return self.base < self.type.low

    @property
    def interval(self) -> Interval:
        return (self.low, self.high)

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1

    @property
    def words(self) -> int:
        """The number of words that the elements span."""
        return (self.first + max(0, self.length - 1)) // self.per_word + 1

    def position(self, element: int) -> tuple[int, int]:
        """The word and the shift of an element."""
        number, lane = divmod(self.first + element, self.per_word)
        return self.word + number, self.shift + lane * self.stride

    def to_raw(self, value: int) -> int | None:
        """The bits for a value of the field's type; None if it does not fit."""
        raw = (value - self.base) % self.type.size if self.type.wraps else value - self.base
        return raw if 0 <= raw <= self.mask else None

    def from_raw(self, raw: int) -> int:
        value = raw + self.base
        return self.type.wrap(value) if self.type.wraps else value


@dataclass(frozen=True)
class Layout:
    """The fields of a system's state. `codes[p]` lists the locations of process p by the bits that stand for them."""

    locations: tuple[Field, ...]
    codes: tuple[Sequence[int], ...]
    variables: tuple[Field, ...]
    lengths: tuple[Field, ...]
    messages: tuple[tuple[Field, ...], ...]
    words: int
    word_bits: bytes

    @cached_property
    def raws(self) -> tuple[Mapping[int, int] | range, ...]:
        """Of each process the bits that stand for a location. Those of an explicit system, of which there may be
        billions, stand for themselves."""
        return tuple(
            codes if isinstance(codes, range) else {location: raw for raw, location in enumerate(codes)}
            for codes in self.codes
        )

    @property
    def bits(self) -> int:
        """The number of meaningful bits of a state."""
        fields = [*self.locations, *self.variables, *self.lengths, *(f for group in self.messages for f in group)]
        return sum(field.bits * field.length for field in fields)

    def box(self) -> Box:
        """The intervals of values in every state that fits the layout."""
        variables = [field.interval for field in self.variables]
        lengths = [field.interval for field in self.lengths]
        messages = {
            ("m", c, n): field.interval for c, group in enumerate(self.messages) for n, field in enumerate(group)
        }
        scalars = frozenset(number for number, field in enumerate(self.variables) if field.length == 1)
        return Box(variables, lengths, messages, scalars)

    def encode(self, state: State) -> tuple[int, ...]:
        """The words of a state; raises DoesNotFit."""
        words = [0] * self.words
        words[0] = 1
        for field, raws, location in zip(self.locations, self.raws, state.locations, strict=True):
            if location not in raws:
                raise DoesNotFit
            _insert(words, field, (raws[location],))
        for field, values in zip(self.variables, state.values, strict=True):
            _insert(words, field, values)
        for length, fields, messages in zip(self.lengths, self.messages, state.channels, strict=True):
            _insert(words, length, (len(messages),))
            for number, field in enumerate(fields):
                _insert(words, field, [message[number] for message in messages])
        return tuple(words)

    def decode(self, words: Sequence[int]) -> State:
        locations = zip(self.locations, self.codes, strict=True)
        return State(
            tuple(codes[_extract(words, field, 0)] for field, codes in locations),
            tuple(_values(words, field, field.length) for field in self.variables),
            tuple(self._messages(words, channel) for channel in range(len(self.lengths))),
        )

    def _messages(self, words: Sequence[int], channel: int) -> tuple[tuple[int, ...], ...]:
        count = self.lengths[channel].from_raw(_extract(words, self.lengths[channel], 0))
        columns = [_values(words, field, count) for field in self.messages[channel]]
        return tuple(tuple(column[number] for column in columns) for number in range(count))


def _insert(words: list[int], field: Field, values: Sequence[int]) -> None:
    if field.constants is not None:
        if tuple(values) != field.constants:
            raise DoesNotFit
        return
    if len(values) > field.length:
        raise DoesNotFit
    for element, value in enumerate(values):
        raw = field.to_raw(value)
        if raw is None:
            raise DoesNotFit
        word, shift = field.position(element)
        words[word] |= raw << shift


def _extract(words: Sequence[int], field: Field, element: int) -> int:
    if field.bits == 0:
        return 0
    word, shift = field.position(element)
    return words[word] >> shift & field.mask


def _values(words: Sequence[int], field: Field, count: int) -> tuple[int, ...]:
    if field.constants is not None:
        return field.constants
    return tuple(field.from_raw(_extract(words, field, element)) for element in range(count))


def lay_out(system: System, ranges: Ranges, swaps: Sequence[Swap] = ()) -> Layout:
    """Give every field its bits and its position: as few words as possible, then evenly filled ones. Processes that
    swaps exchange have the same locations."""
    codes = _exchangeable(reachable_locations(system), swaps)
    locations = [location_field(len(code)) for code in codes]
    variables = [_variable_field(system, ranges, number) for number in range(len(system.variables))]
    lengths = [
        _number_field(Range(0, c.capacity, False), (0, n), (0, c.capacity))
        for c, n in zip(system.channels, ranges.lengths, strict=True)
    ]
    messages = [_message_fields(system, ranges, channel, length.high) for channel, length in enumerate(lengths)]
    fields = [*locations, *variables, *lengths, *(field for group in messages for field in group)]
    packed = pack([Item(f.bits, f.length) for f in fields], _neighbourhoods(system))
    placed = (replace(field, **asdict(place)) for field, place in zip(fields, packed.places, strict=True))
    return Layout(
        tuple(next(placed) for _ in locations),
        codes,
        tuple(next(placed) for _ in variables),
        tuple(next(placed) for _ in lengths),
        tuple(tuple(next(placed) for _ in group) for group in messages),
        len(packed.word_bits),
        bytes(packed.word_bits),
    )


def reachable_locations(system: System) -> tuple[tuple[int, ...], ...]:
    """For each process, the locations reachable from the initial one by its moves, in order, ignoring guards."""
    following: dict[tuple[int, int], set[int]] = {}
    for transition in system.transitions:
        for move in transition.moves:
            following.setdefault((move.process, move.source), set()).add(move.target)
    return tuple(_reached(following, number, process.initial) for number, process in enumerate(system.processes))


def _exchangeable(codes: tuple[tuple[int, ...], ...], swaps: Sequence[Swap]) -> tuple[tuple[int, ...], ...]:
    joined = list(codes)
    pairs = [pair for swap in swaps for pair in swap.processes]
    while any(joined[a] != joined[b] for a, b in pairs):
        for a, b in pairs:
            joined[a] = joined[b] = tuple(sorted({*joined[a], *joined[b]}))
    return tuple(joined)


def _reached(following: dict[tuple[int, int], set[int]], process: int, start: int) -> tuple[int, ...]:
    seen = {start}
    waiting = [start]
    while waiting:
        fresh = following.get((process, waiting.pop()), set()) - seen
        seen |= fresh
        waiting.extend(fresh)
    return tuple(sorted(seen))


def location_field(count: int) -> Field:
    return _number_field(Range(0, count - 1, False), (0, count - 1), (0, count - 1))


def _variable_field(system: System, ranges: Ranges, number: int) -> Field:
    variable = system.variables[number]
    if number not in ranges.bounds.assigned:
        values = variable.initial
        return Field(variable.type, 0, 0, min(values), max(values), len(values), constants=values)
    field = _number_field(variable.type, ranges.variables[number], ranges.bounds.variables[number])
    return replace(field, length=len(variable.initial))


def _message_fields(system: System, ranges: Ranges, channel: int, slots: int) -> list[Field]:
    declared = system.channels[channel].fields
    return [
        replace(_number_field(type_, ranges.messages[channel][n], ranges.bounds.messages[channel][n]), length=slots)
        for n, type_ in enumerate(declared)
    ]


def _number_field(type_: Range, wanted: Interval, bounds: Interval) -> Field:
    """A field for at least the values `wanted`, using all values of its last bit; `bounds` hold in every state.

    `wanted` may start below the range of a type that wraps: then it runs through the end of the range to its start.
    """
    bits = (wanted[1] - wanted[0]).bit_length()
    base = wanted[0]
    if base < type_.low:
        return Field(type_, base, bits, bounds[0], bounds[1])
    spare = base + (1 << bits) - 1 - bounds[1]
    if spare > 0:
        base = max(bounds[0], base - spare)
    low, high = meet((base, base + (1 << bits) - 1), bounds) or wanted
    return Field(type_, base, bits, low, high)


def _neighbourhoods(system: System) -> list[list[int]]:
    """Groups of fields that should be close together, by position in the list of all: each process with its own, then
    the shared."""
    processes, variables = len(system.processes), len(system.variables)
    groups = [
        [process, *(processes + n for n, variable in enumerate(system.variables) if variable.owner == process)]
        for process in range(processes)
    ]
    groups.append([processes + n for n, variable in enumerate(system.variables) if variable.owner is None])
    first = processes + variables
    slot = first + len(system.channels)
    for channel, declared in enumerate(system.channels):
        groups.append([first + channel, *range(slot, slot + len(declared.fields))])
        slot += len(declared.fields)
    return groups
