"""What of a model was never executed."""

from __future__ import annotations

from scrimp.result import Unreached
from scrimp.system.system import Move, System
from scrimp.vocabulary import Vocabulary


def unreached(system: System, vocabulary: Vocabulary, fired: bytes) -> tuple[Unreached, ...]:
    """The moves that no fired transition makes, in the order of the model's text. Of a process that could have been
    started and never was nothing is told: the statement that would have started it is, if nobody executed it."""
    made = [move for event, transition in enumerate(system.transitions) if fired[event] for move in transition.moves]
    reached = {(move.process, move.text, move.position) for move in made}
    started = {(move.process, system.mover(move)) for move in made}

    def is_news(move: Move) -> bool:
        there = vocabulary.place(system, move.process, system.processes[move.process].initial) != ""
        was_there = there or (move.process, system.mover(move)) in started
        return was_there and (move.process, move.text, move.position) not in reached

    told = (t.moves if vocabulary.marking is None else t.moves[:1] for t in system.transitions)
    moves = {move for moves in told for move in moves if is_news(move)}
    return tuple(
        Unreached(system.mover(move), move.text, move.position.line, move.position.column, move.position.file)
        for move in sorted(moves, key=lambda move: (move.position.line, move.position.column, move.process))
    )
