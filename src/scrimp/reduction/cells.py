"""Cells: the parts of a state that events access, each with a number. Sets of them are bits, see bits.py.

    an element of a variable
    a process at a location   two cells: `left`, written when it leaves, and `entered`, written when it arrives
    a channel                 two cells: `front`, written by a receive, and `back`, written by a send
    a process                 written by every event that moves it: two such events depend on each other
    the timeout               accessed by every event that tests it
    the history               of what watches look at; written by every event that may change that, if it matters
    the stack                 of processes that end early: read by every event that may end some, written by every one
                              that leaves one behind; see passages.py

A part with two cells can change in two ways, and a simple test of it can be made false in only one of them. If an event
is enabled because a channel is not empty, only a write to its front can disable it; if it is disabled because the
channel is empty, only a write to its back can enable it. So the entries of HGP92's Table I for channels follow from the
sets of cells that are read and written:

    Send      writes the back       is enabled by writes to the front
    Receive   writes the front      is enabled by writes to the back
    Read      reads both; a test for messages or for the oldest one only the front, a test for room only the back
    Write     writes both: sorted send, random receive, clearing

Two sends depend on each other, and so do two receives, but a send and a receive do not.
"""

from __future__ import annotations

from scrimp.system.expressions import Constant, Expression
from scrimp.system.system import System


class Cells:
    """The numbering of a system's cells."""

    def __init__(self, system: System) -> None:
        self._variables: list[tuple[int, int | None]] = []
        self.count = 0
        for variable in system.variables:
            self._variables.append((self.count, variable.length))
            self.count += variable.length or 1
        self._locations: list[int] = []
        for process in system.processes:
            self._locations.append(self.count)
            self.count += 2 * len(process.locations)
        self._channels = self.count
        self._fronts = sum(self.front(channel) for channel in range(len(system.channels)))
        self.count += 2 * len(system.channels)
        self.of_channels = self._fronts | self._fronts << 1
        self.of_the_state = (1 << self.count) - 1
        """The cells that are part of the state itself."""
        self._movers = self.count
        self.count += len(system.processes)
        self.of_processes = (1 << self.count) - (1 << self._movers)
        self.timeout = 1 << self.count
        self.history = 2 << self.count
        self.stack = 4 << self.count
        self.count += 3

    def elements(self, variable: int, index: Expression | None) -> int:
        """One element, or all if the index is not a constant; none if it is out of range."""
        first, length = self._variables[variable]
        if length is None:
            return 1 << first
        if not isinstance(index, Constant):
            return ((1 << length) - 1) << first
        return 1 << first + index.value if 0 <= index.value < length else 0

    def left(self, process: int, location: int) -> int:
        return 1 << self._locations[process] + 2 * location

    def entered(self, process: int, location: int) -> int:
        return 2 << self._locations[process] + 2 * location

    def presence(self, process: int, location: int) -> int:
        return 3 << self._locations[process] + 2 * location

    def front(self, channel: int) -> int:
        return 1 << self._channels + 2 * channel

    def back(self, channel: int) -> int:
        return 2 << self._channels + 2 * channel

    def channel(self, channel: int) -> int:
        return 3 << self._channels + 2 * channel

    def whole_channels(self, cells: int) -> int:
        """The cells, completed so that both ends of a channel are included if one is."""
        fronts, backs = self._fronts, self._fronts << 1
        return cells | (cells & fronts) << 1 | (cells & backs) >> 1

    def mover(self, process: int) -> int:
        return 1 << self._movers + process

    def movers(self, cells: int) -> int:
        """The processes whose movement is among the cells."""
        return (cells & self.of_processes) >> self._movers

    def of_process(self, process: int) -> int:
        """The presence of a process at all its locations, and its movement."""
        first, following = [*self._locations, self._channels][process : process + 2]
        return (1 << following) - (1 << first) | self.mover(process)
