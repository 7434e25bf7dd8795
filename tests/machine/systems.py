"""Small hand-made systems, for one behaviour each."""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.system.expressions import TRUE, Constant, Expression
from scrimp.system.statements import Assign, Place, Statement
from scrimp.system.system import Channel, Move, Position, Process, System, Transition, Variable
from scrimp.system.types import BYTE, Range


def variable(*initial: int, type_: Range = BYTE, owner: int | None = None) -> Variable:
    """A scalar for one initial value, an array for several."""
    return Variable("x", type_, initial, len(initial) if len(initial) > 1 else None, owner)


def assign(number: int, value: Expression | int, index: Expression | int | None = None) -> Assign:
    return Assign(Place(number, _expression(index)), _expression(value) or TRUE)


def step(
    *effect: Statement,
    guard: Expression = TRUE,
    process: int = 0,
    source: int = 0,
    target: int = 0,
    urgent: bool = False,
    holder: int | None = None,
    steps: int = 1,
) -> Transition:
    move = Move(process, source, target, "step", Position(1, 1))
    return Transition((move,), guard, effect, urgent=urgent, holder=holder, steps=steps)


def meeting(first: tuple[int, int, int], second: tuple[int, int, int]) -> Transition:
    """A rendezvous; each move is a process, its source and its target."""
    return Transition(tuple(Move(*move, "meet", Position(1, 1)) for move in (first, second)))


def system(
    variables: Sequence[Variable] = (),
    transitions: Sequence[Transition] = (),
    *,
    channels: Sequence[Channel] = (),
    locations: Sequence[int] = (1,),
    committed: Expression | None = None,
    valid_end: Expression | None = None,
    offers: Sequence[tuple[int, Expression]] = (),
    claim: int | None = None,
) -> System:
    """Processes have as many locations as `locations` says and start at the first."""
    processes = [
        Process(f"P{number}", tuple(f"l{place}" for place in range(count)), 0) for number, count in enumerate(locations)
    ]
    return System(
        "test",
        tuple(variables),
        tuple(channels),
        tuple(processes),
        tuple(transitions),
        committed=committed,
        valid_end=valid_end,
        offers=tuple(offers),
        claim=claim,
    )


def _expression(value: Expression | int | None) -> Expression | None:
    return Constant(value) if isinstance(value, int) else value
