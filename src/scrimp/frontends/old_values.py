"""Old values: for assignments that are simultaneous in the language, but sequential in the system.

If a statement must read the value of a variable before the step, but an earlier statement of the step writes it, the
variable is copied first and the statement reads the copy. A copy is a variable of the system, 0 between steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scrimp.system.expressions import Binary, Conditional, Constant, Expression, Find, Message, Read, Unary
from scrimp.system.statements import Assign, Place, Statement
from scrimp.system.system import Variable
from scrimp.system.traverse import subexpressions


@dataclass
class OldValues:
    """Adds the copies that it needs to `variables`, at most one per variable."""

    variables: list[Variable]
    _copies: dict[int, int] = field(default_factory=dict)

    def preserved(self, groups: Sequence[tuple[Assign, ...]], indices_too: bool) -> tuple[Statement, ...]:
        """Execute groups of assignments in order, each of which reads the values before all earlier groups. With
        `indices_too`, the indices of assigned elements do so as well; otherwise they read the new values."""
        written: set[int] = set()
        copies: dict[int, int] = {}
        body: list[Statement] = []
        for group in groups:
            read = frozenset[int]().union(*(_reads(assign, indices_too) for assign in group))
            old = {variable: self._copy(variable) for variable in sorted(read & written)}
            copies |= old
            body += [_renamed(assign, old, indices_too) for assign in group] if old else group
            written |= {assign.place.variable for assign in group}
        before = [statement for variable, copy in copies.items() for statement in self._fill(variable, copy)]
        after = [statement for copy in copies.values() for statement in self._clear(copy)]
        return (*before, *body, *after)

    def _copy(self, variable: int) -> int:
        if variable not in self._copies:
            original = self.variables[variable]
            self._copies[variable] = len(self.variables)
            self.variables.append(replace(original, name=f"{original.name}'", initial=(0,) * len(original.initial)))
        return self._copies[variable]

    def _fill(self, variable: int, copy: int) -> list[Statement]:
        return [
            Assign(Place(copy, index), Read(variable, index)) for index in _indices(self.variables[variable].length)
        ]

    def _clear(self, copy: int) -> list[Statement]:
        return [Assign(Place(copy, index), Constant(0)) for index in _indices(self.variables[copy].length)]


def _indices(length: int | None) -> Sequence[Constant | None]:
    return [None] if length is None else [Constant(index) for index in range(length)]


def _reads(assign: Assign, indices_too: bool) -> frozenset[int]:
    index = assign.place.index
    return variables_of(assign.value) | (variables_of(index) if indices_too and index is not None else frozenset())


def _renamed(assign: Assign, names: Mapping[int, int], indices_too: bool) -> Assign:
    place = assign.place
    if indices_too and place.index is not None:
        place = Place(place.variable, renamed(place.index, names))
    return Assign(place, renamed(assign.value, names))


def variables_of(expression: Expression) -> frozenset[int]:
    """The variables that an expression reads."""
    return frozenset(part.variable for part in subexpressions(expression) if isinstance(part, Read))


def renamed(expression: Expression, names: Mapping[int, int]) -> Expression:
    """The expression with some variables replaced by others."""
    match expression:
        case Read(variable, index):
            return Read(names.get(variable, variable), None if index is None else renamed(index, names))
        case Unary(operator, operand):
            return Unary(operator, renamed(operand, names))
        case Binary(operator, left, right):
            return Binary(operator, renamed(left, names), renamed(right, names))
        case Conditional(test, then, otherwise):
            return Conditional(renamed(test, names), renamed(then, names), renamed(otherwise, names))
        case Message(channel, field, position):
            return Message(channel, field, renamed(position, names))
        case Find(channel, pattern):
            return Find(channel, tuple(None if value is None else renamed(value, names) for value in pattern))
    return expression
