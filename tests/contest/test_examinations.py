"""Examinations: answers to formulas about nets, and none if not every marking was visited."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.frontends.pnml import ptnet

import scrimp
from scrimp.contest.bounds import Enclosure
from scrimp.contest.report import contest_lines

MODELS = Path(__file__).parents[2] / "models"
NET, PROPERTIES = str(MODELS / "philosophers.pnml"), str(MODELS / "philosophers.xml")


def examined(tmp_path: Path, net: str, formula: str, **options: object) -> scrimp.Answer:
    """The answer to the only formula of a file."""
    file = tmp_path / "properties.xml"
    file.write_text(f"<property-set><property><id>x</id><formula>{formula}</formula></property></property-set>")
    model = scrimp.load(text=net, language="pnml")
    (answer,) = scrimp.examine(model, file, **options).answers  # type: ignore[arg-type]
    return answer


def bound(*places: str) -> str:
    return f"<place-bound>{''.join(f'<place>{place}</place>' for place in places)}</place-bound>"


def test_every_formula_gets_its_answer() -> None:
    answers = scrimp.examine(NET, PROPERTIES).answers
    assert [(each.id, each.answer) for each in answers] == [
        ("two-eat", "FALSE"),
        ("can-go-on", "FALSE"),
        ("forks", "3"),
    ]


def test_the_result_has_a_judgement_for_each_formula_and_a_trace_for_each_finding() -> None:
    result = scrimp.examine(NET, PROPERTIES).result
    assert result.verdict is scrimp.Verdict.REFUTED
    assert [(each.property.kind, each.property.name) for each in result.properties] == [
        ("reach", "two-eat"),
        ("invariant", "can-go-on"),
        ("bound", "forks"),
    ]
    (violation,) = result.violations
    assert violation.name == "can-go-on"
    assert violation.trace is not None
    assert len(violation.trace.steps) == 3


def test_a_dead_marking_is_found() -> None:
    (answer,) = scrimp.examine(NET, "ReachabilityDeadlock").answers
    assert answer == scrimp.Answer("ReachabilityDeadlock", "TRUE", "a dead marking is reachable")


def test_a_dead_marking_within_a_formula_is_found(tmp_path: Path) -> None:
    net = ptnet({"p": 2, "q": 0}, "p -> t", "t -> q")
    test = (
        "<integer-lt><tokens-count><place>q</place></tokens-count><integer-constant>{}</integer-constant></integer-lt>"
    )
    early = f"<conjunction><deadlock/>{test.format(2)}</conjunction>"
    late = f"<conjunction><deadlock/>{test.format(3)}</conjunction>"
    for dead, answer in (early, "FALSE"), (late, "TRUE"):
        found = examined(tmp_path, net, f"<exists-path><finally>{dead}</finally></exists-path>")
        assert found.answer == answer
    runs = "<all-paths><finally><globally><deadlock/></globally></finally></all-paths>"
    assert examined(tmp_path, net, runs).answer == "TRUE"


def test_more_formulas_than_watches_take_several_searches(tmp_path: Path) -> None:
    test = (
        "<integer-le><integer-constant>{}</integer-constant><tokens-count><place>p</place></tokens-count></integer-le>"
    )
    formulas = [f"<exists-path><finally>{test.format(number)}</finally></exists-path>" for number in range(150)]
    file = tmp_path / "many.xml"
    properties = [f"<property><id>{n}</id><formula>{f}</formula></property>" for n, f in enumerate(formulas)]
    file.write_text(f"<property-set>{''.join(properties)}</property-set>")
    model = scrimp.load(text=ptnet({"p": 100, "q": 0}, "p -> t", "t -> q"), language="pnml")
    answers = scrimp.examine(model, file).answers
    assert [each.answer for each in answers] == ["TRUE"] * 101 + ["FALSE"] * 49


@pytest.mark.parametrize("tokens", [0, 1, 7, 1000])
def test_a_bound_is_found_wherever_it_lies(tokens: int, tmp_path: Path) -> None:
    net = ptnet({"p": tokens, "q": 0, "r": 2}, "p -> t", "t -> q", "r -> u")
    assert examined(tmp_path, net, bound("q")).answer == str(tokens)
    assert examined(tmp_path, net, bound("q", "r")).answer == str(tokens + 2)


def test_a_bound_may_be_smaller_than_the_bounds_of_its_places_together(tmp_path: Path) -> None:
    net = ptnet({"p": 1, "q": 0, "r": 0}, "p -> t", "t -> q * 5", "q -> u * 5", "u -> r * 5")
    assert examined(tmp_path, net, bound("q", "r")).answer == "5"


def test_the_bound_of_no_places_is_zero(tmp_path: Path) -> None:
    assert examined(tmp_path, ptnet({"p": 2}, "p -> t"), bound()).answer == "0"


def test_a_bound_beyond_32_bits_is_refused(tmp_path: Path) -> None:
    most = 2**30 - 1
    net = ptnet({"p": most, "q": most, "r": most, "s": 0}, f"p -> t * {most}", "t -> s")
    assert examined(tmp_path, net, bound("p", "q")).answer == str(2 * most)
    with pytest.raises(scrimp.OptionError, match="exceeds 2,147,483,647"):
        examined(tmp_path, net, bound("p", "q", "r"))


def always_eventually(place: str) -> str:
    some = f"<tokens-count><place>{place}</place></tokens-count>"
    test = f"<integer-le><integer-constant>1</integer-constant>{some}</integer-le>"
    return f"<all-paths><globally><finally>{test}</finally></globally></all-paths>"


def test_a_formula_about_all_runs_is_decided(tmp_path: Path) -> None:
    circle = ptnet({"p": 1, "q": 0, "r": 0}, "p -> t", "t -> q", "q -> u", "u -> p")
    assert examined(tmp_path, circle, always_eventually("q")).answer == "TRUE"
    assert examined(tmp_path, circle, always_eventually("r")) == scrimp.Answer("x", "FALSE", "a run violates it")


def test_a_dead_marking_is_repeated(tmp_path: Path) -> None:
    ends = ptnet({"p": 1, "q": 0}, "p -> t", "t -> q")
    assert examined(tmp_path, ends, always_eventually("q")).answer == "TRUE"
    assert examined(tmp_path, ends, always_eventually("p")).answer == "FALSE"


def test_runs_beyond_the_limit_of_a_place_leave_a_formula_open(tmp_path: Path) -> None:
    grows = ptnet({"p": 1, "q": 0}, "p -> t", "t -> p", "t -> q")
    answer = examined(tmp_path, grows, always_eventually("p"))
    assert answer.answer is None
    assert "exceeds its limit" in answer.reason


def test_a_place_that_grows_has_no_bound(tmp_path: Path) -> None:
    answer = examined(tmp_path, ptnet({"p": 1, "q": 0}, "p -> t", "t -> p", "t -> q"), bound("q"))
    assert answer.answer is None
    assert "exceeds its limit" in answer.reason


def test_an_incomplete_search_leaves_questions_open(tmp_path: Path) -> None:
    net = ptnet({"p": 9, "q": 0}, "p -> t", "t -> q")
    answer = examined(tmp_path, net, bound("q"), depth=4)
    assert answer.answer is None
    assert answer.reason == "4 at least, 9 at most: states beyond the depth limit were not visited"


@pytest.mark.parametrize(("low", "high", "count"), [(0, 1, 63), (3, 1000, 3), (0, 63, 63), (5, 6, 1), (0, None, 3)])
def test_thresholds_lie_between_what_is_attained_and_what_is_not_exceeded(
    low: int, high: int | None, count: int
) -> None:
    thresholds = Enclosure(low, high).thresholds(count)
    assert 1 <= len(thresholds) <= count
    assert low < min(thresholds)
    assert high is None or max(thresholds) == high


def test_property_files_are_about_nets() -> None:
    with pytest.raises(scrimp.OptionError, match="--properties is about Petri nets, and this model is in dve"):
        scrimp.examine(MODELS / "peterson.dve", PROPERTIES)


def some(tag: str, place: str) -> str:
    tokens = f"<tokens-count><place>{place}</place></tokens-count>"
    test = f"<integer-le><integer-constant>1</integer-constant>{tokens}</integer-le>"
    return f"<exists-path><{tag}>{test}</{tag}></exists-path>"


def written(tmp_path: Path, *formulas: str) -> Path:
    properties = [f"<property><id>{n}</id><formula>{f}</formula></property>" for n, f in enumerate(formulas)]
    file = tmp_path / "properties.xml"
    file.write_text(f"<property-set>{''.join(properties)}</property-set>")
    return file


def test_a_formula_of_ctl_is_named_and_the_others_are_answered(tmp_path: Path) -> None:
    net = scrimp.load(text=ptnet({"p": 1, "q": 0}, "p -> t", "t -> q"), language="pnml")
    examined = scrimp.examine(net, written(tmp_path, some("finally", "q"), some("globally", "p"), bound("q")))
    assert [each.answer for each in examined.answers] == ["TRUE", None, "1"]
    assert examined.answers[1].reason == "line 1: found <exists-path> with <globally>: CTL is not supported"
    assert examined.result.verdict is scrimp.Verdict.UNDETERMINED
    assert list(contest_lines(examined))[1].startswith("FORMULA 1 CANNOT_COMPUTE")


def test_a_file_with_formulas_of_ctl_alone_is_refused(tmp_path: Path) -> None:
    net = scrimp.load(text=ptnet({"p": 1}, "p -> t"), language="pnml")
    with pytest.raises(scrimp.ModelError, match=r"found <exists-path> with <globally>: CTL is not supported"):
        scrimp.examine(net, written(tmp_path, some("globally", "p")))
