"""Machines for the engine's tests, compiled from C: the engine is tested without the rest of the pipeline."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from scrimp._engine import Machine, Outcome, Search

MakeMachine: TypeAlias = Callable[..., Machine]
Explore: TypeAlias = Callable[..., Outcome]

SOURCE = Path(__file__).with_name("counter.c")
FUNCTIONS = ("initial", "successors", "watch", "valid_end")
FUNCTIONS_WITH_HOLDERS = (*FUNCTIONS, "alone", "offers")
WITH_HOLDERS = 3
FULL = {"name": "full"}


def _compile(folder: Path, quirk: int) -> tuple[bytes, dict[str, int]]:
    """The bytes of the compiled functions and where each starts."""
    linked, blob = folder / f"counter{quirk}.so", folder / f"counter{quirk}.bin"
    flags = ["-O1", "-fPIC", "-shared", "-nostdlib", "-fno-asynchronous-unwind-tables", "-Wl,--build-id=none"]
    subprocess.run(["gcc", *flags, f"-DQUIRK={quirk}", str(SOURCE), "-o", str(linked)], check=True)
    subprocess.run(["objcopy", "-O", "binary", "-j", ".text", str(linked), str(blob)], check=True)
    sections = subprocess.run(["objdump", "-h", str(linked)], check=True, capture_output=True, text=True).stdout
    start = next(int(line.split()[3], 16) for line in sections.splitlines() if " .text " in line)
    symbols = subprocess.run(["nm", str(linked)], check=True, capture_output=True, text=True).stdout
    entries = {name: int(address, 16) - start for address, _, name in map(str.split, symbols.splitlines())}
    functions = FUNCTIONS_WITH_HOLDERS if quirk == WITH_HOLDERS else FUNCTIONS
    return blob.read_bytes(), {name: entries[name] for name in functions}


@pytest.fixture(scope="session")
def make_machine(tmp_path_factory: pytest.TempPathFactory) -> MakeMachine:
    """Makes the machine of counter.c; keywords replace arguments of the constructor."""
    if any(shutil.which(tool) is None for tool in ("gcc", "objcopy", "objdump", "nm")):
        pytest.skip("a C compiler and binutils are needed")
    folder = tmp_path_factory.mktemp("counter")
    compiled = {quirk: _compile(folder, quirk) for quirk in range(4)}

    def make(*, quirk: int = 0, **changes: Any) -> Machine:
        code, entries = compiled[quirk]
        usual: dict[str, Any] = {
            "words": 1,
            "word_bits": bytes([9]),
            "max_successors": 2,
            "transitions": 2,
            "watches": 2,
            **entries,
            **({"holders": [1, 0]} if quirk == WITH_HOLDERS else {}),
        }
        return Machine(changes.pop("code", code), **{**usual, **changes})

    return make


def make_search(machine: Machine, order: str = "bfs", store: Mapping[str, Any] = FULL, **changes: Any) -> Search:
    """A search that visits everything and keeps no paths; keywords change that."""
    options: dict[str, Any] = {
        "method": {"order": {"name": order}, "store": store, "reduction": []},
        "budget": 64 << 20,
        "violation_watches": 0,
        "goal_watches": 0,
        "deadlock_is_violation": False,
        "stop_after": 0,
        "traces": 0,
        "depth_limit": 0,
        "time_limit": 0.0,
        "shuffle_seed": None,
    }
    return Search(machine, **{**options, **changes})


def finish(search: Search) -> Outcome:
    search.start()
    outcome = search.wait()
    assert outcome is not None
    return outcome


@pytest.fixture(params=["bfs", "dfs"])
def order(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["none", "tree", "cleary"])
def compress(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def explore(order: str, compress: str) -> Explore:
    """Searches a machine to its outcome, once per order and compression."""

    def run(machine: Machine, **changes: Any) -> Outcome:
        return finish(make_search(machine, order, {"name": "full", "compress": compress}, **changes))

    return run
