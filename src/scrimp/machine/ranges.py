"""Ranges: the values that the fields of a state have room for.

Sound bounds are often far wider than the values that occur, so we are optimistic: fields have room for the constants
that the model assigns, for values copied from other fields, and for those in a sample of its states. The code tests
every value that may not fit. If one does not, `widen` makes room, and the search restarts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from scrimp import disk_cache
from scrimp.machine.bounds import Bounds, analyse
from scrimp.machine.boxes import Key
from scrimp.machine.intervals import Interval
from scrimp.machine.nesting import fingerprint
from scrimp.machine.sampling import Sampler
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.expressions import Constant, Expression, Message, Read
from scrimp.system.reference import State, fire, initial
from scrimp.system.statements import Assign, Dequeue, Enqueue, Statement
from scrimp.system.system import System
from scrimp.system.traverse import substatements
from scrimp.system.types import Range
from scrimp.system.validate import validate

# Only small types are treated as circular: a wide one that needs it would be a strange coincidence.
_LARGEST_CIRCLE = 1 << 16
_MISFITS_BEFORE_GROWTH = 2
_MISFITS_BEFORE_BOUNDS = 6
# A field gets up to this many bits more than it seems to need if they make it safe, or safer up to `_ROOMY` bits.
_NOT_WORTH_A_RISK = 2
_ROOMY = 3
# Fields of which nothing is known get up to this many bits in all; sampling takes longer than handling two more words.
_WORTH_NO_SAMPLE = 128


@dataclass(frozen=True, slots=True)
class Ranges:
    """An interval for each variable and message field, and the largest number of messages of each channel.

    An interval may start below the range of a type that wraps: then it runs through the end of the range to its start.
    `misfits` counts how often each was too narrow; `key` identifies the system in the cache.
    """

    key: str
    bounds: Bounds
    variables: tuple[Interval, ...]
    messages: tuple[tuple[Interval, ...], ...]
    lengths: tuple[int, ...]
    misfits: dict[Key, int] = field(default_factory=dict)


def static_ranges(system: System) -> Ranges:
    """Room for everything that the bounds allow: no misfit can happen."""
    bounds = analyse(system)
    lengths = tuple(channel.capacity for channel in system.channels)
    return Ranges(_key(system), bounds, bounds.variables, bounds.messages, lengths)


def initial_ranges(system: System, identity: str = "") -> Ranges:
    """Room for what was needed when the system was searched before; otherwise for what its text and a sample suggest.

    `identity`, if given, identifies the system uniquely, and is quicker to compare than the system itself.
    """
    key = _key(system, identity)
    found = disk_cache.recall(key)
    if isinstance(found, Ranges):
        return found
    if isinstance(system, ExplicitSystem):
        return Ranges(key, Bounds((), (), frozenset()), (), (), ())
    validate(system)
    ranges = sampled_ranges(system, key)
    disk_cache.keep(key, ranges)
    return ranges


def inherited_ranges(system: System, known: Ranges, identity: str = "") -> Ranges:
    """The same for a system whose fields are those of another one with `known` ranges, such as the same system after
    passes. Nothing is known of the variables that the other one never assigns: there is room for whatever the bounds
    allow, unless that takes so many bits that a sample is worth its time."""
    key = _key(system, identity)
    found = disk_cache.recall(key)
    if isinstance(found, Ranges):
        return found
    fields = _Fields(system, analyse(system), key)
    observed = {key: set(values) for key, values in fields.initial_values().items()}
    _spread(system, fields, observed)
    unknown = [key for key in observed if key[0] == "v" and key[1] not in known.bounds.assigned]
    allowed = {key: fields.bounds_of(key) for key in unknown}
    if sum(_bits(interval) * fields.counts[key] for key, interval in allowed.items()) > _WORTH_NO_SAMPLE:
        sampled = fields.intervals(sampled_ranges(system, key))
        allowed = {key: sampled[key] for key in unknown}
    intervals = {key: fields.extended(key, i, observed[key]) for key, i in fields.intervals(known).items()}
    ranges = fields.ranges(intervals | allowed, {})
    disk_cache.keep(key, ranges)
    return ranges


def _key(system: System, identity: str = "") -> str:
    return disk_cache.key_of("ranges", disk_cache.code_version("machine", "system"), identity or fingerprint(system))


def sampled_ranges(system: System, key: str = "") -> Ranges:
    """Room for what the system's text and a sample of its states suggest."""
    fields = _Fields(system, analyse(system), key)
    observed = {key: set(values) for key, values in fields.initial_values().items()}
    _spread(system, fields, observed)
    # If an interval saves bits against the bounds, a sample is needed to see if it is wide enough.
    if any(fields.enclosing(key, values) != fields.bounds_of(key) for key, values in observed.items()):
        for state in Sampler(system).states(initial(system)):
            _observe(state, observed)
        _spread(system, fields, observed)
    computed = set(_keys_computed(system))
    intervals = {key: fields.enclosing(key, values) for key, values in observed.items()}
    return fields.ranges({key: fields.roomy(key, i) if key in computed else i for key, i in intervals.items()}, {})


