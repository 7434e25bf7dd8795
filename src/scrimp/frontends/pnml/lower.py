"""From a net to its system: a variable per place, an event per transition.

A place that is known to hold at most k tokens has the type 0..k. Where k is 1, whatever adds a token to it asks for an
empty place first: the bound says that it always finds one, and code may test and set all such places of a word at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scrimp.frontends.pnml.net import Net, NetTransition
from scrimp.frontends.pnml.ptnet import MOST_TOKENS
from scrimp.system.expressions import FALSE, TRUE, Binary, BinaryOperator, Constant, Expression, Read
from scrimp.system.statements import Assert, Assign, Place, Statement
from scrimp.system.system import Move, Process, System, Transition, Variable
from scrimp.system.types import Range

Bounds = Sequence[int | None]

_PROCESS = Process("net", ("marking",), 0)


@dataclass(frozen=True, slots=True)
class Limits:
    """How many tokens places hold: never more than `bounds` where these are known. To pass `most`, or what `growing`
    says of a place that grows without bound, is a fault."""

    bounds: Bounds
    most: int = MOST_TOKENS
    growing: Mapping[int, int] = field(default_factory=dict)


def lower(net: Net, limits: Limits) -> System:
    """The system of a net."""
    return System(
        name=net.name,
        variables=tuple(
            Variable(place.name, _range(place.tokens, bound, limits.most), (place.tokens,))
            for place, bound in zip(net.places, limits.bounds, strict=True)
        ),
        channels=(),
        processes=(_PROCESS,),
        transitions=tuple(_lowered(net, transition, limits) for transition in net.transitions),
    )


def _range(tokens: int, bound: int | None, most: int) -> Range:
    return Range(0, max(tokens, most) if bound is None else bound, wraps=False)


def fireable(transition: NetTransition, bounds: Bounds) -> Expression:
    """Whether a transition is enabled."""
    tests = [*_needed(transition, bounds), *_inhibited(transition, bounds)]
    return FALSE if FALSE in tests else balanced("&&", tests, TRUE)


def balanced(operator: BinaryOperator, operands: Sequence[Expression], nothing: Expression) -> Expression:
    """Operands of an associative operator, nested no deeper than the logarithm of their number."""
    if len(operands) <= 1:
        return operands[0] if operands else nothing
    half = len(operands) // 2
    return Binary(operator, balanced(operator, operands[:half], nothing), balanced(operator, operands[half:], nothing))


def _lowered(net: Net, transition: NetTransition, limits: Limits) -> Transition:
    bounds = limits.bounds
    tests = [*_needed(transition, bounds), *_inhibited(transition, bounds), *_room(transition, bounds)]
    return Transition(
        (Move(0, 0, 0, transition.name, transition.position),),
        FALSE if FALSE in tests else balanced("&&", list(dict.fromkeys(tests)), TRUE),
        tuple(_effect(net, transition, limits)),
    )


def _needed(transition: NetTransition, bounds: Bounds) -> Iterator[Expression]:
    for place, weight in sorted(transition.needs.items()):
        bound = bounds[place]
        if bound is not None and bound < weight:
            yield FALSE
        elif bound == 1:
            yield Read(place)
        else:
            yield Binary("==" if bound == weight else ">=", Read(place), Constant(weight))


def _inhibited(transition: NetTransition, bounds: Bounds) -> Iterator[Expression]:
    for place, weight in sorted(transition.inhibitors.items()):
        bound = bounds[place]
        if bound is None or bound >= weight:
            yield _is_empty(place) if weight == 1 else Binary("<", Read(place), Constant(weight))


def _room(transition: NetTransition, bounds: Bounds) -> Iterator[Expression]:
    for place, added in sorted(transition.change.items()):
        if added > 0 and bounds[place] == 1:
            yield _is_empty(place)


def _is_empty(place: int) -> Expression:
    return Binary("==", Read(place), Constant(0))


def _effect(net: Net, transition: NetTransition, limits: Limits) -> Iterator[Statement]:
    for place in sorted(transition.resets):
        yield Assign(Place(place), Constant(transition.produces.get(place, 0)))
    for place, added in sorted(transition.change.items()):
        if added > 0:
            yield from _guarded(net, place, added, limits)
        operator: BinaryOperator = "+" if added > 0 else "-"
        yield Assign(Place(place), Binary(operator, Read(place), Constant(abs(added))))


def _guarded(net: Net, place: int, added: int, limits: Limits) -> Iterator[Statement]:
    """Where a place has a limit of its own, a fault that says so if more tokens would pass it."""
    name = net.places[place].name
    if place in limits.growing:
        most, told = limits.growing[place], f"place {name} grows without bound: here it passes"
    elif limits.bounds[place] is None and limits.most < MOST_TOKENS:
        most, told = limits.most, f"place {name} passes the limit of"
    else:
        return
    plural = "" if most == 1 else "s"
    yield Assert(Binary("<=", Read(place), Constant(most - added)), f"{told} {most} token{plural}")
