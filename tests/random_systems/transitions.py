"""Random transitions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tests.random_systems.statements import Statements

from scrimp.system.expressions import TRUE, Binary, Constant, Expression, Length, Timeout, conjunction
from scrimp.system.statements import Dequeue, Enqueue, If, Statement
from scrimp.system.system import Kind, Move, Position, Transition


class Transitions(Statements):
    """Draws transitions between the locations of `processes`."""

    def transitions(self) -> tuple[Transition, ...]:
        """Of each process in turn, then those of several processes."""
        result: list[Transition] = []
        for process in range(len(self.processes)):
            result += self.some(self.profile.transitions, partial(self.single_transition, process))
        if len(self.processes) > 1:
            result += self.some(self.profile.shared_transitions, self.shared_transition)
        return tuple(result)

    def single_transition(self, process: int, number: int) -> Transition:
        """The first ones leave each location in turn, so that few locations are dead ends."""
        locations = len(self.processes[process].locations)
        source = number if number < locations else self.number(0, locations - 1)
        return self.transition((self.move(process, source, number),))

    def shared_transition(self, number: int) -> Transition:
        return self.transition(self.several_moves(number))

    def move(self, process: int, source: int, number: int) -> Move:
        locations = len(self.processes[process].locations)
        target = self.number(0, locations - 1) if self.chance(30) else (source + 1) % locations
        name = f"other {process}" if number % 7 == 6 else ""
        return Move(process, source, target, f"step {number}", Position(number + 1, process + 1), name)

    def several_moves(self, number: int) -> tuple[Move, ...]:
        movers = list(range(len(self.processes)))
        wanted = 3 if len(movers) > 2 and self.chance(self.profile.triples) else 2
        while len(movers) > wanted:
            movers.pop(self.number(0, len(movers) - 1))
        if self.chance(50):
            movers.reverse()
        return tuple(self.move(p, self.number(0, len(self.processes[p].locations) - 1), number) for p in movers)

    def transition(self, moves: tuple[Move, ...]) -> Transition:
        movers = tuple(move.process for move in moves)
        self.enter_scope(tuple(range(len(self.processes))) if self.chance(self.profile.foreign) else movers)
        self.timeouts = self.profile.timeouts // 4
        guard = self.truth(self.profile.depth) if self.chance(40) else TRUE
        effect = self.effect(self.profile.statements, nesting=1)
        protection = () if self.chance(self.faults) else self.channel_tests(effect)
        leaves_committed = any((move.process, move.source) in self.committed_locations for move in moves)
        urgent = leaves_committed != self.chance(10)
        kind = self.pick((Kind.OTHER, *Kind))
        waits = (Timeout(),) if self.maybe(self.profile.timeouts) else ()
        return Transition(
            moves,
            conjunction(*protection, *waits, guard),
            effect,
            kind,
            urgent,
            holder=self.holder(movers) if self.maybe(self.profile.holders) else None,
            steps=self.pick((2, 0, 3)) if self.maybe(self.profile.odd_steps) else 1,
        )

    def holder(self, movers: tuple[int, ...]) -> int | None:
        """A claim has exclusive control only after its own moves, and nobody else has it then."""
        holder = self.number(0, len(self.processes) - 1) if self.chance(25) else movers[0]
        if self.claim == movers[0]:
            return self.claim
        return None if holder == self.claim else holder

    def enter_scope(self, movers: tuple[int, ...]) -> None:
        """Expressions and statements from here on use the global variables and those of `movers`."""
        self.readable = [i for i, v in enumerate(self.variables) if v.owner is None or v.owner in movers]
        self.writable = self.readable

    def channel_tests(self, effect: Sequence[Statement]) -> list[Expression]:
        """Tests that there is room for every message that `effect` may send, and a message for each receive."""
        sends = [0] * len(self.channels)
        receives = [0] * len(self.channels)
        for statement in _flatten(effect):
            if isinstance(statement, Enqueue):
                sends[statement.channel] += 1
            elif isinstance(statement, Dequeue):
                receives[statement.channel] += 1
        tests: list[Expression] = []
        for number, channel in enumerate(self.channels):
            if sends[number]:
                tests.append(Binary("<=", Length(number), Constant(channel.capacity - sends[number])))
            if receives[number]:
                tests.append(Binary(">=", Length(number), Constant(receives[number])))
        return tests


def _flatten(effect: Sequence[Statement]) -> list[Statement]:
    result: list[Statement] = []
    for statement in effect:
        if isinstance(statement, If):
            result += [*_flatten(statement.then), *_flatten(statement.otherwise)]
        else:
            result.append(statement)
    return result
