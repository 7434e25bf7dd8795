"""Which parts of a model were never executed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scrimp.record import Unreached
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.system import Move, Position, System
from scrimp.vocabulary import Vocabulary


def unreached(
    system: System, vocabulary: Vocabulary, fired: bytes, starting: bytes | None = None
) -> tuple[Unreached, ...]:
    """The moves that no fired transition makes, in the order of the model's text. Those of a process that was never
    started are not listed: the statement that would have started it is, if it was never executed. `starting` are the
    transitions that are known to be fired if `fired` includes others."""
    if isinstance(system, ExplicitSystem):
        edges = (event for event in range(system.graph.edges) if not fired[event])
        return tuple(_unreached(system, system.transitions[event].moves[0]) for event in edges)
    if vocabulary.marking is not None:
        return _unreached_in_net(system, fired)
    reached = {(move.process, move.text, move.position) for move in _made(system, fired)}
    started = {(move.process, system.mover(move)) for move in _made(system, fired if starting is None else starting)}

    def is_news(move: Move) -> bool:
        there = vocabulary.place(system, move.process, system.processes[move.process].initial) != ""
        was_there = there or (move.process, system.mover(move)) in started
        return was_there and (move.process, move.text, move.position) not in reached

    moves = {move for transition in system.transitions for move in transition.moves if is_news(move)}
    in_order = sorted(moves, key=lambda move: (move.position.line, move.position.column, move.process))
    return tuple(_unreached(system, move) for move in in_order)


def _made(system: System, fired: bytes) -> Iterator[Move]:
    for event, transition in enumerate(system.transitions):
        if fired[event]:
            yield from transition.moves


def _unreached(system: System, move: Move) -> Unreached:
    return Unreached(system.mover(move), move.text, move.position.line, move.position.column, move.position.file)


def _unreached_in_net(system: System, fired: bytes) -> tuple[Unreached, ...]:
    """The transitions of a net that never fired under any binding. The bindings of a transition are at one place in the
    text, and the words before their colours are the transition's name."""
    moves: dict[Position, list[Move]] = {}
    for transition in system.transitions:
        moves.setdefault(transition.moves[0].position, []).append(transition.moves[0])
    for event, transition in enumerate(system.transitions):
        if fired[event]:
            moves.pop(transition.moves[0].position, None)
    alike = sorted(moves.values(), key=lambda bindings: (bindings[0].position.line, bindings[0].position.column))
    named = [replace(first, text=first.text.partition("(")[0]) if others else first for first, *others in alike]
    return tuple(_unreached(system, move) for move in named)
