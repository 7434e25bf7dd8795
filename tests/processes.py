"""Processes that tests start and watch."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

# More memory than any start-up takes.
SEARCHING_BYTES = 150 * 2**20
PAGE = os.sysconf("SC_PAGE_SIZE")
# Of processor time, which a busy machine does not make longer.
MOST_SECONDS = 60
MOST_PATIENCE_S = 600


def wait_until_searching(process: subprocess.Popen[Any], least: int = SEARCHING_BYTES) -> int:
    """Wait until the runner, a child of the process, holds so much memory that it must be storing states. A search that
    does not come so far is ended: nobody else would end it."""
    try:
        while True:
            assert process.poll() is None
            assert processor_seconds(process.pid) < MOST_SECONDS
            for child in children(process.pid):
                with suppress(OSError, IndexError):
                    is_runner = Path(f"/proc/{child}/comm").read_text().startswith("runner_")
                    if is_runner and int(Path(f"/proc/{child}/statm").read_text().split()[1]) * PAGE >= least:
                        return child
            time.sleep(0.001)
    except BaseException:
        process.kill()
        raise


def interrupted(process: subprocess.Popen[Any], by: signal.Signals = signal.SIGINT) -> tuple[Any, float]:
    """What a process prints that gets a signal, and the seconds of processor time that it takes to end. How long that
    takes by the clock depends on what else the machine does."""
    before = processor_seconds(process.pid) + ended_seconds()
    process.send_signal(by)
    try:
        printed, _ = process.communicate(timeout=MOST_PATIENCE_S)
    except BaseException:
        process.kill()
        raise
    return printed, ended_seconds() - before


def processor_seconds(pid: int) -> float:
    """The processor time of a process and all that it started."""
    with suppress(OSError):
        numbers = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:15]
        return sum(map(int, numbers)) / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, children(pid)))
    return 0.0


def ended_seconds() -> float:
    """The processor time of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


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
