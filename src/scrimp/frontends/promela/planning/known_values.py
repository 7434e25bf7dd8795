"""The values of variables that are known while one process is followed without the others."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from scrimp.frontends.promela.automata.automaton import DStep, Edge
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Expression, Symbol
from scrimp.system.arithmetic import EvaluationFault, binary, unary

Values = dict[tuple[Symbol, int], int]


@dataclass(frozen=True)
class KnownValues:
    """`values` maps elements of symbols to their values; a variable that is not an array is its element 0. Structures
    are not followed, nor is any symbol that is not in `followed`."""

    values: Values
    followed: frozenset[Symbol]

    def copy(self) -> KnownValues:
        return KnownValues(dict(self.values), self.followed)

    def key(self) -> Hashable:
        return frozenset(self.values.items())

    def know(self, values: Mapping[tuple[Symbol, int], int]) -> None:
        self.values.update({place: value for place, value in values.items() if place[0] in self.followed})

    def initialise(self, symbol: Symbol) -> None:
        """Give a variable the value of its declaration."""
        if isinstance(symbol.type, syntax.Structure) or isinstance(symbol.initial, syntax.ChannelShape):
            return
        if symbol not in self.followed:
            return
        if isinstance(symbol.initial, syntax.Values):
            for index, expression in enumerate(symbol.initial.values):
                self.set(symbol, index, self.value(expression))
            return
        start = 0 if symbol.initial is None else self.value(symbol.initial)
        for index in range(symbol.length or 1):
            self.set(symbol, index, start)

    def set(self, symbol: Symbol, index: int, value: int | None) -> None:
        if value is None:
            self.values.pop((symbol, index), None)
        else:
            self.values[symbol, index] = value

    def execute(self, edge: Edge, started: int) -> None:
        """Execute an edge on the variables; `started` is the process that a `run` creates."""
        match edge.statement:
            case syntax.Assign(target, value) if isinstance(target, syntax.Reference):
                self._assign(target, started if isinstance(value, syntax.Run) else self.value(value))
            case syntax.Receive(_, arguments):
                for argument in arguments:
                    if isinstance(argument, syntax.Reference):
                        self._assign(argument, None)
            case DStep(_, nodes):
                for node in nodes:
                    inner = node.statement
                    if isinstance(inner, syntax.Assign) and isinstance(inner.target, syntax.Reference):
                        self._assign(inner.target, None)

    def _assign(self, target: syntax.Reference, value: int | None) -> None:
        root = target.parts[0]
        if len(target.parts) > 1 or root.symbol not in self.followed:
            return
        index = 0 if root.index is None else self.value(root.index)
        if index is None:
            for element in range(root.symbol.length or 1):
                self.set(root.symbol, element, None)
        else:
            self.set(root.symbol, index, value)

    def value(self, expression: Expression, alive: int | None = None) -> int | None:
        """The value of an expression, None if it is not known; `alive` is the number of processes, if that is known."""
        match expression:
            case syntax.Predefined("_nr_pr"):
                return alive
            case syntax.Number(value):
                return value
            case syntax.Reference(parts) if len(parts) == 1:
                index = 0 if parts[0].index is None else self.value(parts[0].index)
                return None if index is None else self.values.get((parts[0].symbol, index))
            case syntax.Prefix(operator, operand):
                inner = self.value(operand, alive)
                return None if inner is None else unary(operator, inner)
            case syntax.Infix(operator, left, right):
                return _infix(operator, self.value(left, alive), self.value(right, alive))
            case syntax.Choice(test, then, otherwise):
                truth = self.value(test)
                return None if truth is None else self.value(then if truth else otherwise)
        return None


def _infix(operator: str, left: int | None, right: int | None) -> int | None:
    if operator == "&&" and (left == 0 or right == 0):
        return 0
    if left is None or right is None:
        return None
    if operator in ("&&", "||"):
        return int(bool(left) and bool(right)) if operator == "&&" else int(bool(left) or bool(right))
    try:
        return binary(operator, left, right)
    except EvaluationFault:
        return None
