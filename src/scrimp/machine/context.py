"""What all functions of a module are written with: the system, its layout, the text so far."""

from __future__ import annotations

from collections.abc import Mapping

from scrimp.machine.bounds import scalars
from scrimp.machine.boxes import Box
from scrimp.machine.draft import Draft
from scrimp.machine.evaluation import FALSE_BIT, Evaluator, Value
from scrimp.machine.layout import Layout
from scrimp.machine.tables import Tables
from scrimp.machine.writer import Writer
from scrimp.system.expressions import Expression
from scrimp.system.system import System


class Context:
    def __init__(self, system: System, layout: Layout) -> None:
        self.system = system
        self.layout = layout
        self.writer = Writer()
        self.tables = Tables("#0")
        self._scalars = scalars(system)
        self._variables = [(field.low, field.high) for field in layout.variables]
        self._lengths = [(field.low, field.high) for field in layout.lengths]
        self._messages = {
            ("m", channel, number): (field.low, field.high)
            for channel, fields in enumerate(layout.messages)
            for number, field in enumerate(fields)
        }

    def box(self) -> Box:
        """Where values lie in every state that the layout has room for."""
        return Box(self._variables, self._lengths, self._messages, self._scalars)

    def draft(self) -> Draft:
        return Draft(self.writer, self.layout.words)

    def evaluator(self, at: Mapping[int, int], timeout: Value = FALSE_BIT) -> Evaluator:
        """For expressions over the state that a function was given, in which processes are known to be `at` places."""
        return Evaluator(self.writer, self.layout, self.tables, self.draft(), self.box(), at, timeout)

    def outcome(self, test: Expression) -> str:
        """Whether a test of the state is true; one that faults counts as true, so that it does not go unnoticed."""
        evaluator = self.evaluator({})
        truth = evaluator.test(test).text
        faulted = evaluator.faulted()
        return truth if faulted is None else self.writer.value(f"or i1 {truth}, {faulted}")
