"""`scrimp explore`: visit every reachable state and count."""

from __future__ import annotations

import click

from scrimp.cli.options import Once, model_argument
from scrimp.cli.running import Told, run_and_report, search_options


@click.command("explore", cls=Once, short_help="Visit every reachable state and count.")
@model_argument
@search_options
def command(told: Told) -> int:
    """Visit every reachable state of MODEL and count states, transitions, deadlocks and faults. Nothing is asked of the
    model: exit code 0 means that all of it was seen."""
    from scrimp.checking import explore

    return run_and_report(told, lambda model, arguments: explore(model, **arguments))
