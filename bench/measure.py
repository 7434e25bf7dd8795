"""Running a command and measuring it from outside."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended: its output, its wall-clock time and the most memory it held."""

    output: str
    exit_code: int
    wall_seconds: float
    rss_peak: int


def run(command: Sequence[str | Path], directory: Path | None = None) -> Finished:
    """Run a command to its end; its standard error is ours."""
    began = time.monotonic()
    with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, cwd=directory) as process:
        assert process.stdout is not None
        output = process.stdout.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Finished(output, process.returncode, time.monotonic() - began, usage.ru_maxrss * 1024)
