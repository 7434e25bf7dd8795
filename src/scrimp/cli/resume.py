"""`scrimp resume`: continue a search from its last checkpoint."""

from __future__ import annotations

from pathlib import Path

import click

from scrimp.cli.options import FILE, Once, Parsed, chart_option, disk_options, every_option, threads_option
from scrimp.cli.running import Observer, Outputs, deliver
from scrimp.limits import parse_bytes, parse_seconds
from scrimp.outputs.live import anyone_watching, live_line
from scrimp.strategies import STORES, Method, Store, names, parse_store


@click.command("resume", cls=Once, short_help="Continue a search from its last checkpoint.")
@click.argument("folder", metavar="DIR", type=FILE)
@click.option("--model", "model_file", type=FILE, metavar="FILE", help="The model, if it is no longer where it was.")
@click.option(
    "--store",
    type=Parsed("STORE", parse_store),
    help=f"How visited states are stored from now on: {names(STORES)}.  [default: as before]",
)
@click.option(
    "--memory",
    type=Parsed("BYTES", parse_bytes),
    help="Memory limit of the search, such as 64M.  [default: as before]",
)
@click.option("--time", type=Parsed("TIME", parse_seconds), help="Time limit from now on.  [default: none]")
@disk_options
@threads_option("Threads of the search.  [default: as before]")
@every_option
@chart_option
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="Write the result as JSON; - is standard output.")
@click.option("-q", "--quiet", is_flag=True, help="Print only the verdict.")
@click.option("--trace", "trace_file", type=FILE, metavar="FILE", help="Write the first trace as JSON.")
@click.option("--trail", "trail_file", type=FILE, metavar="FILE", help="Write the first trace as a trail for SPIN.")
def command(
    folder: Path,
    model_file: Path | None,
    store: Store | None,
    memory: int | None,
    time: float | None,
    disk: int | None,
    spill: Path | None,
    threads: int | None,
    checkpoint_every: float | None,
    chart: bool,
    json_file: Path | None,
    quiet: bool,
    trace_file: Path | None,
    trail_file: Path | None,
) -> int:
    """Continue the search that `check --checkpoint DIR` or `explore --checkpoint DIR` began, with the same question and
    the same result as if it had never been interrupted. Memory, threads and store may be others than before."""
    from contextlib import nullcontext

    from scrimp.checkpoints.folder import read
    from scrimp.frontends import load
    from scrimp.resuming import resume, saved_model

    search = read(folder)
    file = search["file"]
    given = None if model_file is None else load(model_file, **{k: v for k, v in (file or {}).items() if k != "file"})
    model = saved_model(folder, search, given)
    outputs = Outputs(Path(model.path), json_file, quiet, trace_file, trail_file, chart)
    outputs.require_fit(model)
    watched = nullcontext[Observer](None)
    live = quiet or not anyone_watching()
    with watched if live else live_line(f"resuming {folder} …", Method.parse(search["method"])) as observer:
        result = resume(
            folder,
            model=model,
            store=store,
            memory=memory,
            time=time,
            disk=disk,
            spill=spill,
            threads=threads,
            checkpoint_every=checkpoint_every,
            progress=observer,
        )
    return deliver(result, model, outputs)
