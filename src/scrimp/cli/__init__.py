"""The command line: one file per command."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    open_closed_streams()
    hear_kills_as_interrupts()
    try:
        from scrimp.cli.application import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before or after the command itself, which answers it with a report
        from scrimp.verdict import Verdict

        print("scrimp: error: interrupted", file=sys.stderr)
        code = Verdict.UNDETERMINED.exit_code
    sys.exit(code)


def open_closed_streams() -> None:
    """Connect standard streams that the caller closed to /dev/null, before another file gets their number."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def hear_kills_as_interrupts() -> None:
    """Make SIGTERM and a closed terminal end a command as Ctrl-C does: with a report of what was covered, and no files
    left behind. A signal that the caller ignores, as `nohup` does, stays ignored."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
