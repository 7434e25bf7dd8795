"""Mistakes that a pass might make, each as one change of its text."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from scrimp.passes import Pass

PACKAGE = "scrimp.passes"
# In this order a module is loaded after those that it imports.
MODULES = ("faults", "relevance", "slice", "fold", "unreachable", "dead", "merge")
CLASSES = {"fold": "Fold", "unreachable": "Unreachable", "slice": "Slice", "dead": "Dead", "merge": "Merge"}


@dataclass(frozen=True)
class Mutant:
    """`seed` and `profile` name a random system on which the mistake shows; `by` is the pass that makes it."""

    name: str
    module: str
    before: str
    after: str
    by: str
    profile: str
    seed: int

    def applied(self) -> Pass:
        """The pass with the mistake."""
        with _reloaded(self.module, self._text()) as modules:
            made: Pass = getattr(modules[self.by], CLASSES[self.by])()
            return made

    def _text(self) -> str:
        module = importlib.import_module(f"{PACKAGE}.{self.module}")
        text = Path(str(module.__file__)).read_text()
        assert text.count(self.before) == 1, f"{self.name}: {self.before!r} occurs {text.count(self.before)} times"
        return text.replace(self.before, self.after)


@contextmanager
def _reloaded(changed: str, text: str) -> Iterator[dict[str, ModuleType]]:
    """Fresh copies of all modules of passes, one of them with another text."""
    names = [f"{PACKAGE}.{name}" for name in MODULES]
    kept = {name: sys.modules[name] for name in names}
    made: dict[str, ModuleType] = {}
    try:
        for short, name in zip(MODULES, names, strict=True):
            spec = importlib.util.find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            module = ModuleType(name)
            module.__file__ = spec.origin
            sys.modules[name] = module
            source = text if short == changed else Path(spec.origin).read_text()
            exec(compile(source, spec.origin, "exec"), module.__dict__)
            made[short] = module
        yield made
    finally:
        sys.modules.update(kept)


MUTANTS: Sequence[Mutant] = (
    Mutant(
        "fold: a part that may fault becomes a constant",
        "fold",
        "low == high and not self.faults.in_expression(part, self.box)",
        "low == high",
        "fold",
        "large",
        41,
    ),
    Mutant(
        "fold: the right side decides a conjunction",
        "fold",
        "return Constant(0) if left == 0 else right if _is_truth(right) else part",
        "return Constant(left)",
        "fold",
        "default",
        121,
    ),
    Mutant(
        "fold: the other branch is taken",
        "fold",
        "yield from _spliced(then if test != 0 else otherwise)",
        "yield from _spliced(otherwise if test != 0 else then)",
        "fold",
        "large",
        13,
    ),
    Mutant(
        "unreachable: one source suffices to keep away",
        "unreachable",
        "missing[event] = len(transition.moves)",
        "missing[event] = len(transition.moves) + 1",
        "unreachable",
        "default",
        0,
    ),
    Mutant(
        "slice: guards do not matter",
        "relevance",
        "            flows.need(transition.guard)\n",
        "",
        "slice",
        "default",
        86,
    ),
    Mutant(
        "slice: what a question looks at does not matter",
        "relevance",
        "outside = [*seen, *(invariant.test for invariant in system.invariants), *(",
        "outside = [*(",
        "slice",
        "default",
        82,
    ),
    Mutant(
        "slice: sources of relevant variables are irrelevant",
        "relevance",
        "todo = list(self.needed)",
        "todo = list(self.needed)[:0]",
        "slice",
        "large",
        165,
    ),
    Mutant(
        "slice: an assignment that may fault is removed",
        "slice",
        "if may_fault or self._is_relevant(place):\n                    yield",
        "if self._is_relevant(place):\n                    yield",
        "slice",
        "faulty",
        80,
    ),
    Mutant(
        "slice: assertions do not matter",
        "relevance",
        "                case Assert(test):\n                    self.need(test)\n",
        "",
        "slice",
        "faulty",
        216,
    ),
    Mutant(
        "dead: guards read nothing",
        "dead",
        "self.uses = cells.read([transition.guard])",
        "self.uses = 0",
        "dead",
        "default",
        86,
    ),
    Mutant(
        "dead: effects read nothing",
        "dead",
        "self.uses |= self.cells.read(evaluated(statement)) & ~kills",
        "self.uses |= 0",
        "dead",
        "default",
        79,
    ),
    Mutant(
        "dead: variables that questions look at are reset",
        "dead",
        "if cells.place(cell).variable in looked_at or not common:",
        "if not common:",
        "dead",
        "default",
        82,
    ),
    Mutant(
        "dead: other processes do not matter",
        "dead",
        "movers[cell] = movers.get(cell, moved) & moved",
        "movers[cell] = moved",
        "dead",
        "large",
        116,
    ),
    Mutant(
        "dead: live variables are reset",
        "dead",
        "& owned & ~live[target]  # L4",
        "& owned  # L4",
        "dead",
        "default",
        79,
    ),
    Mutant(
        "merge: what others access does not matter",
        "merge",
        "and locality.is_alone(process, events)",
        "and not any(ways[event].movers != 1 << process for event in members(events))",
        "merge",
        "quiet",
        0,
    ),
    Mutant(
        "merge: visible steps are merged",
        "merge",
        "and not any(ways[event].writes & watched for event in members(events))",
        "",
        "merge",
        "default",
        73,
    ),
    Mutant(
        "merge: cycles are merged",
        "merge",
        "            return {node for node in kept - endless if not arcs[node] & endless}\n",
        "            return set(quiet)\n",
        "merge",
        "quiet",
        218,
    ),
    Mutant(
        "merge: a process goes on alone into an endless loop",
        "merge",
        "            return {node for node in kept - endless if not arcs[node] & endless}\n",
        "            return kept\n",
        "merge",
        "chained",
        316,
    ),
    Mutant(
        "faults: indices never fault",
        "faults",
        "return self.in_expression(index, box) or not contains(inside, evaluate(index, box))",
        "return self.in_expression(index, box)",
        "slice",
        "faulty",
        243,
    ),
    Mutant(
        "faults: values outside a checked range never fault",
        "faults",
        "return type_.wraps or contains(",
        "return True or contains(",
        "slice",
        "faulty",
        25,
    ),
)
