"""The byte budget: how much memory the whole process may hold, and how much of it is left to the engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from scrimp.control_groups import MEMBERSHIP, MOUNTED, group_folders
from scrimp.errors import OptionError

# Room for reports, traces and the allocator's rounding once the engine holds all it was given.
RESERVE = 6 * 2**20
SMALLEST_USEFUL = 2**20


def engine_budget(limit: int | None, held_before: int = 0) -> int:
    """The bytes left to the engine if the process may hold `limit` (None: 80% of the available memory) beyond
    `held_before` bytes, which do not count."""
    floor = max(resident_bytes() - held_before, 0) + RESERVE
    if limit is None:
        limit = max(available_bytes() * 4 // 5, floor + SMALLEST_USEFUL)
    if limit < floor + SMALLEST_USEFUL:
        needed = -(-(floor + SMALLEST_USEFUL) // 2**20)
        found = f"{limit // 2**20}M" if limit >= 2**20 else f"{limit} bytes"
        alone = "this model alone needs" if held_before else "the interpreter and this model alone need"
        option = "memory" if held_before else "--memory"
        raise OptionError(f"{option}: a limit of {found} is too small: {alone} {needed}M")
    return limit - floor


def resident_bytes(process: int | Literal["self"] = "self") -> int:
    """The bytes that a process holds in memory now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_resident_bytes() -> int:
    """The most bytes that this process has held in memory so far."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def available_bytes() -> int:
    """The machine's memory, or the smallest limit of a control group that the process is in, whichever is less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *control_group_limits(MEMBERSHIP, MOUNTED)])


def control_group_limits(membership: Path, mounted: Path) -> Iterator[int]:
    """The memory limits, in bytes, of the control groups of a process; see `group_folders`."""
    for folder in group_folders("memory", membership, mounted):
        for file in ("memory.max", "memory.limit_in_bytes"):  # of version 2 and 1
            with suppress(OSError, ValueError):  # there is no such folder, or no limit
                yield int((folder / file).read_text())
