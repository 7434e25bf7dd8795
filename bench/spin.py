"""SPIN as a peer: plain mode, that is no reduction, no statement merging, no dataflow optimisation.

`spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOCLAIM -DNOREDUCE`, `pan -c0 -n`: the mode in which its states are ours.
With `-DCOLLAPSE` beside it, whose compressed states are the mark for our `tree`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from measure import Finished, run

TRANSLATE = ("spin", "-a", "-o1", "-o2", "-o3")
COMPILE = ("gcc", "-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DNOREDUCE", "pan.c", "-o")
VERIFIERS = {"pan": (), "pan-collapse": ("-DCOLLAPSE",)}
SEARCH = ("-c0", "-n", "-m10000000", "-w26")


@dataclass(frozen=True, slots=True)
class SpinRun:
    states: int
    transitions: int
    seconds: float
    bytes_per_state: float
    rss_peak: int


def available() -> bool:
    return shutil.which("spin") is not None and shutil.which("gcc") is not None


def prepare(model: Path, directory: Path, verifiers: Iterable[str] = VERIFIERS) -> None:
    """Generate and compile verifiers of a model in `directory`."""
    shutil.copytree(model.parent, directory / "model", dirs_exist_ok=True)  # with what it may include
    _run_quietly(directory, *TRANSLATE, f"model/{model.name}")
    for verifier in verifiers:
        _run_quietly(directory, *COMPILE, verifier, *VERIFIERS[verifier])


def _run_quietly(directory: Path, *command: str) -> None:
    subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def search(directory: Path, verifier: str = "pan") -> SpinRun:
    return parse(run((f"./{verifier}", *SEARCH), directory))


def parse(finished: Finished) -> SpinRun:
    """Read pan's report; its transitions count the initial state once, ours do not."""
    states = int(_number(r"(\d+) states, stored", finished.output))
    return SpinRun(
        states=states,
        transitions=int(_number(r"(\d+) transitions", finished.output)) - 1,
        seconds=float(_number(r"elapsed time ([\d.e+-]+) seconds", finished.output, "0")),
        bytes_per_state=float(_number(r"([\d.]+)\tactual memory usage for states", finished.output, "0"))
        * 2**20
        / states,
        rss_peak=finished.rss_peak,
    )


def _number(pattern: str, text: str, default: str | None = None) -> str:
    match = re.search(pattern, text)
    if match is None:
        if default is None:
            raise ValueError(f"pan's report has no '{pattern}':\n{text}")
        return default
    return match[1]
