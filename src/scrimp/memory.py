"""The byte budget: how much the whole process may hold, and what of it is left to the engine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from scrimp.errors import OptionError

# What reports, traces and the allocator's rounding may still take once the engine holds all it was given.
RESERVE = 6 * 2**20
SMALLEST_USEFUL = 2**20


def engine_budget(limit: int | None, held_before: int = 0) -> int:
    """The bytes left to the engine when the process may hold `limit` (None: 80% of what there is) beyond `held_before`
    bytes that do not count."""
    floor = max(resident_bytes() - held_before, 0) + RESERVE
    if limit is None:
        limit = max(available_bytes() * 4 // 5, floor + SMALLEST_USEFUL)
    if limit < floor + SMALLEST_USEFUL:
        needed = -(-(floor + SMALLEST_USEFUL) // 2**20)
        found = f"{limit // 2**20}M" if limit >= 2**20 else f"{limit} bytes"
        alone = "this model alone needs" if held_before else "the interpreter and this model alone need"
        raise OptionError(f"a memory limit of {found} is too small: {alone} {needed}M")
    return limit - floor


def resident_bytes(process: int | Literal["self"] = "self") -> int:
    """What a process holds in memory now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_resident_bytes() -> int:
    """The most the process has held in memory so far."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def available_bytes() -> int:
    """What the machine has, or the control group allows, whichever is less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *_control_group_limits()])


def _control_group_limits() -> list[int]:
    limits = []
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):
            limits.append(int(Path(file).read_text()))
    return limits
