"""The examples of the Python documentation run: those of docs/python.md, and of every public name's docstring."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import scrimp
from scrimp import modelling

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", [*sorted(scrimp.__all__), *(f"modelling.{name}" for name in modelling.__all__)])
def test_every_public_name_has_an_example_that_runs(name: str) -> None:
    module, _, plain = name.rpartition(".")
    documented: Any = getattr(modelling if module else scrimp, plain)
    example = doctest.DocTestParser().get_doctest(documented.__doc__ or "", {"__name__": "__main__"}, name, None, None)
    assert example.examples, f"scrimp.{name} has no example"
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert report == []


EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.splitlines()[0])
def test_every_example_of_the_page_runs(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    exec(example, {"scrimp": scrimp})


(PYTEST_EXAMPLE,) = (example for example in EXAMPLES if "def test_" in example)


def test_the_example_for_pytest_passes(tmp_path: Path) -> None:
    (tmp_path / "models").symlink_to(ROOT / "models")
    (tmp_path / "test_protocol.py").write_text(PYTEST_EXAMPLE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_protocol.py"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "2 passed" in finished.stdout, finished.stdout


def test_type_checkers_see_the_types(tmp_path: Path) -> None:
    assert (Path(scrimp.__file__).parent / "py.typed").is_file()
    (tmp_path / "use.py").write_text(
        "import scrimp\n"
        'scrimp.check("lock.pml", memory="200M", time="10m", store="full:compress=tree", order="dfs")\n'
        'scrimp.check("lock.pml", memory=[])\n'
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "use.py"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = finished.stdout.splitlines()
    assert [line.partition(": error:")[0] for line in lines if ": error:" in line] == ["use.py:3"]
