"""The function `in_degree`: the number of edges into a state, from the backward transitions of its system.

Like the functions for runs, one function per process switches over the process's location, which is the target of the
edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from scrimp.machine.abi import SATURATED
from scrimp.machine.backward.transitions import Backward, Tests
from scrimp.machine.context import Context
from scrimp.machine.intervals import NO, YES
from scrimp.system.expressions import Expression
from scrimp.system.system import System

# As in runs.py: compilers take more than linear time.
_MOST_IN_A_ROW = 128


def write_in_degree(context: Context, backward: Backward) -> None:
    """For a system whose transitions can all be reversed."""
    assert not backward.impossible
    writer = context.writer
    functions = [
        _write_arrivals(context, f"into_{number}", process, tests)
        for number, (process, tests) in enumerate(_groups(context.system, backward))
    ]
    with writer.function("i32 @in_degree(ptr %context, ptr noalias readonly %state) #0"):
        total = "0"
        for name in functions:
            total = writer.value(f"add i64 {total}, {writer.value(f'call fastcc i64 @{name}(ptr %state)')}")
        too_many = writer.value(f"icmp ugt i64 {total}, {SATURATED}")
        edges = writer.value(f"select i1 {too_many}, i64 {SATURATED}, i64 {total}")
        writer.do(f"ret i32 {writer.value(f'trunc i64 {edges} to i32')}")


Arrivals = Mapping[int, Mapping[Tests, int]]
"""For each target location of a process, tests and the number of edges that each stands for."""


def _groups(system: System, backward: Backward) -> Iterator[tuple[int, Arrivals]]:
    """The leading processes with their tests, in several pieces if there are very many for one location."""
    arrivals: dict[int, dict[int, Counter[Tests]]] = {}
    for event, tests in backward.tests.items():
        move = system.transitions[event].moves[0]
        arrivals.setdefault(move.process, {}).setdefault(move.target, Counter()).update(tests)
    for process, locations in arrivals.items():
        waiting = {location: iter(tests.items()) for location, tests in locations.items()}
        while piece := {
            location: some for location, tests in waiting.items() if (some := dict(islice(tests, _MOST_IN_A_ROW)))
        }:
            yield process, piece


def _write_arrivals(context: Context, name: str, process: int, arrivals: Arrivals) -> str:
    writer = context.writer
    with writer.function(f"internal fastcc i64 @{name}(ptr noalias readonly %state) #0"):
        for location, _ in context.each_location(process, arrivals, elsewhere="nowhere"):
            total = "0"
            for tests, edges in arrivals[location].items():
                total = _added(context, total, {process: location}, tests, edges)
            writer.do(f"ret i64 {total}")
        writer.begin("nowhere")
        writer.do("ret i64 0")
    return name


def _added(context: Context, total: str, at: Mapping[int, int], tests: Sequence[Expression], edges: int) -> str:
    """A total plus some edges if all tests are true and none faults."""
    writer = context.writer
    evaluator = context.evaluator(at)
    truth = evaluator.all_of(tests)
    if truth.interval == NO:
        return total
    faulted = evaluator.faulted()
    holds = None if truth.interval == YES else truth.text
    if faulted is not None:
        holds = evaluator.both(holds, writer.value(f"xor i1 {faulted}, true"))
    most = min(edges, SATURATED)
    more = str(most) if holds is None else writer.value(f"select i1 {holds}, i64 {most}, i64 0")
    return writer.fresh(f"add i64 {total}, {more}")
