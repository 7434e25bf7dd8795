"""`scrimp check`: decide whether a model can go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from scrimp.cli.answering import answer
from scrimp.cli.options import (
    FILE,
    Once,
    Parsed,
    chart_option,
    checkpoint_options,
    model_argument,
    parse_violations,
    search_options,
    symmetry_option,
)
from scrimp.cli.running import Outputs, SearchOptions, deliver
from scrimp.compatibility import require_answerable
from scrimp.errors import OptionError
from scrimp.fairness import Fairness, parse_fairness
from scrimp.properties import Assertions, Deadlock


@click.command("check", cls=Once, short_help="Decide whether a model can go wrong.")
@model_argument
@click.option(
    "--invariant", "invariants", metavar="EXPR", multiple=True, help="EXPR must hold in every reachable state."
)
@click.option("--reach", metavar="EXPR", multiple=True, help="EXPR must hold in some reachable state.")
@click.option(
    "--properties",
    "property_file",
    type=FILE,
    metavar="FILE",
    help="Answer the formulas of a property file of the Model Checking Contest, and nothing else.",
)
@click.option("--mcc", is_flag=True, help="With --properties: print the answers in the contest's format.")
@click.option(
    "--ltl",
    metavar="FORMULA",
    multiple=True,
    help="FORMULA, or the model's formula of that name, must hold on all runs.",
)
@click.option("--progress", is_flag=True, help="Look for infinite runs that pass no progress label from some point on.")
@click.option("--acceptance", is_flag=True, help="Look for infinite runs that pass accept labels again and again.")
@click.option(
    "--automaton",
    type=FILE,
    metavar="FILE",
    multiple=True,
    help="No run may be accepted by the automaton in FILE, in the HOA format.",
)
@click.option(
    "--fair",
    type=Parsed("weak|strong", parse_fairness),
    help="Consider only infinite runs that are fair to every process.",
)
@click.option("--allow-deadlock", is_flag=True, help="Do not look for deadlocks.")
@click.option("--only", type=click.Choice(["deadlock"]), help="Look for deadlocks and nothing else.")
@click.option(
    "--violations",
    type=Parsed("N|all", parse_violations),
    metavar="N|all",
    default=1,
    show_default=True,
    help="Stop after N violations; all: search to the end, and show traces to the first ten.",
)
@click.option("--as-written", is_flag=True, help="Search the model as it is written: no passes make it smaller first.")
@symmetry_option
@chart_option
@search_options
@checkpoint_options
@click.option("--trace", "trace_file", type=FILE, metavar="FILE", help="Write the first trace as JSON.")
@click.option("--trail", "trail_file", type=FILE, metavar="FILE", help="Write the first trace as a trail for SPIN.")
@click.option("--view", "shows_page", is_flag=True, help="Show the result on a local web page, as `scrimp view` does.")
def command(
    invariants: tuple[str, ...],
    reach: tuple[str, ...],
    property_file: Path | None,
    mcc: bool,
    ltl: tuple[str, ...],
    progress: bool,
    acceptance: bool,
    automaton: tuple[Path, ...],
    fair: Fairness | None,
    allow_deadlock: bool,
    only: Literal["deadlock"] | None,
    violations: int | Literal["all"],
    as_written: bool,
    symmetry: bool,
    chart: bool,
    checkpoint: Path | None,
    checkpoint_every: float | None,
    trace_file: Path | None,
    trail_file: Path | None,
    shows_page: bool,
    **shared: Any,
) -> int:
    """Search MODEL for a deadlock, a violated assertion or invariant, or a run-time fault, and for the states that
    --reach asks for; and for infinite runs that violate an ltl formula of the model. With --ltl or --progress, only
    these are checked. A search stops at the first violation, and a trace to it is printed."""
    from scrimp.checking import check

    options = SearchOptions(**shared, has_checks=symmetry or (not as_written and violations == 1))
    if options.empty_channels and allow_deadlock:
        raise OptionError("--empty-channels has no effect with --allow-deadlock: it decides which ends are deadlocks")
    outputs = Outputs(options.model, options.json_file, options.quiet, trace_file, trail_file, chart)
    if property_file is not None:
        named = {"--invariant": invariants, "--reach": reach, "--allow-deadlock": allow_deadlock, "--msc": chart}
        named |= {
            "--ltl": ltl,
            "--progress": progress,
            "--acceptance": acceptance,
            "--automaton": automaton,
            "--fair": fair,
        }
        named |= {
            "--only": only,
            "--symmetry": symmetry,
            "--violations": violations != 1,
            "--checkpoint": checkpoint,
            "--checkpoint-every": checkpoint_every,
            "--trace": trace_file,
            "--trail": trail_file,
            "--view": shows_page,
        }
        given = [option for option, value in named.items() if value]
        return answer(options, property_file, mcc, given, as_written=as_written)
    if mcc:
        raise OptionError("--mcc needs --properties: it prints the answers to the formulas of a property file")
    arguments = options.spilling_arguments
    require_answerable(options.fixed_reduction, [Assertions() if only is None else Deadlock()])
    model, text = options.load_with_text()
    outputs.require_fit(model)
    with options.watched() as observer:
        result = check(
            model,
            invariant=invariants,
            reach=reach,
            ltl=ltl,
            non_progress=progress,
            acceptance=acceptance,
            automaton=automaton,
            fair=fair or Fairness.NONE,
            allow_deadlock=allow_deadlock,
            only=only,
            violations=violations,
            as_written=as_written,
            symmetry=symmetry,
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            progress=observer,
            **arguments,
        )
    code = deliver(result, model, outputs)
    if shows_page:
        from scrimp.cli.view import show_result

        show_result(result, model, text)
    return code
