"""Who leads events, and with which flags: holders, claims, timeouts, offers, assertions that are not fatal."""

from __future__ import annotations

import pytest
from tests.machine.comparing import assert_same, first_states, native
from tests.machine.native import MISFIT, NativeSystem
from tests.machine.systems import assign, meeting, step, system, variable

from scrimp.machine.abi import ANYBODY, ATOMIC_FLAG, FAILED_FLAG, FAULT_FLAG, MISFIT_FLAG
from scrimp.machine.abi import PROGRAM as PROGRAM_HOLDER
from scrimp.machine.build import most_successors
from scrimp.machine.emit import emit
from scrimp.machine.layout import lay_out
from scrimp.machine.ranges import initial_ranges, sampled_ranges, static_ranges, widen
from scrimp.machine.turns import holders, steps
from scrimp.system.expressions import (
    TRUE,
    At,
    Binary,
    Constant,
    Expression,
    Read,
    Timeout,
    Unary,
    conjunction,
)
from scrimp.system.reference import PROGRAM, Outgrown, State, initial
from scrimp.system.statements import Assert, If, Outgrow
from scrimp.system.system import System
from scrimp.system.types import Range

X = Read(0)
FAILS = Assert(Constant(0), "never", fatal=False)


def _check(model: System, states: int = 300) -> NativeSystem:
    code = native(model, static_ranges(model))
    assert_same(model, code, first_states(model, states))
    return code


def _events(code: NativeSystem, state: State, holder: int | None = None) -> list[int]:
    alone = State(state.locations, state.values, state.channels, holder)
    return [event for event, _ in code.successors(alone)]


def _flags(code: NativeSystem, state: State) -> list[int]:
    return [report.flags for report in code.reports(state)]


def test_a_system_without_holders_has_no_code_for_them() -> None:
    model = system((), [step()])
    assert holders(model) is None
    assert native(model, static_ranges(model)).entries.keys() == {"initial", "successors"}


def test_a_holder_goes_on_alone_until_it_cannot() -> None:
    model = system(
        (variable(0),),
        [
            step(source=0, target=1, holder=0),
            step(assign(0, Constant(1)), source=1, target=2, holder=0),
            step(source=2, target=0, guard=Binary("==", X, Constant(2))),
            step(assign(0, Constant(2)), process=1),
        ],
        locations=(3, 1),
    )
    code = _check(model)
    assert holders(model) == (0, 0, ANYBODY, ANYBODY)
    assert _flags(code, code.initial()) == [ATOMIC_FLAG, 0]
    assert [state.holder for state in first_states(model, 3)] == [None, 0, None]
    assert _events(code, first_states(model, 2)[1], 0) == [1]


def test_another_process_may_be_the_holder_and_its_events_come_in_order() -> None:
    model = system(
        (),
        [step(process=number % 2, holder=1 if number == 0 else None) for number in range(5)],
        locations=(1, 1, 1),
    )
    code = _check(model)
    assert _events(code, code.initial(), 1) == [1, 3]
    assert _events(code, code.initial(), 0) == []


def test_a_holder_that_leads_no_transition_has_no_events() -> None:
    model = system((), [meeting((0, 0, 0), (1, 0, 0)), step(holder=1)], locations=(1, 1))
    code = _check(model)
    assert _events(code, code.initial(), 1) == []


def test_committed_locations_bind_a_holder_too() -> None:
    model = system(
        (),
        [
            step(source=0, target=1, holder=1),
            step(process=1),
            step(process=1, urgent=True),
            step(source=1, urgent=True),
        ],
        locations=(2, 1),
        committed=At(0, 1),
    )
    code = _check(model)
    assert _events(code, code.initial(), 1) == [1, 2]
    assert _events(code, first_states(model, 2)[1], 1) == [2]


