"""`scrimp check`: decide whether a model can go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from scrimp.cli.options import (
    FILE,
    Parsed,
    defines_by_name,
    limit_options,
    model_argument,
    model_options,
    output_options,
    parse_violations,
    strategy_options,
)
from scrimp.cli.running import Outputs, require_shuffle, run_and_report
from scrimp.limits import Limits
from scrimp.strategies import Order, Reduction, Store


@click.command("check", short_help="Decide whether a model can go wrong.")
@model_argument
@click.option("--invariant", "invariants", metavar="EXPR", multiple=True, help="Must hold in every state.")
@click.option("--reach", metavar="EXPR", multiple=True, help="Must hold in some reachable state.")
@click.option("--allow-deadlock", is_flag=True, help="A deadlock is no violation.")
@click.option(
    "--violations",
    type=Parsed("N|all", parse_violations),
    metavar="N|all",
    default=1,
    show_default=True,
    help="How many violations to find before stopping.",
)
@strategy_options
@limit_options
@model_options
@output_options
@click.option("--trace", "trace_file", type=FILE, metavar="FILE", help="Write the first trace as JSON.")
def command(
    model: Path,
    invariants: tuple[str, ...],
    reach: tuple[str, ...],
    allow_deadlock: bool,
    violations: int | Literal["all"],
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
    trace_file: Path | None,
) -> int:
    """Search MODEL for a deadlock, a violated assertion or invariant, a run-time fault, or a state that should be
    reachable and is not. The search stops at the first violation and prints how to get there."""
    from scrimp.checking import check
    from scrimp.frontends import load

    limits = Limits(memory=memory, time=time, depth=depth)
    outputs = Outputs(json_file, trace_file, quiet)
    seed = require_shuffle(shuffle, seed)
    loaded = load(model, defines=defines_by_name(defines), ignore_property=ignore_property)
    return run_and_report(
        model,
        order,
        outputs,
        lambda progress: check(
            loaded,
            order=order,
            store=store,
            reduction=reduction,
            invariants=invariants,
            reach=reach,
            deadlock=not allow_deadlock,
            limits=limits,
            violations=violations,
            shuffle=shuffle,
            seed=seed,
            progress=progress,
        ),
    )
