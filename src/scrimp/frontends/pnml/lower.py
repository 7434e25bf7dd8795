"""From a net to its system: variables and processes for the places, an event per transition.

A place that is known to hold at most k tokens has the type 0..k. If k is 1, every transition that adds a token to it
tests that it is empty: the bound implies that, but code can then test and set all such places of a word at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scrimp.frontends.pnml.net import Net, NetTransition, Weights
from scrimp.frontends.pnml.placement import Placement, location_names
from scrimp.frontends.pnml.ptnet import MOST_TOKENS
from scrimp.system.expressions import FALSE, TRUE, At, Binary, BinaryOperator, Constant, Expression, Read, Unary
from scrimp.system.nets import NetSystem
from scrimp.system.statements import Assert, Assign, Place, Statement
from scrimp.system.system import Move, Process, System, Transition, Variable
from scrimp.system.types import Range

Bounds = Sequence[int | None]

_NET = "net"


@dataclass(frozen=True, slots=True)
class TokenLimits:
    """Limits on the tokens of places. Known `bounds` are never exceeded. Exceeding `most`, or the limit in `growing` of
    a place that grows without bound, is a fault. The places of a set in `exclusive` never hold more than one token
    together."""

    bounds: Bounds
    most: int = MOST_TOKENS
    growing: Mapping[int, int] = field(default_factory=dict)
    exclusive: Sequence[frozenset[int]] = ()

    def range(self, place: int, tokens: int) -> Range:
        bound = self.bounds[place]
        return Range(0, max(tokens, self.most) if bound is None else bound, wraps=False)


@dataclass(frozen=True, slots=True)
class NetSource:
    """What a system was made from: event i is the net's transition `order[i]`."""

    net: Net
    placement: Placement
    limits: TokenLimits
    order: tuple[int, ...]


def source_of(system: System) -> NetSource | None:
    """What the system of a net was made from, unless a pass has changed it since."""
    source = system.source if isinstance(system, NetSystem) else None
    return source if isinstance(source, NetSource) else None


def lower(net: Net, placement: Placement, limits: TokenLimits) -> NetSystem:
    """The system of a net. Its transitions are ordered by the processes that lead them, then by their sources."""
    lowering = _Lowering(net, placement, limits)
    transitions = [lowering.transition(transition) for transition in net.transitions]
    leaders = [transition.moves[0] for transition in transitions]
    order = sorted(range(len(transitions)), key=lambda number: (leaders[number].process, leaders[number].source))
    system = NetSystem(
        name=net.name,
        variables=tuple(
            Variable(net.places[place].name, limits.range(place, net.places[place].tokens), (net.places[place].tokens,))
            for place in placement.variables
        ),
        channels=(),
        processes=tuple(_process(net, number, places) for number, places in enumerate(placement.processes)),
        transitions=tuple(transitions[number] for number in order),
        is_limited=None in limits.bounds,
    )
    object.__setattr__(system, "source", NetSource(net, placement, limits, tuple(order)))
    return system


def fireable(transition: NetTransition, placement: Placement, bounds: Bounds) -> Expression:
    """Whether a transition is enabled."""
    needed = [
        At(*placement.location[place]) if weight == 1 else FALSE
        for place, weight in transition.needs.items()
        if place in placement.location
    ]
    tests = [*needed, *_needed(transition, placement, bounds), *_inhibited(transition, placement, bounds)]
    return FALSE if FALSE in tests else balanced("&&", tests, TRUE)


def balanced(operator: BinaryOperator, operands: Sequence[Expression], nothing: Expression) -> Expression:
    """Operands of an associative operator as a balanced tree, of logarithmic depth."""
    if len(operands) <= 1:
        return operands[0] if operands else nothing
    half = len(operands) // 2
    return Binary(operator, balanced(operator, operands[:half], nothing), balanced(operator, operands[half:], nothing))


def _process(net: Net, number: int, places: Sequence[int | None]) -> Process:
    if number == 0:
        return Process(_NET, ("marking",), 0)
    marked = [location for location, place in enumerate(places) if place is not None and net.places[place].tokens]
    return Process(f"{_NET} {number}", location_names(net, places), marked[0] if marked else places.index(None))


class _NeverEnabled(Exception):
    """Firing a transition would contradict the known bounds of the net."""


