"""How store `auto` goes on without disk: by methods that forget states, exactly, and that finish.

  1. Snapshots of levels, breadth-first, if as many of the levels met so far as such a search keeps fit into memory:
     with the safety net of older levels if that takes at most half of it, otherwise only the last few levels.
  2. A cache, depth-first, with sleep sets if possible: it needs memory only for the path, and whatever else it gets
     saves time.
  3. A cache without sleep sets: many more states are visited again, but a path takes less memory.

The levels of the search that ran out of memory are the measurement: it starts again with the first method of this list,
and with the next one if that runs out of memory as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrimp.strategies import BreadthFirst, Cache, DepthFirst, Method, NoReduction, Reduction, Snapshots

WORD_BYTES = 8
LOAD = 0.8
"""The share of a table that is filled when it grows, roughly."""

LAST_LEVELS = Snapshots(caches="frontier")
SAFETY_NET = Snapshots()

# Levels that a search holds at once: its snapshots, the level that is expanded, and the next one.
LEVELS_OF_LAST = 5
LEVELS_OF_NET = 17

# States of more words than this are coded in a cache: it is the number of states that counts.
MOST_WORDS_UNCODED = 2


@dataclass(frozen=True, slots=True)
class Exhausted:
    """What is known when the memory is used up: the states of each level, the words of a state, and the bytes that the
    search could use."""

    levels: Sequence[int]
    words: int
    room: int

    def bytes_of(self, number: int) -> float:
        """What the largest `number` consecutive levels would take, each state with a word beside it."""
        widest = max(
            (sum(self.levels[i : i + number]) for i in range(max(len(self.levels) - number + 1, 1))), default=0
        )
        return widest * (self.words + 1) * WORD_BYTES / LOAD


def methods_that_forget(exhausted: Exhausted, reduction: Reduction, limits_depth: bool) -> Iterator[Method]:
    """The methods to try, one after the other. Under a depth limit, only those that find states on shortest paths."""
    if exhausted.bytes_of(LEVELS_OF_NET) <= exhausted.room / 2:
        yield Method(order=BreadthFirst(), store=SAFETY_NET, reduction=NoReduction())
    elif exhausted.bytes_of(LEVELS_OF_LAST) <= exhausted.room:
        yield Method(order=BreadthFirst(), store=LAST_LEVELS, reduction=NoReduction())
    if not limits_depth:
        cache = Cache() if exhausted.words <= MOST_WORDS_UNCODED else Cache(compress="huffman")
        yield Method(order=DepthFirst(), store=cache, reduction=reduction)
        if reduction != NoReduction():
            yield Method(order=DepthFirst(), store=cache, reduction=NoReduction())
