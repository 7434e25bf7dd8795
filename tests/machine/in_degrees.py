"""Edges into states, counted in the simplest way: the reference interpreter fires every event in every state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from typing import TypeVar

from scrimp.machine.layout import Field, Layout
from scrimp.system import reference
from scrimp.system.reference import Outgrown, State
from scrimp.system.system import System

T = TypeVar("T")


class TooMany(Exception):
    """A layout has room for more states than a test can enumerate."""


def edges(system: System, sources: Iterable[State]) -> Counter[tuple[State, int]]:
    """How often each event leads from some states to each state."""
    found: Counter[tuple[State, int]] = Counter()
    for source in sources:
        for event in reference.enabled(system, source):
            try:
                target = reference.fire(system, source, event)
            except Outgrown:
                continue
            if isinstance(target, State):
                found[target, event] += 1
    return found


def in_degrees(system: System, sources: Iterable[State]) -> Counter[State]:
    found: Counter[State] = Counter()
    for (target, _), count in edges(system, sources).items():
        found[target] += count
    return found


def states_in(layout: Layout, most: int) -> list[State]:
    """All states that a layout has room for; raises TooMany beyond `most`."""
    variables = [_contents(field, (field.length,), most) for field in layout.variables]
    channels = [
        _messages(length.high, fields, most) for length, fields in zip(layout.lengths, layout.messages, strict=True)
    ]
    if _size(map(len, [*layout.codes, *variables, *channels])) > most:
        raise TooMany
    return [
        State(locations, values, messages)
        for locations in product(*layout.codes)
        for values in product(*variables)
        for messages in product(*channels)
    ]


def values_in(field: Field) -> list[int]:
    """The possible values of a field that it has room for."""
    values = map(field.from_raw, range(field.mask + 1))
    return sorted({value for value in values if field.low <= value <= field.high and field.type.contains(value)})


def _contents(field: Field, lengths: Iterable[int], most: int) -> list[tuple[int, ...]]:
    if field.constants is not None:
        return [field.constants]
    if field.bits > 16:
        raise TooMany
    return _sequences(values_in(field), lengths, most)


def _messages(longest: int, fields: tuple[Field, ...], most: int) -> list[tuple[tuple[int, ...], ...]]:
    if any(field.bits > 16 for field in fields):
        raise TooMany
    columns = [values_in(field) for field in fields]
    if _size([len(column) for column in columns]) > most:
        raise TooMany
    return _sequences(list(product(*columns)), range(longest + 1), most)


def _sequences(parts: list[T], lengths: Iterable[int], most: int) -> list[tuple[T, ...]]:
    found: list[tuple[T, ...]] = []
    for length in lengths:
        if len(parts) ** length > most:
            raise TooMany
        found += product(parts, repeat=length)
    return found


def _size(counts: Iterable[int]) -> int:
    size = 1
    for count in counts:
        size *= count
    return size
