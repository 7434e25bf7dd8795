"""The reachable places of processes, and the values of cells at each place of their process.

A cell that only transitions of one process write, such as a local variable or a flag in an array, often has a single
value at a location: an overwritten value is then known. Intervals grow from the initial values along the moves of the
process, as in bounds.py, until nothing changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from scrimp.machine.backward.paths import Cell, Path
from scrimp.machine.boxes import Box, evaluate, refine, truth
from scrimp.machine.evaluation import conjuncts
from scrimp.machine.intervals import NO, Interval, into_type, join, meet
from scrimp.system.expressions import Constant
from scrimp.system.reference import State
from scrimp.system.system import System, Transition

_GROWTHS_BEFORE_THE_BOUNDS = 3
# Intervals that are computed: some seconds.
MOST_WORK = 4_000_000

Point: TypeAlias = tuple[int, int]
"""A process and one of its locations."""


class Values:
    """The intervals of cells: `resting` cells have their initial values in every state, cells with an owner lie in `at`
    of their owner's place. A place that is missing there is unreachable."""

    def __init__(self, system: System, resting: frozenset[Cell], owners: Mapping[Cell, int]) -> None:
        self.system = system
        self.resting = resting
        self.owners = owners
        self.at: dict[Point, dict[Cell, Interval]] = {}

    def before(self, transition: Transition) -> Mapping[Cell, Interval] | None:
        """The intervals of the cells of the moved processes before a transition; None if it is never enabled."""
        found: dict[Cell, Interval] = {}
        for move in transition.moves:
            here = self.at.get((move.process, move.source))
            if here is None:
                return None
            found.update(here)
        return found

    def after(self, transition: Transition) -> Mapping[Cell, Interval]:
        """The intervals of the cells of the moved processes after a transition."""
        points = ((move.process, move.target) for move in transition.moves)
        return {cell: lies for point in points for cell, lies in self.at.get(point, {}).items()}

    def initial(self, cell: Cell) -> int:
        place = cell.index.value if isinstance(cell.index, Constant) else 0
        return self.system.variables[cell.variable].initial[place]

    def allow(self, state: State) -> bool:
        """Whether a state may be reachable, as far as values show."""
        if any(self._value(state, cell) != self.initial(cell) for cell in self.resting):
            return False
        places = [self.at.get(point) for point in enumerate(state.locations)]
        return all(
            here is not None and all(low <= self._value(state, cell) <= high for cell, (low, high) in here.items())
            for here in places
        )

    def _value(self, state: State, cell: Cell) -> int:
        return state.values[cell.variable][cell.index.value if isinstance(cell.index, Constant) else 0]


def any_values(system: System) -> Values:
    """For a system whose written cells are unknown."""
    values = Values(system, frozenset(), {})
    values.at = {
        (n, place): {} for n, process in enumerate(system.processes) for place in range(len(process.locations))
    }
    return values


def find_values(system: System, ways: Mapping[int, list[Path]], box: Box) -> Values:
    """The values of cells, from the paths through all transitions; `box` has intervals that always hold. Any values if
    it takes too much work to find them."""
    return _Search(system, ways, box).run()


