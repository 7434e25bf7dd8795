"""Backward transitions: per transition, tests of a state, and the number of edges into it if they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TypeAlias

from scrimp.machine.backward.inverse import Candidate, Inverse
from scrimp.machine.backward.paths import Path, paths, rebuilt
from scrimp.machine.backward.simplify import Simplifier
from scrimp.machine.backward.values import Values, any_values, find_values
from scrimp.machine.backward.work import Impossible, Work
from scrimp.machine.boxes import refine
from scrimp.machine.evaluation import conjuncts
from scrimp.machine.intervals import Interval
from scrimp.machine.layout import Layout
from scrimp.machine.nesting import deep_recursion
from scrimp.machine.waiting import waits
from scrimp.system.expressions import TRUE, Binary, Conditional, Constant, Expression, Read, Unary
from scrimp.system.system import System, Transition
from scrimp.system.traverse import subexpressions

# At most this many choices of overwritten values are tried, each by a separate test.
MOST_CHOICES = 256
# At most this many values of one variable are tried here, before code is generated.
_MOST_VALUES = 1 << 16

Tests: TypeAlias = tuple[Expression, ...]
"""A conjunction. It is false if one of the tests faults."""


@dataclass(frozen=True, slots=True)
class Backward:
    """`tests[e]` are those of event e, with the number of edges that each stands for; that the leading process is at
    the target of its move is implied. `impossible` gives the reason for every event without tests. Only edges from
    states that `values` allow are counted."""

    tests: Mapping[int, Mapping[Tests, int]]
    impossible: Mapping[int, str]
    values: Values


def backward(system: System, layout: Layout) -> Backward:
    """The backward transitions of a system, as far as possible."""
    with deep_recursion():
        return _Derivation(system, layout).run()


class _Derivation:
    def __init__(self, system: System, layout: Layout) -> None:
        self.system = system
        self.layout = layout
        self.box = layout.box()
        self.elements = [len(variable.initial) for variable in system.variables]
        self.work = Work()

    def run(self) -> Backward:
        tests: dict[int, Mapping[Tests, int]] = {}
        impossible: dict[int, str] = {}
        ways: dict[int, list[Path]] = {}
        for event, transition in enumerate(self.system.transitions):
            self.work.begin()
            try:
                ways[event] = self._paths(transition)
            except Impossible as reason:
                impossible[event] = str(reason)
        values = any_values(self.system) if impossible else find_values(self.system, ways, self.box)
        for event, way in ways.items():
            self.work.begin()
            try:
                tests[event] = self._tests(self.system.transitions[event], way, values)
            except Impossible as reason:
                impossible[event] = str(reason)
        return Backward(tests, dict(sorted(impossible.items())), values)

    def _simplifier(self, lost: Mapping[int, list[Interval]]) -> Simplifier:
        """For tests that involve lost values as well."""
        if not lost:
            return Simplifier(self.box, self.elements)
        variables = [*self.box.variables, *map(_hull, lost.values())]
        box = replace(self.box, variables=variables, scalars=self.box.scalars | frozenset(lost))
        return Simplifier(box, [*self.elements, *(1 for _ in lost)])

    def _paths(self, transition: Transition) -> list[Path]:
        if any(move.source not in self.layout.raws[move.process] for move in transition.moves):
            return []
        if self.system.claim is not None:
            raise Impossible("a claim moves before it")
        if transition.holder is not None:
            raise Impossible("its process has exclusive control after it")
        if waits(transition):
            raise Impossible("it waits for a timeout")
        guard = [] if transition.guard == TRUE else conjuncts(transition.guard)
        box = self.box.fork()
        for test in guard:
            refine(box, test, True)
        found = paths(self.system, transition.effect, box, self.work)
        committed = self.system.committed
        free = [] if committed is None or transition.urgent else [Unary("!", committed)]
        for path in found:
            path.conditions[:0] = [*guard, *free]
        return found

    def _tests(self, transition: Transition, way: list[Path], values: Values) -> Mapping[Tests, int]:
        found: Counter[Tests] = Counter()
        lies = values.before(transition)
        if lies is None:
            return found
        for path in way:
            box = self.box.fork()
            box.local.update((cell.variable, known) for cell, known in lies.items() if cell.index is None)
            for condition in path.conditions:
                refine(box, condition, True)
            for candidate in Inverse(self.system, self.layout, transition, path, box, values, self.work).candidates():
                for tests, edges in self._choices(candidate):
                    found[tests] += edges
        return found

    def _choices(self, candidate: Candidate) -> Iterator[tuple[Tests, int]]:
        """The tests of the state after for each choice of the lost values, and the number of edges that each stands
        for."""
        simplifier = self._simplifier(candidate.lost)
        tests = simplifier.tests(candidate.tests)
        if tests is None:
            return
        values = {number: _values(parts) for number, parts in candidate.lost.items()}
        tests = _narrow(tests, values, simplifier)
        read = _stand_ins(tests, values)
        edges = prod(len(possible) for number, possible in values.items() if number not in read)
        choices = prod(len(values[number]) for number in read)
        if choices > MOST_CHOICES:
            raise Impossible(f"it overwrites values with {choices:,} possible combinations")
        if edges == 0 or not read:
            yield from [(tests, edges)] if edges else ()
            return
        for choice in product(*(values[number] for number in read)):
            chosen = dict(zip(read, choice, strict=True))
            left = simplifier.tests(_substituted(self.work.pay(test), chosen) for test in tests)
            if left is not None:
                yield left, edges


def _hull(parts: list[Interval]) -> Interval:
    """An interval around several; an arbitrary one if there are none."""
    return (min(low for low, _ in parts), max(high for _, high in parts)) if parts else (0, 0)


def _values(parts: list[Interval]) -> Sequence[int]:
    spans = [range(low, high + 1) for low, high in parts]
    return spans[0] if len(spans) == 1 else [value for span in spans for value in span]


def _narrow(tests: Tests, values: dict[int, Sequence[int]], simplifier: Simplifier) -> Tests:
    """Use up the tests that involve only one lost value: only values that pass them are left."""
    kept: list[Expression] = []
    for test in tests:
        number = next((number for number in values if _is_about(test, number)), None)
        if number is None or len(values[number]) > _MOST_VALUES or not simplifier.is_safe(test):
            kept.append(test)
            continue
        values[number] = [
            value for value in values[number] if simplifier.test(_substituted(test, {number: value})) == TRUE
        ]
    return tuple(kept)


def _stand_ins(tests: Tests, values: Mapping[int, object]) -> list[int]:
    """The lost values that some tests involve."""
    read = {part.variable for test in tests for part in subexpressions(test) if isinstance(part, Read)}
    return [number for number in values if number in read]


def _is_about(test: Expression, number: int) -> bool:
    """Whether a test involves only one variable."""
    looked_at = {part for part in subexpressions(test) if not isinstance(part, Constant | Unary | Binary | Conditional)}
    return looked_at == {Read(number)}


def _substituted(expression: Expression, chosen: Mapping[int, int]) -> Expression:
    match expression:
        case Read(variable, None) if variable in chosen:
            return Constant(chosen[variable])
        case _:
            return rebuilt(expression, lambda part: _substituted(part, chosen))
