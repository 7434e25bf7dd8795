"""The transitions of a system: one per way to execute an edge, in SPIN's order. That is the youngest process first, its
edges as its state machine lists them, and the partners of a handshake in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scrimp.frontends.promela.automata.automaton import DStep
from scrimp.frontends.promela.lowering.d_steps import Body, after_first, inner_transitions, straight_effect
from scrimp.frontends.promela.lowering.executability import Executability
from scrimp.frontends.promela.lowering.handshakes import Half, sent_values
from scrimp.frontends.promela.lowering.problems import problem
from scrimp.frontends.promela.lowering.statements import Alternative
from scrimp.frontends.promela.lowering.vocabulary import channel_name, field_names
from scrimp.frontends.promela.planning.world import ABSENT, Exit, Instance, World, plain_name
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import FALSE, Constant, Expression, conjunction
from scrimp.system.statements import Assert, Assign, Place, Statement
from scrimp.system.system import Kind, Move, Transition
from scrimp.system.violations import ViolationKind
from scrimp.vocabulary import Handshake

CLAIM_COMPLETED = "the never claim is completed"


class Transitions:
    """Makes the transitions, and records SPIN's number of the statement of each move, and the message of each
    handshake."""

    def __init__(self, world: World, executability: Executability) -> None:
        self._world = world
        self._executability = executability
        self._places_inside: dict[tuple[int, str, int, int, int], int] = {}
        self._inside: set[tuple[int, int]] = set()
        self._passed: dict[tuple[tuple[Move, ...], Expression], Handshake] = {}
        self.statements: dict[Move, int] = {}

    def all(self) -> list[Transition]:
        world = self._world
        made = [transition for instance in reversed(world.instances) for transition in self._of(instance)]
        if world.claim is not None:
            made += self._of_claim(world.claim)
        return made if world.last is None else [self._with_last(transition, world.last) for transition in made]

    def handshakes(self, transitions: list[Transition]) -> dict[int, Handshake]:
        """The messages of handshakes, by event."""
        keys = ((event, (transition.moves, transition.guard)) for event, transition in enumerate(transitions))
        return {event: self._passed[key] for event, key in keys if key in self._passed}

    def _of(self, instance: Instance) -> Iterator[Transition]:
        """The transitions that an instance leads, including handshakes in which it sends."""
        for exit_ in instance.exits():
            tried = self._executability.tried(exit_)
            if tried == FALSE:
                continue
            if isinstance(exit_.edge.statement, DStep):
                yield from self._d_step(exit_, exit_.edge.statement, tried)
                continue
            for alternative in self._executability.alternatives(exit_):
                guard = conjunction(tried, alternative.guard)
                if guard != FALSE and alternative.guard != FALSE:
                    yield self._transition(exit_, alternative._replace(guard=guard))
            for sender in self._executability.offered(exit_):
                yield from self._met(sender, tried)

    def _transition(self, exit_: Exit, alternative: Alternative) -> Transition:
        others = () if alternative.other is None else (alternative.other,)
        return Transition(
            (self._move(exit_), *others),
            alternative.guard,
            alternative.effect,
            alternative.kind,
            holder=exit_.instance.slot if exit_.edge.atomic else None,
        )

    def _move(self, exit_: Exit) -> Move:
        instance, edge = exit_.instance, exit_.edge
        target = instance.locations[edge.target] if edge.target else ABSENT
        source = instance.locations[exit_.state]
        move = Move(instance.slot, source, target, edge.text, edge.position, instance.display_name)
        self.statements[move] = edge.identifier
        return move

    def _move_inside(self, exit_: Exit, stop: int) -> Move:
        """The move to a node inside a `d_step`."""
        inside = replace(self._move(exit_), target=self._place_inside(exit_, stop))
        self.statements[inside] = exit_.edge.identifier
        return inside

    def _place_inside(self, exit_: Exit, stop: int) -> int:
        """The location of a node inside a `d_step`."""
        instance, state, identifier = exit_.instance, exit_.state, exit_.edge.identifier
        key = (instance.slot, instance.name, state, identifier, stop)
        if key not in self._places_inside:
            name = f"{plain_name(instance.proctype)}.s{state}.{identifier}.{stop}"
            self._places_inside[key] = self._world.add_location(instance.slot, name)
            self._inside.add((instance.slot, self._places_inside[key]))
        return self._places_inside[key]

    def _d_step(self, exit_: Exit, step: DStep, tried: Expression) -> Iterator[Transition]:
        statements = self._executability.statements(exit_.instance)
        guard = conjunction(tried, self._executability.alone(exit_))
        if not Body(step).loop_heads():
            yield self._transition(exit_, Alternative(guard, straight_effect(statements, step), Kind.OTHER))
            return
        slot = exit_.instance.slot
        stops, inner = inner_transitions(statements, step)
        places = {stop: self._place_inside(exit_, stop) for stop in stops}
        yield Transition((self._move_inside(exit_, 0),), guard, (), Kind.OTHER, holder=slot, steps=0)
        move = self._move(exit_)
        for part in inner:
            ended = part.target is None
            target = move.target if part.target is None else places[part.target]
            yield Transition(
                (replace(move, source=places[part.source], target=target),),
                part.guard,
                part.effect,
                Kind.OTHER,
                holder=slot if exit_.edge.atomic or not ended else None,
                steps=int(ended),
            )

    def _met(self, sender: Half, tried: Expression) -> Iterator[Transition]:
        """The handshakes of a sender."""
        name = channel_name(self._world, sender.channel)
        passed = Handshake(name, sent_values(sender), field_names(self._world, sender.channel))
        for receiver, accepted, effect in self._executability.partners.of(sender):
            instance = receiver.exit.instance
            move, further, goes_on = self._accepted(receiver)
            moves = self._move(sender.exit), move
            guard = conjunction(tried, accepted)
            self._passed[moves, guard] = passed
            yield Transition(
                moves,
                guard,
                (*effect, *further),
                Kind.SEND,
                holder=instance.slot if goes_on else None,
                steps=2 if move.target in instance.locations.values() else 1,
            )

    def _accepted(self, receiver: Half) -> tuple[Move, tuple[Statement, ...], bool]:
        """The move of a handshake's receiver, its effect after the receive, and whether it has exclusive control then.
        If the receive begins a `d_step`, the rest of that is executed as well."""
        edge = receiver.exit.edge
        step = edge.statement
        if not isinstance(step, DStep):
            return self._move(receiver.exit), (), edge.atomic
        if not Body(step).loop_heads():
            effect = straight_effect(receiver.statements, step, step.nodes[0].then)
            return self._move(receiver.exit), effect, edge.atomic
        effect, stop = after_first(receiver.statements, step)
        if stop is None:
            return self._move(receiver.exit), effect, edge.atomic
        return self._move_inside(receiver.exit, stop), effect, True

    def _of_claim(self, claim: Instance) -> Iterator[Transition]:
        """The claim's own moves; reaching the claim's end is a violation."""
        ends = {claim.locations[state] for state in claim.automaton.end_states & claim.locations.keys()}
        completed = Assert(FALSE, CLAIM_COMPLETED, fatal=False, kind=ViolationKind.NEVER)
        if claim.automaton.initial in claim.automaton.end_states:
            first = self._move(next(claim.exits()))
            stays = replace(first, target=first.source, text="end")
            yield Transition((stays,), effect=(replace(completed, fatal=True),))
        for exit_ in claim.exits():
            if exit_.state in claim.automaton.end_states:
                continue
            for transition in self._claimed(exit_):
                is_last = transition.moves[0].target in ends
                yield replace(transition, effect=(*transition.effect, completed)) if is_last else transition

    def _claimed(self, exit_: Exit) -> Iterator[Transition]:
        """The moves of a claim along one edge."""
        _require_no_messages(exit_)
        tried = self._executability.not_escaped(exit_)
        if isinstance(exit_.edge.statement, DStep):
            yield from self._d_step(exit_, exit_.edge.statement, tried)
            return
        for alternative in self._executability.alternatives(exit_):
            guard = conjunction(tried, alternative.guard)
            if guard != FALSE:
                yield self._transition(exit_, alternative._replace(guard=guard))

    def _with_last(self, transition: Transition, last: int) -> Transition:
        """A transition that also writes `_last`; a `d_step` does so when it ends."""
        mover = transition.moves[-1] if transition.kind is Kind.SEND else transition.moves[0]
        if self._world.claim is not None and mover.process == self._world.claim.slot:
            return transition
        if len(transition.moves) == 1 and (mover.process, mover.target) in self._inside:
            return transition
        return replace(transition, effect=(*transition.effect, Assign(Place(last), Constant(mover.process))))


def _require_no_messages(exit_: Exit) -> None:
    """A claim watches the processes: it neither sends nor receives."""
    for part in syntax.walk(exit_.edge.statement):
        if isinstance(part, syntax.Send | syntax.Receive):
            text = "a send" if isinstance(part, syntax.Send) else "a receive"
            raise problem(part.position, f"found {text} in a never claim, expected a condition, such as a poll c?[1]")
        if isinstance(part, syntax.Run):
            raise problem(part.position, "found 'run' in a never claim, which cannot start processes")
