"""`scrimp simulate`: one run through a model: at random, by hand, or along a trace."""

from __future__ import annotations

from collections.abc import Iterator
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
from scrimp.outputs.screen import say, screen_width, write
from scrimp.outputs.style import dim

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.simulating import Run
    from scrimp.walking import Walk


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
    from scrimp.recorded import follow_recorded
    from scrimp.simulating import run_of
    from scrimp.walking import Walk

    walk = Walk(model)
    if guide is not None:
        follow_recorded(walk, guide)
        walk.forget_cycle()
    choose(walk, Path(model.path).name)
    return run_of(walk)


def choose(walk: Walk, file: str) -> None:
    """Let the user take each step: a number, `u` to undo, `q` or the end of input to stop."""
    while True:
        events = walk.events()
        say(_situation(walk, events, file))
        write("choose a number, u to undo, q to quit: " if events else "u to undo, q to quit: ")
        try:
            answer = input().strip()
        except EOFError:
            write("\n")
            return
        if answer == "q":
            return
        if answer == "u":
            walk.undo()
        elif answer.isdecimal() and 1 <= int(answer) <= len(events):
            walk.take(events[int(answer) - 1])
        else:
            say([f"  '{answer}' is not among the choices"])


def _situation(walk: Walk, events: list[int], file: str) -> Iterator[str]:
    """The last step, the state, and the numbered events."""
    from scrimp.outputs.trace_text import numbered_lines, value_text
    from scrimp.simulating import ending_lines
    from scrimp.steps import Step
    from scrimp.system.reference import PROGRAM, State

    yield ""
    if walk.last is not None:
        yield from numbered_lines(file, [(walk.length, walk.last)], screen_width())
    if isinstance(walk.end, State):
        values = [f"{name} = {value_text(value, names)}" for name, value, names in walk.words.valuation(walk.end)]
        yield dim("  " + ", ".join([*walk.words.places(walk.end), *values]))
        if walk.end.holder is not None and walk.end.holder != PROGRAM:
            yield dim("  in the middle of an atomic sequence: " + walk.words.place(walk.end, walk.end.holder))
    yield from ending_lines(walk.ending())
    yield from numbered_lines(
        file, [(number, Step(event, walk.moves(event))) for number, event in enumerate(events, 1)]
    )


def _refuse_idle_options(steps: int | None, seed: int | None, interactive: bool, guide: Path | None) -> None:
    if interactive and steps is not None:
        raise OptionError("--steps counts random steps and has no effect with --interactive")
    if interactive and seed is not None:
        raise OptionError("--seed is for random steps and has no effect with --interactive")
    if guide is not None and seed is not None and not steps:
        raise OptionError("--seed is for random steps; with --guide it needs --steps")
