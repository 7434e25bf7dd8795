"""The transition tables of SPIN's verifier, as it prints them itself: `pan -d`."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SPIN = shutil.which("spin")
COMPILER = shutil.which("tcc") or shutil.which("gcc") or shutil.which("cc")
needs_spin = pytest.mark.skipif(not (SPIN and COMPILER), reason="needs spin and a C compiler")

_ROW = re.compile(
    r"\tstate +(\d+) -\(tr +(\d+)\)-> state +(\d+)  "
    r"\[id +(\d+) tp +\d+(?:,\d+)?(?: org +(\d+))?\] \[.(.)(.)(.).\] .*"
)
_HEADER = re.compile(r"(?:proctype|claim) (\S+)|(init)")
_LABEL = re.compile(r"label\t(\S+)\t(\d+)\t<(\S+?)(?: i\d+)?>")
_SETTING = re.compile(r"settr\((\d+),(\d+),")
_GOES_ON_ALONE = 2
_NEVER = "0"


@dataclass(frozen=True)
class Row:
    target: int
    identifier: int
    escape: int
    atomic: bool


@dataclass
class PanTable:
    """What `pan -d` says about a proctype. `marks` are letters: e, p and a for end, progress and accept states.
    States that a process cannot leave have no rows."""

    initial: int = 0
    rows: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    marks: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    labels: dict[str, int] = field(default_factory=dict)

    def reachable(self) -> set[int]:
        """The reachable states: pan prints others as well."""
        found: set[int] = set()
        waiting = [self.initial]
        while waiting:
            state = waiting.pop()
            if state and state not in found:
                found.add(state)
                waiting += [row.target for row in self.rows[state]]
        return found


def pan_tables(path: Path, defines: Mapping[str, str], folder: Path) -> dict[str, PanTable]:
    """The tables of all proctypes of a model, made in `folder`."""
    options = [f"-D{name}={value}" for name, value in defines.items()]
    model = [*options, str(path.resolve())]
    _run(["spin", "-a", "-o1", "-o2", "-o3", *model], folder)
    _compile(folder)
    tables = _tables(_run(["./pan", "-d"], folder), _atomic(folder))
    for name, number, proctype in _LABEL.findall(_run(["spin", "-d", *model], folder)):
        tables[_name(proctype)].labels[name] = int(number)
    return tables


def refusal(text: str, folder: Path) -> str:
    """Why SPIN or its verifier refuses a model; empty if it does not."""
    path = folder / "model.pml"
    path.write_text(text)
    try:
        _run(["spin", "-a", "-o1", "-o2", "-o3", str(path)], folder)
        _compile(folder)
        _run(["./pan", "-m10"], folder)
    except subprocess.CalledProcessError as failure:
        return str(failure.stdout)
    return ""


def _compile(folder: Path) -> None:
    _run([str(COMPILER), "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c"], folder)


def _atomic(folder: Path) -> set[int]:
    """The statements after which a process has exclusive control. `pan -d` marks some that the verifier treats
    otherwise."""
    settings = _SETTING.findall((folder / "pan.t").read_text())
    return {int(identifier) for identifier, flags in settings if int(flags) & _GOES_ON_ALONE}


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode(errors="replace")


def _tables(text: str, atomic: set[int]) -> dict[str, PanTable]:
    tables: dict[str, PanTable] = {}
    table = PanTable()
    for line in text.splitlines():
        if header := _HEADER.fullmatch(line):
            table = tables.setdefault(_name(header[1] or ":init:"), PanTable())
        elif match := _ROW.match(line):
            _take(table, match, atomic)
    return tables


def _name(proctype: str) -> str:
    return ":never:" if proctype == "never_0" else proctype


def _take(table: PanTable, match: re.Match[str], atomic: set[int]) -> None:
    state, transition, target, identifier, escape, accept, end, progress = match.groups()
    table.initial = table.initial or int(state)
    rows = table.rows[int(state)]
    table.marks[int(state)] = {accept, end, progress} - {"-"}
    if transition != _NEVER:
        rows.append(Row(int(target), int(identifier), int(escape or 0), int(identifier) in atomic))
