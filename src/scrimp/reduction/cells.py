"""Cells: the parts of a state that events access, each with a number. Sets of them are bits, see bits.py.

    an element of a variable
    a process at a location   two cells: `left`, written where it leaves, and `entered`, written where it arrives
    a channel                 two cells: `front`, written by a receive, and `back`, written by a send
    a process                 written by all that move it: two of them depend on each other
    the timeout               accessed by all that look at it

What has two cells has two ways to change, and a simple test of it can be made false in one of them only. Where an event
is enabled because a channel is not empty, only what writes its front can disable it; where it is disabled because the
channel is empty, only what writes its back can enable it. So the entries of HGP92's Table I for channels come out of
sets of cells that are read and written:

    Send      writes the back       is enabled by what writes the front
    Receive   writes the front      is enabled by what writes the back
    Read      reads both, a test for messages or for the oldest one the front only, a test for room the back only
    Write     writes both: sorted send, random receive, clearing

Two sends depend on each other, so do two receives, and a send and a receive do not.
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
        """All that is a part of the state itself."""
        self._movers = self.count
        self.count += len(system.processes)
        self.of_processes = (1 << self.count) - (1 << self._movers)
        self.timeout = 1 << self.count
        self.count += 1

    def elements(self, variable: int, index: Expression | None) -> int:
        """One element, or all where the index is no constant; none where it is outside."""
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
        """The cells, and with one end of a channel the other one, too."""
        fronts, backs = self._fronts, self._fronts << 1
        return cells | (cells & fronts) << 1 | (cells & backs) >> 1

    def mover(self, process: int) -> int:
        return 1 << self._movers + process

    def of_process(self, process: int) -> int:
        """Where a process is, at all its locations, and that it moves."""
        first, following = [*self._locations, self._channels][process : process + 2]
        return (1 << following) - (1 << first) | self.mover(process)
