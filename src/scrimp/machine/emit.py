"""A system and its layout as LLVM assembly: the functions described in engine/core/machine.h."""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.machine.backward.transitions import Backward
from scrimp.machine.canonical import canonical, write_canonical
from scrimp.machine.context import Context
from scrimp.machine.in_degree import write_in_degree
from scrimp.machine.layout import Layout
from scrimp.machine.nesting import deep_recursion
from scrimp.machine.offers import write_offers
from scrimp.machine.runs import copies_whole
from scrimp.machine.turns import write_turns
from scrimp.system.expressions import Expression
from scrimp.system.reference import initial
from scrimp.system.swaps import Symmetry
from scrimp.system.system import System

# No constant pools, jump tables or library calls: the code must work wherever its bytes are loaded.
_ATTRIBUTES = '{ nounwind noimplicitfloat "no-jump-tables"="true" "no-builtins" "frame-pointer"="none" }'


def emit(
    system: System,
    layout: Layout,
    watches: Sequence[Expression] = (),
    backward: Backward | None = None,
    symmetry: Symmetry | None = None,
) -> str:
    """The text of a module: `initial`, `successors`, and the other functions of a machine if they are needed: `alone`,
    `watch`, `valid_end`, `offers`; `in_degree` if backward transitions are given; `arrive` if a symmetry is given, in
    which case all ordinary states are canonical."""
    with deep_recursion():
        return _module(Context(system, layout, symmetry), watches, backward)


def _module(context: Context, watches: Sequence[Expression], backward: Backward | None) -> str:
    write_initial(context)
    write_turns(context)
    if watches:
        write_watch(context, watches)
    if context.system.valid_end is not None:
        _write_valid_end(context, context.system.valid_end)
    if context.system.offers:
        write_offers(context)
    if backward is not None:
        write_in_degree(context, backward)
    if context.symmetry is not None:
        write_canonical(context, context.symmetry)
    if copies_whole(context):
        _write_copy(context)
    return module_text(context)


def module_text(context: Context) -> str:
    """The text written so far, as a module."""
    tables = context.tables.functions.values()
    return "".join((context.writer.text(), *tables, f"attributes #0 = {_ATTRIBUTES}\n"))


def write_initial(context: Context) -> None:
    writer, start = context.writer, initial(context.system)
    if context.symmetry is not None:
        start, _ = canonical(context.symmetry, context.layout, start)
    with writer.function("void @initial(ptr %context, ptr noalias %state) #0"):
        draft = context.draft()
        for index, word in enumerate(context.layout.encode(start)):
            writer.do(f"store i64 {word}, ptr {draft.address('%state', index)}")
        writer.do("ret void")


def write_watch(context: Context, watches: Sequence[Expression]) -> None:
    writer = context.writer
    with writer.function("i64 @watch(ptr %context, ptr noalias readonly %state) #0"):
        result = "0"
        for number, test in enumerate(watches):
            bit = writer.value(f"zext i1 {context.outcome(test)} to i64")
            result = writer.value(f"or i64 {result}, {writer.value(f'shl i64 {bit}, {number}')}")
        writer.do(f"ret i64 {result}")


def _write_valid_end(context: Context, test: Expression) -> None:
    writer = context.writer
    with writer.function("i32 @valid_end(ptr %context, ptr noalias readonly %state) #0"):
        writer.do(f"ret i32 {writer.value(f'zext i1 {context.outcome(test)} to i32')}")


def _write_copy(context: Context) -> None:
    writer = context.writer
    with writer.function("internal fastcc void @copy(ptr noalias readonly %state, ptr noalias %slot) #0"):
        draft = context.draft()
        for word in range(context.layout.words):
            writer.do(f"store i64 {draft.word(word)}, ptr {draft.address('%slot', word)}")
        writer.do("ret void")
