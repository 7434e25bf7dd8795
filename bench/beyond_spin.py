"""Sizes of three models that SPIN, as it comes, cannot finish within 8 GB, and scrimp, as it comes, can.

    python -m bench.beyond_spin [--seconds N] [--megabytes N] [--only NAME] [--output FILE]     # resumes

SPIN's verifier is compiled with -O2, -DSAFETY and a limit of 8,000 megabytes, or of `--megabytes`, and run with all its
reductions, a depth limit of ten million steps and a hash table of 2^26 entries; it stops at the first error, as scrimp
does. If the time is over first, its last report of progress counts. Models are those of `models/`. Needs spin and gcc.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

MODELS = Path(__file__).resolve().parents[1] / "models"
CASES: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("peterson.pml", {"N": 5}),
    ("paxos.pml", {"PROPOSERS": 2, "ACCEPTORS": 5}),
    ("leader_election.pml", {"N": 7}),
)
STATES = re.compile(r"([\d.e+]+) states, stored")
USAGE = re.compile(r"([\d.]+)\s+total actual memory usage")
PROGRESS = re.compile(r"States=\s*([\d.e+]+).*Memory=\s*([\d.]+)")
ENDINGS = {"pan: reached -DMEMLIM bound": "out of memory", "max search depth too small": "path too deep"}


def ask_spin(path: Path, defines: Mapping[str, int], seconds: float, megabytes: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="scrimp-beyond-") as folder:
        options = [f"-D{name}={value}" for name, value in defines.items()]
        subprocess.run(["spin", "-a", *options, str(path.resolve())], cwd=folder, check=True, capture_output=True)
        flags = ["-O2", "-w", "-DSAFETY", f"-DMEMLIM={megabytes}"]
        subprocess.run(["gcc", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True, capture_output=True)
        began = time.monotonic()
        try:
            ran = subprocess.run(
                ["./pan", "-n", "-w26", "-m10000000"],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as stopped:
            return {"ending": "out of time", **_last_progress(stopped.stdout), "seconds": seconds}
        said = ran.stdout + ran.stderr
    states, usage = STATES.search(said), USAGE.search(said)
    return {
        "ending": next((ending for sign, ending in ENDINGS.items() if sign in said), "finished"),
        "states": round(float(states[1])) if states else None,
        "megabytes": round(float(usage[1])) if usage else None,
        "seconds": round(time.monotonic() - began, 1),
    }


def _last_progress(said: bytes | str | None) -> dict[str, int]:
    """What the verifier printed last, every million states."""
    text = said.decode() if isinstance(said, bytes) else said or ""
    found = PROGRESS.findall(text)
    return {"states": round(float(found[-1][0])), "megabytes": round(float(found[-1][1]))} if found else {}


def ask_scrimp(path: Path, defines: Mapping[str, int], seconds: float, megabytes: int) -> dict[str, Any]:
    began = time.monotonic()
    options = [option for name, value in defines.items() for option in ("-D", f"{name}={value}")]
    limits = ["--memory", f"{megabytes}M", "--time", str(int(seconds))]
    command = [sys.executable, "-m", "scrimp", "check", str(path), *options, *limits, "--json", "-"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    record = json.loads(ran.stdout)
    return {
        "ending": record["verdict"],
        "method": record["strategy"]["method"],
        "reduction": record["strategy"]["reduction_reason"],
        "states": record["states"],
        "megabytes": round(record["rss_peak"] / 1e6),
        "seconds": round(time.monotonic() - began, 1),
    }


def measure(model: str, defines: Mapping[str, int], seconds: float, megabytes: int) -> dict[str, Any]:
    path = MODELS / model
    row = {"model": model, "defines": dict(defines), "scrimp": ask_scrimp(path, defines, seconds, megabytes)}
    return {**row, "spin": ask_spin(path, defines, seconds, megabytes)}


def table(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "| model | scrimp | states | MB | seconds | SPIN | states | MB | seconds |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        name = f"{Path(row['model']).stem} {', '.join(f'{key}={value}' for key, value in row['defines'].items())}"
        cells = [cell for tool in ("scrimp", "spin") for cell in _cells(row[tool])]
        yield f"| {name} | {' | '.join(cells)} |"


def _cells(found: Mapping[str, Any]) -> Iterator[str]:
    yield found["ending"]
    yield from ("" if found.get(key) is None else f"{found[key]:,}" for key in ("states", "megabytes", "seconds"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--megabytes", type=int, default=8000)
    parser.add_argument("--only", default="")
    parser.add_argument("--output", type=Path, default=Path("results/beyond_spin.ndjson"))
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.output.read_text().splitlines()] if asked.output.exists() else []
    done = [(row["model"], row["defines"]) for row in rows]
    for model, defines in CASES:
        if (model, dict(defines)) in done or asked.only not in model:
            continue
        rows.append(measure(model, defines, asked.seconds, asked.megabytes))
        with asked.output.open("a") as record:
            record.write(json.dumps(rows[-1]) + "\n")
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
