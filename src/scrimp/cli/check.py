"""`scrimp check`: decide whether a model can go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from scrimp.cli.options import FILE, Once, Parsed, chart_option, model_argument, parse_violations, search_options
from scrimp.cli.running import Outputs, SearchOptions, deliver
from scrimp.compatibility import require_answerable
from scrimp.errors import OptionError
from scrimp.properties import Assertions


@click.command("check", cls=Once, short_help="Decide whether a model can go wrong.")
@model_argument
@click.option(
    "--invariant", "invariants", metavar="EXPR", multiple=True, help="EXPR must hold in every reachable state."
)
@click.option("--reach", metavar="EXPR", multiple=True, help="EXPR must hold in some reachable state.")
@click.option("--allow-deadlock", is_flag=True, help="Do not look for deadlocks.")
@click.option(
    "--violations",
    type=Parsed("N|all", parse_violations),
    metavar="N|all",
    default=1,
    show_default=True,
    help="Stop after N violations; all: search to the end, and show traces to the first ten.",
)
@chart_option
@search_options
@click.option("--trace", "trace_file", type=FILE, metavar="FILE", help="Write the first trace as JSON.")
@click.option("--trail", "trail_file", type=FILE, metavar="FILE", help="Write the first trace as a trail for SPIN.")
def command(
    invariants: tuple[str, ...],
    reach: tuple[str, ...],
    allow_deadlock: bool,
    violations: int | Literal["all"],
    chart: bool,
    trace_file: Path | None,
    trail_file: Path | None,
    **shared: Any,
) -> int:
    """Search MODEL for a deadlock, a violated assertion or invariant, or a run-time fault, and for the states that
    --reach asks for. The search stops at the first violation, and a trace to it is printed."""
    from scrimp.checking import check

    options = SearchOptions(**shared)
    if options.empty_channels and allow_deadlock:
        raise OptionError("--empty-channels has no effect with --allow-deadlock: it decides which ends are deadlocks")
    outputs = Outputs(options.model, options.json_file, options.quiet, trace_file, trail_file, chart)
    arguments = options.arguments
    require_answerable(options.reduction, [Assertions()])
    model = options.load()
    outputs.require_fit(model)
    with options.watched() as progress:
        result = check(
            model,
            invariant=invariants,
            reach=reach,
            allow_deadlock=allow_deadlock,
            violations=violations,
            progress=progress,
            **arguments,
        )
    return deliver(result, model, outputs)
