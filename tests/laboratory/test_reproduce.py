"""`scrimp reproduce`: the paper's numbers beside ours."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.corpus.corpus import CORPUS
from tests.laboratory.conftest import Scrimp

from scrimp.laboratory.experiments.curves import Family
from scrimp.laboratory.experiments.experiment import PACKAGED, Experiment, Number, Setting, number_of
from scrimp.laboratory.experiments.registry import EXPERIMENTS
from scrimp.laboratory.reproduce import Reproduced, page, reproduce, reproduced, write
from scrimp.laboratory.task import Run, Status, Task

ROOT = Path(__file__).parents[2]
NAMES = (
    *("ghp92-table1", "ghp92-figure4", "ghp92-figure5", "hgp92-table2", "mw09-brp"),
    *("py97-table1", "py97-table2", "py97-puzzle"),
    *("mw09-scsi", "mw09-vlts", "mw09-dfs"),
    *("ewk09-table2", "ewk09-figure4", "ewk09-table3", "ewk09-table4", "ewk09-table5", "errata"),
)


def test_every_table_and_figure_has_its_experiment(scrimp: Scrimp) -> None:
    listed = scrimp("reproduce").out
    assert set(NAMES) <= set(EXPERIMENTS)
    assert all(name in listed for name in EXPERIMENTS)


def test_the_errata_are_reproduced_without_a_corpus(scrimp: Scrimp, folder: Path) -> None:
    """The method as printed fails, the corrected one does not."""
    ran = scrimp("reproduce", "errata", "--corpus", "nowhere", "-o", "out", "-q")
    assert ran.code == 0
    with (folder / "out" / "errata.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert len({row["claim"] for row in rows}) == 7
    for row in rows:
        assert (row["difference"] == "equal") == (row["method"] != "as printed")
    assert json.loads((folder / "out" / "errata.json").read_text())["command"] == "scrimp reproduce errata"
    assert "as printed" in (folder / "out" / "errata.md").read_text()


def test_the_packaged_counterexamples_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    shown = re.findall(r"```(?:scrimp|promela)\n(.*?)```", page, re.DOTALL)
    names = ("sleep_sets.system", "conflict_sets.system", "disabled_option.pml", "sorted_send.pml")
    assert [(PACKAGED / name).read_text(encoding="utf-8") for name in names] == shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("ghp92-table2",), "unknown experiment 'ghp92-table2'; did you mean"),
        (("errata", "--stored", "--runs", "nowhere"), "--stored: there is no nowhere/errata.jsonl; name the folder of"),
        (("ghp92-table1", "--corpus", "nowhere"), "there is no nowhere/promela/spin_dist/dtp.pml, which belongs to"),
    ],
)
def test_a_missing_input_is_reported(arguments: tuple[str, ...], complaint: str, scrimp: Scrimp) -> None:
    ran = scrimp("reproduce", *arguments)
    assert ran.code == 2
    assert complaint in ran.err


@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS} (set SCRIMP_CORPUS)")
@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=list(EXPERIMENTS))
def test_without_runs_there_are_no_numbers_of_ours(experiment: Experiment) -> None:
    """Tables can be made at any time, from the searches that are there."""
    setting = Setting(True, CORPUS, ROOT / "models")
    tasks = list(experiment.tasks(setting, {}))
    assert tasks
    assert all(number.ours is None for number in experiment.numbers(setting, {}))


STORED = [path.stem for path in sorted((ROOT / "results").glob("*.jsonl"))]


@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS} (set SCRIMP_CORPUS)")
@pytest.mark.parametrize("name", STORED)
def test_the_pages_of_the_documentation_are_what_the_stored_searches_say(name: str) -> None:
    found = reproduced(EXPERIMENTS[name], Setting(False, CORPUS, ROOT / "models"), ROOT / "results")
    assert (ROOT / "docs" / "results" / f"{name}.md").read_text(encoding="utf-8") == page(found, has_figure=True)


def test_every_stored_experiment_has_a_page_and_a_figure() -> None:
    pages = ROOT / "docs" / "results"
    assert STORED
    assert [
        name for name in STORED if not ((pages / f"{name}.md").is_file() and (pages / f"{name}.svg").is_file())
    ] == []


def test_stored_searches_become_pages_without_a_search(scrimp: Scrimp, folder: Path) -> None:
    """They are those of the repository, unless --runs names others."""
    assert scrimp("reproduce", "errata", "--stored", "--corpus", "nowhere", "-o", "out").code == 0
    assert not (folder / "out" / "errata.jsonl").exists()
    made, kept = ((path / "errata.md").read_text().splitlines() for path in (folder / "out", ROOT / "docs" / "results"))
    assert [line for line in made if line.startswith("|") and line not in kept] == []


def test_searches_and_pages_can_have_folders_of_their_own(scrimp: Scrimp, folder: Path) -> None:
    experiment = ("reproduce", "errata", "--corpus", "nowhere", "-q", "--runs", "runs", "-o", "out")
    assert scrimp(*experiment).code == 0
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["errata.jsonl"]
    searched = (folder / "out" / "errata.md").read_text()
    assert scrimp(*experiment, "--stored").code == 0
    assert (folder / "out" / "errata.md").read_text() == searched


def test_finished_searches_count_wherever_the_models_are(folder: Path, tmp_path: Path) -> None:
    """A search is recorded with the name of its model, and only with the numbers that the experiment reads."""
    task = Task("models/counters.dve", "bfs/full")
    experiment = Experiment(
        name="counting",
        title="Counting",
        columns=("quantity",),
        reads=("states",),
        differs=(),
        minutes=1,
        tasks=lambda setting, runs: [task],
        numbers=lambda setting, runs: [Number(("states",), 16, number_of(runs, task, "states"))],
    )
    here = reproduce(experiment, Setting(False, Path("nowhere"), folder), tmp_path / "out", quiet=True)
    assert [number.difference for number in here.numbers] == ["equal"]
    assert here.runs[task].numbers == {"states": 16}
    elsewhere = reproduced(experiment, Setting(False, Path("nowhere"), Path("elsewhere")), tmp_path / "out")
    assert (elsewhere.left, elsewhere.numbers) == (0, here.numbers)


def test_numbers_are_side_by_side_on_the_page_if_the_experiment_says_so(tmp_path: Path) -> None:
    numbers = [Number((model, policy), paper, 2) for model in "ab" for policy, paper in (("lru", 1), ("random", None))]
    experiment = replace(EXPERIMENTS["mw09-dfs"], columns=("model", "policy"), across="policy")
    write(Reproduced(experiment, Setting(False, Path(), Path()), numbers, {}), tmp_path)
    table = [line for line in (tmp_path / "mw09-dfs.md").read_text().splitlines() if line.startswith("|")]
    assert table[0] == "| model |  | lru | random |"
    assert table[2:] == ["| a | paper | 1 | – |", "| a | ours | 2 | 2 |", "| b | ours | 2 | 2 |"]


def test_a_curve_ends_when_the_cache_is_too_small() -> None:
    """Each point is requested when the one before is known."""
    family = Family(lambda _: {"model": "m.pml"}, ("random",))
    setting = Setting(True, Path(), Path())
    runs: dict[Task, Run] = {}
    while left := [task for task in family.tasks(setting, runs) if task not in runs]:
        for task in left:
            size = int(task.method.partition("states=")[2].partition(",")[0] or 1000)
            status: Status = "complete" if size >= 300 else "time"
            numbers = {"states": 1000, "transitions": 3000, "depth": 10, "seconds": 0.1}
            runs[task] = Run(task, status, numbers=numbers)
    points = family.points(setting, runs, "m.pml", "sleep", "random")
    assert [run.status for run in points] == ["complete", "complete", "time"]


def test_differences_are_given_in_percent() -> None:
    assert [Number((), 100, ours).difference for ours in (100, 150, 99, None)] == ["equal", "+50%", "-1%", ""]


def test_the_searches_of_an_experiment_have_one_thread_as_those_of_the_papers(tmp_path: Path) -> None:
    carried_out: list[Task] = []

    def perform(task: Task) -> Run:
        carried_out.append(task)
        return Run(task, "complete")

    task = Task("models/peterson.dve", "bfs/full", ("-D", "N=3"))
    experiment = replace(EXPERIMENTS["errata"], tasks=lambda *_: [task], numbers=lambda *_: [], perform=perform)
    found = reproduce(experiment, Setting(True, tmp_path, ROOT / "models"), tmp_path, quiet=True)
    assert [each.options for each in carried_out] == [("-D", "N=3", "--threads", "1")]
    assert list(found.runs) == [task]