def test_a_timeout_occurs_if_nothing_else_is_enabled() -> None:
    low = Binary("<", X, Constant(2))
    model = system(
        (variable(0),),
        [
            step(assign(0, Binary("+", X, Constant(1))), guard=low),
            step(assign(0, Constant(0)), guard=Timeout(), process=1),
            step(process=2, guard=conjunction(Timeout(), Binary("==", X, Constant(2)))),
            step(process=2, guard=Unary("!", Timeout()), source=1),
        ],
        locations=(1, 1, 2),
    )
    code = _check(model)
    assert [_events(code, state) for state in first_states(model, 3)] == [[0], [0], [1, 2]]


def test_only_transitions_that_read_the_timeout_are_tried_again() -> None:
    events = [step(guard=X if number else Timeout(), process=number) for number in range(3)]
    model = system((variable(0),), events, locations=(1, 1, 1))
    text = emit(model, lay_out(model, static_ranges(model)), ())
    assert [text.count(f"call fastcc i64 @run_{number}") for number in range(3)] == [2, 1, 1]
    _check(model)


def test_an_effect_sees_that_there_was_a_timeout() -> None:
    model = system(
        (variable(0),),
        [step(assign(0, Binary("+", X, Timeout())), guard=Binary("||", Timeout(), Binary("==", X, Constant(1))))],
    )
    _check(model)


def test_there_is_no_timeout_for_a_holder() -> None:
    model = system((), [step(source=0, target=1, holder=0), step(source=1, guard=Timeout())], locations=(2,))
    code = _check(model)
    assert _events(code, first_states(model, 2)[1], 0) == []
    assert _events(code, first_states(model, 2)[1]) == [1]


def test_a_watch_and_a_valid_end_see_no_timeout() -> None:
    model = system((), (), valid_end=Timeout())
    code = NativeSystem(model, static_ranges(model), [Timeout(), Unary("!", Timeout())])
    assert code.watch(code.initial()) == 2
    assert not code.valid_end(code.initial())


def test_a_claim_and_the_others_take_turns() -> None:
    model = system(
        (variable(0, type_=Range(0, 3)),),
        [
            step(assign(0, Binary("+", X, Constant(1))), guard=Binary("<", X, Constant(2))),
            step(process=1, guard=Timeout(), holder=0),
            step(process=2, guard=Binary("<", X, Constant(3))),
            step(process=2, guard=Binary("==", X, Constant(3)), target=1),
        ],
        locations=(1, 1, 2),
        claim=2,
    )
    code = _check(model)
    start = code.initial()
    assert holders(model) == (ANYBODY, 0, PROGRAM_HOLDER, PROGRAM_HOLDER)
    assert (_events(code, start), _flags(code, start)) == ([2], [ATOMIC_FLAG])
    assert _events(code, start, PROGRAM) == [0]
    waiting = State(start.locations, ((2,),), (), PROGRAM)
    assert (_events(code, waiting, PROGRAM), _flags(code, waiting)) == ([1], [ATOMIC_FLAG])


def test_a_claim_moves_again_if_the_others_cannot() -> None:
    model = system((variable(0),), [step(guard=X), step(process=1), step(process=1)], locations=(1, 1), claim=1)
    code = _check(model)
    start = code.initial()
    assert _flags(code, start) == [ATOMIC_FLAG, ATOMIC_FLAG]
    alone = State(start.locations, start.values, start.channels, PROGRAM)
    assert (_events(code, alone, PROGRAM), _flags(code, alone)) == ([1, 2], [0, 0])


def test_a_claim_that_moves_again_sees_a_timeout() -> None:
    model = system((variable(0),), [step(guard=X), step(process=1, guard=Timeout())], locations=(1, 1), claim=1)
    code = _check(model)
    assert _events(code, code.initial(), PROGRAM) == [1]


def test_the_bound_on_successors_holds_for_every_turn() -> None:
    events = [step(guard=Timeout()), step(), step(process=1, holder=0), step(process=2), step(process=2)]
    model = system((), events, locations=(1, 1, 1), claim=2)
    assert most_successors(model) == 5
    _check(model)


