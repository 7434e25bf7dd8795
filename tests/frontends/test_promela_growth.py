"""Processes that a system has room for: those that are foreseen, and what happens to models that need more."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tests.frontends.lowering import model_of, plan_of, transitions
from tests.product.strategies import Combination, full_searches, name

import scrimp
from scrimp.frontends.model import Model
from scrimp.frontends.promela import PromelaGrowth
from scrimp.frontends.promela.automata.build import build_all
from scrimp.frontends.promela.planning.plan import run_of
from scrimp.frontends.promela.planning.uses import deciding
from scrimp.frontends.promela.program.parse import parse_model
from scrimp.growth import kept_parts, settled
from scrimp.machine.sampling import Sampler
from scrimp.system import reference
from scrimp.system.statements import Enqueue

every_strategy = pytest.mark.parametrize("combination", full_searches(), ids=name)


def slots(text: str) -> list[tuple[str, ...]]:
    return slots_of(model_of(text))


def slots_of(model: Model) -> list[tuple[str, ...]]:
    return list(plan_of(model).slots)


def arguments(text: str) -> list[tuple[int | None, ...]]:
    starts = plan_of(model_of(text)).starts
    return [starts[start] for start in sorted(starts)]


# Foreseen


def test_only_variables_that_decide_what_is_started_are_followed() -> None:
    text = (
        "byte i, j, k, l; int huge[1001]; byte small[4]; byte given[3]; proctype P(byte n) { skip }\n"
        "init { do :: i < small[j] -> given[1] = k; huge[i] = l; run P(given[1]); i++ :: huge[0] == 3 -> break od }"
    )
    program = parse_model("model.pml", text, {})
    followed = deciding(build_all(program.proctypes)[1])
    assert sorted(symbol.name for symbol in followed) == ["given", "i", "j", "k", "small"]


def test_active_processes_have_the_first_slots_in_the_order_of_the_text() -> None:
    text = "active [2] proctype A() { skip } proctype B() { skip } init { skip } active proctype C() { skip }"
    assert slots(text) == [("A",), ("A",), (":init:",), ("C",)]


def test_processes_that_are_started_one_after_the_other_have_the_next_slots() -> None:
    text = "proctype A(byte n) { skip } proctype B() { skip } init { run A(3); run B(); run A(2 + 2) }"
    assert slots(text) == [(":init:",), ("A",), ("B",), ("A",)]
    assert arguments(text) == [(3,), (), (4,)]


def test_loops_whose_values_are_known_are_followed() -> None:
    text = "proctype A(byte n) { skip } init { byte i; do :: i < 3 -> i++; run A(i) :: else -> break od }"
    assert slots(text)[1:] == [("A",)] * 3
    assert arguments(text) == [(1,), (2,), (3,)]


def test_a_slot_has_room_for_every_process_that_may_be_started_in_it() -> None:
    text = "proctype A() { skip } proctype B() { skip } init { if :: run A() :: run B() fi }"
    assert [set(names) for names in slots(text)] == [{":init:"}, {"A", "B"}]


def test_processes_started_by_started_processes_are_foreseen() -> None:
    text = "proctype A(byte n) { run B(n) } proctype B(byte n) { skip } init { run A(7) }"
    assert slots(text) == [(":init:",), ("A",), ("B",)]
    assert arguments(text) == [(7,), (7,)]


def test_an_argument_that_depends_on_a_message_is_not_known() -> None:
    text = "chan c = [1] of { byte }; proctype A(byte n) { skip } init { byte x; c!3; c?x; run A(x) }"
    assert arguments(text) == [(None,)]


def test_recursion_is_followed_once() -> None:
    assert slots("proctype A() { run A() } init { run A() }") == [(":init:",), ("A",), ("A",)]


# Not foreseen

RECURSION = """\
byte depth;
proctype A(byte n) { if :: n < 5 -> run A(n + 1) :: n < 5 :: else fi; depth = n }
init { run A(0) }
"""

# Too far from the initial state to be foreseen or sampled: the search itself finds it.
FAR_AWAY = """\
int i; byte x;
proctype A(byte n) { x = n }
init { do :: i < 2500 -> i++ :: else -> break od; run A(3); run A(4) }
"""

# As far away, and in any order.
FAR_AWAY_IN_ANY_ORDER = """\
int i; byte x;
proctype A(byte n) { x = n }
active proctype Count() { do :: i < 2500 -> i++ :: else -> break od }
active [3] proctype P() { i == 2500; run A(_pid) }
"""

# Foreseen with a value that turns out to be wrong.
OTHER_ARGUMENT = """\
byte x, y;
active proctype Other() { x = 1 }
proctype A(byte n) { y = n }
init { run A(x) }
"""

# Without a Big the channel of Owner is number 1.
LATER_NUMBERS = """
byte x;
active proctype Other() { x = 1 }
proctype Small() { skip }
proctype Big() { chan own = [1] of { byte }; skip }
proctype User(chan given) { given!1 }
proctype Owner() { chan mine = [1] of { byte }; run User(mine) }
init { if :: x == 0 -> run Small() :: x == 1 -> run Big() fi; run Owner() }
"""
ARITHMETIC = """\
chan a = [1] of { byte };
chan b = [1] of { byte };
byte x;
init { chan d; d = a; d = d + 1; d!7; b?x; assert(x == 7) }
"""

MODELS = {
    "recursion": RECURSION,
    "far away": FAR_AWAY,
    "other argument": OTHER_ARGUMENT,
    "channels by arithmetic": ARITHMETIC,
}
every_model = pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)


@pytest.fixture
def model(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Model:
    """As users load one: with an identity, so that its growth is remembered, starting from an empty cache."""
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "model.pml"
    file.write_text(text)
    return scrimp.load(file)


def seen_by_the_reference(text: str) -> reference.Exploration:
    return grown_for_the_reference(text)[0]


@cache
def grown_for_the_reference(text: str) -> tuple[reference.Exploration, int]:
    """The exploration of a model that was grown until the reference, which visits every state, needs no more; and how
    often it had to grow."""
    model = model_of(text)
    rounds = 0
    while True:
        try:
            return reference.explore(model.system), rounds
        except reference.Outgrown as outgrown:
            state = first_state_that_needs(model, outgrown.need)
            assert model.growth is not None
            model = model.growth.grown([(outgrown.need, state)])
            rounds += 1


def first_state_that_needs(model: Model, need: str) -> reference.State:
    start = reference.initial(model.system)
    seen, waiting = {start}, [start]
    for state in waiting:
        for event in reference.enabled(model.system, state):
            try:
                after = reference.fire(model.system, state, event)
            except reference.Outgrown as outgrown:
                if outgrown.need == need:
                    return state
                continue
            if isinstance(after, reference.State) and after not in seen:
                seen.add(after)
                waiting.append(after)
    raise AssertionError(f"no state needs {need}")


# How many processes there will be depends on a message.
LOOP = """\
chan c = [1] of { byte };
proctype A(byte n) { n == 255 }
init { byte i, k; c!50; c?k; do :: i < k -> run A(i); i++ :: i >= k -> break od }
"""
CHAIN = """\
chan c = [1] of { byte };
proctype A(byte n) { if :: n > 0 -> run A(n - 1) :: else fi; c?_ }
init { byte k; c!50; c?k; run A(k) }
"""
CROWD = """\
proctype A(byte n) { n == 255 }
active [5] proctype P() { run A(_pid) }
"""


@pytest.mark.parametrize(
    ("text", "most"), [(LOOP, 6), (CHAIN, 8), (CROWD, 4)], ids=["in a loop", "each by the one before", "by several"]
)
def test_a_model_that_starts_many_processes_grows_a_few_times_only(text: str, most: int) -> None:
    assert grown_for_the_reference(text)[1] <= most


def test_one_round_of_growth_makes_room_for_everything_that_a_sample_of_the_states_needs() -> None:
    """The first process to move starts one in slot 3; the plan foresees the order of the text."""
    kinds = [f"proctype {name}() {{ false }} active proctype {name}s() {{ run {name}() }}" for name in "ABC"]
    model = model_of(" ".join(kinds))
    sampler = Sampler(model.system)
    assert list(sampler.states(reference.initial(model.system)))
    assert model.growth is not None
    larger = plan_of(model.growth.grown(sampler.outgrown))
    assert set(larger.slots[3]) == {"A", "B", "C"}


@every_strategy
@every_model
def test_a_search_of_a_model_that_grows_is_exact(model: Model, text: str, combination: Combination) -> None:
    order, store, reduction = combination
    statistics = scrimp.explore(model, order=order, store=store, reduction=reduction).statistics
    expected = seen_by_the_reference(text)
    assert (statistics.states, statistics.transitions) == (len(expected.states), expected.transitions)
    assert (statistics.deadlocks, statistics.violations) == (expected.deadlocks, 0)


@pytest.mark.parametrize("text", [FAR_AWAY])
def test_a_search_that_outgrows_its_system_starts_again_and_the_next_starts_with_the_larger_system(
    model: Model, text: str
) -> None:
    assert list(plan_of(settled(model)).slots) == [(":init:",)]
    first = scrimp.explore(model).statistics
    assert first.relayouts >= 2
    again = scrimp.explore(model).statistics
    assert again.relayouts == 0
    assert again.states == first.states
    assert list(plan_of(settled(model)).slots) == [(":init:",), ("A",), ("A",)]


@pytest.mark.parametrize("text", [FAR_AWAY_IN_ANY_ORDER])
def test_needs_that_arise_together_far_from_the_initial_state_are_met_together(model: Model, text: str) -> None:
    """Once for the processes, and before that for values of the counter, for which there is room afterwards."""
    counted = scrimp.explore(scrimp.load(text=text.replace("run A(_pid)", "skip"), language="promela")).statistics
    first = scrimp.explore(model).statistics
    assert first.relayouts == counted.relayouts + 1
    again = scrimp.explore(model).statistics
    assert (again.relayouts, again.states, again.transitions) == (0, first.states, first.transitions)
    assert again.states == len(seen_by_the_reference(text).states)


def test_a_state_means_the_same_after_a_model_has_grown() -> None:
    text = LATER_NUMBERS + "never { do :: x != 2 od }"
    model = scrimp.load(text=text, language="promela")
    sampler = Sampler(model.system)
    states = list(sampler.states(reference.initial(model.system)))
    assert model.growth is not None
    larger = model.growth.grown(sampler.outgrown)
    kept = kept_parts(model, larger)
    assert len(larger.system.transitions) > len(model.system.transitions)
    for state in states:
        before, after = meaning(model, state), meaning(larger, kept.state(larger.system, state))
        assert before == {name: after[name] for name in before}


def meaning(model: Model, state: reference.State) -> dict[str, object]:
    """What a state says of each part of a model, by its name."""
    words, system = model.vocabulary, model.system
    found: dict[str, object] = {}
    for number, location in enumerate(state.locations):
        process = "claim" if number == system.claim else f"process {number}"
        found[process] = words.place(system, number, location)
    found |= {words.variable(system, number): values for number, values in enumerate(state.values)}
    return found | {each.name: messages for each, messages in zip(system.channels, state.channels, strict=True)}


@pytest.mark.parametrize("text", [RECURSION])
def test_a_sample_of_the_states_finds_processes_near_the_initial_state(model: Model, text: str) -> None:
    first, *others = plan_of(settled(model)).slots
    assert (first, set(others)) == ((":init:",), {("A",)})
    assert 6 <= len(others) <= 12
    assert scrimp.explore(model).statistics.relayouts == 0


@pytest.mark.parametrize("text", [OTHER_ARGUMENT])
def test_a_parameter_with_values_that_were_not_foreseen_becomes_a_variable(model: Model, text: str) -> None:
    variables = [[v.name for v in each.system.variables] for each in (model, settled(model))]
    assert variables == [["x", "y"], ["x", "y", "n"]]


def test_a_parameter_still_refers_to_its_channel_when_channel_numbers_come_to_vary() -> None:
    model = model_of(LATER_NUMBERS)
    growth = model.growth
    assert isinstance(growth, PromelaGrowth)
    starts = [edge for edges in growth.automata[":init:"].edges.values() for edge in edges if run_of(edge)]
    (big,) = [edge.identifier for edge in starts if edge.text == "run Big()"]
    grown = growth.grown([(f"run 1 {big}", reference.initial(model.system))])
    assert slots_of(grown)[2:] == [("Small", "Big"), ("Owner",), ("User",)]
    sent = {
        grown.system.channels[part.channel].name
        for transition in transitions(grown.system, "given!1")
        for part in transition.effect
        if isinstance(part, Enqueue)
    }
    assert "Owner:3.mine" in sent


@pytest.mark.parametrize("text", [ARITHMETIC])
def test_if_a_channel_number_is_computed_any_number_may_be_a_channel(model: Model, text: str) -> None:
    assert not plan_of(model).any_channel
    assert plan_of(settled(model)).any_channel
    assert scrimp.check(model, allow_deadlock=True).verdict.value == "proved"


def test_a_model_that_starts_processes_forever_reaches_the_limit_of_processes(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text("proctype A() { false } init { do :: run A() od }")
    result = scrimp.check(scrimp.load(file))
    assert result.violations[0].message == "more than 255 processes"


def test_a_start_with_unforeseen_arguments_is_grown_only_once(tmp_path: Path) -> None:
    """The argument of a bit is cut to one bit, so that the value that is foreseen is not the one that is passed."""
    path = tmp_path / "bits.pml"
    path.write_text(
        "byte g;\nproctype P(bit a; bit b) { g < 2; _nr_pr < 4; run P((3 ^ a) / 2, 1) }\n"
        "init { run P(3, 3); run P(1, (g << 2) & 3) }\n"
    )
    assert scrimp.explore(path).statistics.states == 48
