"""Relations: what a reduction knows about a machine's events, in the form of engine/reduction/relations.h.

Computed from the system from which native code was made, never declared. `safe` is for `local`, see locality.py;
`dependence` is for `sleep`, `conflict` and `stubborn`; `enabling`, `entering` and `condition_enabling` together are the
necessary enabling sets of `stubborn`; `place_cells`, `future_cells` and `support` are for `overman`.

An event is `visible` if it may change something that a watch looks at. A possible failure does not make an event
visible: whether it fails depends on what it reads, so any event that changes that depends on it; and as long as no
event is postponed forever, each is fired in a state in which it fails, if there is one.

If a monitor *remembers* what watches have seen, visible events depend on each other: their order matters. To all other
events the monitor's state is like a variable that they do not access.

If *infinite* runs are asked for, events that may close a cycle are visible, too (recurrence.py), and so are those that
may outgrow the system (outgrowing.py): a run that would go on after one has a visible event, so it is not postponed
forever. Other searches know from which places a process may get to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Any

from scrimp.machine.layout import Layout
from scrimp.reduction.accesses import Reader
from scrimp.reduction.bits import inverted, members, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.conditions import Condition, Conditions
from scrimp.reduction.dependence import dependence
from scrimp.reduction.enabling import Enabling
from scrimp.reduction.lists import Lists, lists, lists_of_sets, numbers, packed
from scrimp.reduction.locality import Locality
from scrimp.reduction.messages import Sending
from scrimp.reduction.outgrowing import outgrowing_events, outgrowing_places
from scrimp.reduction.passages import Passage, passages
from scrimp.reduction.places import Places
from scrimp.reduction.recurrence import recurring
from scrimp.reduction.support import no_support, support
from scrimp.strategies.reductions import LocalityRule
from scrimp.system.expressions import Expression
from scrimp.system.system import System, Transition

_WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Relations:
    """The fields of the engine's struct. Numbers have four bytes, those of `kind`, `safe`, `visible` and `outgrowing`
    one, the words of `dependence` eight. A location is four numbers: word, shift, bits, and the index of its first
    place. A test, of a condition, is six: word, shift, bits, the ends of the interval, and two bits: whether it is
    negated, and whether it relies on the conditions before it."""

    process: bytes
    kind: bytes
    safe: bytes
    visible: bytes
    dependence_class: bytes
    classes: int
    dependence: bytes
    locations: bytes
    places: bytes
    place_count: int
    moved_places: Lists
    leaving: Lists
    entering: Lists
    enabling: Lists
    conditions: Lists
    tests: bytes
    condition_enabling: Lists
    place_cells: Lists
    future_cells: Lists
    support: Lists
    cell_count: int
    outgrowing: bytes

    def dependent(self, a: int, b: int) -> bool:
        """Whether, if both are enabled, one may disable the other, or they may not commute."""
        class_of = numbers(self.dependence_class)
        row_bits = len(self.dependence) // max(self.classes, 1) * 8
        bit = class_of[a] * row_bits + class_of[b]
        return bool(self.dependence[bit // 8] >> bit % 8 & 1)

    def place(self, words: Sequence[int], process: int) -> int:
        """The place of a process in a state."""
        word, shift, bits, first = numbers(self.locations)[4 * process : 4 * process + 4]
        return numbers(self.places)[first + (words[word] >> shift & (1 << bits) - 1)]

    def arguments(self) -> dict[str, Any]:
        """The arguments of the engine's class of the same name; lists are pairs."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: (value.begins, value.items) if isinstance(value, Lists) else value for name, value in values.items()
        }


def build_relations(
    system: System,
    layout: Layout,
    watches: Sequence[Expression],
    *,
    locality: LocalityRule | None = "computed",
    looks_ahead: bool = True,
    table_as_printed: bool = False,
    remembers: bool = False,
    infinite: bool = False,
) -> Relations:
    """The relations of a system's events, given its layout and its watches, whether what these have seen is remembered,
    and whether infinite runs are asked for; see LocalityRule and dependence.py. Without a rule of locality no event is
    safe; unless the reduction `looks_ahead`, there are no cells."""
    cells, places = Cells(system), Places(system)
    reader = Reader(system, cells)
    ways = passages(system, cells, places, [reader.access(transition) for transition in system.transitions])
    watched = union(map(reader.reads, watches))
    if remembers:
        ways = [passage.writing(cells.history) if passage.writes & watched else passage for passage in ways]
    outgrowing = outgrowing_events(system)
    always_visible = _sticky(system, places, ways, outgrowing) if infinite else [False] * len(ways)
    leaving = inverted((passage.does.left for passage in ways), places.count)
    found = Conditions(reader, layout)
    conditions = [found.of(transition) for transition in system.transitions]
    depending = dependence(cells, ways, [] if table_as_printed else conditions, as_printed=table_as_printed)
    enabling = Enabling(system, cells, places, ways, leaving)
    waiting = _Waiting(enabling, Sending(system, ways), conditions)
    numbered = [waiting.numbers(*each) for each in zip(system.transitions, conditions, strict=True)]
    supporting = support(system, cells, places, ways, leaving) if looks_ahead else no_support(places)
    return Relations(
        process=packed(transition.moves[0].process for transition in system.transitions),
        kind=bytes(transition.kind for transition in system.transitions),
        safe=bytes(len(ways))
        if locality is None
        else _safe(system, Locality(system, reader, places, ways), places, leaving, locality),
        visible=bytes(
            passage.writes & watched != 0 or always for passage, always in zip(ways, always_visible, strict=True)
        ),
        dependence_class=packed(depending.class_of),
        classes=len(depending.rows),
        dependence=_square(depending.rows),
        locations=_locations(layout),
        places=packed(_places(layout, places)),
        place_count=places.count,
        moved_places=lists(_moved_places(transition, places) for transition in system.transitions),
        leaving=lists_of_sets(leaving),
        entering=lists_of_sets(inverted((passage.does.entered for passage in ways), places.count)),
        enabling=lists_of_sets(
            enabling.events(transition, passage.first.enabled_by)
            for transition, passage in zip(system.transitions, ways, strict=True)
        ),
        conditions=lists(numbered),
        tests=packed(number for test in waiting.tests for number in test),
        condition_enabling=lists_of_sets(waiting.enabling),
        place_cells=lists_of_sets(supporting.next),
        future_cells=lists_of_sets(supporting.future),
        support=lists_of_sets(
            supporting.future[places.number(number, process.initial)] for number, process in enumerate(system.processes)
        ),
        cell_count=supporting.cell_count,
        outgrowing=outgrowing_places(system, places, outgrowing),
    )


