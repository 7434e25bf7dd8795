"""`scrimp explore`: visit every reachable state and count."""

from __future__ import annotations

from pathlib import Path

import click

from scrimp.cli.options import (
    defines_by_name,
    limit_options,
    model_argument,
    model_options,
    output_options,
    strategy_options,
)
from scrimp.cli.running import Outputs, require_shuffle, run_and_report
from scrimp.limits import Limits
from scrimp.strategies import Order, Reduction, Store


@click.command("explore", short_help="Visit every reachable state and count.")
@model_argument
@strategy_options
@limit_options
@model_options
@output_options
def command(
    model: Path,
    order: Order,
    store: Store,
    reduction: Reduction,
    shuffle: bool,
    seed: int | None,
    memory: int | None,
    time: float | None,
    depth: int | None,
    defines: tuple[tuple[str, str], ...],
    ignore_property: bool,
    json_file: Path | None,
    quiet: bool,
) -> int:
    """Visit every reachable state of MODEL and count states, transitions, deadlocks and faults. Nothing is asked of the
    model: exit code 0 means that all of it was seen."""
    from scrimp.checking import explore
    from scrimp.frontends import load

    limits = Limits(memory=memory, time=time, depth=depth)
    outputs = Outputs(json_file, None, quiet)
    seed = require_shuffle(shuffle, seed)
    loaded = load(model, defines=defines_by_name(defines), ignore_property=ignore_property)
    return run_and_report(
        model,
        order,
        outputs,
        lambda progress: explore(
            loaded,
            order=order,
            store=store,
            reduction=reduction,
            limits=limits,
            shuffle=shuffle,
            seed=seed,
            progress=progress,
        ),
    )
