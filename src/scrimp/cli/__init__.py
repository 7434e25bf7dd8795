"""The command line: one file per command."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    from scrimp.cli.application import run

    open_closed_streams()
    hear_kills_as_interrupts()
    sys.exit(run(sys.argv[1:]))


def open_closed_streams() -> None:
    """Let standard streams that the caller closed lead nowhere, before another file gets their number."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def hear_kills_as_interrupts() -> None:
    """A polite kill, or a terminal that goes away, ends a command as Ctrl-C does: with a report of what was covered,
    and nothing left behind. What the caller has us ignore, as `nohup` does, stays ignored."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
