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
from scrimp.numbers import counted

# Room for code that is not loaded yet, for reports and traces, for the stacks of threads, and for the error of the
# system, which counts the pages of a process only roughly while it runs.
RESERVE = 3 * 2**19
RESERVE_OF_A_THREAD = 2**16
SMALLEST_USEFUL = 2**20

# What the engine needs if states are on disk, however many they are: docs/decisions/0045-budgets-of-a-few-mebibytes.md.
WITH_DISK = 3 * 2**20
WITH_DISK_OF_A_WORD = 2**16
WITH_DISK_OF_A_THREAD = 2**18


def enough_with_disk(words: int, threads: int) -> int:
    """The bytes that suffice for any number of states of so many words, if they may be on disk."""
    return WITH_DISK + words * WITH_DISK_OF_A_WORD + (threads - 1) * WITH_DISK_OF_A_THREAD


def besides_states(held: int, threads: int) -> int:
    """The part of a memory limit that a search does not get, if its process holds `held` bytes before."""
    return held + RESERVE + threads * RESERVE_OF_A_THREAD


def as_limit(needed: int) -> str:
    """The bytes as the value of `--memory`, rounded up."""
    return f"{-(-needed // 2**20)}M"


def require_enough(limit: int | None, held: int, threads: int, enough: int = SMALLEST_USEFUL) -> None:
    """Refuse a limit that leaves less than `SMALLEST_USEFUL` to a search: few states need no more. The message names a
    limit that leaves `enough`."""
    floor = besides_states(held, threads)
    if limit is not None and limit < floor + SMALLEST_USEFUL:
        found = f"{limit // 2**20}M" if limit >= 2**20 else counted(limit, "byte")
        needed = as_limit(floor + max(enough, SMALLEST_USEFUL))
        raise OptionError(f"--memory: a limit of {found} is too small for this model and method, which need {needed}")


def memory_limit(limit: int | None) -> int:
    """The limit, or 80% of the available memory."""
    return available_bytes() * 4 // 5 if limit is None else limit


def search_budget(limit: int | None, held: int, threads: int) -> int:
    """The bytes left to states and everything else that a search allocates, if its process holds `held` bytes before
    and may hold `limit` (None: 80% of the available memory)."""
    return max(min(memory_limit(limit), room_in_control_groups()) - besides_states(held, threads), SMALLEST_USEFUL)


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
