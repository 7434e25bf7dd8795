"""The store that changes its representation when memory runs out, and finally keeps states on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scrimp.numbers import amount, counted
from scrimp.statistics import Statistics
from scrimp.strategies.reported import Reported
from scrimp.strategies.stores import Store
from scrimp.verdict import Ending


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

    def rows(self, statistics: Statistics) -> Iterator[tuple[str, list[str]]]:
        changes = {
            "compressed": statistics["auto.cleary_at"],
            "frontier on disk": statistics["auto.frontier_at"],
            "states on disk": statistics["auto.disk_at"],
        }
        made = [f"{name} after {counted(states, 'state')}" for name, states in changes.items() if states]
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
        if ending is not Ending.MEMORY:
            return ""
        if not statistics["disk.limit"]:
            return "leave out --disk 0, so that states can go to disk, or try a larger --memory"
        return "try a larger --memory"
