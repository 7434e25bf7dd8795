"""Sizes of three models that SPIN, as it comes, cannot finish within 8 GB, and scrimp, as it comes, can.

    python -m bench.beyond_spin [--seconds N] [--megabytes N] [--hash N] [--depth N] [--threads N] [--only NAME]
                                [--output FILE]

It resumes: cases that FILE has are not measured again. SPIN's verifier is compiled with -O2, -DSAFETY and a limit of
8,000 megabytes, or of `--megabytes`, and run with all its reductions, a depth limit of ten million steps, or of
`--depth`, and a hash table of 2^26 entries, or of `--hash`; it stops at the first error, as scrimp does. The table says
whether it finished, or what stopped it: memory, `--seconds`, or paths that were deeper than the limit. If the time was
over, its last report of progress counts. Times are those of processors: reading, compiling and searching together.
Models are those of `models/`. Needs spin and gcc.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

MODELS = Path(__file__).resolve().parents[1] / "models"
CASES: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("peterson.pml", {"N": 5}),
    ("paxos.pml", {"PROPOSERS": 2, "ACCEPTORS": 6}),
    ("leader_election.pml", {"N": 7}),
)
STATES = re.compile(r"([\d.e+]+) states, stored")
USAGE = re.compile(r"([\d.]+)\s+total actual memory usage")
PROGRESS = re.compile(r"States=\s*([\d.e+]+).*Memory=\s*([\d.]+)")
ENDINGS = {"pan: reached -DMEMLIM bound": "out of memory", "max search depth too small": "path too deep"}


@dataclass(frozen=True)
class Limits:
    """What each of the two may take; SPIN's table has 2^`hash` entries, and room for a path of `depth` steps."""

    seconds: float
    megabytes: int
    hash: int
    depth: int
    threads: int | None


class Stopwatch:
    """Seconds since it was made, and seconds that processors spent on the commands run since."""

    def __init__(self) -> None:
        self._wall, self._processor = time.monotonic(), _spent_on_commands()

    def read(self) -> dict[str, float]:
        processor = _spent_on_commands() - self._processor
        return {"seconds": round(time.monotonic() - self._wall, 1), "processor_seconds": round(processor, 1)}


def _spent_on_commands() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def ask_spin(path: Path, defines: Mapping[str, int], limits: Limits) -> dict[str, Any]:
    watch = Stopwatch()
    with tempfile.TemporaryDirectory(prefix="scrimp-beyond-") as folder:
        options = [f"-D{name}={value}" for name, value in defines.items()]
        subprocess.run(["spin", "-a", *options, str(path.resolve())], cwd=folder, check=True, capture_output=True)
        flags = ["-O2", "-w", "-DSAFETY", f"-DMEMLIM={limits.megabytes}"]
        subprocess.run(["gcc", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True, capture_output=True)
        try:
            ran = subprocess.run(
                ["./pan", "-n", f"-w{limits.hash}", f"-m{limits.depth}"],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=limits.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as stopped:
            return {"ending": "out of time", **_last_progress(stopped.stdout), **watch.read()}
        said = ran.stdout + ran.stderr
    states, usage = STATES.search(said), USAGE.search(said)
    return {
        "ending": next((ending for sign, ending in ENDINGS.items() if sign in said), "finished"),
        "states": round(float(states[1])) if states else None,
        "megabytes": round(float(usage[1])) if usage else None,
        **watch.read(),
    }


def _last_progress(said: bytes | str | None) -> dict[str, int]:
    """What the verifier printed last, every million states."""
    text = said.decode() if isinstance(said, bytes) else said or ""
    found = PROGRESS.findall(text)
    return {"states": round(float(found[-1][0])), "megabytes": round(float(found[-1][1]))} if found else {}


def ask_scrimp(path: Path, defines: Mapping[str, int], limits: Limits) -> dict[str, Any]:
    watch = Stopwatch()
    options = [option for name, value in defines.items() for option in ("-D", f"{name}={value}")]
    options += ["--memory", f"{limits.megabytes}M", "--time", str(int(limits.seconds))]
    options += [] if limits.threads is None else ["--threads", str(limits.threads)]
    command = [sys.executable, "-m", "scrimp", "check", str(path), *options, "--json", "-"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    record = json.loads(ran.stdout)
    return {
        "ending": record["verdict"],
        "method": record["strategy"]["method"],
        "reduction": record["strategy"]["reduction_reason"],
        "states": record["states"],
        "megabytes": round(record["rss_peak"] / 1e6),
        **watch.read(),
    }


def measure(model: str, defines: Mapping[str, int], limits: Limits) -> dict[str, Any]:
    path = MODELS / model
    row = {"model": model, "defines": dict(defines), "limits": asdict(limits)}
    return {**row, "scrimp": ask_scrimp(path, defines, limits), "spin": ask_spin(path, defines, limits)}


def table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| model | scrimp | states | MB | seconds | SPIN | states | MB | seconds |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        name = f"{Path(row['model']).stem} {', '.join(f'{key}={value}' for key, value in row['defines'].items())}"
        cells = [cell for tool in ("scrimp", "spin") for cell in _cells(row[tool])]
        yield f"| {name} | {' | '.join(cells)} |"


def _cells(found: Mapping[str, Any]) -> Iterator[str]:
    yield found["ending"]
    for key in ("states", "megabytes", "processor_seconds"):
        yield "" if found.get(key) is None else f"{found[key]:,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600, help="for each of the two (default 3600)")
    parser.add_argument("--megabytes", type=int, default=8000, help="for each of the two (default 8000)")
    parser.add_argument("--hash", type=int, default=26, help="SPIN's -w: 2^N entries (default 26)")
    parser.add_argument("--depth", type=int, default=10_000_000, help="SPIN's -m, in steps (default ten million)")
    parser.add_argument("--threads", type=int, help="scrimp's (default: as it comes)")
    parser.add_argument("--only", default="")
    parser.add_argument("--output", type=Path, default=Path("results/beyond_spin.ndjson"))
    asked = parser.parse_args()
    limits = Limits(asked.seconds, asked.megabytes, asked.hash, asked.depth, asked.threads)
    rows = [json.loads(line) for line in asked.output.read_text().splitlines()] if asked.output.exists() else []
    done = [(row["model"], row["defines"]) for row in rows]
    for model, defines in CASES:
        if (model, dict(defines)) in done or asked.only not in model:
            continue
        rows.append(measure(model, defines, limits))
        with asked.output.open("a") as record:
            record.write(json.dumps(rows[-1]) + "\n")
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
