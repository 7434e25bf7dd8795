"""Mistakes that the search for symmetries, the choice of canonical states or the rebuilding of paths might make, each
as one change of text."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.symmetry import comparing
from tests.symmetry.random_symmetric import random_broken, random_started, random_symmetric

# In this order a module is loaded after those that it imports.
MODULES = (
    "scrimp.system.swaps",
    "scrimp.machine.canonical",
    "scrimp.machine.symmetric_ranges",
    "scrimp.symmetry.sorts",
    "scrimp.symmetry.renaming",
    "scrimp.symmetry.normal",
    "scrimp.symmetry.matching",
    "scrimp.symmetry.proving",
    "scrimp.symmetry.blocks",
    "scrimp.symmetry.finding",
    "scrimp.symmetry.rebuilding",
    "scrimp.symmetry.auditing",
    "tests.symmetry.comparing",
)
KINDS = {"broken": random_broken, "symmetric": random_symmetric, "started": random_started}


@dataclass(frozen=True)
class Mutant:
    """`kind` and `seed` name a random system on which the mistake shows."""

    name: str
    module: str
    before: str
    after: str
    kind: str
    seed: int

    def killed_by(self, systems: Iterable[tuple[str, int]]) -> str:
        """The first of some systems on which the comparison notices the mistake, and what it says; empty if none."""
        with _reloaded(f"scrimp.{self.module}", self._text()) as compare:
            for kind, seed in systems:
                if different := compare.difference(KINDS[kind](seed), seed):
                    return f'"{kind}", {seed}: {different}'
        return ""

    def _text(self) -> str:
        module = importlib.import_module(f"scrimp.{self.module}")
        text = Path(str(module.__file__)).read_text()
        assert text.count(self.before) == 1, f"{self.name}: {self.before!r} occurs {text.count(self.before)} times"
        return text.replace(self.before, self.after)


@contextmanager
def _reloaded(changed: str, text: str) -> Iterator[ModuleType]:
    """A fresh copy of the comparison and of all that it compares, one module with another text."""
    kept = {name: sys.modules[name] for name in MODULES}
    packages = {name: sys.modules[name.rpartition(".")[0]] for name in MODULES}
    try:
        for name in MODULES:
            file = str(kept[name].__file__)
            module = ModuleType(name)
            module.__file__ = file
            sys.modules[name] = module
            setattr(packages[name], name.rpartition(".")[2], module)
            exec(compile(text if name == changed else Path(file).read_text(), file, "exec"), module.__dict__)
        yield sys.modules[comparing.__name__]
    finally:
        sys.modules.update(kept)
        for name, module in kept.items():
            setattr(packages[name], name.rpartition(".")[2], module)


MUTANTS: Sequence[Mutant] = (
    Mutant(
        "sorts: ids may be ordered",
        "symmetry.sorts",
        """            case Binary(_, left, right):
                self._number(left)
                self._number(right)
""",
        """            case Binary(_, left, right):
                self._visit(left)
                self._visit(right)
                self._unite(term_of(left), term_of(right))
""",
        "broken",
        188,
    ),
    Mutant(
        "proving: the property may change",
        "symmetry.proving",
        "return (*own, *self.asked)",
        "return own",
        "broken",
        15,
    ),
    Mutant(
        "proving: valid end states may change",
        "symmetry.proving",
        '("valid end states", system.valid_end))',
        '("valid end states", None))',
        "broken",
        87,
    ),
    Mutant(
        "proving: transitions without a counterpart do not matter",
        "symmetry.proving",
        "                left_over.append(event)\n",
        "                pass\n",
        "broken",
        6,
    ),
    Mutant(
        "proving: what holds after a start holds before",
        "symmetry.proving",
        "self._where(left_over),",
        "self._where(left_over)[:0],",
        "started",
        0,
    ),
    Mutant(
        "proving: elements of arrays stay in their places",
        "symmetry.proving",
        "if other != (variable, element):",
        "if other != (variable, element) and declared.length is None:",
        "symmetric",
        15,
    ),
    Mutant(
        "proving: values in messages stay as they are",
        "symmetry.proving",
        'if pairs := self._pairs(("m", number, field)):',
        'if pairs := self._pairs(("m", number, field))[:0]:',
        "symmetric",
        26,
    ),
    Mutant(
        "normal: a statement may come before one that writes what it reads",
        "symmetry.normal",
        "            or not self.writes.isdisjoint(other.reads | other.writes)\n"
        "            or not other.writes.isdisjoint(self.reads)\n",
        "",
        "broken",
        6,
    ),
    Mutant(
        "canonical: swaps are made where they are no symmetries",
        "machine.canonical",
        "if swap.applies(state) and _is_better(",
        "if _is_better(",
        "started",
        3,
    ),
    Mutant(
        "blocks: members that name each other are sorted",
        "symmetry.blocks",
        "return members, is_complete and len(pure) == len(chains) and named == wanted",
        "return members, True",
        "symmetric",
        22,
    ),
    Mutant(
        "rebuilding: swaps are applied in reverse",
        "symmetry.rebuilding",
        "        for swap in swaps:\n            self.events",
        "        for swap in reversed(swaps):\n            self.events",
        "symmetric",
        24,
    ),
    Mutant(
        "rebuilding: the initial state does not matter for coverage",
        "symmetry.rebuilding",
        "return symmetry.is_everywhere and symmetry.fixes(reference.initial(system))",
        "return True",
        "symmetric",
        2,
    ),
    Mutant(
        "rebuilding: the initial state is taken for canonical",
        "symmetry.rebuilding",
        "    origin.follow(swaps)\n    fired = ",
        "    fired = ",
        "symmetric",
        2,
    ),
)
