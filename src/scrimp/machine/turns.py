"""Whose events are tried: the functions `successors` and `alone`, which call the runs of the processes whose turn it
is.

If these have no event, the runs that test timeouts are tried again, with a timeout; and if the claim has moved and the
other processes have no event, the claim moves again.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.machine.abi import ANYBODY, ATOMIC_FLAG, CLAIM, PROGRAM, SETTLING_CLAIM
from scrimp.machine.context import Context
from scrimp.machine.runs import Event, Run, runs, write_run
from scrimp.system.system import System, Transition

_COUNT = (1 << 32) - 1


def holders(system: System) -> tuple[int, ...] | None:
    """For each transition, the process with exclusive control after it; None if there never is one."""
    if system.claim is None and all(transition.holder is None for transition in system.transitions):
        return None
    return tuple(_holder(system, transition) for transition in system.transitions)


def _holder(system: System, transition: Transition) -> int:
    if transition.moves[0].process == system.claim:
        return PROGRAM if transition.holder is None else CLAIM
    return ANYBODY if transition.holder is None else transition.holder


def steps(system: System) -> bytes | None:
    """For each transition, the number of steps that it counts for; None if each is one."""
    counts = bytes(transition.steps for transition in system.transitions)
    return None if counts.count(1) == len(counts) else counts


def write_turns(context: Context) -> None:
    """`successors`, and `alone` if any process ever has exclusive control."""
    _Turns(context).write()


class _Turns:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.system = context.system
        self.writer = context.writer
        self.committed: str | None = None

    def write(self) -> None:
        events = runs(self.system)
        everybody = [write_run(self.context, f"run_{number}", run) for number, run in enumerate(events)]
        claim = [run for run in everybody if run.process == self.system.claim]
        self._successors(claim if self.system.claim is not None else everybody)
        if (after := holders(self.system)) is not None:
            settling = {SETTLING_CLAIM} if CLAIM in after else set()
            self._alone(everybody, sorted({*after, *settling} - {ANYBODY}), self._settling_runs(events))

    def _settling_runs(self, events: list[list[Event]]) -> list[Run]:
        """The claim's runs again, for its moves to ordinary states."""

        def settled(event: Event) -> Event:
            goes_on = event.transition.holder is not None
            return event if goes_on else event._replace(flags=event.flags & ~ATOMIC_FLAG)

        return [
            write_run(self.context, f"settle_{number}", [settled(event) for event in run])
            for number, run in enumerate(events)
            if run[0].transition.moves[0].process == self.system.claim
        ]

    def _successors(self, turn: Sequence[Run]) -> None:
        parameters = "ptr %context, ptr noalias readonly %state, ptr noalias %out, ptr noalias %events"
        with self.writer.function(f"i64 @successors({parameters}) #0"):
            self._commit()
            self._answer((turn, "false"), ([run for run in turn if run.waits], "true"))

    def _alone(self, everybody: Sequence[Run], after: Sequence[int], settling: Sequence[Run]) -> None:
        parameters = "ptr %context, ptr noalias readonly %state, i32 %holder, ptr noalias %out, ptr noalias %events"
        with self.writer.function(f"i64 @alone({parameters}) #0"):
            self._commit()
            cases = [(holder, self.writer.label()) for holder in after]
            arms = " ".join(f"i32 {holder}, label %{label}" for holder, label in cases)
            self.writer.do(f"switch i32 %holder, label %nobody [{arms}]")
            for holder, label in cases:
                self.writer.begin(label)
                with self.writer.scope():
                    if holder == PROGRAM:
                        turn = [run for run in everybody if run.process != self.system.claim]
                        self._answer((turn, "false"), ([run for run in turn if run.waits], "true"), (settling, "true"))
                    elif holder == SETTLING_CLAIM:
                        self._answer((settling, "false"))
                    else:
                        process = self.system.claim if holder == CLAIM else holder
                        self._answer(([run for run in everybody if run.process == process], "false"))
            self.writer.begin("nobody")
            self.writer.do("ret i64 0")

    def _commit(self) -> None:
        if self.system.committed is not None:
            self.committed = self.context.outcome(self.system.committed)

    def _answer(self, *turns: tuple[Sequence[Run], str]) -> None:
        """Return the result of the first turn with any event. A turn is some runs and the value of a timeout for
        them."""
        result = "0"
        for number, (turn, timeout) in enumerate(turn for turn in turns if turn[0]):
            if number:
                some, none = self.writer.label(), self.writer.label()
                nothing = self.writer.value(f"icmp eq i64 {result}, 0")
                self.writer.do(f"br i1 {nothing}, label %{none}, label %{some}")
                self.writer.begin(some)
                self.writer.do(f"ret i64 {result}")
                self.writer.begin(none)
            result = self._report(turn, timeout)
        self.writer.do(f"ret i64 {result}")

    def _report(self, turn: Sequence[Run], timeout: str) -> str:
        """Call some runs, one after the other: the number of events, with the union of their flags in the high half."""
        count, flags = "0", "0"
        for run in turn:
            arguments = ["ptr %state", "ptr %out", "ptr %events", f"i64 {count}"]
            if self.committed is not None:
                arguments.append(f"i1 {self.committed}")
            if run.waits:
                arguments.append(f"i1 {timeout}")
            count = self.writer.fresh(f"call fastcc i64 @{run.name}({', '.join(arguments)})")
            if run.flags:
                flags = self.writer.value(f"or i64 {flags}, {self.writer.value(f'and i64 {count}, {-1 << 32}')}")
                count = self.writer.value(f"and i64 {count}, {_COUNT}")
        return self.writer.value(f"or i64 {count}, {flags}") if flags != "0" else count