def test_steps_are_listed_unless_all_are_one() -> None:
    assert steps(system((), [step(), step()])) is None
    assert steps(system((), [step(steps=0), step(), step(steps=255)])) == bytes([0, 1, 255])


def test_offers_are_asked_of_one_process_or_all() -> None:
    offers: list[tuple[int, Expression]] = [(0, At(0, 1)), (2, Binary("==", X, Constant(1))), (2, At(2, 1))]
    events = [step(source=0, target=1), step(assign(0, 1), process=1), step(process=2, source=0, target=1)]
    code = _check(system((variable(0),), events, locations=(2, 1, 2), offers=offers))
    assert not code.offers(code.initial(), None)


def test_under_a_claim_the_program_offers_only_after_its_move() -> None:
    model = system((), [step(), step(process=1)], locations=(1, 1), offers=[(0, TRUE)], claim=1)
    code = _check(model)
    assert not code.offers(code.initial(), None)
    assert code.offers(code.initial(), PROGRAM)


def test_an_offer_that_faults_counts_as_made() -> None:
    model = system((variable(0),), [step()], offers=[(0, Binary("/", Constant(1), X))])
    code = _check(model)
    assert code.offers(code.initial(), None)


def test_an_assertion_that_is_not_fatal_leaves_the_effect_going_on() -> None:
    failing = If(Binary("<", X, Constant(2)), (FAILS,), ())
    model = system((variable(0),), [step(failing, assign(0, Binary("%", Binary("+", X, Constant(1)), Constant(4))))])
    code = _check(model)
    assert [_flags(code, state) for state in first_states(model, 4)] == [[FAILED_FLAG], [FAILED_FLAG], [0], [0]]


@pytest.mark.parametrize("fails_first", [True, False])
def test_an_event_that_faults_or_does_not_fit_reports_nothing_else(fails_first: bool) -> None:
    bad = [Assert(Constant(0), "fatal"), Outgrow("more")]
    effects = [(FAILS, worse) if fails_first else (worse, FAILS) for worse in bad]
    model = system((), [step(*effect, holder=0) for effect in effects])
    code = native(model, static_ranges(model))
    assert _flags(code, code.initial()) == [FAULT_FLAG, MISFIT_FLAG]


def test_an_outgrown_system_is_a_misfit_unless_something_faulted_before() -> None:
    outgrow, fail = Outgrow("more"), Assert(Constant(0), "never")
    model = system(
        (variable(0),),
        [step(outgrow, fail), step(fail, outgrow), step(If(X, (outgrow,), ()), assign(0, Constant(1)))],
    )
    code = native(model, static_ranges(model))
    start = code.initial()
    grown = State(start.locations, ((1,),), ())
    assert _flags(code, start) == [MISFIT_FLAG, FAULT_FLAG, 0]
    assert code.successors(grown)[2] == (2, MISFIT)


def test_widening_an_outgrown_system_raises_its_need() -> None:
    model = system((variable(0),), [step(Outgrow("a process")), step(assign(0, Binary("+", X, Constant(1))))])
    ranges = initial_ranges(model)
    with pytest.raises(Outgrown) as raised:
        widen(ranges, model, initial(model), [0])
    assert raised.value.need == "a process"


def test_a_sample_includes_the_values_of_transient_states() -> None:
    wide = Range(0, 1 << 20)
    model = system(
        (variable(0, type_=wide), variable(0, type_=wide)),
        [
            step(
                assign(0, Binary("*", Binary("+", Read(1), Constant(1)), Constant(900))), source=0, target=1, holder=0
            ),
            step(assign(0, Constant(0)), source=1, target=0),
            step(assign(1, Binary("%", Binary("+", Read(1), Constant(1)), Constant(5))), process=1, guard=At(0, 1)),
            step(assign(1, Binary("+", Read(1), Constant(1))), process=1, guard=Timeout()),
        ],
        locations=(2, 1),
    )
    assert sampled_ranges(model).variables == ((0, 900), (0, 3))
