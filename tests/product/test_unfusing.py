"""A chain that native code fires as one is reported event by event, and ends with the event that goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.machine.systems import assign, step, system, variable
from tests.product.cases import model_of
from tests.product.strategies import Combination, full_searches, name

import scrimp
from scrimp.machine.fusion import fuse
from scrimp.system.expressions import FALSE, TRUE, Binary, Constant, Read
from scrimp.system.statements import Assert, Statement
from scrimp.system.system import Invariant, System
from scrimp.unfusing import Finding, FindingKind, fired_events, unfused

X = Read(0)
FAULTS = Assert(FALSE, "broken")
FAILS = Assert(FALSE, "assertion violated", fatal=False)

every_strategy = pytest.mark.parametrize("combination", full_searches(), ids=name)


def row(*effects: Sequence[Statement]) -> System:
    """A process that executes one effect after the other, alone until the last, and ends in a valid end."""
    places = len(effects)
    begins = step(source=0, target=1)
    chained = [
        step(*effect, source=number, target=number + 1, holder=0 if number < places else None)
        for number, effect in enumerate(effects, start=1)
    ]
    return system((variable(0),), [begins, *chained], locations=(places + 2,), valid_end=TRUE)


def traces(model: System, combination: Combination) -> list[tuple[int, ...]]:
    order, store, reduction = combination
    result = scrimp.check(model_of(model), order=order, store=store, reduction=reduction, violations="all")
    return [violation.trace.events for violation in result.violations if violation.trace is not None]


@every_strategy
@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_trace_ends_with_the_event_of_a_chain_that_faults(place: int, combination: Combination) -> None:
    model = row(*([FAULTS] if number == place else [assign(0, number)] for number in range(1, 4)))
    assert fuse(model).events[1] == (1, 2, 3)
    assert traces(model, combination) == [tuple(range(place + 1))]


@every_strategy
def test_effects_after_a_fault_are_not_executed(combination: Combination) -> None:
    model = row([FAULTS], [FAULTS])
    assert traces(model, combination) == [(0, 1)]


@every_strategy
@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_trace_ends_with_the_event_of_a_chain_whose_assertion_fails(place: int, combination: Combination) -> None:
    model = row(*([FAILS] if number == place else [assign(0, number)] for number in range(1, 4)))
    assert traces(model, combination) == [tuple(range(place + 1))]


@every_strategy
def test_every_failed_assertion_and_a_fault_after_them_has_a_trace(combination: Combination) -> None:
    model = row([FAILS], [assign(0, 1)], [FAILS], [FAULTS])
    assert traces(model, combination) == [(0, 1), (0, 1, 2, 3), (0, 1, 2, 3, 4)]


@every_strategy
def test_the_trace_of_an_invariant_goes_through_the_chain(combination: Combination) -> None:
    model = row([assign(0, 1)], [assign(0, 2)], [assign(0, 3)])
    invariant = Invariant("small", Binary("<", X, Constant(3)))
    watched = replace(model, invariants=(invariant,))
    assert traces(watched, combination) == [(0, 1, 2, 3)]


@every_strategy
def test_the_trace_of_a_deadlock_goes_through_the_chain(combination: Combination) -> None:
    model = row([assign(0, 1)], [assign(0, 2)])
    stuck = replace(model, valid_end=None)
    assert traces(stuck, combination) == [(0, 1, 2)]


@every_strategy
def test_a_cycle_in_which_an_assertion_fails_is_reported_as_both(combination: Combination) -> None:
    around = [step(FAILS, source=1, target=2, holder=0), step(source=2, target=1, holder=0)]
    model = system((), [step(source=0, target=1, holder=0), *around], locations=(3,))
    assert fuse(model).events == ((0, 1), (1,), (2, 1))
    assert traces(model, combination) == [(0, 1), (0, 1, 2, 1), (0, 1, 2, 1)]


def test_a_finding_keeps_its_kind_and_watch() -> None:
    model = row([assign(0, 1)], [assign(0, 2)])
    reported = unfused(model, fuse(model).events, Finding(FindingKind.WATCH, 3, [0, 1]))
    assert (reported.kind, reported.watch, list(reported.events)) == ("watch", 3, [0, 1, 2])


def test_a_finding_in_the_initial_state_has_no_events() -> None:
    model = row([assign(0, 1)], [assign(0, 2)])
    for kind in (FindingKind.WATCH, FindingKind.DEADLOCK):
        assert list(unfused(model, fuse(model).events, Finding(kind, -1, [])).events) == []


def test_if_a_chain_was_fired_so_were_its_events() -> None:
    chains = ((0, 1, 2), (1, 2), (2,), (3,))
    assert fired_events(chains, bytes([0, 1, 0, 0]), 4) == bytes([0, 1, 1, 0])
    assert fired_events(chains, bytes([1, 0, 0, 1]), 4) == bytes([1, 1, 1, 1])


def test_an_event_executed_only_within_a_chain_is_not_listed_as_unreached() -> None:
    model = row([assign(0, 1)], [assign(0, 2)], [assign(0, 3)])
    assert scrimp.explore(model_of(model)).unreached == ()
