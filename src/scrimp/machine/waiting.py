"""Which transitions test timeouts."""

from __future__ import annotations

from scrimp.system.expressions import Timeout
from scrimp.system.system import Transition
from scrimp.system.traverse import evaluated_in, subexpressions


def waits(transition: Transition) -> bool:
    tests = (transition.guard, *evaluated_in(transition.effect))
    return any(isinstance(part, Timeout) for test in tests for part in subexpressions(test))
