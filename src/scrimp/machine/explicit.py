"""Code for explicit systems: a short loop over tables that lie behind the code, in the same bytes.

    code | zeros | first edge of each state, and of none | target of each edge | edges that lead to each state
                 ^ at TABLES                                                   where that is asked for

A state is one word: its number, above the bit that is always set. Edges have four bytes in the tables, and so have the
numbers of edges.
"""

from __future__ import annotations

import platform
from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import SupportsIndex, overload

from scrimp.errors import OptionError
from scrimp.machine.context import Context
from scrimp.machine.emit import module_text, write_initial, write_watch
from scrimp.machine.layout import Layout, location_field
from scrimp.machine.nesting import deep_recursion
from scrimp.system.explicit import ExplicitSystem, Graph
from scrimp.system.expressions import Expression

# Where the tables begin, in bytes from the start of the code.
TABLES = 1 << 16

# The address of the first function, without help from a linker. Elsewhere than on ARM the compiler finds it by itself.
_START = 'call ptr asm "adr $0, start", "=r"()' if platform.machine() in ("aarch64", "arm64") else ""

_SUCCESSORS = """\
define i64 @successors(ptr %context, ptr noalias readonly %state, ptr noalias %out, ptr noalias %events) #0 {{
begin:
  {start}
  %tables = getelementptr i8, ptr {at_start}, i64 {tables}
  %word = load i64, ptr %state
  %number = lshr i64 %word, 1
  %here = getelementptr i32, ptr %tables, i64 %number
  %there = getelementptr i32, ptr %here, i64 1
  %first = load i32, ptr %here
  %last = load i32, ptr %there
  %count = sub i32 %last, %first
  %wide_count = zext i32 %count to i64
  %wide_first = zext i32 %first to i64
  %targets = getelementptr i32, ptr %tables, i64 {targets}
  %own = getelementptr i32, ptr %targets, i64 %wide_first
  br label %next
next:
  %done = phi i64 [ 0, %begin ], [ %after, %edge ]
  %finished = icmp eq i64 %done, %wide_count
  br i1 %finished, label %end, label %edge
edge:
  %target_at = getelementptr i32, ptr %own, i64 %done
  %target = load i32, ptr %target_at
  %wide_target = zext i32 %target to i64
  %shifted = shl i64 %wide_target, 1
  %successor = or i64 %shifted, 1
  %out_at = getelementptr i64, ptr %out, i64 %done
  store i64 %successor, ptr %out_at
  %short = trunc i64 %done to i32
  %event = add i32 %first, %short
  %event_at = getelementptr i32, ptr %events, i64 %done
  store i32 %event, ptr %event_at
  %after = add i64 %done, 1
  br label %next
end:
  ret i64 %wide_count
}}
"""

_IN_DEGREE = """\
define i32 @in_degree(ptr %context, ptr noalias readonly %state) #0 {{
  {start}
  %tables = getelementptr i8, ptr {at_start}, i64 {tables}
  %word = load i64, ptr %state
  %number = lshr i64 %word, 1
  %counts = getelementptr i32, ptr %tables, i64 {counts}
  %own = getelementptr i32, ptr %counts, i64 %number
  %count = load i32, ptr %own
  ret i32 %count
}}
"""


class EachAlone(Sequence[tuple[int, ...]]):
    """So many events, of which none is fired together with others."""

    def __init__(self, count: int) -> None:
        self._events = range(count)

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, index: SupportsIndex) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, ...]]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> tuple[int, ...] | Sequence[tuple[int, ...]]:
        found = self._events[index]
        return [(event,) for event in found] if isinstance(found, range) else (found,)


def explicit_layout(system: ExplicitSystem) -> Layout:
    """All states have their number, whether they can be reached or not."""
    states = system.graph.states
    field = replace(location_field(system.processes[0], states), shift=1)
    return Layout((field,), (range(states),), (), (), (), 1, bytes([1 + field.bits]))


def emit_explicit(
    system: ExplicitSystem, layout: Layout, watches: Sequence[Expression], *, in_degree: bool = False
) -> str:
    """The text of a module, for `with_tables`."""
    context = Context(system, layout)
    with context.writer.function("internal fastcc void @start() #0"):  # the first: it lies where the code begins
        context.writer.do("ret void")
    write_initial(context)
    if watches:
        with deep_recursion():
            write_watch(context, watches)
    functions = (_SUCCESSORS, _IN_DEGREE) if in_degree else (_SUCCESSORS,)
    places = {
        "start": f"%start = {_START}" if _START else "",
        "at_start": "%start" if _START else "@start",
        "tables": TABLES,
        "targets": system.graph.states + 1,
        "counts": system.graph.states + 1 + system.graph.edges,
    }
    return module_text(context) + "".join(function.format(**places) for function in functions)


def with_tables(code: bytes, graph: Graph, *, in_degree: bool = False) -> bytes:
    """Code with the tables it reads at their place."""
    if len(code) > TABLES:
        raise OptionError(f"what is asked takes {len(code)} bytes of code; at most {TABLES} can be")
    tables = (graph.first, graph.targets, *([graph.predecessors()] if in_degree else ()))
    return b"".join((code, bytes(TABLES - len(code)), *map(_four_bytes_each, tables)))


def _four_bytes_each(numbers: array[int]) -> bytes:
    assert numbers.itemsize == 4
    return numbers.tobytes()
