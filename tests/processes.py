"""Processes that tests start and watch."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

# More memory than any start-up takes.
SEARCHING_BYTES = 150 * 2**20


def wait_until_searching(process: subprocess.Popen[Any]) -> None:
    """Wait until the process holds so much memory that it must be storing states."""
    status = Path(f"/proc/{process.pid}/statm")
    page = os.sysconf("SC_PAGE_SIZE")
    deadline = time.monotonic() + 60
    while int(status.read_text().split()[1]) * page < SEARCHING_BYTES:
        assert process.poll() is None
        assert time.monotonic() < deadline
