"""The processes that the events of native code move, for fairness: the tables of `Movers` in
engine/search/liveness/automaton.h."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrimp.fairness import Fairness
from scrimp.system.system import System, Transition

WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Movers:
    """`of_event` has a bit for each process, in as many words as it takes, for each event; `varies` has a byte: whether
    other processes may move on the way through transient states that the event begins. Only fair processes count;
    `strong` has the bits of those that are strongly fair."""

    processes: int
    strong: bytes
    of_event: bytes
    varies: bytes


NO_MOVERS = Movers(0, b"", b"", b"")


def movers(system: System, chains: Sequence[tuple[int, ...]], fair: Mapping[int, Fairness]) -> Movers:
    """The fair processes that each chain of events moves."""
    set_bytes = (len(fair) + WORD_BITS - 1) // WORD_BITS * 8
    bit = {process: 1 << place for place, process in enumerate(sorted(fair))}
    own = [_bits(transition, bit) for transition in system.transitions]
    later = _later(system, own)
    of_event, varies = bytearray(), bytearray()
    for chain in chains:
        moved = 0
        for event in chain:
            moved |= own[event]
        holder = system.transitions[chain[-1]].holder
        of_event += moved.to_bytes(set_bytes, "little")
        varies.append(holder is not None and later[holder] & ~moved != 0)
    strong = sum(bit[process] for process, fairness in fair.items() if fairness is Fairness.STRONG)
    return Movers(len(fair), strong.to_bytes(set_bytes, "little"), bytes(of_event), bytes(varies))


def _bits(transition: Transition, bit: Mapping[int, int]) -> int:
    moved = 0
    for move in transition.moves:
        moved |= bit.get(move.process, 0)
    return moved


def _later(system: System, own: Sequence[int]) -> Mapping[int, int]:
    """For each process: those that may move while it has exclusive control, and then the processes to which it passes
    that control."""
    found = dict.fromkeys(range(len(system.processes)), 0)
    passes: dict[int, set[int]] = {process: set() for process in found}
    for transition, moved in zip(system.transitions, own, strict=True):
        leader = transition.moves[0].process
        found[leader] |= moved
        if transition.holder is not None:
            passes[leader].add(transition.holder)
    changed = True
    while changed:
        changed = False
        for process, successors in passes.items():
            together = found[process]
            for successor in successors:
                together |= found[successor]
            changed = changed or together != found[process]
            found[process] = together
    return found
