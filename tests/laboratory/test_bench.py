"""`scrimp bench`: a matrix of methods and models, its output, and that no finished search is lost."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL

import pytest
from tests.laboratory.conftest import COUNTERS, Scrimp

from scrimp.errors import OptionError
from scrimp.laboratory import searching
from scrimp.laboratory.bench import Matrix
from scrimp.laboratory.campaign import carry_out
from scrimp.laboratory.journal import Journal
from scrimp.laboratory.peers.adapter import parse_adapter
from scrimp.laboratory.process import run
from scrimp.laboratory.task import Run, Task

ADAPTER = """
name = "echo"
suffixes = [".dve"]
needs = ["echo"]
run = "echo 1,600 states in {model}"
[numbers]
states = { pattern = '([\\d,]+) states', plus = 1 }
"""

MATRIX = Matrix(models=("a.dve", "b.dve"), methods=("bfs/full", "dfs/full/sleep"), seconds=10.0, rounds=2)


def test_a_matrix_is_measured_and_reported(scrimp: Scrimp, folder: Path) -> None:
    ran = scrimp(
        "bench", "counters.dve", "--methods", "bfs/full", "dfs/full/sleep", "bfs/full/sleep", "-o", "out", "-q"
    )
    assert (ran.code, ran.err) == (0, "")
    with (folder / "out" / "report.csv").open() as table:
        rows = {row["method"]: row for row in csv.DictReader(table)}
    assert [(row["status"], row["states"]) for row in rows.values()] == [
        ("complete", "16"),
        ("complete", "16"),
        ("refused", ""),
    ]
    assert int(rows["dfs/full/sleep"]["transitions"]) < int(rows["bfs/full"]["transitions"])
    assert "needs --order dfs" in rows["bfs/full/sleep"]["message"]
    assert "needs --order dfs" in ran.out
    page = (folder / "out" / "report.html").read_text()
    assert "counters.dve" in page
    assert "src=" not in page
    assert "http-equiv" in page


def test_the_output_of_a_peer_is_read_by_its_adapter(scrimp: Scrimp, folder: Path) -> None:
    (folder / "echo.toml").write_text(ADAPTER)
    ran = scrimp("bench", "counters.dve", "--methods", "bfs/full", "--peer", "echo.toml", "-o", "out", "-q")
    assert ran.code == 0
    cells = json.loads((folder / "out" / "report.json").read_text())["cells"]
    assert [(cell["method"], cell["states"]) for cell in cells] == [("bfs/full", 16), ("echo", 1601)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('name = "x"\nrun = "y\n', "2:9: "),
        ('name = "x"\nsuffixes = []\nrun = "y"\n', "1:1: expected a key 'numbers'"),
        (
            'name = "x"\nsufixes = []\nrun = "y"\n[numbers]\nstates = "(1)"\n',
            "2:1: unknown key 'sufixes'; did you mean",
        ),
        (
            'name = "x"\nsuffixes = []\nrun = "y"\n[numbers]\n  states = "("\n',
            "5:3: '(' is not a regular expression",
        ),
        ('name = "x"\nsuffixes = []\nrun = "y"\n[numbers]\nstates = "1"\n', "5:1: expected a group"),
        ('name = 1\nsuffixes = []\nrun = "y"\n[numbers]\nstates = "(1)"\n', "1:1: 'name': expected a text"),
        ('name = "bfs/x"\nsuffixes = []\nrun = "y"\n[numbers]\nstates = "(1)"\n', "1:1: 'name': expected letters"),
    ],
)
def test_a_mistake_in_an_adapter_is_reported_with_its_position(
    text: str, complaint: str, scrimp: Scrimp, folder: Path
) -> None:
    (folder / "bad.toml").write_text(text)
    ran = scrimp("bench", "counters.dve", "--peer", "bad.toml")
    assert ran.code == 2
    assert f"bad.toml:{complaint}" in ran.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("absent.dve",), "absent.dve: no such file"),
        (("counters.dve", "--methods", "bfs/full", "dfs/ful"), "--methods: unknown store 'ful'"),
        (("counters.dve", "--methods", "bfs//sleep"), "expected ORDER/STORE/REDUCTION"),
        (("counters.dve", "--time", "soon"), "--time: expected a time"),
        (("counters.dve", "--time", "0"), "time: the limit must be positive"),
        (("counters.dve", "--memory", "0"), "memory: the limit must be positive"),
        (("counters.dve", "--methods"), "'--methods' requires an argument"),
        (("counters.dve", "--methods", "-q"), "'--methods' requires an argument"),
        (("counters.dve", "--peer", "absent.toml"), "absent.toml: cannot be read: No such file or directory"),
    ],
)
def test_bad_input_is_refused_before_anything_runs(arguments: tuple[str, ...], complaint: str, scrimp: Scrimp) -> None:
    ran = scrimp("bench", *arguments)
    assert ran.code == 2
    assert complaint in ran.err


def test_rounds_are_interleaved_and_each_has_an_order_of_its_own() -> None:
    tasks = MATRIX.tasks()
    assert [task.round for task in tasks] == [0] * 4 + [1] * 4
    orders = [[(task.model, task.method) for task in tasks if task.round == number] for number in (0, 1)]
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]


def test_interrupted_tasks_resume_where_they_stopped(tmp_path: Path) -> None:
    """The third task is interrupted; the second time only the missing tasks are performed."""
    performed: list[Task] = []

    def perform(task: Task) -> Run:
        performed.append(task)
        if len(performed) == 3:
            raise KeyboardInterrupt
        return Run(task, "complete")

    tasks = MATRIX.tasks()
    with pytest.raises(KeyboardInterrupt):
        carry_out(tasks, Journal(tmp_path), perform, quiet=True)
    assert list(Journal(tmp_path).runs) == tasks[:2]
    runs = carry_out(tasks, Journal(tmp_path), perform, quiet=True)
    assert performed[3:] == tasks[2:]
    assert [run.task for run in runs] == tasks


def test_a_changed_model_is_measured_again(scrimp: Scrimp, folder: Path) -> None:
    asked = ["bench", "counters.dve", "--methods", "bfs/full", "-o", "out"]
    assert "16" in scrimp(*asked).out
    assert scrimp(*asked).err == ""
    (folder / "counters.dve").write_text(COUNTERS.replace("< 3", "< 4"))
    assert "25" in scrimp(*asked).out


def test_a_peer_runs_again_if_its_adapter_was_changed() -> None:
    adapters = [parse_adapter("x.toml", ADAPTER.replace("1,600", number)) for number in ("1,600", "1,700", "1,600")]
    contents = {"a.dve": "a", "b.dve": "b"}
    first, second, third = (replace(MATRIX, peers=(each,), contents=contents).tasks() for each in adapters)
    assert first == third
    assert {task.method for task in set(first) - set(second)} == {"echo"}


ASSASSIN = """
name = "assassin"
suffixes = [".dve"]
run = '''sh -c "grep -q bfs {folder}/out/runs.jsonl && mkdir {folder}/killed && kill -9 $PPID; echo 1 states"'''
[numbers]
states = '(\\d+) states'
"""


def test_a_killed_bench_resumes_with_the_missing_searches(scrimp: Scrimp, folder: Path) -> None:
    """A peer kills the whole command, once, when a search of ours is finished."""
    (folder / "assassin.toml").write_text(ASSASSIN.replace("{folder}", str(folder)))
    asked = ["bench", "counters.dve", "--methods", "bfs/full", "--peer", "assassin.toml", "--rounds", "2", "-o", "out"]
    assert run([*searching.scrimp(), *asked]).exit_code == -SIGKILL
    before = (folder / "out" / "runs.jsonl").read_text()
    assert '"bfs/full"' in before
    ran = scrimp(*asked)
    assert ran.code == 0
    assert ran.err.count("counters.dve") == 4 - before.count("\n")
    assert (folder / "out" / "runs.jsonl").read_text().startswith(before)


def test_a_line_truncated_by_a_kill_is_ignored(tmp_path: Path) -> None:
    first, second = (Run(task, "complete") for task in MATRIX.tasks()[:2])
    journal = Journal(tmp_path)
    journal.add(first)
    with journal.path.open("a") as file:
        file.write('{"task": {"model": "a.')
    again = Journal(tmp_path)
    assert list(again.runs.values()) == [first]
    again.add(second)
    assert list(Journal(tmp_path).runs.values()) == [first, second]


def test_two_writers_to_one_folder_lose_nothing(tmp_path: Path) -> None:
    first, second = (Run(task, "complete") for task in MATRIX.tasks()[:2])
    journals = Journal(tmp_path), Journal(tmp_path)
    journals[0].add(first)
    journals[1].add(second)
    assert list(Journal(tmp_path).runs.values()) == [first, second]


def test_no_search_runs_if_the_journal_cannot_be_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.path.mkdir()
    with pytest.raises(OptionError, match=r"cannot write .*: it is a directory"):
        carry_out(MATRIX.tasks(), journal, lambda task: pytest.fail("searched"), quiet=True)


def test_a_failed_task_is_tried_again(tmp_path: Path) -> None:
    task = MATRIX.tasks()[0]
    Journal(tmp_path).add(Run(task, "failed", "exit code -11"))
    assert carry_out([task], Journal(tmp_path), lambda task: Run(task, "complete"), quiet=True)[0].is_complete


def test_two_peers_of_one_name_are_refused(scrimp: Scrimp, folder: Path) -> None:
    (folder / "echo.toml").write_text(ADAPTER)
    ran = scrimp("bench", "counters.dve", "--peer", "echo.toml", "--peer", "echo.toml")
    assert (ran.code, ran.err) == (2, "scrimp: error: echo.toml: another adapter has the name 'echo'\n")


def test_methods_that_can_use_several_threads_get_them_and_the_report_says_so(scrimp: Scrimp, folder: Path) -> None:
    ran = scrimp(
        *("bench", "counters.dve", "--methods", "bfs/full", "dfs/full", "--threads", "3", "--no-peers"),
        *("-o", "out", "-q"),
    )
    assert (ran.code, ran.err) == (0, "")
    report = json.loads((folder / "out" / "report.json").read_text())
    assert report["settings"]["threads"] == 3
    assert {cell["method"]: cell["threads"] for cell in report["cells"]} == {"bfs/full": 3, "dfs/full": 1}


def test_without_a_number_of_threads_tasks_have_no_such_option() -> None:
    """Their runs stay those that earlier versions recorded."""
    assert all("--threads" not in task.options for task in MATRIX.tasks())
