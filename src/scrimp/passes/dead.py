"""Dead variables: a variable that will be written before it is read again is reset to its initial value.

Live variables by the usual backward analysis (Aho, Lam, Sethi, Ullman, "Compilers", section 9.2.5), over the control
flow of each process, for the variables that only transitions which move that process access. Resetting dead variables
in model checking: Bozga, Fernandez, Ghirvu, "State space reduction based on live variables analysis", SAS 1999.

  1. A cell is a variable, or an element of an array that is only accessed by constant indices. It belongs to a process
     if every transition that accesses it moves that process, and no question, end state or committed location reads it.
  2. live(L) has the cells that are read before they are written on some path from location L of the process.
  3. held(L) has the cells that may differ from their initial values at L, if dead ones are reset.
  4. A transition from L to M resets the cells of held(L), and those that it writes, that are not in live(M).

Two states that differ only in dead cells are bisimilar: they have the same events, which fault alike, and remain
equal up to dead cells. So events correspond one to one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scrimp.notes import Note
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.passes.slice import reset
from scrimp.reduction.bits import members, union
from scrimp.system.expressions import Constant, Expression, Read
from scrimp.system.statements import Dequeue, If, Place, Statement
from scrimp.system.system import System, Transition
from scrimp.system.traverse import assigned, evaluated, evaluated_in, subexpressions, substatements

# Larger arrays are not reset: that would take more code than it is worth.
MOST_ELEMENTS = 64


@dataclass(frozen=True)
class Dead(Pass):
    """Reset variables that are written before they are read again."""

    name = "dead"
    does = "resets variables that are written before they are read again"

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        cells = _Cells(system)
        effects = [transition.effect for transition in system.transitions]
        reset_cells = 0
        arcs = _arcs(system)
        for process, owned in _owned(system, cells, seen).items():  # L1
            for event, dead in _resets(arcs[process], owned, cells):
                effects[event] = (*effects[event], *(s for cell in members(dead) for s in cells.reset(cell)))
                reset_cells |= dead
        if not reset_cells:
            return unchanged(system)
        transitions = tuple(
            replace(transition, effect=effect) if effect is not transition.effect else transition
            for transition, effect in zip(system.transitions, effects, strict=True)
        )
        variables = {cells.place(cell).variable for cell in members(reset_cells)}
        note = Note(self.name, len(variables), "variables reset")
        return replace(unchanged(replace(system, transitions=transitions)), notes=(note,))


class _Cells:
    """The numbers of cells."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._whole = _indexed(system)
        self._numbers: dict[tuple[int, int | None], int] = {}
        self._places: list[Place] = []
        self._access = [_Access(self, transition) for transition in system.transitions]

    def access(self, event: int) -> _Access:
        return self._access[event]

    def number(self, variable: int, index: Expression | None) -> int | None:
        """The cell of a variable or element; None if there is no such element."""
        length = self.system.variables[variable].length
        if length is None or variable in self._whole:
            return self._numbered(variable, None)
        assert isinstance(index, Constant)
        return self._numbered(variable, index.value) if 0 <= index.value < length else None

    def _numbered(self, variable: int, element: int | None) -> int:
        if (variable, element) not in self._numbers:
            self._numbers[variable, element] = len(self._places)
            self._places.append(Place(variable, None if element is None else Constant(element)))
        return self._numbers[variable, element]

    def is_whole(self, variable: int) -> bool:
        """Whether a cell is an array, of which a write changes only a part."""
        return variable in self._whole

    def place(self, cell: int) -> Place:
        return self._places[cell]

    def reset(self, cell: int) -> Iterator[Statement]:
        place = self._places[cell]
        return reset(self.system, place.variable, place.index)

    def read(self, expressions: Iterable[Expression]) -> int:
        found = 0
        for expression in expressions:
            for part in subexpressions(expression):
                if isinstance(part, Read) and (cell := self.number(part.variable, part.index)) is not None:
                    found |= 1 << cell
        return found

    def written(self, place: Place) -> int:
        cell = self.number(place.variable, place.index)
        return 0 if cell is None else 1 << cell


