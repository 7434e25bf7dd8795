"""Break the engine's reductions and stores, one line at a time, and check that tests notice.

    python -m tests.mutants [--only NAME] [--jobs N]

Every mutant of mutants.toml is made in a copy of the engine; the explorer (engine/tests/random_explorer.cpp) is built
with it and must find a difference within the given number of systems, or another test of the engine must fail. Without
a mutant there is no difference. The exit code is 1 if a mutant survives, or if there is a difference without one.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPY = ROOT / "build" / "mutants"
SOURCES = ("CMakeLists.txt", "engine")
LIMIT_SECONDS = 300


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str  # below engine/
    before: str
    after: str
    explore: str = ""  # the explorer's arguments
    test: str = "random_explorer"  # the test that notices

    def text(self) -> str:
        original = (COPY / "engine" / self.file).read_text()
        if original.count(self.before) != 1:
            raise SystemExit(f"{self.name}: found its text {original.count(self.before)} times in engine/{self.file}")
        return original.replace(self.before, self.after)


def main() -> int:
    options = _options()
    chosen = [mutant for mutant in mutants() if options.only in mutant.name]
    _prepare()
    for mutant in chosen:
        mutant.text()
    for test, arguments in sorted({(mutant.test, mutant.explore) for mutant in chosen}):
        _build(test, options.jobs)
        if _run(test, arguments) != 0:
            print(f"there is a difference without any mutant: {test} {arguments}")
            return 1
    survivors = 0
    for mutant in sorted(chosen, key=lambda each: each.file):
        killed, seconds = _try(mutant, options.jobs)
        survivors += not killed
        print(f"{mutant.name:<60} {'killed' if killed else 'SURVIVES':<8} {seconds:6.1f} s", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants killed")
    return 1 if survivors else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--only", default="", help="mutants whose name contains this")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def mutants() -> list[Mutant]:
    entries = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text())["mutant"]
    return [Mutant(**entry) for entry in entries]


def _prepare() -> None:
    """Copy the engine. Files that have not changed since the last time keep their dates, so that they are not built
    again."""
    sources = {file.relative_to(ROOT) for name in SOURCES for file in [ROOT / name, *(ROOT / name).rglob("*")]}
    for gone in {file.relative_to(COPY) for file in (COPY / "engine").rglob("*") if file.is_file()} - sources:
        (COPY / gone).unlink()
    for source in sources:
        target = COPY / source
        text = (ROOT / source).read_bytes() if (ROOT / source).is_file() else None
        if text is not None and not (target.exists() and target.read_bytes() == text):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
    settings = ["SCRIMP_TESTS=ON", "SCRIMP_BINDINGS=OFF", "CMAKE_BUILD_TYPE=Mutant", "CMAKE_CXX_FLAGS=-O1"]
    command = ["cmake", "-S", str(COPY), "-B", str(COPY / "build"), "-G", "Ninja", *(f"-D{each}" for each in settings)]
    subprocess.run(command, check=True, capture_output=True)


def _build(test: str, jobs: int) -> None:
    command = ["cmake", "--build", str(COPY / "build"), "--target", test, "--parallel", str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)


def _run(test: str, arguments: str) -> int:
    command = [str(COPY / "build" / test), *shlex.split(arguments)]
    return subprocess.run(command, capture_output=True, timeout=LIMIT_SECONDS, check=False).returncode


def _try(mutant: Mutant, jobs: int) -> tuple[bool, float]:
    """Whether it is killed, and how long the test took."""
    place = COPY / "engine" / mutant.file
    original = place.read_text()
    place.write_text(mutant.text())
    try:
        _build(mutant.test, jobs)
        start = time.monotonic()
        return _run(mutant.test, mutant.explore) != 0, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return False, LIMIT_SECONDS
    finally:
        place.write_text(original)


if __name__ == "__main__":
    sys.exit(main())
