"""Minimising an LTS by strong bisimilarity before it is written."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from scrimp.errors import ScrimpError
from scrimp.outputs.lts.writer import Column, LtsWriter

_MOST_STATES = 2**32 - 1
_EDGES_AT_ONCE = 1 << 15


class MinimalWriter(LtsWriter):
    """Collects transitions; in the end, writes one state for each class of bisimilar states."""

    def __init__(self, writer: LtsWriter) -> None:
        self._writer = writer
        self._sources, self._labels, self._targets = array("I"), array("I"), array("I")
        self._names: Sequence[str] = ()
        self.states = 0
        self.transitions = 0

    def add(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> None:
        try:
            self._sources.extend(sources)
            self._targets.extend(targets)
        except OverflowError:
            raise ScrimpError(f"only LTSs of at most {_MOST_STATES} states can be minimised") from None
        self._labels.extend(labels)
        self._names = names

    def finish(self, states: int, transitions: int) -> None:
        from scrimp._engine import strong_blocks

        blocks = array("I", strong_blocks(states, self._sources, self._labels, self._targets))
        self.states = max(blocks) + 1
        edges = sorted(set(self._representative_edges(blocks)))
        self.transitions = len(edges)
        for first in range(0, len(edges), _EDGES_AT_ONCE):
            sources, labels, targets = zip(*edges[first : first + _EDGES_AT_ONCE], strict=True)
            self._writer.add(array("Q", sources), array("I", labels), array("Q", targets), self._names)
        self._writer.finish(self.states, self.transitions)

    def abandon(self) -> None:
        self._writer.abandon()

    def _representative_edges(self, blocks: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The transitions of the first state of each block: those of the others lead to the same blocks."""
        first = [-1] * self.states
        for state in reversed(range(len(blocks))):
            first[blocks[state]] = state
        for source, label, target in zip(self._sources, self._labels, self._targets, strict=True):
            if first[blocks[source]] == source:
                yield blocks[source], label, blocks[target]
