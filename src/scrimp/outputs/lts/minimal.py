"""Minimising an LTS by strong bisimilarity before it is written."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence

from scrimp.errors import ScrimpError
from scrimp.memory import as_limit
from scrimp.numbers import counted
from scrimp.outputs.lts.writer import Column, LtsWriter
from scrimp.verdict import Ending

_MOST_STATES = 2**32 - 1
_EDGES_AT_ONCE = 1 << 15


class Unminimised(Exception):
    """The LTS was not minimised, and nothing is written; `str()` says why."""

    def __init__(self, ending: Ending, reason: str) -> None:
        super().__init__(reason)
        self.ending = ending


class MinimalWriter(LtsWriter):
    """Collects transitions; in the end, writes one state for each class of bisimilar states. All that this takes is
    within `limit` bytes, and it ends at the `deadline`."""

    def __init__(self, writer: LtsWriter, limit: int, deadline: float | None) -> None:
        self._writer = writer
        self._limit = limit
        self._deadline = deadline
        self._sources, self._labels, self._targets = array("I"), array("I"), array("I")
        self._has_room = True
        self._names: Sequence[str] = ()
        self.states = 0
        self.transitions = 0

    def add(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> None:
        self._names = names
        if not self._has_room:
            return
        try:
            self._sources.extend(sources)
            self._targets.extend(targets)
        except OverflowError:
            raise ScrimpError(f"only LTSs of at most {_MOST_STATES} states can be minimised") from None
        self._labels.extend(labels)
        from scrimp._engine import minimising_bytes

        if minimising_bytes(0, len(self._sources)) > self._limit:  # the search goes on: it says how much is needed
            self._has_room = False
            self._sources, self._labels, self._targets = array("I"), array("I"), array("I")

    def finish(self, states: int, transitions: int) -> None:
        from scrimp._engine import minimal_lts, minimising_bytes

        needed = minimising_bytes(states, transitions)
        if needed > self._limit:
            size = f"{counted(states, 'state')} and {counted(transitions, 'transition')}"
            raise Unminimised(
                Ending.MEMORY,
                f"the memory limit has no room to minimise {size}; try --memory {as_limit(needed)}, or leave out "
                "--minimise",
            )
        try:
            self.states, edges = minimal_lts(states, self._sources, self._labels, self._targets, self._poll)
        except KeyboardInterrupt:
            raise Unminimised(Ending.INTERRUPT, "interrupted before the LTS was minimised") from None
        self._write(memoryview(edges).cast("I"))

    def _poll(self) -> None:
        """Called while the LTS is minimised; Ctrl-C arrives here as well."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Unminimised(Ending.TIME, "the time limit was reached before the LTS was minimised")

    def _write(self, edges: memoryview) -> None:
        """Write transitions of three numbers each."""
        self.transitions = len(edges) // 3
        for first in range(0, len(edges), 3 * _EDGES_AT_ONCE):
            some = edges[first : first + 3 * _EDGES_AT_ONCE].tolist()
            columns = array("Q", some[0::3]), array("I", some[1::3]), array("Q", some[2::3])
            self._writer.add(*columns, self._names)
        self._writer.finish(self.states, self.transitions)

    def abandon(self) -> None:
        self._writer.abandon()