class _Search:
    def __init__(self, system: System, ways: Mapping[int, list[Path]], box: Box) -> None:
        self.system = system
        self.ways = ways
        self.box = box
        self.work = 0
        self.growths: Counter[tuple[Point, Cell]] = Counter()
        self.moving: dict[Point, list[int]] = {}
        for event in ways:
            for move in system.transitions[event].moves:
                self.moving.setdefault((move.process, move.source), []).append(event)

    def run(self) -> Values:
        cells = self._cells()
        self.values = Values(self.system, self._resting(cells), self._owners(cells))
        waiting: dict[int, None] = {}
        for number, process in enumerate(self.system.processes):
            owned = [cell for cell, owner in self.values.owners.items() if owner == number]
            start = (number, process.initial)
            self.values.at[start] = {cell: (self.values.initial(cell),) * 2 for cell in owned}
            waiting.update(dict.fromkeys(self.moving.get(start, ())))
        while waiting:
            if self.work > MOST_WORK:
                return any_values(self.system)
            event, _ = waiting.popitem()
            for point in self._visit(event):
                waiting.update(dict.fromkeys(self.moving.get(point, ())))
        return self.values

    def _cells(self) -> dict[Cell, list[int]]:
        """The cells that are always written as such, and the events that write them; no elements with computed
        indices."""
        found: dict[Cell, list[int]] = {}
        computed: set[int] = set()
        for event, way in self.ways.items():
            for cell in dict.fromkeys(cell for path in way for cell in path.written):
                found.setdefault(cell, []).append(event)
                if cell.index is not None and not self._is_element(cell):
                    computed.add(cell.variable)
        return {cell: events for cell, events in found.items() if cell.variable not in computed}

    def _is_element(self, cell: Cell) -> bool:
        length = len(self.system.variables[cell.variable].initial)
        return isinstance(cell.index, Constant) and 0 <= cell.index.value < length

    def _resting(self, cells: Mapping[Cell, list[int]]) -> frozenset[Cell]:
        """The cells that every transition leaves at their initial value, such as copies for use within a step."""
        values = Values(self.system, frozenset(), {})
        moving = {
            cell
            for way in self.ways.values()
            for path in way
            for cell, given in path.written.items()
            if cell in cells and given.computed != Constant(values.initial(cell))
        }
        return frozenset(cells) - moving

    def _owners(self, cells: Mapping[Cell, list[int]]) -> dict[Cell, int]:
        """The process that moves in all transitions that write a cell: the one with the most locations. One that never
        moves gives no information."""
        owners: dict[Cell, int] = {}
        for cell, events in cells.items():
            moves = [{move.process for move in self.system.transitions[event].moves} for event in events]
            places = {process: len(self.system.processes[process].locations) for process in set.intersection(*moves)}
            owner = max(places, key=places.__getitem__, default=0)
            if places.get(owner, 1) > 1:
                owners[cell] = owner
        return owners

    def _visit(self, event: int) -> Iterator[Point]:
        """Propagate values along a transition; yields the places where they have grown."""
        transition = self.system.transitions[event]
        before = self.values.before(transition)
        if before is None:
            return
        for path in self.ways[event]:
            box = self.box.fork()
            box.local.update((cell.variable, lies) for cell, lies in before.items() if cell.index is None)
            if not self._is_possible(path, box):
                continue
            for move in transition.moves:
                here = self.values.at[move.process, move.source]
                self.work += 1 + len(here)
                after = {cell: self._after(path, box, cell, lies) for cell, lies in here.items()}
                if self._grow((move.process, move.target), after):
                    yield move.process, move.target

    def _is_possible(self, path: Path, box: Box) -> bool:
        """Whether the conditions of a path may hold in a box, which is narrowed accordingly."""
        for condition in (part for whole in path.conditions for part in conjuncts(whole)):
            if truth(condition, box) == NO:
                return False
            refine(box, condition, True)
        return True

    def _after(self, path: Path, box: Box, cell: Cell, before: Interval) -> Interval:
        given = path.written.get(cell)
        if given is None:
            return before if cell.index is not None else meet(before, box.variable(cell.variable)) or before
        typed = into_type(evaluate(given.computed, box), self.system.variables[cell.variable].type)
        return meet(typed, self.box.variables[cell.variable]) or self.box.variables[cell.variable]

    def _grow(self, point: Point, after: Mapping[Cell, Interval]) -> bool:
        known = self.values.at.get(point)
        if known is None:
            self.values.at[point] = dict(after)
            return True
        grown = False
        for cell, lies in after.items():
            wider = join(known[cell], lies)
            if wider != known[cell]:
                self.growths[point, cell] += 1
                too_often = self.growths[point, cell] > _GROWTHS_BEFORE_THE_BOUNDS
                known[cell] = join(wider, self.box.variables[cell.variable]) if too_often else wider
                grown = True
        return grown
