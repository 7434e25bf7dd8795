"""SPIN's trail files: a path as lines `step:process:statement`, with SPIN's numbers.

Lines with a negative step say how the verifier was made: `-2:N:-2` means that it has a claim, proctype N, which is
process 0 and comes before all others; `-4:-4:-4` means that several statements may be merged into one step, of which
only the first is listed. `-1:-1:-1` precedes the steps of a cycle, which are the last; of the model there are none if
its last state is repeated because no process can move. The two halves of a handshake are two lines, a `d_step` is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scrimp.errors import ScrimpError

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.steps import Trace

CYCLE, CLAIM, MERGED = -1, -2, -4
CYCLE_LINE = f"{CYCLE}:{CYCLE}:{CYCLE}\n"
_LINE = re.compile(r"\s*(-?[0-9]{1,9}):(-?[0-9]{1,9}):(-?[0-9]{1,9})\s*")


class TrailStep(NamedTuple):
    """`process` is numbered as in the trail."""

    process: int
    statement: int


@dataclass(frozen=True, slots=True)
class Trail:
    """The contents of a trail file. `watched`: its process 0 is a claim. `merged`: some statements have no steps.
    `cycle`: how many steps come before those that repeat forever."""

    steps: tuple[TrailStep, ...]
    watched: bool = False
    merged: bool = False
    cycle: int | None = None


def is_trail(path: Path) -> bool:
    """Whether a file looks like a trail; one that cannot be read does not."""
    try:
        with path.open(errors="replace") as file:
            return path.suffix in (".trail", ".tra") or _LINE.fullmatch(file.readline()) is not None
    except OSError:
        return False


def read_trail(path: Path) -> Trail:
    """The trail in a file; anything else is refused in one line."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise ScrimpError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ScrimpError(f"{path}: not a trail: it is not plain text") from error
    steps: list[TrailStep] = []
    marks: set[int] = set()
    cycle: int | None = None
    for number, line in enumerate(lines, start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise ScrimpError(f"{path}:{number}: not a trail: expected step:process:statement")
        depth, process, statement = map(int, match.groups())
        if depth >= 0:
            steps.append(TrailStep(process, statement))
        elif depth == CYCLE:
            cycle = len(steps)
        else:
            marks.add(depth)
    if unknown := marks - {CLAIM, MERGED}:
        raise ScrimpError(f"{path}: not a trail: unknown lines that begin with {max(unknown)}")
    return Trail(tuple(steps), CLAIM in marks, MERGED in marks, cycle)


def trail_pieces(model: Model, trace: Trace) -> Iterator[str]:
    """The text of the trail of a trace through the model."""
    spin = model.spin
    assert spin is not None
    claim = model.system.claim
    if claim is not None:
        yield f"{CLAIM}:{spin.claim}:{CLAIM}\n"
    number = 0
    for place, event in enumerate(trace.events):
        if trace.cycle is not None and place == len(trace.steps):
            yield CYCLE_LINE
        for move in model.system.transitions[event].moves:
            if move in spin.statements:  # moves inside a d_step and the start of a process are not
                number += 1
                process = move.process if claim is None else (move.process + 1) % len(model.system.processes)
                yield f"{number}:{process}:{spin.statements[move]}\n"
    if trace.cycle is not None and not trace.cycle:
        yield CYCLE_LINE
