"""`scrimp reproduce`: carry out an experiment, and show the paper's numbers beside ours."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from scrimp.errors import ScrimpError
from scrimp.laboratory import figures
from scrimp.laboratory.campaign import carry_out
from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting
from scrimp.laboratory.journal import Journal
from scrimp.laboratory.tables import csv_text, markdown, text_lines, wrapped
from scrimp.laboratory.task import Run, Task
from scrimp.outputs.files import write_whole
from scrimp.outputs.style import dim, strong


@dataclass(frozen=True, slots=True)
class Reproduced:
    """An experiment with its numbers, and the runs that they come from."""

    experiment: Experiment
    setting: Setting
    numbers: Sequence[Number]
    runs: Runs
    left: int = 0  # searches that have not been run

    @property
    def header(self) -> list[str]:
        return [*self.experiment.columns, "paper", "ours", "difference"]

    @property
    def command(self) -> str:
        return f"scrimp reproduce {self.experiment.name}" + (" --quick" if self.setting.quick else "")


def reproduce(experiment: Experiment, setting: Setting, folder: Path, quiet: bool = False) -> Reproduced:
    """Carry out the runs that are not in the folder yet, until the experiment has no more tasks."""
    journal = Journal(folder, f"{experiment.name}.jsonl")

    def perform(task: Task) -> Run:
        """The recorded run has the model's name instead of its path, and only the numbers that the experiment reads.
        The papers' searches have one thread each, and so have ours, so that their times can be compared."""
        options = (*task.options, "--threads", "1")
        run = experiment.perform(replace(task, model=str(setting.path(task.model)), options=options))
        return replace(run, task=task, numbers={name: run.number(name) for name in experiment.reads})

    while left := [task for task in experiment.tasks(setting, journal.runs) if task not in journal.runs]:
        carry_out(left, journal, perform, quiet)
    return reproduced(experiment, setting, folder)


def reproduced(experiment: Experiment, setting: Setting, folder: Path) -> Reproduced:
    """The numbers of the runs in the folder."""
    runs = Journal(folder, f"{experiment.name}.jsonl").runs
    _, left = left_to_do(experiment, setting, folder)
    return Reproduced(experiment, setting, experiment.numbers(setting, runs), runs, left)


def left_to_do(experiment: Experiment, setting: Setting, folder: Path) -> tuple[int, int]:
    """How many searches are known to be needed, and how many of them are not done."""
    journal = Journal(folder, f"{experiment.name}.jsonl")
    tasks = list(dict.fromkeys(experiment.tasks(setting, journal.runs)))
    return len(tasks), sum(task not in journal.runs for task in tasks)


def lines(found: Reproduced) -> Iterator[str]:
    """The table for the terminal, and the notes."""
    yield strong(found.experiment.title)
    yield from text_lines([*map(dim, found.header)], _rows(found), left=len(found.experiment.columns))
    yield ""
    for number, difference in enumerate(found.experiment.differs):
        yield f"  {dim('set-up  ' if number == 0 else '        ')}{difference}"


def _rows(found: Reproduced) -> list[list[str]]:
    return [[*number.labels, shown(number.paper), shown(number.ours), number.difference] for number in found.numbers]


def shown(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value == int(value) and abs(value) >= 1000 else f"{value:g}"


def write(found: Reproduced, folder: Path) -> list[Path]:
    """Write the table as JSON, CSV and Markdown, and the figure; returns the paths."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScrimpError(f"cannot write {folder}: {error.strerror}") from error
    base = folder / found.experiment.name
    rows = [number.to_dict(found.experiment.columns) for number in found.numbers]
    record = {
        "name": found.experiment.name,
        "title": found.experiment.title,
        "command": found.command,
        "set-up": list(found.experiment.differs),
        "numbers": rows,
    }
    write_whole(base.with_suffix(".json"), [json.dumps(record, indent=1, ensure_ascii=False), "\n"])
    write_whole(base.with_suffix(".csv"), [csv_text(found.header, [list(row.values()) for row in rows])])
    draws = figures.can_draw() and bool(found.numbers)
    write_whole(base.with_suffix(".md"), [page(found, draws)])
    written = [base.with_suffix(suffix) for suffix in (".md", ".json", ".csv")]
    if draws:
        draw = found.experiment.draw
        figure = _comparison(found) if draw is None else draw(found.setting, found.runs, found.numbers)
        figures.save(figure, base)
        written += [base.with_suffix(".svg"), base.with_suffix(".png")]
    return written


def _comparison(found: Reproduced) -> figures.Figure:
    columns, across = found.experiment.columns, found.experiment.across
    return figures.comparison(found.numbers, None if across is None else columns.index(across))


Row: TypeAlias = list[str]


def page(found: Reproduced, has_figure: bool) -> str:
    name = found.experiment.name
    figure = f"![{found.experiment.title}]({name}.svg)\n\n" if has_figure else ""
    missing = f" {found.left:,} of its searches have not been run." if found.left else ""
    made_by = f"Made by `{found.command}`.{missing} Notes, and differences from the paper's set-up:"
    differs = "\n".join(wrapped(f"- {each}", indent="  ") for each in found.experiment.differs)
    return f"# {found.experiment.title}\n\n{wrapped(made_by)}\n\n{differs}\n\n{figure}{_table(found)}\n"


def _table(found: Reproduced) -> str:
    """A line for each number, or numbers side by side if the experiment names a column to go across."""
    columns, across = found.experiment.columns, found.experiment.across
    if across is None:
        return markdown(found.header, _rows(found))
    place = columns.index(across)
    places = list(dict.fromkeys(number.labels[place] for number in found.numbers))
    lines: dict[tuple[str, ...], dict[str, Number]] = {}
    for number in found.numbers:
        rest = number.labels[:place] + number.labels[place + 1 :]
        lines.setdefault(rest, {})[number.labels[place]] = number
    others = [*columns[:place], *columns[place + 1 :]]
    if all(number.paper is None for number in found.numbers):
        rows = [[*rest, *_across(by_place, places, "ours")] for rest, by_place in lines.items()]
        return markdown([*others, *places], rows)
    return markdown([*others, "", *places], list(_beside_the_paper(lines, places)))


def _beside_the_paper(lines: Mapping[tuple[str, ...], Mapping[str, Number]], places: Sequence[str]) -> Iterator[Row]:
    """For each row a line of the paper's numbers, unless they are those of the row before, and a line of ours."""
    previous: Row = []
    for rest, by_place in lines.items():
        paper = _across(by_place, places, "paper")
        if paper != previous and any(number.paper is not None for number in by_place.values()):
            yield [*rest, "paper", *paper]
        previous = paper
        yield [*rest, "ours", *_across(by_place, places, "ours")]


def _across(by_place: Mapping[str, Number], places: Sequence[str], whose: Literal["paper", "ours"]) -> Row:
    return [shown(getattr(by_place[label], whose)) if label in by_place else "" for label in places]
