"""The byte budget: how much memory the process that searches may hold, and how much of it is left to states."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from scrimp.arguments import MOST
from scrimp.control_groups import MEMBERSHIP, MOUNTED, group_folders
from scrimp.errors import OptionError

# Room for code that is not loaded yet, for reports and traces, for the stacks of threads, and for the error of the
# system, which counts the pages of a process only roughly while it runs.
RESERVE = 3 * 2**19
RESERVE_OF_A_THREAD = 2**16
SMALLEST_USEFUL = 2**20


def search_budget(limit: int | None, held: int, threads: int) -> int:
    """The bytes left to states and everything else that a search allocates, if its process holds `held` bytes before
    and may hold `limit` (None: 80% of the available memory)."""
    floor = held + RESERVE + threads * RESERVE_OF_A_THREAD
    needed = floor + SMALLEST_USEFUL
    allowed = available_bytes() * 4 // 5 if limit is None else limit
    if limit is not None and limit < needed:
        found = f"{limit // 2**20}M" if limit >= 2**20 else f"{limit} bytes"
        raise OptionError(
            f"--memory: a limit of {found} is too small for this model and method, which need {-(-needed // 2**20)}M"
        )
    return max(min(allowed, room_in_control_groups()) - floor, SMALLEST_USEFUL)


def room_in_control_groups() -> int:
    """What the control groups of this process leave to the process that searches: this one, which waits, counts too."""
    limits = list(control_group_limits(MEMBERSHIP, MOUNTED))
    return max(min(limits) - resident_bytes() - SMALLEST_USEFUL, 0) if limits else MOST


def disk_budget(limit: int | None, folder: Path | None) -> int:
    """The bytes that states may take on disk: the limit, or half of what is free in the folder for them."""
    if limit is not None:
        return limit
    folder = folder or Path(os.environ.get("TMPDIR") or "/tmp")
    try:
        return shutil.disk_usage(folder).free // 2
    except OSError:  # there is no such folder: nothing can be written there
        return 0


def resident_bytes(process: int | Literal["self"] = "self") -> int:
    """The bytes that a process holds in memory now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


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
