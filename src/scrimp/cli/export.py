"""`scrimp export`: write the LTS of a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrimp.cli.options import FILE, Once, model_argument, search_options
from scrimp.cli.running import STDOUT, Outputs, SearchOptions, deliver
from scrimp.compatibility import require_exportable
from scrimp.errors import OptionError

if TYPE_CHECKING:
    from scrimp.exporting import Exported, Minimise


@click.command("export", cls=Once, short_help="Write all states and transitions to a file.")
@model_argument
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FILE",
    help="A .aut, .dot, .graphml or .parquet file; or .aut.gz.",
)
@click.option("--minimise", type=click.Choice(["strong"]), help="Leave one of the states that are strongly bisimilar.")
@search_options
def command(output: Path, minimise: Minimise | None, **shared: Any) -> int:
    """Visit every reachable state of MODEL and write the labelled transition system: all states and transitions. There
    is no file unless all were visited."""
    from scrimp.exporting import export
    from scrimp.outputs.lts import writer_for
    from scrimp.outputs.screen import say

    options = SearchOptions(**shared)
    if options.json_file not in (None, STDOUT) and options.json_file.resolve() == output.resolve():
        raise OptionError(f"--json and --output both name {output}")
    outputs = Outputs(options.json_file, options.quiet)
    arguments = options.arguments
    require_exportable(options.method)
    writer_for(output)
    model = options.load()
    with options.watched() as progress:
        exported = export(model, output, minimise=minimise, progress=progress, **arguments)
    code = deliver(exported.result, model, outputs)
    if not options.quiet and options.json_file != STDOUT:
        say(_written_lines(exported, output))
    return code


def _written_lines(exported: Exported, output: Path) -> Iterator[str]:
    """What the file has, and what it has too much or too little of."""
    from scrimp.numbers import count, counted

    if exported.states is None or exported.transitions is None:
        return
    found = exported.result.statistics
    sizes = f"{counted(exported.states, 'state')} · {counted(exported.transitions, 'transition')}"
    yield f"  written      {output} · {sizes}"
    indent = " " * 15
    if exported.redundant:
        about = "" if found.states_exact else "about "
        yield f"{indent}{about}{count(exported.redundant)} of the states are redundant"
    if exported.merged:
        visited = count(exported.merged + exported.states)
        yield f"{indent}{count(exported.merged)} of the {visited} visited states are bisimilar to others"
    if found.faults:
        yield f"{indent}{counted(found.faults, 'fault')} lead to no state and are left out"
