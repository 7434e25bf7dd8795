"""Watches: the questions asked of every visited state, numbered as the bits of the machine's `watch` function.

Bit i is set if watch i is hit: an invariant is violated, a goal is reached, or the expression cannot be evaluated.
There are 64 bits; if more invariants are watched, the last bit stands for all that have no bit of their own, and the
reference interpreter finds out which of them was violated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.errors import OptionError
from scrimp.system import reference
from scrimp.system.expressions import Expression, Unary, disjunction
from scrimp.system.reference import EvaluationFault, State
from scrimp.system.system import Invariant, System

BITS = 64


@dataclass(frozen=True, slots=True)
class Watches:
    """The goals, which take the first bits, and the invariants, which take those after them."""

    goals: tuple[Invariant, ...]
    invariants: tuple[Invariant, ...]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """One expression per bit, true if the watch is hit."""
        goals = tuple(goal.test for goal in self.goals)
        hits = tuple(Unary("!", invariant.test) for invariant in self.invariants)
        room = BITS - len(goals)
        if len(hits) <= room:
            return goals + hits
        return (*goals, *hits[: room - 1], disjunction(*hits[room - 1 :]))

    @property
    def goal_mask(self) -> int:
        return (1 << len(self.goals)) - 1

    @property
    def violation_mask(self) -> int:
        return ((1 << len(self.expressions)) - 1) & ~self.goal_mask

    def name(self, bit: int) -> str:
        """The goal or invariant of a bit, in the words of the model or the user."""
        watched = self.goals + self.invariants
        last = len(self.expressions) - 1
        return watched[bit].name if bit < last or len(watched) == last + 1 else "one of the other invariants"

    def violated(self, system: System, state: State) -> list[tuple[str, str]]:
        """Name and message of every invariant that does not hold in a state."""
        found = []
        for invariant in self.invariants:
            try:
                if not reference.evaluate(system, state, invariant.test):
                    found.append((invariant.name, f"{invariant.name} does not hold"))
            except EvaluationFault as fault:
                found.append((invariant.name, f"{invariant.name} cannot be evaluated: {fault}"))
        return found

    def reached(self, system: System, state: State, bit: int) -> bool:
        """Whether a goal really holds in a state; raises OptionError if it cannot be evaluated."""
        goal = self.goals[bit]
        try:
            return reference.evaluate(system, state, goal.test) != 0
        except EvaluationFault as fault:
            raise OptionError(f"{goal.name} cannot be evaluated in a reachable state: {fault}") from None


def watch_goals(goals: Sequence[Invariant], invariants: Sequence[Invariant]) -> Watches:
    if len(goals) >= BITS:
        raise OptionError(f"at most {BITS - 1} states to reach can be asked for at once, found {len(goals)}")
    return Watches(tuple(goals), tuple(invariants))
