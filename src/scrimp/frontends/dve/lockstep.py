"""`system sync`: all processes take a step at once. Each combination of steps is a transition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from scrimp.errors import ModelError
from scrimp.frontends.dve.interleaving import kind_of
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.steps import Step
from scrimp.frontends.old_values import OldValues
from scrimp.system.expressions import FALSE, conjunction
from scrimp.system.statements import Assert, Statement
from scrimp.system.system import Transition

MOST_COMBINATIONS = 50_000


def combine(
    source: Source, offset: int, steps: Sequence[Sequence[Step]], old_values: OldValues
) -> Iterator[Transition]:
    """The transitions of a synchronous system, declared at `offset`, from the steps of each process."""
    for step in (step for of_process in steps for step in of_process):
        _require_plain(source, step)
    combinations = prod(len(of_process) for of_process in steps)
    if combinations > MOST_COMBINATIONS:
        raise _too_many(source, offset, combinations)
    for combination in product(*steps):
        guard = conjunction(*(step.guard for step in combination))
        effect = _effect(combination, old_values)
        yield Transition(tuple(step.move for step in combination), guard, effect, kind_of(guard, effect))


def _effect(combination: Sequence[Step], old_values: OldValues) -> tuple[Statement, ...]:
    """All effects, each of which reads the values before the step. If two processes write the same variable, it is a
    fault at run time, as in DiVinE."""
    writers: dict[int, int] = {}
    for step in combination:
        for assign in step.effect:
            variable = assign.place.variable
            if writers.setdefault(variable, step.move.process) != step.move.process:
                return (Assert(FALSE, f"two processes assign to {old_values.variables[variable].name} in one step"),)
    return old_values.preserved([step.effect for step in combination], indices_too=True)


def _require_plain(source: Source, step: Step) -> None:
    if step.communication is not None:
        raise source.error(step.offset, "a process of a synchronous system cannot use channels")
    if step.committed:
        raise source.error(step.offset, "a process of a synchronous system cannot have committed states")


def _too_many(source: Source, offset: int, combinations: int) -> ModelError:
    return source.error(
        offset,
        f"this synchronous system has {combinations:,} combinations of one transition per process, "
        f"expected at most {MOST_COMBINATIONS:,}",
    )
