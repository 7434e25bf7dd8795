"""Processes that tests start and watch."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

# More memory than any start-up takes.
SEARCHING_BYTES = 150 * 2**20
PAGE = os.sysconf("SC_PAGE_SIZE")


def wait_until_searching(process: subprocess.Popen[Any], least: int = SEARCHING_BYTES) -> int:
    """Wait until the runner, a child of the process, holds so much memory that it must be storing states."""
    deadline = time.monotonic() + 60
    while True:
        assert process.poll() is None
        assert time.monotonic() < deadline
        for child in children(process.pid):
            with suppress(OSError, IndexError):
                is_runner = Path(f"/proc/{child}/comm").read_text().startswith("runner_")
                if is_runner and int(Path(f"/proc/{child}/statm").read_text().split()[1]) * PAGE >= least:
                    return child


def peak_of_search(process: subprocess.Popen[Any]) -> int:
    """Wait for a command to end; returns the most memory that its search held, by the kernel's own high-water mark."""
    peak = 0
    while process.poll() is None:
        for child in children(process.pid):
            with suppress(OSError, StopIteration):
                if Path(f"/proc/{child}/comm").read_text().startswith("runner_"):
                    peak = max(peak, most_resident_bytes(child))
        time.sleep(0.001)
    return peak


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def most_resident_bytes(pid: int) -> int:
    """The most that a process ever held, as Linux counts it."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) * 1024
