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
from scrimp.outputs.files import require_other_file
from scrimp.strategies import Full

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
    help="File to write: .aut, .dot, .graphml or .parquet; add .gz to compress one of the first three.",
)
@click.option(
    "--values",
    type=FILE,
    metavar="FILE",
    help="Also write the values of the variables in each state: .csv or .jsonl; add .gz to compress it.",
)
@click.option("--minimise", type=click.Choice(["strong"]), help="Merge strongly bisimilar states.")
@search_options
def command(output: Path, values: Path | None, minimise: Minimise | None, **shared: Any) -> int:
    """Visit every reachable state of MODEL and write its labelled transition system: all states and transitions. No
    file is written unless every state was visited."""
    from scrimp.exporting import export
    from scrimp.outputs.lts import writer_for
    from scrimp.outputs.screen import say

    options = SearchOptions(**shared | {"store": shared["store"] or Full()})
    record = None if options.json_file in (None, STDOUT) else options.json_file.resolve()
    for name, file in (("--output", output), ("--values", values)):
        if file is not None and file.resolve() == record:
            raise OptionError(f"--json and {name} both name {file}")
        if file is not None:
            require_other_file(name, file, options.model)
    outputs = Outputs(options.model, options.json_file, options.quiet)
    arguments = options.arguments
    require_exportable(options.method, options.threads)
    writer_for(output)
    model = options.load()
    with options.watched() as progress:
        exported = export(model, output, values=values, minimise=minimise, progress=progress, **arguments)
    code = deliver(exported.result, model, outputs)
    if not options.quiet and options.json_file != STDOUT:
        say(_written_lines(exported, output, values))
    return code


def _written_lines(exported: Exported, output: Path, values: Path | None) -> Iterator[str]:
    """The files, their sizes, and how they differ from the search: redundant or merged states, omitted faults."""
    from scrimp.numbers import count, counted

    if exported.states is None or exported.transitions is None:
        return
    found = exported.result.statistics
    sizes = f"{counted(exported.states, 'state')} · {counted(exported.transitions, 'transition')}"
    yield f"  written      {output} · {sizes}"
    indent = " " * 15
    if values is not None:
        yield f"{indent}{values} · the values of the variables"
    if exported.redundant:
        about = "" if found.states_exact else "about "
        yield f"{indent}{about}{count(exported.redundant)} of the states are redundant"
    if exported.merged:
        visited = count(exported.merged + exported.states)
        yield f"{indent}{count(exported.merged)} of the {visited} visited states are bisimilar to others"
    if found.faults:
        yield f"{indent}left out: {counted(found.faults, 'fault')}; a fault leads to no state"
