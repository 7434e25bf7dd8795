"""A plan: which proctypes may run in which slot, and which `run` starts a process in which slot.

A process has the slot of its number (`_pid`). A system has room only for the runs of its plan: if the model executes
another, the search stops (see Outgrow) and is repeated with a larger plan. forecast.py makes the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scrimp.frontends.promela.automata.automaton import Edge
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Expression

MOST_PROCESSES = 255


@dataclass(frozen=True, order=True)
class Start:
    """A `run` on edge `edge` of the process in slot `creator` that starts a process in slot `slot`."""

    creator: int
    edge: int
    slot: int


@dataclass(frozen=True)
class Plan:
    """`slots` lists the proctypes of each slot. `starts` has the arguments of each start, None if not foreseen; a start
    with other arguments also outgrows the plan. `any_channel`: numbers of channels may be computed in any way.
    `any_number`: so many processes may be started that their numbers run out if none of them ends."""

    slots: tuple[tuple[str, ...], ...]
    starts: Mapping[Start, tuple[int | None, ...]]
    any_channel: bool = False
    any_number: bool = False

    def with_start(self, start: Start, proctype: str, arguments: tuple[int | None, ...]) -> Plan:
        slots = [list(names) for names in self.slots]
        while len(slots) <= start.slot:
            slots.append([])
        if proctype not in slots[start.slot]:
            slots[start.slot].append(proctype)
        known = self.starts.get(start)
        merged = (
            arguments if known is None else tuple(a if a == b else None for a, b in zip(arguments, known, strict=True))
        )
        return replace(self, slots=tuple(map(tuple, slots)), starts={**self.starts, start: merged})

    def with_arguments(self, starts: Mapping[Start, tuple[int | None, ...]]) -> Plan:
        """The plan with these starts and their arguments as given; the slots must have room for them."""
        return replace(self, starts={**self.starts, **starts})


def run_of(edge: Edge) -> syntax.Run | None:
    """The `run` in an edge's statement."""
    match edge.statement:
        case syntax.Condition(value) | syntax.Assign(_, value):
            return next((node for node in within(value) if isinstance(node, syntax.Run)), None)
    return None


def within(expression: Expression) -> Iterator[Expression]:
    """An expression and its subexpressions, except the arguments of `run`."""
    yield expression
    match expression:
        case syntax.Prefix(_, operand):
            yield from within(operand)
        case syntax.Infix(_, left, right):
            yield from within(left)
            yield from within(right)
        case syntax.Choice(test, then, otherwise):
            for part in (test, then, otherwise):
                yield from within(part)
