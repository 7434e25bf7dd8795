"""The command line: one file per command."""

from __future__ import annotations

import sys


def main() -> None:
    from scrimp.cli.application import run

    sys.exit(run(sys.argv[1:]))
