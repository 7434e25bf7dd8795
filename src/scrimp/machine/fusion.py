"""Fusion: transitions that always follow one another without a stored state between them become one in native code.

After a transition with a holder, that process has exclusive control. If it has exactly one transition at its new
location and that one is always enabled, the two are fused: between them is a transient state with one event, which no
search stores, counts or looks at. The search then fires one event for a chain of them; `Fused.events` has the chain,
and a replay of a finding fires its events one by one. An event that may fail without being a fault ends its chain: so a
chain fails at most once, at its end. The moves of a claim are not fused: where the last of them leads depends on whose
turn it was before the first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scrimp.system.expressions import TRUE, At, Timeout
from scrimp.system.statements import Assert, Outgrow
from scrimp.system.system import System, Transition
from scrimp.system.traverse import evaluated_in, subexpressions, substatements

MOST_STEPS = 255
MOST_EVENTS = 64


@dataclass(frozen=True)
class Fused:
    """A system whose transitions stand for chains of another system's: transition i for `events[i]`."""

    system: System
    events: tuple[tuple[int, ...], ...]


def unfused(system: System) -> Fused:
    """Every transition is a chain of its own."""
    return Fused(system, tuple((event,) for event in range(len(system.transitions))))


def fuse(system: System) -> Fused:
    """Fuse every transition with those that must follow it. A chain has the position of its first event; an event that
    is only fired within chains keeps its position, too, although it is unreachable there."""
    followers = _Followers(system)
    chains = tuple(followers.chain(event) for event in range(len(system.transitions)))
    transitions = tuple(_joined([system.transitions[event] for event in chain]) for chain in chains)
    return Fused(replace(system, transitions=transitions), chains)


class _Followers:
    def __init__(self, system: System) -> None:
        self.system = system
        self.plain = [self._is_plain(transition) for transition in system.transitions]

    def chain(self, first: int) -> tuple[int, ...]:
        """The events from `first` on, each of which must follow the previous one."""
        chain = [first]
        steps = self.system.transitions[first].steps
        while len(chain) < MOST_EVENTS:
            following = self._follower(self.system.transitions[chain[-1]])
            if following is None or following in chain:
                break
            steps += self.system.transitions[following].steps
            if steps > MOST_STEPS:
                break
            chain.append(following)
        return tuple(chain)

    def _follower(self, transition: Transition) -> int | None:
        """The only event with which the holder can continue; None if there may be several, or none."""
        holder = transition.holder
        target = next((move.target for move in transition.moves if move.process == holder), None)
        if holder in (None, self.system.claim) or target is None or _may_fail(transition):
            return None
        assert holder is not None
        events = self.system.leaving.get((holder, target), ())
        return events[0] if len(events) == 1 and self.plain[events[0]] else None

    def _is_plain(self, transition: Transition) -> bool:
        """Whether a transition is enabled whenever its process is at its source, moves no other process and tests no
        location: the moves of a chain are made after all its effects are executed."""
        parts = (part for expression in evaluated_in(transition.effect) for part in subexpressions(expression))
        return (
            len(transition.moves) == 1
            and transition.guard == TRUE
            and (transition.urgent or self.system.committed is None)
            and not any(isinstance(statement, Outgrow) for statement in substatements(transition.effect))
            and not any(isinstance(part, At | Timeout) for part in parts)
        )


def _may_fail(transition: Transition) -> bool:
    """Whether a transition has a non-fatal assertion."""
    return any(isinstance(statement, Assert) and not statement.fatal for statement in substatements(transition.effect))


def _joined(chain: list[Transition]) -> Transition:
    first, last = chain[0], chain[-1]
    if len(chain) == 1:
        return first
    target = last.moves[0].target
    return replace(
        first,
        moves=tuple(
            replace(move, target=target) if move.process == last.moves[0].process else move for move in first.moves
        ),
        effect=tuple(statement for transition in chain for statement in transition.effect),
        holder=last.holder,
        steps=sum(transition.steps for transition in chain),
    )
