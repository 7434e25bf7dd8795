"""Kill searches that leave checkpoints, at every write point and at random moments, and resume them.

    python -m tests.checkpoints [--kills N] [--seed N] [--every-point]

Results must be those of searches that were never interrupted; see trials.py. Needs a C compiler.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.checkpoints")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every-point", action="store_true", help="first try each search at every write point")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if "SCRIMP_FAULTS" not in os.environ:
            return subprocess.run(
                [sys.executable, "-m", "tests.checkpoints", *sys.argv[1:]], env=faulty(folder)
            ).returncode
        from tests.checkpoints.trials import run

        print(run(Path(folder), options.kills, options.seed, options.every_point))
    return 0


def faulty(folder: str) -> dict[str, str]:
    """An environment in which `faults.c` is loaded before the C library."""
    library = Path(folder) / "faults.so"
    source = Path(__file__).with_name("faults.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return {**os.environ, "LD_PRELOAD": str(library), "SCRIMP_FAULTS": "1"}


if __name__ == "__main__":
    sys.exit(main())
