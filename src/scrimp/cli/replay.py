"""`scrimp replay`: follow a trace file and check that it ends as it claims."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrimp.cli.options import (
    FILE,
    ModelOptions,
    Once,
    chart_option,
    ends_option,
    language_option,
    model_argument,
    model_options,
)
from scrimp.errors import OptionError
from scrimp.outputs.screen import draws_lines, say, screen_width

if TYPE_CHECKING:
    from scrimp.steps import Trace


@click.command("replay", cls=Once, short_help="Follow a trace file and confirm how it ends.")
@model_argument
@click.argument("trace_file", metavar="FILE", type=FILE)
@language_option
@model_options
@ends_option
@chart_option
@click.option("-q", "--quiet", is_flag=True, help="Print only the outcome.")
def command(trace_file: Path, chart: bool, quiet: bool, **asked: Any) -> int:
    """Follow the trace in FILE through MODEL on the reference interpreter, and confirm that it ends as it claims. FILE
    was written by `check --trace` or `simulate --trace`, or is a trail of SPIN's. Exit code 0: confirmed; 2: not."""
    from scrimp.replaying import replay

    if chart and quiet:
        raise OptionError("--msc has no effect with --quiet")
    replayed = replay(ModelOptions(**asked).load(), trace_file)
    if not quiet:
        say([*shown_trace(Path(replayed.model).name, replayed.trace, chart=chart), ""])
    say([replayed.verdict_line])
    return 0


def shown_trace(file: str, trace: Trace, *, chart: bool, whole: bool = False) -> Iterator[str]:
    """A trace fitted to the screen: its steps, or a chart of its messages."""
    from scrimp.outputs.sequence_chart import chart_lines
    from scrimp.outputs.trace_text import trace_lines

    if chart:
        return chart_lines(trace, width=screen_width(), lines=draws_lines())
    return trace_lines(file, trace, width=screen_width(), whole=whole)
