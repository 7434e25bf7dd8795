"""The function `offers`, which says whether a process offers a handshake, over one function per process that ever does.
In an ordinary state under a claim it is the claim's turn, and only its offers count."""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.machine.abi import ANYBODY, CLAIM, PROGRAM, SETTLING_CLAIM
from scrimp.machine.context import Context
from scrimp.system.expressions import Expression


def write_offers(context: Context) -> None:
    tests: dict[int, list[Expression]] = {}
    for process, test in context.system.offers:
        tests.setdefault(process, []).append(test)
    for process, theirs in tests.items():
        _write_process(context, process, theirs)
    writer = context.writer
    claim = context.system.claim
    turns: dict[int, list[int]] = {process: [process] for process in tests}
    turns[ANYBODY] = [process for process in tests if claim in (None, process)]
    turns[PROGRAM] = [process for process in tests if process != claim]
    turns[CLAIM] = turns[SETTLING_CLAIM] = [process for process in tests if process == claim]
    with writer.function("i32 @offers(ptr %context, ptr noalias readonly %state, i32 %holder) #0"):
        cases = [(writer.label(), holder, processes) for holder, processes in turns.items()]
        nobody = writer.label()
        arms = " ".join(f"i32 {holder}, label %{label}" for label, holder, _ in cases)
        writer.do(f"switch i32 %holder, label %{nobody} [{arms}]")
        for label, _, processes in cases:
            writer.begin(label)
            found = "0"
            for process in processes:
                found = writer.fresh(f"or i32 {found}, {writer.fresh(_call(process))}")
            writer.do(f"ret i32 {found}")
        writer.begin(nobody)
        writer.do("ret i32 0")


def _call(process: int) -> str:
    return f"call fastcc i32 @offers_{process}(ptr %state)"


def _write_process(context: Context, process: int, tests: Sequence[Expression]) -> None:
    writer = context.writer
    with writer.function(f"internal fastcc i32 @offers_{process}(ptr noalias readonly %state) #0"):
        found = "false"
        for test in tests:
            found = writer.value(f"or i1 {found}, {context.outcome(test)}")
        writer.do(f"ret i32 {writer.value(f'zext i1 {found} to i32')}")
