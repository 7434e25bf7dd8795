"""`scrimp simulate`: one run through a model: at random, by hand, or along a trace."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrimp.cli.options import (
    FILE,
    STANDARD_INPUT,
    ModelOptions,
    Once,
    Parsed,
    chart_option,
    ends_option,
    language_option,
    model_argument,
    model_options,
    whole_number,
)
from scrimp.errors import OptionError
from scrimp.outputs.screen import say

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.simulating import Run


@click.command("simulate", cls=Once, short_help="Run a model at random, by hand, or along a trace.")
@model_argument
@click.option(
    "--steps", type=Parsed("N", whole_number(0)), help="Number of random steps.  [default: 30, or 0 after --guide]"
)
@click.option("--seed", type=Parsed("N", whole_number(0)), help="Seed of the random choices.  [default: 0]")
@click.option("-i", "--interactive", is_flag=True, help="Choose every step yourself.")
@click.option("--guide", type=FILE, metavar="FILE", help="Follow a trace file first.")
@language_option
@model_options
@ends_option
@chart_option
@click.option("--trace", "trace_file", type=FILE, metavar="FILE", help="Write the run as a trace file.")
def command(
    steps: int | None,
    seed: int | None,
    interactive: bool,
    guide: Path | None,
    chart: bool,
    trace_file: Path | None,
    **asked: Any,
) -> int:
    """Run MODEL once on the reference interpreter, at random by default. With --guide the run first follows a trace
    file, and continues only if --steps or --interactive asks for it."""
    from scrimp.cli.replay import shown_trace
    from scrimp.outputs.files import require_writable
    from scrimp.simulating import ending_lines, simulate

    _refuse_idle_options(steps, seed, interactive, guide)
    if interactive and chart:
        raise OptionError("--msc shows a whole run and has no effect with --interactive")
    if trace_file is not None:
        require_writable(trace_file)
    options = ModelOptions(**asked)
    if interactive and options.model == STANDARD_INPUT:
        raise OptionError("--interactive reads your choices from standard input; give the model as a file")
    model = options.load()
    if interactive:
        run = chosen_run(model, guide)
    else:
        run = simulate(model, steps=steps, seed=seed or 0, guide=guide)
        say([*shown_trace(Path(model.path).name, run.trace, chart=chart, whole=True), *ending_lines(run.ending)])
    if trace_file is not None:
        run.write_trace(trace_file)
    return 0


def chosen_run(model: Model, guide: Path | None) -> Run:
    """A run whose steps the user chooses, after those of a guide."""
    from scrimp.cli.stepping import Dialogue
    from scrimp.recorded import follow_recorded
    from scrimp.simulating import run_of
    from scrimp.walking import Walk

    walk = Walk(model)
    if guide is not None:
        follow_recorded(walk, guide)
        walk.forget_cycle()
    Dialogue(walk, Path(model.path).name).hold()
    return run_of(walk)


def _refuse_idle_options(steps: int | None, seed: int | None, interactive: bool, guide: Path | None) -> None:
    if interactive and steps is not None:
        raise OptionError("--steps counts random steps and has no effect with --interactive")
    if interactive and seed is not None:
        raise OptionError("--seed is for random steps and has no effect with --interactive")
    if guide is not None and seed is not None and not steps:
        raise OptionError("--seed is for random steps; with --guide it needs --steps")
