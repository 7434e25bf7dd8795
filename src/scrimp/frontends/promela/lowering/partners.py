"""The receivers that can meet a sender in a rendezvous."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from scrimp.frontends.old_values import OldValues
from scrimp.frontends.promela.automata.automaton import DStep
from scrimp.frontends.promela.lowering.expressions import folded
from scrimp.frontends.promela.lowering.handshakes import Half, exchange, halves
from scrimp.frontends.promela.lowering.statements import StatementLowering
from scrimp.frontends.promela.planning.world import Instance, World
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import FALSE, Expression, Unary, conjunction
from scrimp.system.statements import Statement


class Partner(NamedTuple):
    """A receiver that accepts a sender's message if `guard` holds, and the effect of the handshake."""

    receiver: Half
    guard: Expression
    effect: tuple[Statement, ...]


class Partners:
    def __init__(self, world: World, statements_of: Callable[[Instance], StatementLowering]) -> None:
        self._old = OldValues(world.storage.variables)
        self._receivers: list[list[Half]] = [
            [
                half
                for instance in instances
                for exit_ in instance.exits()
                if isinstance(exit_.edge.statement, syntax.Receive | DStep)
                for half in halves(statements_of(instance), exit_)
            ]
            for instances in world.slots
        ]

    def of(self, sender: Half) -> Iterator[Partner]:
        """The receivers that may accept a sender's message, those of the youngest process first."""
        for slot in reversed(range(len(self._receivers))):
            if slot == sender.exit.instance.slot:
                continue
            for receiver in self._receivers[slot]:
                if receiver.channel is not sender.channel:
                    continue
                matches, effect = exchange(sender, receiver, self._old)
                tests = (sender.test, receiver.test, self._is_tried(sender, receiver), matches)
                if FALSE not in tests:
                    yield Partner(receiver, conjunction(receiver.exit.is_here, *tests), effect)

    def _is_tried(self, sender: Half, receiver: Half) -> Expression:
        """Whether SPIN tries this receive in a handshake: other receives may be escapes that take precedence."""
        tests = [receiver.statements.is_provided()]
        for other in self._receivers[receiver.exit.instance.slot]:
            if other.channel is sender.channel and _takes_precedence(other, receiver):
                tests.append(folded(Unary("!", conjunction(other.test, exchange(sender, other, self._old)[0]))))
        return FALSE if FALSE in tests else conjunction(*tests)


def _takes_precedence(one: Half, other: Half) -> bool:
    """Whether a receive belongs to an escape that is tried before the other, in the same state of a process."""
    same_state = one.exit.key[:3] == other.exit.key[:3]
    return (
        same_state and one.exit.ordinal < other.exit.ordinal and one.exit.edge.escape not in (0, other.exit.edge.escape)
    )
