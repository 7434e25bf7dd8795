"""Break the translation of Python, one line at a time, and check that comparing models with CPython notices.

    python -m tests.modelling.mutants [--only NAME] [--models N]

Each mutant of mutants.toml is imported in place of the module that it changes, in a process of its own. There its
witness, a few lines of a model, is compared under CPython and as compiled, until the two differ; then the other
witnesses, and random models if `--models` asks for some. The exit code is 1 if a mutant survives.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from textwrap import indent
from types import CodeType

from tests.modelling.generator import HEADER, random_model

PACKAGE = "scrimp.frontends.python"
FOLDER = Path(__file__).parents[2] / "src" / "scrimp" / "frontends" / "python"
KILLED_BY_WITNESS, KILLED, SURVIVED, BROKEN = range(4)


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str  # below src/scrimp/frontends/python/
    before: str
    after: str
    witness: str  # methods of a model on which the mutant differs from CPython

    @property
    def module(self) -> str:
        return f"{PACKAGE}.{self.file.removesuffix('.py')}"

    def text(self) -> str:
        original = (FOLDER / self.file).read_text(encoding="utf-8")
        if original.count(self.before) != 1:
            raise SystemExit(f"{self.name}: found its text {original.count(self.before)} times in {self.file}")
        return original.replace(self.before, self.after)

    def model(self) -> str:
        return HEADER + indent(self.witness, "    ")


def mutants() -> list[Mutant]:
    text = Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8")
    return [Mutant(**each) for each in tomllib.loads(text)["mutant"]]


class _Mutated(SourceFileLoader):
    """Loads a mutant in place of a module; nothing of it is cached."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(FOLDER / mutant.file))
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = compile(self.mutant.text(), self.path, "exec", dont_inherit=True)
        return code


@dataclass(frozen=True)
class _Finder:
    mutant: Mutant

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, FOLDER / self.mutant.file, loader=_Mutated(self.mutant))


def _models(mutant: Mutant, models: int) -> Iterator[str]:
    yield mutant.model()
    yield from (each.model() for each in mutants() if each.name != mutant.name)
    yield from map(random_model, range(models))


def _ending(mutant: Mutant, models: int) -> int:
    """How a mutant fares, in this process."""
    sys.meta_path.insert(0, _Finder(mutant))
    comparing = importlib.import_module("tests.modelling.comparing")
    for number, text in enumerate(_models(mutant, models)):
        try:
            comparing.Comparison(text, most_states=60).run()
        except Exception:
            return KILLED if number else KILLED_BY_WITNESS
    return SURVIVED


def ending(mutant: Mutant, models: int = 0) -> int:
    """How a mutant fares, in a process that ends with it."""
    if PACKAGE in sys.modules:
        raise RuntimeError(f"{PACKAGE} is imported already")
    child = os.fork()
    if child == 0:
        code = BROKEN
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a difference leaves coroutines behind, with a warning each
            code = _ending(mutant, models)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _show(mutant: Mutant, found: int, seconds: float) -> None:
    texts = {KILLED_BY_WITNESS: "killed", KILLED: "killed by another model", SURVIVED: "SURVIVES"}
    print(f"{mutant.name:<60} {texts.get(found, 'BROKEN'):<24} {seconds:6.1f} s", flush=True)


def _chosen(only: str) -> Sequence[Mutant]:
    return [mutant for mutant in mutants() if only in mutant.name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--models", type=int, default=0, help="random models, besides the witnesses")
    options = parser.parse_args()
    importlib.import_module("scrimp.system.reference")  # what all mutants share is imported once
    importlib.import_module("scrimp.modelling.scheduling")
    importlib.import_module("scrimp.frontends.model")
    alive = 0
    chosen = _chosen(options.only)
    for mutant in chosen:
        started = time.monotonic()
        found = ending(mutant, options.models)
        alive += found not in (KILLED_BY_WITNESS, KILLED)
        _show(mutant, found, time.monotonic() - started)
    print(f"{len(chosen) - alive} of {len(chosen)} mutants killed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
