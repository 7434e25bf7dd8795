"""Mistakes that the computation of conditions might make, each as one change of its text."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from scrimp.reduction.relations import Relations

PACKAGE = "scrimp.reduction"
# In this order a module is loaded after those that it imports.
MODULES = ("accesses", "messages", "conditions", "passages", "dependence", "enabling", "outgrowing", "relations")


@dataclass(frozen=True)
class Mutant:
    """`profile` and `seed` name a random system on which the mistake shows."""

    name: str
    module: str
    before: str
    after: str
    profile: str
    seed: int

    @contextmanager
    def applied(self) -> Iterator[Callable[..., Relations]]:
        """`build_relations` with the mistake."""
        kept = {name: sys.modules[name] for name in (f"{PACKAGE}.{short}" for short in MODULES)}
        try:
            for short in MODULES:
                module = self._loaded(short)
            yield module.build_relations
        finally:
            sys.modules.update(kept)

    def _loaded(self, short: str) -> ModuleType:
        name = f"{PACKAGE}.{short}"
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        text = Path(spec.origin).read_text()
        if short == self.module:
            assert text.count(self.before) == 1, f"{self.name}: {self.before!r} occurs {text.count(self.before)} times"
            text = text.replace(self.before, self.after)
        module = ModuleType(name)
        module.__file__ = spec.origin
        sys.modules[name] = module
        exec(compile(text, spec.origin, "exec"), module.__dict__)
        return module


MUTANTS: Sequence[Mutant] = (
    Mutant(
        "conditions: the wrong side of a channel makes a test of its length true",
        "conditions",
        "falsifying=False",
        "falsifying=True",
        "large",
        0,
    ),
    Mutant(
        "conditions: a negated test is taken as it is",
        "conditions",
        "operator if literal.wanted else OPPOSITE[operator], number",
        "operator, number",
        "claimed",
        4,
    ),
    Mutant(
        "conditions: a comparison is not mirrored",
        "conditions",
        "operator = MIRRORED[operator]",
        "pass",
        "held",
        7,
    ),
    Mutant(
        "conditions: bits are compared as if they were the value",
        "conditions",
        "max(low - field.base, 0), min(high - field.base, field.mask)",
        "max(low, 0), min(high, field.mask)",
        "arrays",
        2,
    ),
    Mutant(
        "conditions: intervals that meet exclude each other",
        "conditions",
        "return other[1] < one[0] or one[1] < other[0]",
        "return other[1] <= one[0] or one[1] <= other[0]",
        "arrays",
        5,
    ),
    Mutant(
        "dependence: events that access different cells exclude each other",
        "dependence",
        "rows.append(depending & ~(excluded[number] & ~together))",
        "rows.append(depending & together)",
        "tiny",
        0,
    ),
    Mutant(
        "enabling: a process of the event itself cannot help",
        "enabling",
        "return others | union(instead)",
        "return others",
        "tiny",
        0,
    ),
    Mutant(
        "relations: a test that no value satisfies always holds",
        "relations",
        "low, high = 1, 0",
        "low, high = 0, (1 << condition.bits) - 1",
        "arrays",
        2,
    ),
    Mutant(
        "messages: a message that is not known matches nothing",
        "messages",
        "            return True\n",
        "            return False\n",
        "typed messages",
        12,
    ),
    Mutant(
        "messages: constants are compared as if they were not brought into the range of their field",
        "messages",
        "field.wrap(value.value)",
        "value.value",
        "typed messages",
        20,
    ),
    Mutant(
        "messages: what follows an event in transient states sends nothing",
        "messages",
        "(1 << event | passage.following) & senders",
        "(1 << event) & senders",
        "typed messages",
        9,
    ),
    Mutant(
        "messages: a channel may hold messages although a test of its length is false",
        "conditions",
        "bounds == (1, self.system.channels[channel].capacity)",
        "bounds.least >= 1",
        "typed messages",
        7,
    ),
    Mutant(
        "relations: a message is sent only while its channel is empty",
        "relations",
        "self._sending.events(condition.wanted))",
        "self._sending.events(condition.wanted)) & ~self._events_implying(condition)",
        "typed messages",
        9,
    ),
    Mutant(
        "conditions: an interval implies all those that meet it",
        "conditions",
        "return other.interval[0] <= self.interval[0] and self.interval[1] <= other.interval[1]",
        "return not are_disjoint(self.interval, other.interval)",
        "typed messages",
        7,
    ),
    Mutant(
        "conditions: a negated test implies what is in its interval",
        "conditions",
        "return are_disjoint(self.interval, other.interval)\n        return other",
        "return not are_disjoint(self.interval, other.interval)\n        return other",
        "typed messages",
        58,
    ),
    Mutant(
        "ends: a start does not notice the end of the youngest process",
        "passages",
        " | together(own)[1].writes",
        "",
        "stacks local channels",
        1,
    ),
    Mutant(
        "ends: older processes that end on the way count as moved",
        "dependence",
        "((accessed, cells.movers(written)) for accessed, written in accesses),",
        "((accessed, each.movers) for (accessed, _), each in zip(accesses, passages, strict=True)),",
        "stacks local channels",
        1,
    ),
    Mutant(
        "outgrowing: only at its own place an event outgrows the system",
        "outgrowing",
        "bytes(reached != 0 for reached in spread(leading, onward))",
        "bytes(leading)",
        "outgrown plain",
        4,
    ),
    Mutant(
        "outgrowing: a process moves by events that it leads",
        "outgrowing",
        "for move in transition.moves:",
        "for move in transition.moves[:1]:",
        "outgrown plain",
        4,
    ),
    Mutant(
        "relations: in infinite runs an event that outgrows the system is like others",
        "relations",
        "recurs[event] or (passage.following | 1 << event) & outgrowing != 0",
        "recurs[event]",
        "outgrown plain",
        0,
    ),
)