class _Waiting:
    """The conditions of all events, numbered, with the events that may make them true."""

    def __init__(self, enabling: Enabling, sending: Sending, conditions: Sequence[Sequence[Condition]]) -> None:
        self._enabling = enabling
        self._sending = sending
        self._guarded: dict[tuple[int, int], list[tuple[Condition, int]]] = {}
        kept: dict[Condition, int] = {}
        for event, theirs in enumerate(conditions):
            for condition in theirs:
                kept[condition] = kept.get(condition, 0) | 1 << event
        for condition, events in kept.items():
            self._guarded.setdefault((condition.word, condition.shift), []).append((condition, events))
        self._implying: dict[Condition, int] = {}
        self._numbers: dict[tuple[tuple[int, ...], int], int] = {}

    def numbers(self, transition: Transition, conditions: Sequence[Condition]) -> list[int]:
        return [self._number(transition, condition) for condition in conditions]

    def _number(self, transition: Transition, condition: Condition) -> int:
        low, high = condition.interval
        if low > high:  # no value of the field satisfies it
            low, high = 1, 0
        kind = condition.negated | condition.relies << 1
        test = (condition.word, condition.shift, condition.bits, low, high, kind)
        return self._numbers.setdefault((test, self._events(transition, condition)), len(self._numbers))

    def _events(self, transition: Transition, condition: Condition) -> int:
        """The events of which one must fire before a transition can be enabled whose condition is false. What is wanted
        of a message may be sent long after the condition has become true, by other messages."""
        if condition.wanted is not None:
            return self._enabling.events(transition, condition.cells, self._sending.events(condition.wanted))
        return self._enabling.events(transition, condition.cells) & ~self._events_implying(condition)

    def _events_implying(self, condition: Condition) -> int:
        """The events that are disabled as long as a condition is false."""
        if condition not in self._implying:
            others = self._guarded[condition.word, condition.shift]
            self._implying[condition] = union(events for other, events in others if other.implies(condition))
        return self._implying[condition]

    @property
    def tests(self) -> list[tuple[int, ...]]:
        return [test for test, _ in self._numbers]

    @property
    def enabling(self) -> list[int]:
        return [events for _, events in self._numbers]


def _sticky(system: System, places: Places, ways: Sequence[Passage], outgrowing: int) -> list[bool]:
    """Of each event: whether it may close a cycle, or is or leads on to one that may outgrow the system."""
    recurs = recurring(system, places, ways)
    return [recurs[event] or (passage.following | 1 << event) & outgrowing != 0 for event, passage in enumerate(ways)]


def _safe(system: System, locality: Locality, places: Places, leaving: Sequence[int], rule: LocalityRule) -> bytes:
    """One byte per event."""
    own = [locality.touches_only_its_own(event) for event in range(len(system.transitions))]
    if rule == "declared":
        return bytes(own)
    safe = [
        events != 0
        and (locality.is_safe(process, events) if rule == "computed" else all(own[event] for event in members(events)))
        for process, events in zip(places.process, leaving, strict=True)
    ]
    return bytes(safe[_moved_places(transition, places)[0]] for transition in system.transitions)


def _places(layout: Layout, places: Places) -> Iterator[int]:
    """A place for every value of a location's bits, including values that no location has."""
    for process, (field, codes) in enumerate(zip(layout.locations, layout.codes, strict=True)):
        yield from (places.number(process, codes[min(value, len(codes) - 1)]) for value in range(field.mask + 1))


def _locations(layout: Layout) -> bytes:
    first_places = accumulate((field.mask + 1 for field in layout.locations), initial=0)
    return packed(
        number
        for field, first in zip(layout.locations, first_places, strict=False)
        for number in (*field.position(0), field.bits, first)
    )


def _moved_places(transition: Transition, places: Places) -> list[int]:
    """The places of the processes that a transition moves, its leader's first."""
    return [places.number(move.process, move.source) for move in transition.moves]


def _square(rows: Sequence[int]) -> bytes:
    """Every row starts on a new word."""
    words = (len(rows) + _WORD_BITS - 1) // _WORD_BITS
    return b"".join(row.to_bytes(words * _WORD_BITS // 8, "little") for row in rows)
