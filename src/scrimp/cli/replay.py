"""`scrimp replay`: follow a trace file and see whether it ends in what it shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrimp.cli.options import FILE, ModelOptions, Once, chart_option, ends_option, model_argument, model_options
from scrimp.errors import OptionError, ScrimpError
from scrimp.numbers import counted
from scrimp.outputs.screen import draws_lines, say, screen_width
from scrimp.outputs.style import good

if TYPE_CHECKING:
    from scrimp.cli.walk import Walk
    from scrimp.frontends.model import Model
    from scrimp.outputs.trace_file import Claim
    from scrimp.steps import Trace
    from scrimp.system.reference import State


@click.command("replay", cls=Once, short_help="Follow a trace file and confirm what it shows.")
@model_argument
@click.argument("trace_file", metavar="FILE", type=FILE)
@model_options
@ends_option
@chart_option
@click.option("-q", "--quiet", is_flag=True, help="Print the outcome only.")
def command(trace_file: Path, chart: bool, quiet: bool, **asked: Any) -> int:
    """Follow the trace in FILE, written by `check --trace` or `simulate --trace`, or a trail of SPIN's, through MODEL
    on the reference interpreter, and confirm that it ends in what it shows. Exit code 0: it does; 2: it does not."""
    from scrimp.cli.recorded import follow_file
    from scrimp.cli.walk import Walk

    if chart and quiet:
        raise OptionError("--msc has no effect with --quiet")
    options = ModelOptions(**asked)
    walk = Walk(options.load())
    shows = follow_file(walk, trace_file)
    if shows is None:
        raise ScrimpError(f"{trace_file}: nothing is wrong where the trail ends, after {counted(walk.length, 'step')}")
    if not confirmed(walk, shows):
        raise ScrimpError(f"{trace_file}: the trace does not end in what it shows: {shows.message}")
    trace = walk.trace
    if not quiet:
        say([*shown_trace(options.model.name, trace, chart=chart), ""])
    say([f"{good('CONFIRMED')}  {shows.message}, after {counted(len(trace.steps), 'step')}"])
    return 0


def shown_trace(file: str, trace: Trace, *, chart: bool, whole: bool = False) -> Iterator[str]:
    """A trace as the screen allows: its steps, or a chart of its messages."""
    from scrimp.outputs.sequence_chart import chart_lines
    from scrimp.outputs.trace_text import trace_lines

    if chart:
        return chart_lines(trace, width=screen_width(), lines=draws_lines())
    return trace_lines(file, trace, width=screen_width(), whole=whole)


def confirmed(walk: Walk, claim: Claim) -> bool:
    """Whether a trace that was followed ends in what it claims."""
    from scrimp.system import reference
    from scrimp.system.reference import Fault

    end = walk.end
    if claim.kind == "simulation":
        return True
    if claim.kind == "cycle" or (claim.kind == "fault" and walk.closes):
        return walk.closes and (claim.kind == "cycle" or walk.goes_on_alone)
    if claim.kind in ("assertion", "fault"):
        faults = [*walk.failed, *([end] if isinstance(end, Fault) else [])]
        return any((fault.kind, fault.message) == (claim.kind, claim.message) for fault in faults)
    if isinstance(end, Fault):
        return False
    if claim.kind == "deadlock":
        return reference.is_deadlock(walk.system, end)
    return _holds(walk.model, claim.name, end) == (claim.kind == "goal")


def _holds(model: Model, name: str, state: State) -> bool:
    """Whether the invariant declared under a name, or else the expression it spells, holds in a state."""
    from scrimp.system import reference
    from scrimp.system.reference import EvaluationFault

    declared = [invariant.test for invariant in model.system.invariants if invariant.name == name]
    try:
        return reference.evaluate(model.system, state, declared[0] if declared else model.expression(name)) != 0
    except EvaluationFault:
        return False
