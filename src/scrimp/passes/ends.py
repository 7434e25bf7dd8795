"""Early ends: a process that only waits for its end is gone at once.

For systems whose processes are a stack (`Stack` in system.py): each process that reaches its end can be removed as soon
as no younger one is present. Until then it is a *leftover*. Whether it is removed early or late makes no difference to
others, except that a process started meanwhile gets another number.

  1. Nothing but a start and the end of the next older process looks at what an end changes, nor does the question.
  2. No process is started after an end; or nothing depends on the numbers of processes, and then starts are counted:
     a run that starts more than there are numbers for outgrows the system.
  3. A transition without a holder that brings a process to its end makes it the holder: its end follows if it can, and
     otherwise the state is an ordinary one.
  4. After an end, the next older process is the holder, if it only waits for its end.

Proof. Let t ~ u if u is t without some leftovers, and the others have moved up. By (1) and (2), t and u have the same
events, except for ends of these leftovers, and the same faults; no channel of a leftover can be referred to by others.
Events lead from t ~ u to states t' ~ u'. To end a process that is the last one of u, first end the leftovers above it
in t; ends of leftovers that are missing in u lead from t to some t' ~ u. If t has no event, its last process is not one
of these leftovers, so it is the last one of u, too, and u has no event either. If u has no event, t has none but the
ends of the last leftovers, and none after these. So timeouts come in both, and deadlocks, with the same locations but
for leftovers and the numbers of processes.

By (3) and (4), the new system only fires ends of leftovers earlier than the original one might: its paths are paths of
the original system, and for every state t of that it has a state u with t ~ u, by induction on paths. If no process is
started after an end, leftovers that have not been removed yet are the last processes of all, so that nobody moves up:
deadlocks and executed transitions are the same. Otherwise, a process may have had more numbers in the original system:
of transitions of the same statement with other numbers, it is not known whether they can be executed.

The numbers suffice in the original system, too: it starts as many processes as the new one, and at worst none of them
ends. `Stack.room` includes numbers of channels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scrimp.notes import Note
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.reduction.accesses import Access, Reader
from scrimp.reduction.bits import of, union
from scrimp.reduction.cells import Cells
from scrimp.system.expressions import (
    TRUE,
    At,
    Binary,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Unary,
    conjunction,
)
from scrimp.system.statements import Assign, If, Outgrow, Place
from scrimp.system.system import RUN_OUT, Stack, System, Transition, Variable
from scrimp.system.traverse import subexpressions
from scrimp.system.types import Range


@dataclass(frozen=True)
class Ends(Pass):
    """End processes as soon as they can end."""

    name = "ends"
    does = "ends processes as soon as they can end"

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        stack = system.stack
        if stack is None or not end_early(system, [*seen, *(invariant.test for invariant in system.invariants)]):
            return unchanged(system)
        renumbers = _renumbers(system, stack)
        return _passed(_counted(system, stack) if renumbers else system, renumbers)


def end_early(system: System, tests: Sequence[Expression]) -> bool:
    """Whether processes of a system can end early, if these tests are looked at."""
    stack = system.stack
    if stack is None or system.claim is not None or not any(map(stack.is_end, system.transitions)):
        return False
    if not _are_simple(system, stack) or not _is_unseen(system, stack, tests):
        return False
    if not _renumbers(system, stack):
        return True
    return stack.room > 0 and not any(_may_see_numbers(system, stack, test) for test in tests)


def _renumbers(system: System, stack: Stack) -> bool:
    """Whether a process may be started after one has ended."""
    return not stack.starts_first and any(map(stack.is_start, system.transitions))


def _are_simple(system: System, stack: Stack) -> bool:
    """Whether a process at its end can only end, as soon as the next one is absent."""
    return all(
        stack.is_end(transition)
        and transition.guard in (TRUE, At(transition.moves[0].process + 1, stack.absent))
        and transition.holder is None
        for transition in system.transitions
        if any(move.source in stack.ends[move.process] for move in transition.moves)
    )


def _is_unseen(system: System, stack: Stack, tests: Sequence[Expression]) -> bool:
    """L1."""
    cells = Cells(system)
    reader = Reader(system, cells)
    processes = range(len(system.processes))
    locations = union(map(cells.of_process, processes))
    absences = union(cells.presence(process, stack.absent) for process in processes)
    starting = {_source(transition) for transition in system.transitions if stack.is_start(transition)}
    own = union(map(cells.channel, stack.own_channels))
    written: dict[int, int] = defaultdict(int)
    by_movers: dict[int, int] = defaultdict(int)
    for transition in system.transitions:
        access = reader.access(transition)
        if stack.is_end(transition):
            written[transition.moves[0].process] |= access.writes & cells.of_the_state
        ignored = absences if stack.is_end(transition) or _source(transition) in starting else 0
        accessed = _accessed(access) & ~(locations if stack.is_anonymous else ignored)
        by_movers[of(move.process for move in transition.moves)] |= accessed
    if any(
        written[process] & ~own & accessed
        for process in written
        for movers, accessed in by_movers.items()
        if not movers >> process & 1
    ):
        return False
    seen = union(map(reader.reads, tests))
    if system.valid_end is not None:
        seen |= reader.reads(system.valid_end) & ~locations
    return not seen & union(written.values())


def _source(transition: Transition) -> tuple[int, int]:
    """The place that a transition is led from."""
    return transition.moves[0].process, transition.moves[0].source


def _accessed(access: Access) -> int:
    return access.any_time | access.places | access.writes


def _may_see_numbers(system: System, stack: Stack, test: Expression) -> bool:
    """Whether a test may depend on the numbers of processes."""
    for part in subexpressions(test):
        match part:
            case At():
                return True
            case Read(variable) if system.variables[variable].owner is not None:
                return True
            case Length(channel) | Message(channel) | Find(channel) if channel in stack.own_channels:
                return True
    return False


def _counted(system: System, stack: Stack) -> System:
    """L2: the system with a variable that counts starts, and outgrows what there is room for."""
    number = len(system.variables)
    count = Read(number)
    is_full = Binary(">=", count, Constant(stack.room))
    counting = (
        If(is_full, (Outgrow(RUN_OUT),)),
        Assign(Place(number), Binary("+", count, Constant(1))),
    )
    return replace(
        system,
        stack=replace(stack, counter=number),
        variables=(*system.variables, Variable("processes started", Range(0, stack.room), (0,))),
        transitions=tuple(
            replace(transition, effect=(*counting, *transition.effect)) if stack.is_start(transition) else transition
            for transition in system.transitions
        ),
    )


def _passed(system: System, renumbers: bool) -> Passed:
    stack = system.stack
    assert stack is not None
    transitions: list[Transition] = []
    events: list[tuple[int, ...]] = []
    for event, transition in enumerate(system.transitions):
        made = list(_followed(stack, transition) if stack.is_end(transition) else [_held(stack, transition)])
        transitions += made
        events += [(event,)] * len(made)
    ends = sum(map(stack.is_end, system.transitions))
    note = Note(Ends.name, ends, "ends fired early", keeps_steps=False)
    early = replace(system, transitions=tuple(transitions), stack=replace(stack, is_early=True))
    return Passed(early, tuple(events), (note,), alike=_alike(system) if renumbers else None)


def _held(stack: Stack, transition: Transition) -> Transition:
    """L3: the youngest process that has reached its end is the holder."""
    ended = [move.process for move in transition.moves if move.target in stack.ends[move.process]]
    return replace(transition, holder=max(ended)) if ended and transition.holder is None else transition


def _followed(stack: Stack, end: Transition) -> Iterator[Transition]:
    """L4: an end, for each place at which the next older process waits for its own, and for all others."""
    older = end.moves[0].process - 1
    waiting = [At(older, location) for location in sorted(stack.ends[older])] if older >= 0 else []
    for test in waiting:
        yield replace(end, guard=conjunction(end.guard, test), holder=older)
    yield replace(end, guard=conjunction(end.guard, *(Unary("!", test) for test in waiting)))


def _alike(system: System) -> dict[int, int]:
    """Transitions of the same statements have the same number, whatever the numbers of their processes are."""
    numbers: dict[object, int] = {}
    statements = (tuple((move.text, move.position) for move in each.moves) for each in system.transitions)
    return {event: numbers.setdefault(each, len(numbers)) for event, each in enumerate(statements)}