def widen(ranges: Ranges, system: System, state: State, events: Sequence[int]) -> Ranges:
    """Room for the value that did not fit when `events` were fired one after the other in `state`, for values that come
    soon after, and more each time.

    Raises Outgrown if widening fields does not help.
    """
    widened = _widened(ranges, system, state, events)
    disk_cache.keep(ranges.key, widened)
    return widened


def _widened(ranges: Ranges, system: System, state: State, events: Sequence[int]) -> Ranges:
    fields = _Fields(system, ranges.bounds, ranges.key)
    intervals = fields.intervals(ranges)
    observed: dict[Key, set[int]] = {key: set() for key in intervals}
    for event in events:
        following = fire(system, state, event)
        if not isinstance(following, State):
            break
        state = following
        _observe(state, observed)
    outgrown = [key for key, values in observed.items() if not fields.has_room(key, intervals[key], values)]
    if not outgrown:
        # The value that did not fit was overwritten, or a fault came after it: make room for everything that the
        # event writes.
        for event in events:
            intervals.update((key, fields.bounds_of(key)) for key in _keys_written(system.transitions[event].effect))
        return fields.ranges(intervals, ranges.misfits)
    misfits = {**ranges.misfits, **{key: ranges.misfits.get(key, 0) + 1 for key in outgrown}}
    for key in outgrown:
        intervals[key] = fields.grown(key, fields.extended(key, intervals[key], observed[key]), misfits[key])
    for sampled in Sampler(system).states(state):
        _observe(sampled, observed)
    _spread(system, fields, observed)
    intervals = {key: fields.extended(key, intervals[key], values) for key, values in observed.items()}
    return fields.ranges(intervals, misfits)


def enlarged(
    ranges: Ranges,
    system: System,
    known: Ranges,
    variables: Mapping[int, int],
    channels: Mapping[int, int],
    near: State,
) -> Ranges:
    """Ranges of a system that has grown, with the room that `known` ranges had for the fields that were there before,
    and for values that come soon after a state. `variables` and `channels` have the numbers that these had before."""
    fields = _Fields(system, ranges.bounds, ranges.key)
    intervals = fields.intervals(ranges)
    before = dict(_renumbered(intervals, variables, channels))
    for key, old in before.items():
        low, high = _chosen(old, known.variables, known.messages, known.lengths)
        intervals[key] = fields.extended(key, (low, high), set(intervals[key]))
    observed: dict[Key, set[int]] = {key: set() for key in intervals}
    for sampled in Sampler(system).states(near):
        _observe(sampled, observed)
    _spread(system, fields, observed)
    intervals = {key: fields.extended(key, intervals[key], values) for key, values in observed.items()}
    widened = fields.ranges(intervals, {key: known.misfits[old] for key, old in before.items() if old in known.misfits})
    disk_cache.keep(ranges.key, widened)
    return widened


def _renumbered(
    keys: Iterable[Key], variables: Mapping[int, int], channels: Mapping[int, int]
) -> Iterator[tuple[Key, Key]]:
    """The keys of fields whose variable or channel had a number before, each with the key that it had then."""
    for kind, number, place in keys:
        numbers = variables if kind == "v" else channels
        if number in numbers:
            yield (kind, number, place), (kind, numbers[number], place)


