"""`scrimp reproduce`: rerun the tables and figures of the papers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from scrimp.cli.options import FILE, Once
from scrimp.errors import OptionError
from scrimp.outputs.screen import complain, say
from scrimp.outputs.style import dim, strong

if TYPE_CHECKING:
    from scrimp.laboratory.experiments.experiment import Experiment, Setting

UNDETERMINED = 3
ROOT = Path(__file__).resolve().parents[3]


def default_corpus() -> Path:
    return Path(os.environ.get("SCRIMP_CORPUS", ROOT.parent / "shared" / "corpus"))


@click.command("reproduce", cls=Once, short_help="Rerun the tables and figures of the papers.")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--quick", is_flag=True, help="Run a part that takes less than two minutes.")
@click.option("--stored", is_flag=True, help="Do not search: make the tables from finished searches.")
@click.option(
    "--runs",
    type=FILE,
    metavar="DIR",
    help="Folder of finished searches, NAME.jsonl.  [default: as --output; with --stored, the repository's results/]",
)
@click.option("--corpus", type=FILE, metavar="DIR", help="Folder of other people's models.  [default: $SCRIMP_CORPUS]")
@click.option("--models", type=FILE, metavar="DIR", help="Folder of scrimp's own models.  [default: the repository's]")
@click.option(
    "-o",
    "--output",
    type=FILE,
    default=Path("reproduced"),
    show_default=True,
    metavar="DIR",
    help="Folder of the results.",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(
    names: tuple[str, ...],
    quick: bool,
    stored: bool,
    runs: Path | None,
    corpus: Path | None,
    models: Path | None,
    output: Path,
    quiet: bool,
) -> int:
    """Rerun each experiment NAME, and show the paper's numbers beside ours, with the differences and with notes on what
    differs from the paper. Without NAME, list the experiments.

    Searches are recorded as they finish, and the same command continues after an interruption. In the end, the folder
    of --output has the table as NAME.json, NAME.csv and NAME.md, and a figure as NAME.svg and NAME.png.
    """
    from scrimp.laboratory.experiments.experiment import Setting
    from scrimp.laboratory.experiments.registry import experiment

    if not names:
        say(_list_lines())
        return 0
    chosen = [experiment(name) for name in names]
    setting = Setting(quick, corpus or default_corpus(), models or ROOT / "models")
    part = Path("quick" if quick else "")
    folders = Folders((runs or (ROOT / "results" if stored else output)) / part, output / part)
    try:
        for each in chosen:
            _reproduce(each, setting, folders, stored, quiet)
    except KeyboardInterrupt:
        complain(f"interrupted: finished searches are in {folders.runs}; the same command continues from there")
        return UNDETERMINED
    return 0


class Folders(NamedTuple):
    runs: Path
    output: Path


def _reproduce(experiment: Experiment, setting: Setting, folders: Folders, stored: bool, quiet: bool) -> None:
    from scrimp.laboratory.figures import MISSING, can_draw
    from scrimp.laboratory.reproduce import left_to_do, lines, reproduce, reproduced, write

    journal = folders.runs / f"{experiment.name}.jsonl"
    if stored and not journal.is_file():
        raise OptionError(f"--stored: there is no {journal}; name the folder of finished searches with --runs")
    needed, left = left_to_do(experiment, setting, folders.runs)
    if left and stored:
        say([f"{experiment.name}: {left} of {needed} searches are missing"])
    elif left and not quiet:
        minutes = 2 if setting.quick else experiment.minutes
        say([f"{experiment.name}: {left} of {needed} searches to run, {_about(minutes * left / needed)}"])
    make = reproduced if stored else partial(reproduce, quiet=quiet)
    found = make(experiment, setting, folders.runs)
    say(lines(found))
    written = write(found, folders.output)
    say([f"  written {', '.join(str(path) for path in written)}", *([] if can_draw() else [f"  {MISSING}"])])


def _about(minutes: float) -> str:
    if minutes < 1:
        return "less than a minute"
    if minutes < 1.5:
        return "about a minute"
    return f"about {minutes:.0f} minutes" if minutes < 90 else f"about {minutes / 60:.0f} hours"


def _list_lines() -> Iterator[str]:
    from scrimp.laboratory.experiments.registry import EXPERIMENTS

    yield f"{strong('experiments')}  {dim('scrimp reproduce NAME; --quick for a part')}"
    for experiment in EXPERIMENTS.values():
        yield f"  {experiment.name:15} {experiment.title}  {dim(_about(experiment.minutes))}"