def _indexed(system: System) -> frozenset[int]:
    """The arrays that some transition accesses by an index that is not constant."""
    found = set()
    for transition in system.transitions:
        for expression in (transition.guard, *evaluated_in(transition.effect)):
            for part in subexpressions(expression):
                if isinstance(part, Read) and part.index is not None and not isinstance(part.index, Constant):
                    found.add(part.variable)
        for statement in substatements(transition.effect):
            for place in assigned(statement):
                if place.index is not None and not isinstance(place.index, Constant):
                    found.add(place.variable)
    return frozenset(found)


class _Access:
    """The cells of one transition: `uses` are read before they are certainly written, `kills` are certainly written,
    `writes` may be."""

    def __init__(self, cells: _Cells, transition: Transition) -> None:
        self.cells = cells
        self.uses = cells.read([transition.guard])
        self.writes = 0
        self.kills = self._execute(transition.effect, 0)

    def _execute(self, statements: Sequence[Statement], kills: int) -> int:
        for statement in statements:
            self.uses |= self.cells.read(evaluated(statement)) & ~kills
            if isinstance(statement, If):
                kills = self._execute(statement.then, kills) & self._execute(statement.otherwise, kills)
            for place in assigned(statement):
                written = self.cells.written(place)
                self.writes |= written
                if not self.cells.is_whole(place.variable) and not isinstance(statement, Dequeue):
                    kills |= written
            if isinstance(statement, Dequeue):
                kills |= self._received(statement)
        return kills

    def _received(self, statement: Dequeue) -> int:
        return union(
            self.cells.written(place) for place in assigned(statement) if not self.cells.is_whole(place.variable)
        )


def _owned(system: System, cells: _Cells, seen: Sequence[Expression]) -> dict[int, int]:
    """The cells that belong to each process."""
    outside = [*seen, *(invariant.test for invariant in system.invariants), *(test for _, test in system.offers)]
    outside += [test for test in (system.committed, system.valid_end) if test is not None]
    looked_at = {part.variable for test in outside for part in subexpressions(test) if isinstance(part, Read)}
    movers: dict[int, frozenset[int]] = {}
    for event, transition in enumerate(system.transitions):
        moved = frozenset(move.process for move in transition.moves)
        access = cells.access(event)
        for cell in members(access.uses | access.writes):
            movers[cell] = movers.get(cell, moved) & moved
    result: dict[int, int] = defaultdict(int)
    for cell, common in movers.items():
        variable = system.variables[cells.place(cell).variable]
        if cells.place(cell).variable in looked_at or not common:
            continue
        if not cells.is_whole(cells.place(cell).variable) or (variable.length or 1) <= MOST_ELEMENTS:
            result[variable.owner if variable.owner in common else min(common)] |= 1 << cell
    return result


def _arcs(system: System) -> dict[int, list[tuple[int, int, int]]]:
    """For each process its moves: source, target and event."""
    arcs: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for event, transition in enumerate(system.transitions):
        for move in transition.moves:
            arcs[move.process].append((move.source, move.target, event))
    return arcs


def _resets(arcs: Sequence[tuple[int, int, int]], owned: int, cells: _Cells) -> Iterator[tuple[int, int]]:
    """The events that reset cells of a process, and which."""
    live = _live(arcs, owned, cells)
    held = _held(arcs, owned, live, cells)
    for source, target, event in arcs:
        dead = (held[source] | cells.access(event).writes) & owned & ~live[target]  # L4
        if dead:
            yield event, dead


def _live(arcs: Sequence[tuple[int, int, int]], owned: int, cells: _Cells) -> dict[int, int]:
    live: dict[int, int] = defaultdict(int)
    changed = True
    while changed:  # L2
        changed = False
        for source, target, event in reversed(arcs):
            access = cells.access(event)
            merged = live[source] | (access.uses | live[target] & ~access.kills) & owned
            changed |= merged != live[source]
            live[source] = merged
    return live


def _held(arcs: Sequence[tuple[int, int, int]], owned: int, live: dict[int, int], cells: _Cells) -> dict[int, int]:
    held: dict[int, int] = defaultdict(int)
    changed = True
    while changed:  # L3
        changed = False
        for source, target, event in arcs:
            merged = held[target] | (held[source] | cells.access(event).writes) & owned & live[target]
            changed |= merged != held[target]
            held[target] = merged
    return held
