"""Where processes offer a handshake: the function `offers`, over one function per process that ever does."""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.machine.context import Context
from scrimp.system.expressions import Expression


def write_offers(context: Context) -> None:
    tests: dict[int, list[Expression]] = {}
    for process, test in context.system.offers:
        tests.setdefault(process, []).append(test)
    for process, theirs in tests.items():
        _write_process(context, process, theirs)
    writer = context.writer
    with writer.function("i32 @offers(ptr noalias readonly %state, i32 %holder) #0"):
        cases = [(process, writer.label()) for process in tests]
        arms = " ".join(f"i32 {process}, label %{label}" for process, label in cases)
        everybody = writer.label()
        processes = len(context.system.processes)
        writer.do(f"switch i32 %holder, label %{everybody} [{arms}]")
        for process, label in cases:
            writer.begin(label)
            writer.do(f"ret i32 {writer.fresh(_call(process))}")
        writer.begin(everybody)
        one = writer.value(f"icmp ult i32 %holder, {processes}")
        found = "0"
        for process in tests:
            found = writer.fresh(f"or i32 {found}, {writer.fresh(_call(process))}")
        writer.do(f"ret i32 {writer.value(f'select i1 {one}, i32 0, i32 {found}')}")


def _call(process: int) -> str:
    return f"call fastcc i32 @offers_{process}(ptr %state)"


def _write_process(context: Context, process: int, tests: Sequence[Expression]) -> None:
    writer = context.writer
    with writer.function(f"internal fastcc i32 @offers_{process}(ptr noalias readonly %state) #0"):
        found = "false"
        for test in tests:
            found = writer.value(f"or i1 {found}, {context.outcome(test)}")
        writer.do(f"ret i32 {writer.value(f'zext i1 {found} to i32')}")
