"""Places: the locations of all processes, numbered consecutively."""

from __future__ import annotations

from scrimp.system.system import System


class Places:
    def __init__(self, system: System) -> None:
        self._first: list[int] = []
        self.process: list[int] = []
        """Of each place."""
        for number, process in enumerate(system.processes):
            self._first.append(len(self.process))
            self.process += [number] * len(process.locations)

    @property
    def count(self) -> int:
        return len(self.process)

    def number(self, process: int, location: int) -> int:
        return self._first[process] + location

    def of(self, process: int) -> range:
        """All places of a process."""
        following = self._first[process + 1] if process + 1 < len(self._first) else self.count
        return range(self._first[process], following)
