"""Code for explicit systems: a short loop over the tables of a graph, the same for all of them.

The machine's context is the addresses of the tables, all of which have four bytes per number:

    initial state | first edge of each state, and the end | target of each edge | in-degree of each state, if requested

A state is one word: its number, above the bit that is always set.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace

from scrimp.machine.context import Context
from scrimp.machine.emit import module_text, write_watch
from scrimp.machine.layout import Layout, location_field
from scrimp.machine.nesting import deep_recursion
from scrimp.system.explicit import MOST_STATES, Computed, Graph
from scrimp.system.expressions import Expression
from scrimp.system.system import System

_FUNCTIONS = """\
define void @initial(ptr readonly %context, ptr noalias %state) #0 {
  %table = load ptr, ptr %context
  %number = load i32, ptr %table
  %wide = zext i32 %number to i64
  %shifted = shl i64 %wide, 1
  %word = or i64 %shifted, 1
  store i64 %word, ptr %state
  ret void
}

define i64 @successors(ptr readonly %context, ptr noalias readonly %state, ptr noalias %out, ptr noalias %events) #0 {
begin:
  %word = load i64, ptr %state
  %number = lshr i64 %word, 1
  %firsts_at = getelementptr ptr, ptr %context, i64 1
  %firsts = load ptr, ptr %firsts_at
  %here = getelementptr i32, ptr %firsts, i64 %number
  %there = getelementptr i32, ptr %here, i64 1
  %first = load i32, ptr %here
  %last = load i32, ptr %there
  %count = sub i32 %last, %first
  %wide_count = zext i32 %count to i64
  %wide_first = zext i32 %first to i64
  %targets_at = getelementptr ptr, ptr %context, i64 2
  %targets = load ptr, ptr %targets_at
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
}

define i32 @in_degree(ptr readonly %context, ptr noalias readonly %state) #0 {
  %word = load i64, ptr %state
  %number = lshr i64 %word, 1
  %counts_at = getelementptr ptr, ptr %context, i64 3
  %counts = load ptr, ptr %counts_at
  %own = getelementptr i32, ptr %counts, i64 %number
  %count = load i32, ptr %own
  ret i32 %count
}
"""


class EachAlone(Computed[tuple[int, ...]]):
    """This many events, none of which is fused with others."""

    def item(self, number: int) -> tuple[int, ...]:
        return (number,)


def explicit_layout(states: int) -> Layout:
    """Every state is its number, whether reachable or not."""
    field = replace(location_field(states), shift=1)
    return Layout((field,), (range(states),), (), (), (), 1, bytes([1 + field.bits]))


def emit_explicit(watches: Sequence[Expression]) -> str:
    """The text of a module for all explicit systems with these watches."""
    context = Context(System("", (), (), (), ()), explicit_layout(MOST_STATES))
    if watches:
        with deep_recursion():
            write_watch(context, watches)
    return module_text(context) + _FUNCTIONS


def tables(graph: Graph, *, in_degree: bool) -> tuple[array[int], ...]:
    """The tables that the code reads, in order; the last only if `in_degree` is requested."""
    known = (array("I", [graph.initial]), graph.first, graph.targets)
    return (*known, graph.predecessors()) if in_degree else known
