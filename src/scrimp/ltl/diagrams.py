"""Reduced ordered binary decision diagrams (Bryant, IEEE Trans. Computers 35, 1986): functions of Boolean variables.

Equal functions have equal numbers: `FALSE` is 0 and `TRUE` is 1. Variables are numbered, and tested in that order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

Diagram = int

FALSE: Diagram = 0
TRUE: Diagram = 1
_LAST = 1 << 30  # the variable of constants


@dataclass
class Diagrams:
    """All diagrams that were made, and what is known about them."""

    variable: list[int] = field(default_factory=lambda: [_LAST, _LAST])
    low: list[Diagram] = field(default_factory=lambda: [FALSE, TRUE])
    high: list[Diagram] = field(default_factory=lambda: [FALSE, TRUE])
    _numbers: dict[tuple[int, Diagram, Diagram], Diagram] = field(default_factory=dict)
    _choices: dict[tuple[Diagram, Diagram, Diagram], Diagram] = field(default_factory=dict)
    _covers: dict[tuple[Diagram, Diagram], tuple[Diagram, tuple[tuple[int, int], ...]]] = field(default_factory=dict)

    def node(self, variable: int, low: Diagram, high: Diagram) -> Diagram:
        """`high` if the variable is true, `low` otherwise; both depend on later variables only."""
        if low == high:
            return low
        key = (variable, low, high)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.variable)
            self.variable.append(variable)
            self.low.append(low)
            self.high.append(high)
        return found

    def true_if(self, variable: int) -> Diagram:
        return self.node(variable, FALSE, TRUE)

    def choice(self, test: Diagram, then: Diagram, otherwise: Diagram) -> Diagram:
        """`then` if the test holds, and `otherwise` if it does not."""
        if test <= TRUE:
            return then if test else otherwise
        if then == otherwise:
            return then
        if then == TRUE and otherwise == FALSE:
            return test
        key = (test, then, otherwise)
        found = self._choices.get(key)
        if found is None:
            top = min(self.variable[test], self.variable[then], self.variable[otherwise])
            low = self.choice(*(self._half(each, top, False) for each in key))
            high = self.choice(*(self._half(each, top, True) for each in key))
            found = self._choices[key] = self.node(top, low, high)
        return found

    def _half(self, diagram: Diagram, variable: int, value: bool) -> Diagram:
        if self.variable[diagram] != variable:
            return diagram
        return self.high[diagram] if value else self.low[diagram]

    def both(self, left: Diagram, right: Diagram) -> Diagram:
        return self.choice(left, right, FALSE) if left < right else self.choice(right, left, FALSE)

    def either(self, left: Diagram, right: Diagram) -> Diagram:
        return self.choice(left, TRUE, right) if left < right else self.choice(right, TRUE, left)

    def neither(self, diagram: Diagram) -> Diagram:
        """The negation."""
        return self.choice(diagram, FALSE, TRUE)

    def all(self, diagrams: Iterable[Diagram]) -> Diagram:
        found = TRUE
        for diagram in diagrams:
            found = self.both(found, diagram)
        return found

    def any(self, diagrams: Iterable[Diagram]) -> Diagram:
        found = FALSE
        for diagram in diagrams:
            found = self.either(found, diagram)
        return found

    def implies(self, left: Diagram, right: Diagram) -> bool:
        return self.choice(left, right, TRUE) == TRUE

    def cube(self, true: int, false: int) -> Diagram:
        """The conjunction of the variables whose bits are in `true`, and of the negations of those in `false`."""
        found = TRUE
        for variable in reversed(range((true | false).bit_length())):
            if true >> variable & 1:
                found = self.node(variable, FALSE, found)
            elif false >> variable & 1:
                found = self.node(variable, found, FALSE)
        return found

    def cubes(self, diagram: Diagram) -> tuple[tuple[int, int], ...]:
        """Cubes, each as its true and its false variables, that together are the function; none can be left out, and
        no literal of a monotone function is negative."""
        return self._cover(diagram, diagram)[1]

    def _cover(self, least: Diagram, most: Diagram) -> tuple[Diagram, tuple[tuple[int, int], ...]]:
        """Irredundant cubes whose union lies between two functions, and that union (Minato, *Fast generation of
        irredundant sum-of-products forms*, SASIMI 1992)."""
        if least == FALSE:
            return FALSE, ()
        if most == TRUE:
            return TRUE, ((0, 0),)
        key = (least, most)
        found = self._covers.get(key)
        if found is None:
            top = min(self.variable[least], self.variable[most])
            low, most_low = self._half(least, top, False), self._half(most, top, False)
            high, most_high = self._half(least, top, True), self._half(most, top, True)
            only_low, low_cubes = self._cover(self.both(low, self.neither(most_high)), most_low)
            only_high, high_cubes = self._cover(self.both(high, self.neither(most_low)), most_high)
            low_rest = self.both(low, self.neither(only_low))
            high_rest = self.both(high, self.neither(only_high))
            rest, rest_cubes = self._cover(self.either(low_rest, high_rest), self.both(most_low, most_high))
            union = self.either(rest, self.node(top, only_low, only_high))
            bit = 1 << top
            negative = tuple((true, false | bit) for true, false in low_cubes)
            positive = tuple((true | bit, false) for true, false in high_cubes)
            found = self._covers[key] = (union, negative + positive + rest_cubes)
        return found
