"""What structural reductions do to small nets, and what users see of it; and questions about deadlocks only."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.frontends.pnml import Marking, model, ptnet

import scrimp
from scrimp.frontends.model import Model
from scrimp.passes import Kept, NetReduction, passed

LINE = ("p -> t", "t -> q", "q -> u", "u -> r")


def notes(marking: Marking, *arcs: str, seen: tuple[str, ...] = (), kept: Kept = Kept.DEADLOCKS) -> list[str]:
    net = model(ptnet(marking, *arcs))
    expressions = [net.expression(text) for text in seen]
    return [note.text for note in passed(net.system, expressions, [NetReduction(kept)]).notes]


def test_a_step_that_must_follow_is_fused_with_the_one_before() -> None:
    assert notes({"p": 1, "q": 0, "r": 0}, *LINE, seen=("p",)) == [
        "1 sink place removed",
        "1 place removed by post-agglomeration",
    ]


def test_a_place_that_is_observed_stays() -> None:
    assert notes({"p": 1, "q": 0, "r": 0}, *LINE, seen=("p", "q", "r")) == []


WAITING = (
    "m -> z",
    "z -> s",
    "p -> t",
    "s -> t",
    "t -> q",
    "q -> u",
    "b -> u",
    "u -> r",
    "a -> v",
    "v -> b",
    "a -> w",
    "w -> c",
)


def test_a_step_that_others_do_not_see_waits_for_the_next_one() -> None:
    marking = {"m": 2, "s": 0, "p": 1, "q": 0, "r": 0, "a": 1, "b": 0, "c": 0}
    assert "1 place removed by pre-agglomeration" in notes(marking, *WAITING, seen=("m", "a", "b", "c", "r"))


def test_a_choice_is_not_delayed_if_deadlocks_are_asked_for() -> None:
    arcs = (
        "a -> t",
        "t -> p",
        "p -> f",
        "b -> f",
        "f -> a",
        "d -> x",
        "x -> b",
        "a -> u",
        "u -> c",
        "c -> v",
        "v -> a",
    )
    marking, seen = {"a": 1, "p": 0, "b": 0, "c": 0, "d": 1}, ("b", "c", "d")
    assert notes(marking, *arcs, seen=seen) == []
    assert notes(marking, *arcs, seen=seen, kept=Kept.PREFIXES) == ["1 place removed by free agglomeration"]


def test_a_place_that_inhibits_is_not_agglomerated() -> None:
    assert notes({"p": 1, "q": 0, "r": 0}, *LINE, "q -o v", "r -> v", "v -> p", seen=("p", "r")) == []


def test_a_place_without_a_known_bound_is_observed() -> None:
    assert notes({"p": 1, "q": 0}, "p -> t", "t -> p", "t -> q", "q -> u") == ["1 constant place removed"]


def test_a_marked_place_is_emptied_before_the_first_step() -> None:
    net = model(ptnet({"p": 2, "q": 0, "r": 0, "b": 1, "c": 0}, "p -> t", "t -> q", "q -> u", "b -> u", "u -> r"))
    found = scrimp.check(net, order="dfs", reach="r == 1", allow_deadlock=True)
    assert "1 marked place removed by post-agglomeration" in [note.text for note in found.passes]
    witness = found.goals[0].witness
    assert witness is not None
    assert [step.moves[0].text for step in witness.steps] == ["t", "t", "u"]


def test_what_happens_before_the_first_step_counts_as_executed() -> None:
    net = model(ptnet({"p": 1, "q": 0, "b": 1}, "p -> t", "t -> q", "q -> u", "b -> u", "u -> b", "u -> q"))
    result = scrimp.check(net)
    assert "1 marked place removed by post-agglomeration" in [note.text for note in result.passes]
    assert result.unreached == ()


def test_a_marked_place_with_a_choice_stays() -> None:
    arcs = ("p -> t", "t -> q", "p -> u", "u -> r")
    assert notes({"p": 1, "q": 0, "r": 0}, *arcs, seen=("q", "r")) == []


CHAIN_AND_OTHERS = ("p -> t", "t -> q", "a -> v", "v -> b", "b -> w", "w -> a", "b -> x", "q -> x", "x -> c")


def test_transitions_on_which_the_question_cannot_depend_are_removed() -> None:
    marking = {"p": 1, "q": 0, "a": 1, "b": 0, "c": 0}
    removed = "3 transitions removed that no question needs"
    assert removed in notes(marking, *CHAIN_AND_OTHERS, seen=("p",), kept=Kept.PREFIXES)
    assert removed not in notes(marking, *CHAIN_AND_OTHERS, seen=("p",))


def test_if_nothing_is_asked_no_transition_is_useless() -> None:
    assert notes({"a": 1, "b": 1}, "a -> t", "b -> t", "t -> a", "t -> b", kept=Kept.PREFIXES) == [
        "2 constant places removed"
    ]


def test_a_place_that_must_be_marked_when_it_is_needed_is_removed() -> None:
    """Two processes share their steps: where one of them is says where the other is."""
    arcs = ("p -> t", "a -> t", "t -> q", "t -> b", "q -> u", "b -> u", "u -> p", "u -> a", "p -> w", "w -> p")
    marking = {"p": 1, "q": 0, "a": 1, "b": 0}
    assert any("implied by a shared token" in note for note in notes(marking, *arcs, seen=("p", "q")))


CYCLE = ({"p": 1, "q": 0, "r": 0}, "p -> t", "t -> q", "q -> u", "u -> r", "r -> v", "v -> p")


def test_a_formula_without_next_is_decided_on_the_smaller_net() -> None:
    result = scrimp.check(model(ptnet(*CYCLE)), ltl="<> [] (p == 0)")
    assert [note.text for note in result.passes] == ["1 place removed by post-agglomeration"]
    assert result.trace is not None
    assert len(result.trace.steps) % 3 == 0


def test_a_formula_with_next_counts_the_steps_of_the_net_as_written() -> None:
    result = scrimp.check(model(ptnet(*CYCLE)), ltl="[] ((p == 1) -> X X X (p == 1))")
    assert (result.verdict, result.passes) == (scrimp.Verdict.PROVED, ())


def test_a_run_that_ends_is_completed() -> None:
    result = scrimp.check(model(ptnet(*WAITS)), ltl="[] <> (m == 2)", audit=True)
    assert "1 place removed by pre-agglomeration" in [note.text for note in result.passes]
    assert result.verdict is scrimp.Verdict.REFUTED
    assert result.trace is not None
    assert {step.moves[0].text for step in result.trace.steps} >= {"z", "t", "v"}


ENDS = ({"p": 1, "q": 0, "r": 0, "s": 0}, "p -> t", "t -> q", "q -> u", "u -> r", "r -> v", "v -> s")


def test_a_trace_is_one_of_the_net_as_written() -> None:
    found = scrimp.check(model(ptnet(*ENDS)), order="dfs")
    assert found.passes != ()
    assert found.trace is not None
    assert [step.moves[0].text for step in found.trace.steps] == ["t", "u", "v"]


WAITS = (
    {"m": 2, "s": 0, "p": 1, "q": 0, "b": 1, "c": 0},
    *("m -> z", "z -> s", "p -> t", "s -> t", "t -> q", "q -> u", "b -> u", "u -> b", "u -> p", "b -> v", "v -> c"),
)


def test_a_path_to_a_deadlock_is_completed() -> None:
    found = scrimp.check(model(ptnet(*WAITS)), order="dfs", reach="c == 1 && m == 2")
    assert "1 place removed by pre-agglomeration" in [note.text for note in found.passes]
    assert found.violations[0].kind == "deadlock"
    assert found.trace is not None
    assert {step.moves[0].text for step in found.trace.steps} >= {"t", "v"}


def test_the_report_says_if_it_is_not_known_whether_a_transition_can_be_executed() -> None:
    arcs = (
        "p -> t",
        "t -> r",
        "p -> u",
        "u -> r",
        "c -? u",
        "r -> v",
        "v -> p",
        "c -> x",
        "x -> d",
        "d -> y",
        "y -> c",
    )
    net = model(ptnet({"p": 1, "r": 0, "c": 1, "d": 0}, *arcs))
    result = scrimp.check(net, audit=True)
    assert scrimp.check(net, as_written=True).unreached == result.unreached == ()
    assert result.unknown_coverage == 1
    assert "whether 1 transition can be executed is not known" in str(result)


def test_deadlocks_are_not_counted_after_rules_that_lose_them() -> None:
    net = model(ptnet({"p": 1, "q": 1}, "p -> t", "t -> p", "q -> u", "u -> q"))
    result = scrimp.check(net, allow_deadlock=True)
    assert result.passes != ()
    assert "deadlock" not in str(result).replace("not checked: deadlocks", "").replace("not checked  deadlocks", "")


def test_only_deadlocks_are_looked_for() -> None:
    own = scrimp.check("models/broken_lock.dve")
    result = scrimp.check("models/broken_lock.dve", only="deadlock")
    assert (own.verdict, result.verdict) == (scrimp.Verdict.REFUTED, scrimp.Verdict.PROVED)
    assert [each.property.text for each in result.properties] == ["no deadlock"]
    assert "assertions" in [each.text for each in result.left_out]


@pytest.mark.parametrize("name", ["philosophers.dve", "peterson.dve", "philosophers.pnml"])
def test_a_reduction_without_proviso_decides_deadlocks(name: str) -> None:
    path = Path("models") / name
    own = scrimp.check(path, only="deadlock", as_written=True)
    reduced = scrimp.check(path, only="deadlock", reduction="stubborn:proviso=false", audit=True)
    assert reduced.verdict is own.verdict


def test_variables_that_only_assertions_read_are_left_out() -> None:
    net = scrimp.load(text="byte x; active proctype P() { do :: x++ :: assert(x < 5) od }")
    result = scrimp.check(net, only="deadlock")
    assert result.verdict is scrimp.Verdict.PROVED
    assert result.statistics.states < 5


def test_nothing_is_proved_of_what_follows_a_fault() -> None:
    net: Model = model(ptnet({"p": 1, "q": 0}, "p -> t", "t -> p", "t -> q"), {"tokens": "3"})
    result = scrimp.check(net, only="deadlock")
    assert result.verdict is scrimp.Verdict.UNDETERMINED
    assert "ended in a fault" in result.reason
    with pytest.raises(scrimp.OptionError, match="no known bound"):
        scrimp.check(net, only="deadlock", reduction="stubborn:proviso=false")


@pytest.mark.parametrize("other", [{"allow_deadlock": True}, {"reach": "p == 1"}, {"ltl": "[] true"}])
def test_only_deadlocks_are_asked_for_alone(other: dict[str, str]) -> None:
    with pytest.raises(scrimp.OptionError, match="--only deadlock asks for nothing else"):
        scrimp.check(model(ptnet({"p": 1}, "p -> t")), only="deadlock", **other)  # type: ignore[arg-type]