class _Fields:
    """The fields of a system by key: ("v", variable, 0), ("m", channel, field) and ("l", channel, 0) for a length."""

    def __init__(self, system: System, bounds: Bounds, key: str) -> None:
        self.system = system
        self.bounds = bounds
        self.key = key
        self.capacities = [channel.capacity for channel in system.channels]
        self.types: dict[Key, Range] = {}
        self.counts: dict[Key, int] = {}
        for number, variable in enumerate(system.variables):
            self._declare(("v", number, 0), variable.type, len(variable.initial))
        for number, channel in enumerate(system.channels):
            self._declare(("l", number, 0), Range(0, channel.capacity, wraps=False), 1)
            for place, type_ in enumerate(channel.fields):
                self._declare(("m", number, place), type_, channel.capacity)

    def _declare(self, key: Key, type_: Range, count: int) -> None:
        self.types[key] = type_
        self.counts[key] = count

    def initial_values(self) -> dict[Key, Iterable[int]]:
        values: dict[Key, Iterable[int]] = dict.fromkeys(self.types, ())
        for number, variable in enumerate(self.system.variables):
            values["v", number, 0] = variable.initial
        for number in range(len(self.system.channels)):
            values["l", number, 0] = (0, 1)
        return values

    def bounds_of(self, key: Key) -> Interval:
        return _chosen(key, self.bounds.variables, self.bounds.messages, self.capacities)

    def enclosing(self, key: Key, values: set[int]) -> Interval:
        """The smallest interval that contains some values, around the end of the type if that is smaller."""
        low, high = self.bounds_of(key)
        inside = sorted(value for value in values if low <= value <= high)
        if not inside:
            return (low, low)
        return self._settled(key, _smallest(inside, self.types[key]))

    def extended(self, key: Key, interval: Interval, values: set[int]) -> Interval:
        """An interval extended to contain some more values."""
        if self.has_room(key, interval, values):
            return interval
        for value in values:
            interval = self._with(key, interval, value)
        return self._settled(key, interval)

    def roomy(self, key: Key, interval: Interval) -> Interval:
        """A small interval with a few extra bits, which are not worth a risk: a sample may well have missed some
        values."""
        more = min(_ROOMY - _bits(interval), _NOT_WORTH_A_RISK // max(1, self.counts[key]))
        return self._doubled(key, interval, more) if more > 0 else interval

    def grown(self, key: Key, interval: Interval, misfits: int) -> Interval:
        """An interval with more bits, the more the more often it was too narrow; in the end the bounds."""
        if misfits >= _MISFITS_BEFORE_BOUNDS:
            return self.bounds_of(key)
        return self._doubled(key, interval, max(0, misfits - _MISFITS_BEFORE_GROWTH))

    def _doubled(self, key: Key, interval: Interval, times: int) -> Interval:
        return self._settled(key, (interval[0], interval[0] + (1 << _bits(interval) + times) - 1))

    def has_room(self, key: Key, interval: Interval, values: set[int]) -> bool:
        low, high = interval
        if self.turns(key):
            size = self.types[key].size
            return all((value - low) % size <= high - low for value in values)
        return all(low <= value <= high for value in values)

    def turns(self, key: Key) -> bool:
        type_ = self.types[key]
        return type_.wraps and type_.size <= _LARGEST_CIRCLE

    def intervals(self, ranges: Ranges) -> dict[Key, Interval]:
        return {key: _chosen(key, ranges.variables, ranges.messages, ranges.lengths) for key in self.types}

    def ranges(self, intervals: dict[Key, Interval], misfits: dict[Key, int]) -> Ranges:
        return Ranges(
            self.key,
            self.bounds,
            tuple(intervals["v", number, 0] for number in range(len(self.system.variables))),
            tuple(
                tuple(intervals["m", number, place] for place in range(len(channel.fields)))
                for number, channel in enumerate(self.system.channels)
            ),
            tuple(min(intervals["l", n, 0][1], c.capacity) for n, c in enumerate(self.system.channels)),
            misfits,
        )

    def _with(self, key: Key, interval: Interval, value: int) -> Interval:
        low, high = interval
        if not self.turns(key):
            return (min(low, value), max(high, value))
        size = self.types[key].size
        above, below = (value - low) % size, (high - value) % size
        if above <= high - low:
            return interval
        return (low, low + above) if above <= below else (high - below, high)

    def _settled(self, key: Key, interval: Interval) -> Interval:
        """The interval itself if it saves enough; otherwise the bounds, which need no tests and never misfit."""
        bounds = self.bounds_of(key)
        if (_bits(bounds) - _bits(interval)) * self.counts[key] <= _NOT_WORTH_A_RISK:
            return bounds
        type_ = self.types[key]
        if self.turns(key) and type_.low < interval[0] and interval[1] > type_.high:
            return (interval[0] - type_.size, interval[1] - type_.size)
        return interval


def _chosen(
    key: Key, variables: Sequence[Interval], messages: Sequence[Sequence[Interval]], lengths: Sequence[int]
) -> Interval:
    """The interval of a field, given those of all variables and message fields and the largest lengths of channels."""
    kind, number, place = key
    if kind == "v":
        return variables[number]
    return messages[number][place] if kind == "m" else (0, lengths[number])


def _bits(interval: Interval) -> int:
    return (interval[1] - interval[0]).bit_length()


def _smallest(values: list[int], type_: Range) -> Interval:
    """The smallest interval that contains the sorted values, around the end of a small type that wraps if that saves
    bits."""
    plain = (values[0], values[-1])
    if not type_.wraps or type_.size > _LARGEST_CIRCLE or len(values) < 2:
        return plain
    gap, after = max((following - value, following) for value, following in pairwise(values))
    turned = (after - type_.size, after - gap)
    return turned if _bits(turned) < _bits(plain) else plain


def _observe(state: State, observed: dict[Key, set[int]]) -> None:
    for number, values in enumerate(state.values):
        observed["v", number, 0].update(values)
    for number, messages in enumerate(state.channels):
        observed["l", number, 0].add(len(messages))
        for message in messages:
            for place, value in enumerate(message):
                observed["m", number, place].add(value)


def _spread(system: System, fields: _Fields, observed: dict[Key, set[int]]) -> None:
    """Add the constants that are assigned anywhere, and the values that are copied from one field to another."""
    copies: set[tuple[Key, Key]] = set()
    for transition in system.transitions:
        for target, source in _transfers(transition.effect):
            match source:
                case Constant(value):
                    observed[target].add(_typed(fields.types[target], value))
                case Read(variable):
                    copies.add((target, ("v", variable, 0)))
                case Message(channel, number):
                    copies.add((target, ("m", channel, number)))
                case (_, _, _):
                    copies.add((target, source))
    changed = True
    while changed:
        changed = False
        for target, source_key in copies:
            before = len(observed[target])
            observed[target].update(_typed(fields.types[target], value) for value in observed[source_key])
            changed |= len(observed[target]) != before


def _typed(type_: Range, value: int) -> int:
    return type_.wrap(value) if type_.wraps else min(max(value, type_.low), type_.high)


def _transfers(effect: Iterable[Statement]) -> Iterator[tuple[Key, Expression | Key]]:
    """Every field that an effect writes, with the expression or the field from which the value comes."""
    for statement in substatements(effect):
        match statement:
            case Assign(place, value):
                yield ("v", place.variable, 0), value
            case Enqueue(channel, values):
                yield from ((("m", channel, number), value) for number, value in enumerate(values))
            case Dequeue(channel, places):
                for number, target in enumerate(places):
                    if target is not None:
                        yield ("v", target.variable, 0), ("m", channel, number)


def _keys_computed(system: System) -> Iterator[Key]:
    """The fields that are assigned more than constants and copies of others."""
    for transition in system.transitions:
        for key, source in _transfers(transition.effect):
            if not isinstance(source, Constant | Read | Message | tuple):
                yield key


def _keys_written(effect: Sequence[Statement]) -> Iterator[Key]:
    yield from (key for key, _ in _transfers(effect))
    for statement in substatements(effect):
        if isinstance(statement, Enqueue | Dequeue):
            yield ("l", statement.channel, 0)
