"""The common data with which all functions of a module are written: the system, its layout, the text so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scrimp.machine.boxes import Box
from scrimp.machine.draft import Draft
from scrimp.machine.evaluation import FALSE_BIT, Evaluator, Value
from scrimp.machine.layout import Layout
from scrimp.machine.tables import Tables
from scrimp.machine.writer import Writer
from scrimp.system.expressions import Expression
from scrimp.system.swaps import Symmetry
from scrimp.system.system import System


class Context:
    def __init__(self, system: System, layout: Layout, symmetry: Symmetry | None = None) -> None:
        self.system = system
        self.layout = layout
        self.symmetry = symmetry
        self.writer = Writer()
        self.tables = Tables("#0")
        self._box = layout.box()

    def box(self) -> Box:
        """The intervals of values in every state that the layout can hold."""
        return self._box.fork()

    def draft(self) -> Draft:
        return Draft(self.writer)

    def evaluator(self, at: Mapping[int, int], timeout: Value = FALSE_BIT) -> Evaluator:
        """For expressions over the function's state, in which processes are known to be `at` locations."""
        return Evaluator(self.writer, self.layout, self.tables, self.draft(), self.box(), at, timeout)

    def outcome(self, test: Expression) -> str:
        """Whether a test of the state is true; one that faults counts as true, so that it is noticed."""
        evaluator = self.evaluator({})
        truth = evaluator.test(test).text
        faulted = evaluator.faulted()
        return truth if faulted is None else self.writer.value(f"or i1 {truth}, {faulted}")

    def each_location(self, process: int, locations: Iterable[int], elsewhere: str) -> Iterator[tuple[int, str]]:
        """Write a switch over a process's location. Yields the locations, each with the label of its block, which has
        been begun; the label `elsewhere` is left to the caller."""
        field = self.layout.locations[process]
        raws = self.layout.raws[process]
        labels = {location: self.writer.label() for location in locations}
        here = self.draft().read(field, 0) if field.bits else "0"
        arms = " ".join(f"i32 {raws[location]}, label %{label}" for location, label in labels.items())
        self.writer.do(f"switch i32 {here}, label %{elsewhere} [{arms}]")
        for location, label in labels.items():
            self.writer.begin(label)
            with self.writer.scope():
                yield location, label
