"""The places at which a process can run alone: HGP92, Algorithm 2.

Every event that leaves a *safe* place, enabled or not, moves only its process and shares nothing with the others: no
other process ever writes what it reads or accesses what it writes. So if some event that leaves the place is enabled,
other processes can neither enable nor disable events of the place, nor change their effects.

That some event of the place is enabled may imply how many messages a channel holds: if a process can only receive from
a channel, there is a message. Then only other receivers of that channel matter. So the places of exclusive senders and
receivers are safe, too, without being declared (`xs`, `xr`).

`Timeout` is false while something else is enabled: events elsewhere that wait for it do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.reduction.accesses import Reader
from scrimp.reduction.bits import members, union
from scrimp.reduction.guards import known_in_all
from scrimp.reduction.passages import Passage
from scrimp.reduction.places import Places
from scrimp.system.system import System


class Locality:
    """Finds safe places, given the passages of all events."""

    def __init__(self, system: System, reader: Reader, places: Places, passages: Sequence[Passage]) -> None:
        self.system = system
        self.reader = reader
        self.places = places
        self.passages = passages
        self._others: dict[int, tuple[int, int]] = {}
        # The events that may be fired within the passage of another event.
        self._on_the_way = union(passage.following for passage in passages)
        self._owned = [self._declared_in(process) for process in range(len(system.processes))]

    def is_safe(self, process: int, events: int) -> bool:
        """Whether a place of a process is safe, given the events that leave it."""
        leaving = [self.passages[event] for event in members(events)]
        if self.system.claim is not None or any(passage.movers != 1 << process for passage in leaving):
            return False
        known = known_in_all(passage.first.known for passage in leaving)
        reads = union(
            self.reader.tested(self.system.transitions[event], known)
            | self.passages[event].first.effect
            | self.passages[event].read_on_the_way
            for event in members(events)
        )
        writes = union(passage.writes for passage in leaving)
        written, accessed = self._by_others(process)
        shared = reads & written | writes & accessed
        return not (shared & self.reader.cells.of_the_state or reads & self.reader.cells.timeout)

    def is_alone(self, process: int, events: int) -> bool:
        """Whether the events that leave a place move only its process and share nothing with the others, whatever is
        enabled there."""
        leaving = [self.passages[event] for event in members(events)]
        if self.system.claim is not None or any(passage.movers != 1 << process for passage in leaving):
            return False
        reads = union(passage.first.any_time | passage.read_on_the_way for passage in leaving)
        writes = union(passage.writes for passage in leaving)
        written, accessed = self._by_others(process)
        shared = reads & written | writes & accessed
        return not (shared & self.reader.cells.of_the_state or reads & self.reader.cells.timeout)

    def _by_others(self, process: int) -> tuple[int, int]:
        """The cells that are written, and those that are accessed at all, by transitions that do not move the process:
        while it is at a safe place no others are fired, within whatever passage. If the process may be met during the
        passage of another's event, its arrival would let that passage continue: so its presence there counts as
        accessed as well."""
        if process not in self._others:
            others = [event for event, passage in enumerate(self.passages) if not passage.moved_first >> process & 1]
            written = union(self.passages[event].first.writes for event in others)
            read = union(self._read_by(event) for event in others)
            self._others[process] = written, written | read | self._met_on_the_way(process)
        return self._others[process]

    def _read_by(self, event: int) -> int:
        """The cells that matter to a transition of another process: if it is always fired by itself, only those that
        can disable it or change its effect. Enabling it does no harm: it is fired after that."""
        access = self.passages[event].first
        return access.any_time if self._on_the_way >> event & 1 else access.disabled_by | access.effect

    def _met_on_the_way(self, process: int) -> int:
        """The presence of the process at the places from which events that others begin may move it."""
        left = union(passage.does.left for passage in self.passages if not passage.moved_first >> process & 1)
        return union(
            self.reader.cells.presence(process, location)
            for location in range(len(self.system.processes[process].locations))
            if left >> self.places.number(process, location) & 1
        )

    def touches_only_its_own(self, event: int) -> bool:
        """Whether an event accesses only variables declared in its process, and its location: a *local edge* of HGP92
        as printed."""
        process = self.system.transitions[event].moves[0].process
        return self.passages[event].accesses & ~self._owned[process] == 0

    def _declared_in(self, process: int) -> int:
        cells = self.reader.cells
        variables = enumerate(self.system.variables)
        own = union(cells.elements(number, None) for number, variable in variables if variable.owner == process)
        return own | cells.of_process(process)
