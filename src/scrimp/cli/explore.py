"""`scrimp explore`: visit every reachable state and count."""

from __future__ import annotations

from typing import Any

import click

from scrimp.cli.options import Once, model_argument, search_options
from scrimp.cli.running import Outputs, SearchOptions, deliver


@click.command("explore", cls=Once, short_help="Visit every reachable state and count.")
@model_argument
@search_options
def command(**shared: Any) -> int:
    """Visit every reachable state of MODEL and count states, transitions, deadlocks and faults. Nothing is checked:
    exit code 0 means that every state was visited."""
    from scrimp.checking import explore

    options = SearchOptions(**shared)
    outputs = Outputs(options.model, options.json_file, options.quiet)
    arguments = options.arguments
    model = options.load()
    with options.watched() as progress:
        result = explore(model, progress=progress, **arguments)
    return deliver(result, model, outputs)
