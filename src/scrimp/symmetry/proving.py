"""The proof that a renaming is a symmetry: it maps the whole system onto itself.

  1. What changes places is alike: processes have the same locations, elements the same type, channels the same fields;
     values that change places are both in the range of a variable, or neither is, and both inside an array, or neither.
  2. Every transition becomes another one, up to its normal form (normal.py); so do the conditions on committed
     locations, valid end states and offers become themselves, and everything that is asked.
  3. A transition that does not become another one does no harm once it is impossible: if a process has left a location
     for good that the transition needs. So a process that starts the others, one after the other, need not be
     symmetric: the renaming is a symmetry as soon as they run. Processes that change places have the same locations
     left to them.

Then firing commutes with the renaming: if event e leads from state s to t, its image leads from the image of s to that
of t. The initial state need not be its own image: a state is reached if and only if some state of its orbit is reached
from the image of the initial state.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias, TypeVar

from scrimp.symmetry.normal import Form, Normal, operands
from scrimp.symmetry.renaming import Renaming
from scrimp.symmetry.sorts import Sorts, Term
from scrimp.system.expressions import At, Expression, Find, Length, Message, Read
from scrimp.system.statements import Clear, Dequeue, Enqueue
from scrimp.system.swaps import Cell, Pairs, Swap
from scrimp.system.system import System, Transition
from scrimp.system.traverse import assigned, evaluated_in, subexpressions, substatements

Thing = TypeVar("Thing", bound=Hashable)
Edges: TypeAlias = Mapping[int, Set[int]]


class NotSymmetric(Exception):
    """A renaming is not a symmetry; the message says why. `stuck` are the processes that stay in their places and lead
    transitions that become no others."""

    def __init__(self, reason: str, stuck: Sequence[int] = ()) -> None:
        super().__init__(reason)
        self.stuck = stuck


@dataclass(frozen=True)
class Subject:
    """A system, and the expressions that a question looks at, with their names."""

    system: System
    asked: tuple[tuple[str, Expression], ...]

    @cached_property
    def sorts(self) -> Sorts:
        return Sorts(self.system, [test for _, test in self.asked])

    @cached_property
    def normal(self) -> Normal:
        return Normal(self.system)

    @cached_property
    def by_form(self) -> Mapping[Form, Sequence[int]]:
        """The events of each normal form."""
        found: dict[Form, list[int]] = {}
        for event, form in enumerate(self.forms):
            found.setdefault(form, []).append(event)
        return found

    @cached_property
    def forms(self) -> Sequence[Form]:
        return [self.normal.transition(transition) for transition in self.system.transitions]

    @cached_property
    def mentions(self) -> Sequence[frozenset[tuple[str, int]]]:
        """The processes, variables and channels that each transition mentions."""
        return [frozenset(_mentions(transition)) for transition in self.system.transitions]

    @cached_property
    def taking_part(self) -> Sequence[Sequence[int]]:
        """The events in which each process moves, in order."""
        found: list[list[int]] = [[] for _ in self.system.processes]
        for event, transition in enumerate(self.system.transitions):
            for move in transition.moves:
                found[move.process].append(event)
        return found

    def control_flow(self, process: int) -> tuple[Edges, Edges]:
        """The locations after and before each location of a process, by its moves."""
        after: dict[int, set[int]] = {}
        before: dict[int, set[int]] = {}
        for event in self.taking_part[process]:
            for move in self.system.transitions[event].moves:
                if move.process == process:
                    after.setdefault(move.source, set()).add(move.target)
                    before.setdefault(move.target, set()).add(move.source)
        return after, before

    @cached_property
    def conditions(self) -> Sequence[tuple[str, Expression]]:
        """What must become itself, besides the transitions."""
        system = self.system
        named = (("the condition on committed locations", system.committed), ("valid end states", system.valid_end))
        own = tuple((name, test) for name, test in named if test is not None)
        return (*own, *self.asked)


def prove(subject: Subject, renaming: Renaming, *, everywhere: bool = False) -> Swap:
    """The renaming as a symmetry, in every state if it has to be so `everywhere`; raises NotSymmetric with the reason
    if it is not one."""
    return _Proof(subject, renaming, everywhere).swap()


class _Proof:
    def __init__(self, subject: Subject, renaming: Renaming, everywhere: bool) -> None:
        self.everywhere = everywhere
        self.subject = subject
        self.system = subject.system
        self.sorts = subject.sorts
        self.renaming = renaming

    def swap(self) -> Swap:
        self._require_alike_processes()  # 1
        cells = tuple(_once(self._cells()))
        for (v, _), (w, _) in cells:
            self._require_alike_variables(v, w)
        self._require_alike_channels()
        self._require_values_in_range()
        for name, test in self.subject.conditions:  # 2
            if not self._is_fixed(test):
                raise NotSymmetric(f"{name} would change")
        self._require_same_offers()
        events, left_over = self._events()
        return Swap(
            tuple(_once(self.renaming.processes.items())),
            cells,
            tuple(_once(self.renaming.channels.items())),
            tuple(self._variable_values()),
            tuple(self._message_values()),
            events,
            self._where(left_over),  # 3
        )

    def _require_alike_processes(self) -> None:
        for a, b in self.renaming.processes.items():
            one, other = self.system.processes[a], self.system.processes[b]
            if len(one.locations) != len(other.locations):
                raise NotSymmetric(f"{one.name} and {other.name} have different locations")
            if self.system.claim in (a, b):
                raise NotSymmetric(f"{one.name} is a never claim")

    def _cells(self) -> Iterator[tuple[Cell, Cell]]:
        """All elements that change places."""
        for variable, declared in enumerate(self.system.variables):
            for element in range(len(declared.initial)):
                other = self.renaming.cell(variable, element)
                if other[1] >= len(self.system.variables[other[0]].initial):
                    raise NotSymmetric(f"{declared.name}[{element}] has no counterpart")
                if self.renaming.cell(*other) != (variable, element):
                    raise NotSymmetric(f"{declared.name}[{element}] would have to change places with two others")
                if other != (variable, element):
                    yield (variable, element), other

    def _require_alike_variables(self, v: int, w: int) -> None:
        one, other = self.system.variables[v], self.system.variables[w]
        if one.type != other.type or self._map(("v", v, 0)) != self._map(("v", w, 0)):
            raise NotSymmetric(f"{one.name} and {other.name} have different types")
        if v != w and (v in self.sorts.dynamic) != (w in self.sorts.dynamic):
            raise NotSymmetric(f"{one.name} and {other.name} are used differently")

    def _require_alike_channels(self) -> None:
        for a, b in self.renaming.channels.items():
            one, other = self.system.channels[a], self.system.channels[b]
            maps = ([self._map(("m", channel, field)) for field in range(len(one.fields))] for channel in (a, b))
            if (one.capacity, one.fields) != (other.capacity, other.fields) or next(maps) != next(maps):
                raise NotSymmetric(f"channels {one.name} and {other.name} have different types")

    def _map(self, term: Term) -> dict[int, int]:
        return self.renaming.values.get(self.sorts.of(term), {})

    def _require_values_in_range(self) -> None:
        for term in self._terms():
            for a, b in self._map(term).items():
                if self._is_value(term, a) != self._is_value(term, b):
                    raise NotSymmetric(f"{a} and {b} would have to change places, and {self._named(term)} takes one")

    def _terms(self) -> Iterator[Term]:
        for number, variable in enumerate(self.system.variables):
            yield ("v", number, 0)
            if variable.length is not None and number in self.sorts.dynamic:
                yield ("i", number, 0)
        for number, channel in enumerate(self.system.channels):
            yield from (("m", number, field) for field in range(len(channel.fields)))

    def _is_value(self, term: Term, value: int) -> bool:
        type_ = self.sorts.type_of(term)
        return 0 <= value < len(self.system.variables[term[1]].initial) if type_ is None else type_.contains(value)

    def _named(self, term: Term) -> str:
        kind, number, _ = term
        return self.system.channels[number].name if kind == "m" else self.system.variables[number].name

    def _is_fixed(self, test: Expression) -> bool:
        normal = self.subject.normal
        return normal.expression(self.renaming.expression(test)) == normal.expression(test)

    def _require_same_offers(self) -> None:
        """SPIN's depth counts offers of handshakes."""
        normal = self.subject.normal
        offers = sorted((process, normal.expression(test)) for process, test in self.system.offers)
        renamed = sorted(
            (self.renaming.processes.get(process, process), normal.expression(self.renaming.expression(test)))
            for process, test in self.system.offers
        )
        if offers != renamed:
            raise NotSymmetric("offers of handshakes would change")

    def _events(self) -> tuple[tuple[int, ...], list[int]]:
        """The event that each event becomes, and the events that become no other one."""
        moved = self._moved()
        subject = self.subject
        events = list(range(len(self.system.transitions)))
        left_over = []
        for event, transition in enumerate(self.system.transitions):
            if moved.isdisjoint(subject.mentions[event]):
                continue
            images = subject.by_form.get(subject.normal.transition(self.renaming.transition(transition)))
            if images is None:
                left_over.append(event)
            else:
                place = subject.by_form[subject.forms[event]].index(event)
                events[event] = images[min(place, len(images) - 1)]
        return tuple(events), left_over

    def _moved(self) -> set[tuple[str, int]]:
        """What a transition has to mention if it is changed."""
        moved = {("process", process) for process in self.renaming.processes}
        moved |= {("variable", variable) for variable in self.renaming.variables}
        moved |= {("variable", variable) for variable, _ in self.renaming.cells}
        moved |= {("channel", channel) for channel in self.renaming.channels}
        for term in self._terms():
            if self._map(term):
                moved.add(("channel" if term[0] == "m" else "variable", term[1]))
        return moved

    def _where(self, left_over: Sequence[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The locations at which processes are when the events that are left over have become impossible for good."""
        leading = (self.system.transitions[event].moves[0].process for event in left_over)
        stuck = [process for process in dict.fromkeys(leading) if process not in self.renaming.processes]
        if self.everywhere and left_over:
            raise self._has_no_counterpart(left_over[0], stuck)
        left: dict[int, set[int]] = {}
        for event in left_over:
            place = self._place_to_leave(self.system.transitions[event])
            if place is None:
                raise self._has_no_counterpart(event, stuck)
            for process in {place[0], self._counterpart(place[0])}:
                left.setdefault(process, set()).add(place[1])
        where = tuple((process, self._beyond(process, frozenset(places))) for process, places in sorted(left.items()))
        if not all(beyond for _, beyond in where) or any(dict(where)[self._counterpart(p)] != b for p, b in where):
            raise self._has_no_counterpart(left_over[0], stuck)
        return where

    def _counterpart(self, process: int) -> int:
        return self.renaming.processes.get(process, process)

    def _place_to_leave(self, transition: Transition) -> tuple[int, int] | None:
        """A process and a location that a transition needs, and that leaves the process the most others if it is not to
        get there again; None if there is no such place."""
        places = {(move.process, move.source) for move in transition.moves}
        if not self.subject.normal.may_fault(transition.guard):
            tests = operands("&&", transition.guard)
            places |= {(test.process, test.location) for test in tests if isinstance(test, At)}
        beyond = {place: len(self._beyond(place[0], frozenset({place[1]}))) for place in sorted(places)}
        useful = {place: count for place, count in beyond.items() if count and self._is_useful(place[0], count)}
        return max(useful, key=lambda place: useful[place]) if useful else None

    def _is_useful(self, process: int, count: int) -> bool:
        """A process that changes places should do so in most of its locations."""
        return process not in self.renaming.processes or 2 * count >= len(self._beyond(process, frozenset()))

    def _has_no_counterpart(self, event: int, stuck: Sequence[int]) -> NotSymmetric:
        move = self.system.transitions[event].moves[0]
        shown = f"'{move.text:.60}' of {self.system.mover(move)} (line {move.position.line})"
        return NotSymmetric(f"{shown} would have no counterpart", stuck)

    def _beyond(self, process: int, locations: frozenset[int]) -> tuple[int, ...]:
        """The locations that a process may reach, and from which it never gets to some others."""
        after, before = self.subject.control_flow(process)
        reached = _closure({self.system.processes[process].initial}, after)
        return tuple(sorted(reached - _closure(locations, before)))

    def _variable_values(self) -> Iterator[tuple[int, Pairs]]:
        for variable in range(len(self.system.variables)):
            if pairs := self._pairs(("v", variable, 0)):
                yield variable, pairs

    def _message_values(self) -> Iterator[tuple[tuple[int, int], Pairs]]:
        for number, channel in enumerate(self.system.channels):
            for field in range(len(channel.fields)):
                if pairs := self._pairs(("m", number, field)):
                    yield (number, field), pairs

    def _pairs(self, term: Term) -> Pairs:
        return tuple((a, b) for a, b in _once(self._map(term).items()) if self._is_value(term, a))


def _closure(start: Iterable[int], edges: Edges) -> set[int]:
    """All locations that edges lead to from some, these included."""
    found, todo = set(start), list(start)
    while todo:
        fresh = edges.get(todo.pop(), set()) - found
        found |= fresh
        todo += fresh
    return found


def _once(pairs: Iterable[tuple[Thing, Thing]]) -> Iterator[tuple[Thing, Thing]]:
    """Each of some pairs once, as it comes first."""
    seen: set[Thing] = set()
    for a, b in pairs:
        if b not in seen:
            seen.add(a)
            yield a, b


def _mentions(transition: Transition) -> Iterator[tuple[str, int]]:
    for move in transition.moves:
        yield "process", move.process
    if transition.holder is not None:
        yield "process", transition.holder
    for statement in substatements(transition.effect):
        yield from (("variable", place.variable) for place in assigned(statement))
        if isinstance(statement, Enqueue | Dequeue | Clear):
            yield "channel", statement.channel
    for expression in chain((transition.guard,), evaluated_in(transition.effect)):
        for part in subexpressions(expression):
            match part:
                case Read(variable):
                    yield "variable", variable
                case At(process):
                    yield "process", process
                case Length(channel) | Message(channel) | Find(channel):
                    yield "channel", channel
