"""`scrimp explore`: visit every reachable state and count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from scrimp.cli.options import Once, checkpoint_options, model_argument, search_options, symmetry_option
from scrimp.cli.running import Outputs, SearchOptions, deliver


@click.command("explore", cls=Once, short_help="Visit every reachable state and count.")
@model_argument
@click.option("--passes", is_flag=True, help="Make the model smaller first, as check does.")
@symmetry_option
@search_options
@checkpoint_options
def command(
    passes: bool, symmetry: bool, checkpoint: Path | None, checkpoint_every: float | None, **shared: Any
) -> int:
    """Visit every reachable state of MODEL and count states, transitions, deadlocks and faults. Nothing is checked:
    exit code 0 means that every state was visited."""
    from scrimp.checking import explore

    options = SearchOptions(**shared, has_checks=passes or symmetry)
    outputs = Outputs(options.model, options.json_file, options.quiet)
    arguments = options.spilling_arguments
    model = options.load()
    with options.watched() as progress:
        result = explore(
            model,
            passes=passes,
            symmetry=symmetry,
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            progress=progress,
            **arguments,
        )
    return deliver(result, model, outputs)
