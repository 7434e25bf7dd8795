"""The store that changes its representation when memory runs out, and finally keeps states on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from scrimp.forecast import Range, Room
from scrimp.numbers import amount, counted
from scrimp.statistics import Statistics, bytes_by_part
from scrimp.strategies.reported import Reported
from scrimp.strategies.stores import Store
from scrimp.verdict import Ending

COMPRESSED, FRONTIER, ON_DISK = "compressed", "frontier on disk", "states on disk"
CHANGES = {COMPRESSED: "auto.cleary_at", FRONTIER: "auto.frontier_at", ON_DISK: "auto.disk_at"}
# A table is about so full when it cannot grow any more, and a forecast of when that is, is right within such a factor.
FILLED, ROOM_DOUBT = 0.85, 1.3
# A frontier goes to disk if it takes at least such a part of the memory: engine/search/breadth_first/breadth_first.h.
SPILLED_PART = 16


@dataclass(frozen=True, kw_only=True)
class Auto(Store):
    """Stores every state: packed as `full` does while memory suffices, then compressed as `full:compress=cleary` does,
    then with the frontier on disk, then with all states on disk (`--disk`, `--spill`). With `--disk 0` the search then
    starts again with a store that forgets: `snapshots`, or `cache`, depth-first.

    Example:
        >>> import scrimp
        >>> scrimp.explore("models/peterson.dve", store="auto").statistics.states
        20
    """

    name = "auto"
    may_forget = False
    can_be_saved = True
    has_marks = False
    reports = (
        Reported("auto.cleary_at"),
        Reported("auto.frontier_at"),
        Reported("auto.disk_at"),
        Reported("auto.forgetting_at"),
        Reported("disk.limit"),
        Reported("disk.bytes_peak"),
        Reported("disk.bytes_written"),
        Reported("disk.bytes_read"),
        Reported("disk.passes"),
        Reported("disk.merged"),
        Reported("disk.code_bits"),
        Reported("disk.recodings"),
        Reported("disk.exhausted"),
    )

    @property
    def changes(self) -> bool:
        return True

    @property
    def has_shards(self) -> bool:
        return True

    def changes_made(self, report: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
        made = ((name, report.get(number, 0)) for name, number in CHANGES.items())
        return tuple(sorted(((name, states) for name, states in made if states), key=itemgetter(1)))

    def room(self, report: Mapping[str, Any]) -> Room | None:
        change = self._next_change(report)
        if not change or not report.get("stored"):
            return None
        parts = bytes_by_part(report)
        of_a_state = (report["state_bytes"] / FILLED + parts["frontier"]) / report["stored"]
        states = (report["limit"] - parts["blocks"]) / of_a_state
        return Room(change, Range(states / ROOM_DOUBT, states, states * ROOM_DOUBT))

    def _next_change(self, report: Mapping[str, Any]) -> str:
        made = dict(self.changes_made(report))
        if COMPRESSED not in made:
            return COMPRESSED
        if ON_DISK in made or not report.get("disk.limit"):
            return ""
        is_large = bytes_by_part(report)["frontier"] >= report["limit"] / SPILLED_PART
        return FRONTIER if FRONTIER not in made and is_large else ON_DISK

    def rows(self, statistics: Statistics) -> Iterator[tuple[str, list[str]]]:
        changes = self.changes_made(statistics.report)
        made = [f"{name} after {counted(states, 'state')}" for name, states in changes]
        if made:
            yield "store", made
        if statistics["disk.bytes_written"]:
            yield (
                "disk",
                [
                    f"{amount(statistics['disk.bytes_peak'])} at most",
                    f"{amount(statistics['disk.bytes_written'])} written",
                    f"{amount(statistics['disk.bytes_read'])} read in {counted(statistics['disk.passes'], 'pass')}",
                ],
            )

    def cause(self, ending: Ending, statistics: Statistics) -> str:
        if ending is Ending.DISK and statistics["disk.exhausted"]:
            return "the disk limit was reached, or the disk is full, before all states were visited"
        return ""

    def remedy(self, ending: Ending, statistics: Statistics) -> str:
        if ending is Ending.DISK and statistics["disk.exhausted"]:
            limit = amount(statistics["disk.limit"])
            return f"try a larger --disk (now {limit}), or --spill with a folder that has more room"
        if ending is Ending.MEMORY and not statistics["disk.limit"]:
            return "leave out --disk 0, or name a folder for states by --spill, or try a larger --memory"
        return ""
