"""How much work it may take to find out how a transition is taken backwards, measured in parts of expressions.

An expression over the state before can be exponentially longer than the effect that it comes from: a dozen times
`a = a + b; b = a + b` is enough. An expression that is looked at later is paid for by its length first.
"""

from __future__ import annotations

from scrimp.system.expressions import Expression
from scrimp.system.traverse import subexpressions

# About a second, and a few seconds; the models of the benchmarks take less than a tenth of both.
MOST_FOR_A_TRANSITION = 100_000
MOST_FOR_A_SYSTEM = 500_000


class Impossible(Exception):
    """A transition cannot be taken backwards; the text says why."""


class Work:
    """The work left for one system, and for the current transition."""

    def __init__(self) -> None:
        self._left = MOST_FOR_A_SYSTEM
        self._left_for_it = 0

    def begin(self) -> None:
        """Turn to another transition."""
        self._left_for_it = MOST_FOR_A_TRANSITION

    def pay(self, expression: Expression) -> Expression:
        """The same expression; raises Impossible if it is too long."""
        for _ in subexpressions(expression):
            self._left -= 1
            self._left_for_it -= 1
            if self._left_for_it < 0:
                raise Impossible("its effect is too long")
            if self._left < 0:
                raise Impossible("it and the transitions before it are too long")
        return expression
