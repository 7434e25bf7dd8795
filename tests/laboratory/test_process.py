"""Commands in separate processes: measured, limited, and ended when scrimp ends."""

from __future__ import annotations

import sys

from scrimp.laboratory.process import run

HOLD = "import time; block = bytearray(64 * 2**20); time.sleep(60)"


def test_output_and_exit_code_are_returned() -> None:
    finished = run([sys.executable, "-c", "import sys; print('out'); sys.exit('err')"])
    assert (finished.output, finished.errors, finished.exit_code) == ("out\n", "err\n", 1)
    assert finished.rss_peak > 2**20


def test_a_process_that_takes_too_long_is_ended() -> None:
    finished = run([sys.executable, "-c", "while True: pass"], seconds=0.1)
    assert finished.ended_by == "time"
    assert finished.exit_code < 0


def test_a_process_that_holds_too_much_is_ended() -> None:
    finished = run([sys.executable, "-c", HOLD], memory=50 * 2**20)
    assert finished.ended_by == "memory"
    assert finished.wall_seconds < 60


def test_a_missing_command_is_reported() -> None:
    finished = run(["no-such-command-anywhere"])
    assert finished.exit_code == 127
    assert "cannot be run" in finished.errors
