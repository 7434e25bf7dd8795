"""Start-up: from the command to the first states, with an empty cache and with a filled one.

    python bench/startup.py [--rounds N]

A search cut at depth 1 is all start-up. Beside it, where SPIN is installed and the model exists in Promela, what
generating and compiling a verifier takes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import spin
from instances import CORPUS, Instance
from measure import run

# DVE with few transitions, some 400, 1,300 and 2,000; Promela from the smallest up.
INSTANCES = (
    Instance("peterson.4", 1_119_560),
    Instance("firewire_link.2", 55_887),
    Instance("firewire_tree.5", 0),
    Instance("pouring.1", 503),
    Instance("ltsmin_examples/peterson3.pml", 271_285),
    Instance("spin_dist/dtp.pml", 251_409),
    Instance("beem_pm/firewire_link.4.pm", 105_967),
)


def seconds_of_start(instance: Instance) -> float:
    command = [sys.executable, "-m", "scrimp", "explore", str(instance.model), "--depth", "1"]
    return run([*command, "--quiet", "--ignore-property"]).wall_seconds


def cold_and_cached(instance: Instance, rounds: int) -> tuple[float, float]:
    cold, cached = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["SCRIMP_CACHE_DIR"] = folder
            cold.append(seconds_of_start(instance))
            cached.append(seconds_of_start(instance))
    return median(cold), median(cached)


def seconds_of_spin(instance: Instance) -> float | None:
    if not spin.available() or not instance.promela.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        spin.prepare(instance.promela, Path(folder), ["pan"])
        return time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description="how long scrimp takes to start")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    if not CORPUS.is_dir():
        raise SystemExit(f"the benchmark needs the model corpus, which is not at {CORPUS}: set SCRIMP_CORPUS")
    print(f"{'':>30} {'cold s':>8} {'cached s':>9} {'spin -a, gcc':>13}")
    for instance in INSTANCES:
        cold, cached = cold_and_cached(instance, rounds)
        peer = seconds_of_spin(instance)
        print(f"{instance.name:>30} {cold:8.2f} {cached:9.2f} {'' if peer is None else f'{peer:13.2f}'}", flush=True)


if __name__ == "__main__":
    main()
