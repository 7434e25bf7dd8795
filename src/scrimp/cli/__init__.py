"""The command line: one file per command."""

from __future__ import annotations

import os
import sys


def main() -> None:
    from scrimp.cli.application import run

    open_closed_streams()
    sys.exit(run(sys.argv[1:]))


def open_closed_streams() -> None:
    """Let standard streams that the caller closed lead nowhere, before another file gets their number."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(number, mode, closefd=False))
