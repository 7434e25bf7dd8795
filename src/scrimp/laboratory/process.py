"""Running a command in a process of its own, measured and limited from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from scrimp.memory import resident_bytes

# How often a running process is checked: the first and the longest interval, in seconds.
FIRST_LOOK, LAST_LOOK = 0.002, 0.05

CANNOT_RUN = 127  # as in shells

EndedBy = Literal["itself", "time", "memory"]


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended: its output, its wall-clock time and the most memory it held."""

    output: str
    errors: str
    exit_code: int
    wall_seconds: float
    rss_peak: int
    ended_by: EndedBy = "itself"


def run(
    command: Sequence[str | Path],
    *,
    directory: Path | None = None,
    seconds: float | None = None,
    memory: int | None = None,
) -> Finished:
    """Run a command to its end, or until it takes longer than `seconds` or holds more than `memory` bytes. Its output
    goes through files, so that it never waits for us, however much it writes."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        began = time.monotonic()
        try:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                cwd=directory,
                start_new_session=True,  # so that only we receive Ctrl-C, and can end all its children
            )
        except OSError as error:
            return Finished("", f"cannot be run: {error.strerror}", CANNOT_RUN, 0.0, 0)
        try:
            ended_by, status, rss_peak = _watch(process.pid, began, seconds, memory)
        except BaseException:
            _end(process.pid)
            raise
        finally:
            process.returncode = 0  # waited for above
        exit_code, wall_seconds = os.waitstatus_to_exitcode(status), time.monotonic() - began
        return Finished(_text(output), _text(errors), exit_code, wall_seconds, rss_peak, ended_by)


def _watch(pid: int, began: float, seconds: float | None, memory: int | None) -> tuple[EndedBy, int, int]:
    """Why the process ended, its status, and the most memory that it or a process it waited for held."""
    ended_by: EndedBy = "itself"
    pause = FIRST_LOOK
    while True:
        # Without limits there is nothing to check, so just wait for the end.
        found, status, usage = os.wait4(pid, 0 if seconds is None and memory is None else os.WNOHANG)
        if found:
            return ended_by, status, usage.ru_maxrss * 1024
        if seconds is not None and time.monotonic() - began > seconds:
            ended_by = "time"
        elif memory is not None and _resident_bytes(pid) > memory:
            ended_by = "memory"
        if ended_by != "itself":
            _kill_group(pid)
        time.sleep(pause)
        pause = min(2 * pause, LAST_LOOK)


def _end(pid: int) -> None:
    _kill_group(pid)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _resident_bytes(pid: int) -> int:
    with suppress(OSError, IndexError):  # it has just ended
        return resident_bytes(pid)
    return 0


def _text(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
