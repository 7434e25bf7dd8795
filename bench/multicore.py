"""Two cores: scrimp, SPIN's multi-core modes and, if it is installed, LTSmin, on the same Promela models in one run.

    python -m bench.multicore [--threads N] [--rounds N] [--seconds N] [--only NAME ...]

SPIN is used as in the other benchmarks, without reduction: on one core, with `-DBFS_PAR` (breadth-first) and with
`-DNCORE` (depth-first). LTSmin is `prom2lts-mc` with SpinS, with a tree table, depth-first, as it is fastest. Each
figure is in millions of transitions a second, by the transitions that scrimp counts and the seconds that each tool
reports for the search: the best of the rounds. A star marks a tool that counts another number of states; a dash, one
that does not finish.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.instances import CORPUS, require_corpus

# The Promela models of the corpus on which the tools agree, above a million states.
MODELS = (
    *("adding.4", "at.3", "brp.3", "cambridge.4", "fischer.3"),
    *("lamport.6", "peterson.4", "protocols.4", "szymanski.4"),
)
# More instances than SpinS asks for: all proctypes of these models run once.
SPINS_ANSWERS = "1\n" * 64


@dataclass(frozen=True)
class Tool:
    """`prepare` and `run` are run in a folder that has the model as `model.pm`."""

    name: str
    prepare: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    states: str
    seconds: str


@dataclass(frozen=True)
class Figures:
    states: int
    seconds: float
    transitions: int | None = None


def spin(name: str, flags: Sequence[str], options: Sequence[str]) -> Tool:
    generate = ("spin", "-a", "-o1", "-o2", "-o3", "model.pm")
    compile_ = ("gcc", "-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", *flags, "-o", "pan", "pan.c")
    run = ("./pan", "-c0", "-n", "-m10000000", "-w26", *options)
    return Tool(name, (generate, compile_), run, r"([\d.e+]+) states, stored", r"elapsed time ([\d.]+) seconds")


def scrimp(method: str, threads: int) -> Tool:
    explore = (sys.executable, "-m", "scrimp", "explore", "model.pm", "--order", "bfs", "--store", method)
    run = (*explore, "--threads", str(threads), "--json", "-", "--quiet")
    return Tool(f"scrimp {method} {threads}", (), run, r'(?m)^  "states": (\d+)', r'(?m)^  "seconds": ([\d.e+-]+)')


def ltsmin(threads: int) -> Tool:
    run = ("prom2lts-mc", f"--threads={threads}", "--strategy=dfs", "--state=tree", "model.pm.spins")
    return Tool(f"LTSmin {threads}", (("spins", "model.pm"),), run, r"Explored (\d+) states", r"time ([\d.]+) sec")


def tools(threads: int) -> Iterator[Tool]:
    for method in ("full", "full:compress=tree", "full:compress=cleary"):
        yield from (scrimp(method, number) for number in (1, threads))
    yield spin("SPIN 1", (), ())
    yield spin(f"SPIN BFS_PAR {threads}", ("-DBFS_PAR",), (f"-u{threads}",))
    yield spin(f"SPIN NCORE {threads}", (f"-DNCORE={threads}", "-DMEMLIM=4096"), ())
    if shutil.which("prom2lts-mc") and shutil.which("spins"):
        yield from (ltsmin(number) for number in (1, threads))


def output_of(command: Sequence[str], folder: Path, seconds: float) -> str | None:
    """What a command prints; None if it fails or takes too long."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, input=SPINS_ANSWERS, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout + done.stderr


def measure(tool: Tool, model: Path, rounds: int, seconds: float) -> Figures | None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(model, folder / "model.pm")
        for command in tool.prepare:
            output_of(command, folder, seconds)
        found = [figures(tool, output_of(tool.run, folder, seconds)) for _ in range(rounds)]
    return min((each for each in found if each), key=lambda each: each.seconds, default=None)


def figures(tool: Tool, output: str | None) -> Figures | None:
    states, seconds = (re.search(pattern, output or "") for pattern in (tool.states, tool.seconds))
    if states is None or seconds is None or float(seconds[1]) == 0:
        return None
    is_ours = tool.name.startswith("scrimp")
    transitions = re.search(r'(?m)^  "transitions": (\d+)', output or "") if is_ours else None
    return Figures(int(float(states[1])), float(seconds[1]), int(transitions[1]) if transitions else None)


def row(name: str, found: Sequence[Figures | None]) -> list[str]:
    ours = next((each for each in found if each and each.transitions), None)
    if ours is None or ours.transitions is None:
        return [name, *("–" for _ in found)]
    speeds = [f"{ours.transitions / each.seconds / 1e6:.1f}" if each else "–" for each in found]
    stars = ["*" if each and each.states != ours.states else "" for each in found]
    return [name, *(speed + star for speed, star in zip(speeds, stars, strict=True))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="limit for each command")
    parser.add_argument("--only", nargs="+", default=MODELS, choices=MODELS, metavar="NAME")
    options = parser.parse_args()
    require_corpus()
    chosen = list(tools(options.threads))
    print("| " + " | ".join(["model", *(tool.name for tool in chosen)]) + " |")
    print("| --- " * (len(chosen) + 1) + "|")
    for name in options.only:
        model = CORPUS / "promela" / "beem_pm" / f"{name}.pm"
        found = [measure(tool, model, options.rounds, options.seconds) for tool in chosen]
        print("| " + " | ".join(row(name, found)) + " |", flush=True)


if __name__ == "__main__":
    main()