@dataclass(frozen=True, slots=True)
class _Lowering:
    net: Net
    placement: Placement
    limits: TokenLimits

    def transition(self, transition: NetTransition) -> Transition:
        try:
            moves = self._moves(transition)
        except _NeverEnabled:
            return Transition((self._move(transition, 0, 0, 0),), FALSE)
        bounds = self.limits.bounds
        tests = [
            *_needed(transition, self.placement, bounds),
            *_inhibited(transition, self.placement, bounds),
            *self._room(transition),
        ]
        return Transition(
            moves or (self._move(transition, 0, 0, 0),),
            FALSE if FALSE in tests else balanced("&&", list(dict.fromkeys(tests)), TRUE),
            tuple(self._effect(transition)),
        )

    def _moves(self, transition: NetTransition) -> tuple[Move, ...]:
        """The moves of the processes. The one with the most locations leads: it rules out the transition most often."""
        location = self.placement.location
        nodes = dict.fromkeys((*transition.consumes, *transition.tests, *transition.produces))
        processes = dict.fromkeys(location[place][0] for place in nodes if place in location)
        moves = [self._move(transition, process, *self._way(transition, process)) for process in processes]
        return tuple(sorted(moves, key=lambda move: -len(self.placement.processes[move.process])))

    def _move(self, transition: NetTransition, process: int, source: int, target: int) -> Move:
        return Move(process, source, target, transition.name, transition.position, _NET)

    def _way(self, transition: NetTransition, process: int) -> tuple[int, int]:
        """The locations of a process before and after a transition. A process that receives a token and needs none is
        nowhere before: it never has two tokens."""
        needed, taken, given = (
            self._location(weights, process) for weights in (transition.needs, transition.consumes, transition.produces)
        )
        if needed is None:
            nowhere = self.placement.nowhere(process)
            return nowhere, nowhere if given is None else given
        if taken is not None:
            return needed, self.placement.nowhere(process) if given is None else given
        if given is not None:
            raise _NeverEnabled
        return needed, needed

    def _location(self, weights: Weights, process: int) -> int | None:
        """The location of a process that has a weight. There is at most one, of weight 1: a process has one token."""
        found = [
            (self.placement.location[place][1], weight)
            for place, weight in weights.items()
            if place in self.placement.location and self.placement.location[place][0] == process
        ]
        if sum(weight for _, weight in found) > 1:
            raise _NeverEnabled
        return found[0][0] if found else None

    def _room(self, transition: NetTransition) -> Iterator[Expression]:
        for place, added in sorted(transition.change.items()):
            if added > 0 and self.limits.bounds[place] == 1 and place in self.placement.variable:
                yield _is_empty(self.placement, place)

    def _effect(self, transition: NetTransition) -> Iterator[Statement]:
        variable = self.placement.variable
        for place in sorted(transition.resets):
            yield Assign(Place(variable[place]), Constant(transition.produces.get(place, 0)))
        for place, added in sorted(transition.change.items()):
            if place not in variable:
                continue
            if added > 0:
                yield from self._guarded(place, added)
            operator: BinaryOperator = "+" if added > 0 else "-"
            yield Assign(Place(variable[place]), Binary(operator, Read(variable[place]), Constant(abs(added))))

    def _guarded(self, place: int, added: int) -> Iterator[Statement]:
        """If a place has a limit of its own, an assertion that the added tokens do not exceed it."""
        limits, name = self.limits, self.net.places[place].name
        if place in limits.growing:
            most, complaint = limits.growing[place], f"place {name} grows without bound: here it exceeds"
        elif limits.bounds[place] is None and limits.most < MOST_TOKENS:
            most, complaint = limits.most, f"place {name} exceeds the limit of"
        else:
            return
        plural = "" if most == 1 else "s"
        room = Binary("<=", Read(self.placement.variable[place]), Constant(most - added))
        yield Assert(room, f"{complaint} {most} token{plural}")


def _needed(transition: NetTransition, placement: Placement, bounds: Bounds) -> Iterator[Expression]:
    """Tests for the tokens that places with a variable must hold."""
    for place, weight in sorted(transition.needs.items()):
        if place not in placement.variable:
            continue
        bound, tokens = bounds[place], placement.tokens(place)
        if bound is not None and bound < weight:
            yield FALSE
        elif bound == 1:
            yield tokens
        else:
            yield Binary("==" if bound == weight else ">=", tokens, Constant(weight))


def _inhibited(transition: NetTransition, placement: Placement, bounds: Bounds) -> Iterator[Expression]:
    for place, weight in sorted(transition.inhibitors.items()):
        bound = bounds[place]
        if bound is None or bound >= weight:
            yield (
                _is_empty(placement, place) if weight == 1 else Binary("<", placement.tokens(place), Constant(weight))
            )


def _is_empty(placement: Placement, place: int) -> Expression:
    tokens = placement.tokens(place)
    return Unary("!", tokens) if isinstance(tokens, At) else Binary("==", tokens, Constant(0))
