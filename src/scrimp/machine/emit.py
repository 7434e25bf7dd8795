"""A system and its layout as LLVM assembly: the functions that engine/core/machine.h describes.

`successors` calls one function per run of transitions that the same process leads. Such a function switches over the
location of that process and tries the transitions that leave it in turn; so successors come in the order of event ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from scrimp.machine.abi import FAULT_FLAG, MISFIT_FLAG
from scrimp.machine.bounds import scalars
from scrimp.machine.boxes import Box
from scrimp.machine.draft import Draft
from scrimp.machine.effects import Effects
from scrimp.machine.evaluation import Evaluator, Value, conjuncts
from scrimp.machine.intervals import BOOLEAN, NO, YES
from scrimp.machine.layout import Layout
from scrimp.machine.nesting import deep_recursion
from scrimp.machine.tables import Tables
from scrimp.machine.writer import Writer
from scrimp.system.expressions import TRUE, At, Expression
from scrimp.system.reference import initial
from scrimp.system.system import System, Transition

# No constant pools, jump tables or calls into a library: the code must work wherever its bytes are put.
_ATTRIBUTES = '{ nounwind noimplicitfloat "no-jump-tables"="true" "no-builtins" "frame-pointer"="none" }'
_LARGE_COPY = 6


def emit(system: System, layout: Layout, watches: Sequence[Expression]) -> str:
    """The text of a module: `initial`, `successors`, `watch` if anything is watched, `valid_end` if there is one."""
    with deep_recursion():
        return _Emitter(system, layout).module(watches)


class _Emitter:
    def __init__(self, system: System, layout: Layout) -> None:
        self.system = system
        self.layout = layout
        self.writer = Writer()
        self.tables = Tables("#0")
        self.scalars = scalars(system)
        self.intervals = [(field.low, field.high) for field in layout.variables]
        self.lengths = [(field.low, field.high) for field in layout.lengths]
        self.commits = ", i1 %committed" if system.committed is not None else ""
        self.copies = layout.words > _LARGE_COPY

    def module(self, watches: Sequence[Expression]) -> str:
        self._initial()
        self._successors()
        if watches:
            self._watch(watches)
        if self.system.valid_end is not None:
            self._valid_end(self.system.valid_end)
        if self.copies:
            self._copy()
        return "".join((self.writer.text(), *self.tables.functions.values(), f"attributes #0 = {_ATTRIBUTES}\n"))

    def _initial(self) -> None:
        with self.writer.function("void @initial(ptr noalias %state) #0"):
            draft = Draft(self.writer, self.layout.words)
            for index, word in enumerate(self.layout.encode(initial(self.system))):
                self.writer.do(f"store i64 {word}, ptr {draft.address('%state', index)}")
            self.writer.do("ret void")

    def _watch(self, watches: Sequence[Expression]) -> None:
        with self.writer.function("i64 @watch(ptr noalias readonly %state) #0"):
            result = "0"
            for number, test in enumerate(watches):
                bit = self.writer.value(f"zext i1 {self._outcome(test)} to i64")
                result = self.writer.value(f"or i64 {result}, {self.writer.value(f'shl i64 {bit}, {number}')}")
            self.writer.do(f"ret i64 {result}")

    def _valid_end(self, test: Expression) -> None:
        with self.writer.function("i32 @valid_end(ptr noalias readonly %state) #0"):
            self.writer.do(f"ret i32 {self.writer.value(f'zext i1 {self._outcome(test)} to i32')}")

    def _outcome(self, test: Expression) -> str:
        """Whether a test of the state is true; one that faults counts as true, so that it does not go unnoticed."""
        evaluator = self._evaluator(Draft(self.writer, self.layout.words), {})
        truth = evaluator.test(test).text
        faulted = evaluator.faulted()
        return truth if faulted is None else self.writer.value(f"or i1 {truth}, {faulted}")

    def _evaluator(self, draft: Draft, at: dict[int, int]) -> Evaluator:
        box = Box(self.intervals, self.lengths, self.scalars)
        return Evaluator(self.writer, self.layout, self.tables, draft, box, at)

    def _successors(self) -> None:
        events = enumerate(self.system.transitions)
        runs = [list(run) for _, run in groupby(events, key=lambda event: event[1].moves[0].process)]
        flagging = [self._run(number, run) for number, run in enumerate(runs)]
        with self.writer.function(
            "i64 @successors(ptr noalias readonly %state, ptr noalias %out, ptr noalias %events) #0"
        ):
            committed = ""
            if self.system.committed is not None:
                committed = f", i1 {self._outcome(self.system.committed)}"
            count, flags = "0", "0"
            for number, flags_too in enumerate(flagging):
                arguments = f"ptr %state, ptr %out, ptr %events, i64 {count}{committed}"
                count = self.writer.fresh(f"call fastcc i64 @run_{number}({arguments})")
                if flags_too:
                    flags = self.writer.value(f"or i64 {flags}, {self.writer.value(f'and i64 {count}, {-1 << 32}')}")
                    count = self.writer.value(f"and i64 {count}, {0xFFFFFFFF}")
            self.writer.do(f"ret i64 {self.writer.value(f'or i64 {count}, {flags}')}")

    def _run(self, number: int, run: Sequence[tuple[int, Transition]]) -> bool:
        """The function for a run of transitions led by one process; whether it may report flags."""
        process = run[0][1].moves[0].process
        field, codes = self.layout.locations[process], self.layout.codes[process]
        leaving = {code: [event for event in run if event[1].moves[0].source == code] for code in codes}
        parameters = f"ptr noalias readonly %state, ptr noalias %out, ptr noalias %events, i64 %count{self.commits}"
        flagging = False
        with self.writer.function(f"internal fastcc i64 @run_{number}({parameters}) #0"):
            draft = Draft(self.writer, self.layout.words)
            cases = [(raw, self.writer.label(), leaving[code]) for raw, code in enumerate(codes) if leaving[code]]
            here = draft.read(field, 0) if field.bits else "0"
            arms = " ".join(f"i32 {raw}, label %{label}" for raw, label, _ in cases)
            self.writer.do(f"switch i32 {here}, label %nothing [{arms}]")
            for raw, label, events in cases:
                self.writer.begin(label)
                with self.writer.scope():
                    flagging |= _Location(self, process, codes[raw]).emit(events, label)
            self.writer.begin("nothing")
            self.writer.do("ret i64 %count")
        return flagging

    def _copy(self) -> None:
        with self.writer.function("internal fastcc void @copy(ptr noalias readonly %state, ptr noalias %slot) #0"):
            draft = Draft(self.writer, self.layout.words)
            for word in range(self.layout.words):
                self.writer.do(f"store i64 {draft.word(word)}, ptr {draft.address('%slot', word)}")
            self.writer.do("ret void")


class _Location:
    """The code that tries the transitions which leave one location of the leading process, one after the other."""

    def __init__(self, emitter: _Emitter, process: int, location: int) -> None:
        self.emitter = emitter
        self.system = emitter.system
        self.layout = emitter.layout
        self.writer = emitter.writer
        self.process = process
        self.location = location
        self.count = "%count"
        self.flags: str | None = None
        self.block = ""

    def emit(self, events: Sequence[tuple[int, Transition]], label: str) -> bool:
        self.block = label
        for event, transition in events:
            self._transition(event, transition)
        result = self.count
        if self.flags is not None:
            result = self.writer.value(f"or i64 {result}, {self.flags}")
        self.writer.do(f"ret i64 {result}")
        return self.flags is not None

    def _transition(self, event: int, transition: Transition) -> None:
        at = {self.process: self.location}
        evaluator = self.emitter._evaluator(Draft(self.writer, self.layout.words), at)
        moves = [At(move.process, move.source) for move in transition.moves[1:]]
        tests = [*moves, *(conjuncts(transition.guard) if transition.guard != TRUE else ())]
        truth = evaluator.all_of(tests)
        enabled = self._enabled(evaluator, truth, transition)
        if enabled.interval == NO:
            return
        if evaluator.faults:
            evaluator.box = Box(self.emitter.intervals, self.emitter.lengths, self.emitter.scalars)
        at.update((move.process, move.source) for move in transition.moves)
        if enabled.interval == YES:
            self._fire(event, transition, evaluator)
            return
        self._fire_if(enabled.text, event, transition, evaluator)

    def _enabled(self, evaluator: Evaluator, truth: Value, transition: Transition) -> Value:
        faulted = evaluator.faulted()
        if faulted is not None:
            truth = Value(self.writer.value(f"or i1 {truth.text}, {faulted}"), BOOLEAN, True)
        if self.system.committed is None or transition.urgent or truth.interval == NO:
            return truth
        free = self.writer.value("xor i1 %committed, true")
        return Value(self.writer.value(f"and i1 {truth.text}, {free}"), BOOLEAN, True)

    def _fire_if(self, enabled: str, event: int, transition: Transition, evaluator: Evaluator) -> None:
        fire, following = self.writer.label(), self.writer.label()
        before, count, flags = self.block, self.count, self.flags
        self.writer.do(f"br i1 {enabled}, label %{fire}, label %{following}")
        self.writer.begin(fire)
        with self.writer.scope():
            self._fire(event, transition, evaluator)
            self.writer.do(f"br label %{following}")
        self.writer.begin(following)
        self.count = self.writer.fresh(f"phi i64 [{count}, %{before}], [{self.count}, %{fire}]")
        if self.flags is not None:
            self.flags = self.writer.fresh(f"phi i64 [{flags or 0}, %{before}], [{self.flags}, %{fire}]")
        self.block = following

    def _fire(self, event: int, transition: Transition, evaluator: Evaluator) -> None:
        """Write the successor and its event at the place that the count points to, and count it."""
        slot = self.writer.value(f"getelementptr [{self.layout.words} x i64], ptr %out, i64 {self.count}")
        draft = evaluator.draft
        draft.slot = slot
        effects = Effects(evaluator)
        effects.execute(transition.effect)
        for move in transition.moves:
            self._move(draft, move.process, move.source, move.target)
        self._store(draft, slot)
        place = self.writer.value(f"getelementptr i32, ptr %events, i64 {self.count}")
        self.writer.do(f"store i32 {self._flagged(event, evaluator, effects)}, ptr {place}")
        self.count = self.writer.value(f"add i64 {self.count}, 1")

    def _move(self, draft: Draft, process: int, source: int, target: int) -> None:
        codes = self.layout.codes[process]
        if source != target:
            draft.replace(self.layout.locations[process], codes.index(source), codes.index(target))

    def _store(self, draft: Draft, slot: str) -> None:
        draft.settle()
        words: Sequence[int] = range(self.layout.words)
        if self.emitter.copies:
            self.writer.do(f"call fastcc void @copy(ptr %state, ptr {slot})")
            words = sorted(draft.changed)
        for word in words:
            self.writer.do(f"store i64 {draft.word(word)}, ptr {draft.address(slot, word)}")

    def _flagged(self, event: int, evaluator: Evaluator, effects: Effects) -> str:
        """The event's id with the flags it deserves, which are added to those of the events before."""
        faulted, misfit = evaluator.faulted(), evaluator.either(effects.misfits)
        if faulted is None and misfit is None:
            return str(event)
        flag = "0" if faulted is None else self.writer.value(f"select i1 {faulted}, i32 {FAULT_FLAG}, i32 0")
        if misfit is not None:
            flag = self.writer.value(f"select i1 {misfit}, i32 {MISFIT_FLAG}, i32 {flag}")
        wide = self.writer.value(f"shl i64 {self.writer.value(f'zext i32 {flag} to i64')}, 32")
        self.flags = wide if self.flags is None else self.writer.value(f"or i64 {self.flags}, {wide}")
        return self.writer.value(f"or i32 {flag}, {event}")
