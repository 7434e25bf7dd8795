"""The groups of processes that can be exchanged.

1. Processes with the same moves between locations may be alike.
2. Two of them are exchanged by a guess (matching.py), which is proved (proving.py) or refused with the reason. If
   transitions of others stand in the way, and two of those are alike, these change places, too.
3. A process joins a group if it can be exchanged with the last member. Then the group has all permutations of its
   members: neighbours can be exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from scrimp.symmetry.blocks import blocks
from scrimp.symmetry.matching import guess
from scrimp.symmetry.proving import NotSymmetric, Subject, prove
from scrimp.symmetry.renaming import Renaming
from scrimp.system.swaps import Swap, Symmetric, Symmetry
from scrimp.system.system import System

# A process is compared with the last members of this many groups. More groups of processes with the same moves mean
# that these differ in something else.
MOST_GROUPS = 4

# After so many refusals, the other processes with the same moves are not tried: large nets have thousands of them.
MOST_REFUSALS = 40

# So many pairs of processes change places together, besides those that meet.
MOST_PAIRS = 4


@dataclass(frozen=True)
class Refusal:
    """Why two processes cannot be exchanged."""

    first: str
    second: str
    reason: str

    def __str__(self) -> str:
        return f"if {self.first} and {self.second} changed places, {self.reason}"


@dataclass(frozen=True)
class FoundSymmetry:
    """The groups of a system, and why there are no larger ones."""

    symmetry: Symmetry
    refusals: tuple[Refusal, ...]


def find_symmetry(subject: Subject) -> FoundSymmetry:
    return _Finder(subject).find()


class _Finder:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.system = subject.system
        self.refusals: list[Refusal] = []

    def find(self) -> FoundSymmetry:
        chains: list[tuple[list[int], list[Swap]]] = []
        exchanged: set[int] = set()
        for alike in self._alike():  # 1
            for members, swaps in self._chains(alike, exchanged):
                if swaps:
                    chains.append((members, swaps))
                    exchanged.update(p for swap in swaps for pair in swap.processes for p in pair)
        every = [swaps for _, swaps in chains]
        groups = tuple(
            Symmetric(tuple(members), tuple(swaps), *blocks(self.system, swaps, every)) for members, swaps in chains
        )
        return FoundSymmetry(Symmetry(groups), tuple(self.refusals))

    def _chains(self, alike: Sequence[int], exchanged: set[int]) -> Iterator[tuple[list[int], list[Swap]]]:
        chains: list[tuple[list[int], list[Swap]]] = []
        before = len(self.refusals)
        for process in alike:
            if process not in exchanged and len(self.refusals) < before + MOST_REFUSALS:
                self._join(process, chains)
        return iter(chains)

    def _join(self, process: int, chains: list[tuple[list[int], list[Swap]]]) -> None:
        """Add a process to the first group that it can join, or begin another one."""
        for members, swaps in chains[-MOST_GROUPS:]:
            swap = self._swap(members[-1], process)
            if swap is not None:
                members.append(process)
                swaps.append(swap)
                return
        chains.append(([process], []))

    def _swap(self, first: int, second: int) -> Swap | None:
        """The symmetry that exchanges two processes, if there is one: if possible one in every state, together with
        others that then have to change places."""
        pairs = [(first, second)]
        while len(pairs) <= MOST_PAIRS:
            try:
                return prove(self.subject, self._guess(pairs), everywhere=True)
            except NotSymmetric as refused:
                another = self._alike_pair(refused.stuck)
                if another is None or another in pairs:
                    break
                pairs.append(another)
        try:
            return prove(self.subject, self._guess(pairs[:1]))
        except NotSymmetric as refused:
            processes = self.system.processes
            self.refusals.append(Refusal(processes[first].name, processes[second].name, str(refused)))
            return None

    def _guess(self, pairs: Sequence[tuple[int, int]]) -> Renaming:
        return guess(self.system, self.subject.sorts, self.subject.taking_part, pairs)

    def _alike_pair(self, processes: Sequence[int]) -> tuple[int, int] | None:
        """The first of some processes, and one with the same moves among the others."""
        for number, process in enumerate(processes):
            for other in processes[number + 1 :]:
                if self._shape(process) == self._shape(other):
                    return process, other
        return None

    def _shape(self, process: int) -> Hashable:
        return _shape(self.system, self.subject.taking_part[process], process)

    def _alike(self) -> list[list[int]]:
        found: dict[Hashable, list[int]] = {}
        for process, events in enumerate(self.subject.taking_part):
            if events:
                found.setdefault(self._shape(process), []).append(process)
        return [processes for processes in found.values() if len(processes) > 1]


def _shape(system: System, events: Sequence[int], process: int) -> Hashable:
    """The number of a process's locations, and its moves between them."""
    moves = (move for event in events for move in system.transitions[event].moves if move.process == process)
    counted = Counter((move.source, move.target) for move in moves)
    return len(system.processes[process].locations), frozenset(counted.items())
