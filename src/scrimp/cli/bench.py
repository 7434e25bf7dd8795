"""`scrimp bench`: compare methods, and other tools, on models."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrimp.cli.options import FILE, Once, Parsed, model_arguments, model_options, threads_option, whole_number
from scrimp.errors import OptionError
from scrimp.limits import Limits, parse_bytes, parse_seconds
from scrimp.strategies import Method
from scrimp.threads import available_threads

if TYPE_CHECKING:
    from scrimp.laboratory.bench import Matrix
    from scrimp.laboratory.peers.adapter import Adapter

UNDETERMINED = 3


class ListOption(Once):
    """A command whose option `--methods` takes all arguments up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_one_by_one(args, "--methods")))


def _one_by_one(arguments: list[str], option: str) -> Iterator[str]:
    """`--methods A B` as `--methods A --methods B`."""
    listing = False
    for place, argument in enumerate(arguments):
        if argument == option:
            listing = True
            if not arguments[place + 1 :] or arguments[place + 1].startswith("-"):
                raise click.UsageError(f"option '{option}' requires an argument")
            continue
        if argument == "--":
            yield from arguments[place:]
            return
        if argument.startswith("-"):
            listing = False
        if listing:
            yield option
        yield argument


def _method(text: str) -> str:
    return str(Method.parse(text))


@click.command("bench", cls=ListOption, short_help="Compare methods, and other tools, on models.")
@click.argument("models", type=FILE, nargs=-1, required=True, metavar="MODEL…")
@click.option(
    "--methods",
    type=Parsed("METHOD", _method),
    multiple=True,
    metavar="METHOD…",
    help="ORDER/STORE/REDUCTION, such as bfs/full dfs/cache:states=1000/sleep.  [default: exact ones of every kind]",
)
@click.option("--peer", "peer_files", type=FILE, multiple=True, metavar="FILE", help="Adapter of another tool to run.")
@click.option("--no-peers", is_flag=True, help="Do not run SPIN, even if it is installed.")
@click.option("--rounds", type=Parsed("N", whole_number(1)), default=1, show_default=True, help="Runs of each method.")
@click.option(
    "--time", type=Parsed("TIME", parse_seconds), default="60s", show_default=True, help="Time limit of a search."
)
@click.option("--memory", type=Parsed("BYTES", parse_bytes), help="Memory limit of a process, such as 64M.")
@threads_option("Threads of each search whose method can use several.  [default: the available processors]")
@click.option("--check", "checks", is_flag=True, help="Check each model instead of exploring it.")
@model_options
@click.option(
    "-o",
    "--output",
    type=FILE,
    default=Path("comparison"),
    show_default=True,
    metavar="DIR",
    help="Folder of the results.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(
    models: tuple[Path, ...],
    methods: tuple[str, ...],
    peer_files: tuple[Path, ...],
    no_peers: bool,
    rounds: int,
    time: float,
    memory: int | None,
    threads: int | None,
    checks: bool,
    defines: tuple[tuple[str, str], ...],
    ignore_property: bool,
    output: Path,
    quiet: bool,
) -> int:
    """Run every method on every MODEL, each in a process of its own, and compare states, transitions, time and memory.

    Runs are recorded in DIR as they finish. The same command continues after an interruption, and one with more models
    or methods adds to the runs in DIR. In the end, DIR has report.html, report.csv and report.json.
    """
    from scrimp.frontends import fingerprint
    from scrimp.laboratory.bench import USUAL_METHODS, Matrix

    Limits(time=time, memory=memory)  # refuses limits that no search accepts
    for model in models:
        if not model.is_file():
            raise OptionError(f"{model}: no such file")
    matrix = Matrix(
        models=tuple(dict.fromkeys(map(str, models))),
        methods=tuple(dict.fromkeys(methods or USUAL_METHODS)),
        peers=tuple(_peers(models, peer_files, no_peers, checks)),
        options=tuple(model_arguments(defines, ignore_property)),
        command="check" if checks else "explore",
        seconds=time,
        memory=memory,
        threads=threads,
        rounds=rounds,
        contents={str(model): fingerprint(model)[:16] for model in models},
    )
    return _measure_and_report(matrix, output, quiet)


def _peers(models: tuple[Path, ...], files: tuple[Path, ...], none: bool, checks: bool) -> Iterator[Adapter]:
    """Tools named by --peer must be installed. SPIN is added if it is installed and reads one of the models, unless an
    adapter of its name is given."""
    from scrimp.laboratory.peers.adapter import read_adapter, spin
    from scrimp.laboratory.peers.running import missing

    if files and checks:
        raise OptionError("--peer has no effect with --check: other tools only explore")
    names = set()
    for file in files:
        adapter = read_adapter(file)
        if adapter.name in names:
            raise OptionError(f"{file}: another adapter has the name '{adapter.name}'")
        names.add(adapter.name)
        if absent := missing(adapter):
            raise OptionError(f"{file}: {adapter.name} needs {', '.join(absent)}, which is not installed")
        yield adapter
    takes_part = spin().name not in names and not none and not checks
    if takes_part and not missing(spin()) and any(spin().reads(model) for model in models):
        yield spin()


def _measure_and_report(matrix: Matrix, output: Path, quiet: bool) -> int:
    from scrimp.laboratory.bench import measure
    from scrimp.laboratory.bench_report import table_lines, write_reports
    from scrimp.outputs.screen import complain, say

    try:
        cells = measure(matrix, output, quiet)
    except KeyboardInterrupt:
        complain(f"interrupted: finished runs are in {output}; the same command continues from there")
        return UNDETERMINED
    page = write_reports(output, cells, _settings(matrix))
    say([*table_lines(cells), f"  report  {page}"])
    return 0


def _settings(matrix: Matrix) -> dict[str, Any]:
    """The settings that the report shows."""
    from scrimp.numbers import amount, duration

    return {
        "command": matrix.command,
        "time limit": "none" if matrix.seconds is None else duration(matrix.seconds),
        "memory limit": "80% of the available memory" if matrix.memory is None else amount(matrix.memory),
        "threads": available_threads() if matrix.threads is None else matrix.threads,
        "rounds": matrix.rounds,
        "machine": f"{platform.system()} {platform.machine()}",
    }
