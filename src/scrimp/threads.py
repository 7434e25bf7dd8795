"""Threads: how many a search may have, and how many processors there are for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from scrimp.control_groups import MEMBERSHIP, MOUNTED, group_folders

MOST_THREADS = 1024


def available_threads() -> int:
    """As many threads as this process can run at once: one for each processor that it may use, or fewer if a control
    group that it is in has a smaller quota of processor time. Half a processor more is not worth a thread."""
    return threads_within(_processors(), processor_quotas(MEMBERSHIP, MOUNTED))


def threads_within(processors: int, quotas: Iterator[float]) -> int:
    """The threads that keep within a number of processors and some quotas; at least one."""
    return max(1, int(min([processors, MOST_THREADS, *quotas])))


def _processors() -> int:
    """The processors that the process may run on, which may be fewer than there are."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0))


def processor_quotas(membership: Path, mounted: Path) -> Iterator[float]:
    """How many processors the control groups of a process may keep busy on average; see `group_folders`."""
    for folder in group_folders("cpu", membership, mounted):
        with suppress(OSError, ValueError, ZeroDivisionError):  # there is no such folder, or no quota
            quota, period = _quota_and_period(folder)
            if quota > 0:  # version 1 writes -1 if there is none
                yield quota / period


def _quota_and_period(folder: Path) -> tuple[int, int]:
    """The processor time that a group may use in each period, in microseconds; in version 2 one file has both."""
    if (together := folder / "cpu.max").exists():
        quota, period = together.read_text().split()
    else:
        quota, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
    return int(quota), int(period)
