"""Coloured nets: the meaning of sorts and terms, and the places and transitions they unfold to."""

from __future__ import annotations

import pytest
from tests.frontends.coloured_pnml import (
    DOT,
    arc,
    const,
    declarations,
    declared,
    enumeration,
    every,
    integer,
    integers,
    net,
    operator,
    pair,
    place,
    product,
    sort,
    times,
    transition,
    usersort,
    var,
)
from tests.frontends.pnml import element, explored, fireable, fired, marking, model, places, value

from scrimp.errors import ModelError
from scrimp.frontends.model import Model
from scrimp.system.reference import initial

SORTS = declarations(
    enumeration("Phil", "a", "b", "c"),
    sort("Small", integers(1, 3)),
    sort("Dot", "<dot/>"),
    product("Two", "Phil", "Small"),
    product("Three", "Two", "Phil"),
    declared("x", "Phil"),
    declared("y", "Phil"),
    declared("n", "Small"),
    declared("m", "Small"),
    declared("w", "Two"),
)


def coloured(*inside: str) -> Model:
    return model(net(SORTS, *inside))


def marked(*inside: str) -> dict[str, int]:
    """The initial marking."""
    built = coloured(*inside)
    return marking(built, initial(built.system))


def one_step(condition: str = "", **terms: str) -> list[str]:
    """The bindings of a transition `t` that takes `takes` from a place with all pairs of colours."""
    built = coloured(
        place("P", "Phil", every("Phil")),
        place("N", "Small", every("Small")),
        transition("t", condition),
        *(arc(source, "t", term) for source, term in terms.items()),
    )
    return fireable(built)


def test_a_place_holds_tokens_of_every_colour_of_its_sort() -> None:
    assert marked(place("P", "Phil", every("Phil"))) == {"P(a)": 1, "P(b)": 1, "P(c)": 1}


def test_tokens_without_colour_have_no_colour_in_their_name() -> None:
    assert marked(place("P", "Dot", times(3, DOT)), place("Q", "dot", DOT)) == {"P": 3, "Q": 1}


def test_colours_are_recognised_whatever_type_the_net_states() -> None:
    written = net(SORTS, place("P", "Dot", times(3, const("dot"))), place("Q", "Phil", const("a")))
    built = model(written.replace("symmetricnet", "ptnet"))
    assert marking(built, initial(built.system)) == {"P": 3, "Q(a)": 1}


def test_tokens_without_colour_may_be_written_as_numbers() -> None:
    dots = element("type", element("structure", "<dot/>"))
    number = element("initialMarking", element("text", "3"))
    two = element("inscription", element("text", "2"))
    built = coloured(
        element("place", dots, number, id="P"),
        place("Q", "Phil", const("a")),
        transition("t"),
        element("arc", two, id="in", source="P", target="t"),
        arc("Q", "t", var("x")),
    )
    assert marking(built, initial(built.system)) == {"P": 3, "Q(a)": 1}
    assert fired(built, "t(x=a)") == {"P": 1}


def test_multisets_are_added_subtracted_and_multiplied() -> None:
    less = operator("subtract", times(2, every("Phil")), times(2, const("b")), const("c"))
    assert marked(place("P", "Phil", less)) == {"P(a)": 2, "P(c)": 1}
    more = operator("add", const("a"), times(2, const("a")), every("Phil"))
    assert marked(place("P", "Phil", more)) == {"P(a)": 4, "P(b)": 1, "P(c)": 1}
    scaled = operator("scalarproduct", element("numberconstant", "<positive/>", value="3"), every("Phil"))
    assert marked(place("P", "Phil", scaled)) == {"P(a)": 3, "P(b)": 3, "P(c)": 3}
    assert marked(place("P", "Phil", element("empty", usersort("Phil")))) == {}


def test_a_difference_of_multisets_is_never_negative() -> None:
    less = operator("subtract", every("Phil"), times(5, const("b")))
    assert marked(place("P", "Phil", less)) == {"P(a)": 1, "P(c)": 1}


def test_tuples_have_the_colours_of_their_parts_however_they_are_nested() -> None:
    two = pair(const("a"), integer(2, 1, 3))
    assert marked(place("P", "Two", two)) == {"P(a,2)": 1}
    assert marked(place("P", "Three", pair(two, const("c")))) == {"P(a,2,c)": 1}


def test_a_tuple_of_multisets_is_every_combination() -> None:
    assert marked(place("P", "Two", pair(operator("add", const("a"), times(2, const("b"))), integer(1, 1, 3)))) == {
        "P(a,1)": 1,
        "P(b,1)": 2,
    }


def test_a_transition_has_a_binding_for_each_token_it_may_take() -> None:
    assert one_step(P=var("x")) == ["t(x=a)", "t(x=b)", "t(x=c)"]


def test_successor_and_predecessor_are_cyclic() -> None:
    built = coloured(
        place("P", "Phil", const("c")),
        place("Q", "Phil"),
        place("N", "Small"),
        transition("t"),
        arc("P", "t", operator("predecessor", var("x"))),
        arc("t", "Q", operator("successor", var("x"))),
        arc("t", "N", operator("predecessor", integer(1, 1, 3))),
    )
    assert fired(built, "t(x=a)") == {"Q(b)": 1, "N(3)": 1}


COMPARISONS = {
    "equality": ["t(n=1,m=1)", "t(n=2,m=2)", "t(n=3,m=3)"],
    "inequality": ["t(n=1,m=2)", "t(n=1,m=3)", "t(n=2,m=1)", "t(n=2,m=3)", "t(n=3,m=1)", "t(n=3,m=2)"],
    "lessthan": ["t(n=1,m=2)", "t(n=1,m=3)", "t(n=2,m=3)"],
    "lessthanorequal": ["t(n=1,m=1)", "t(n=1,m=2)", "t(n=1,m=3)", "t(n=2,m=2)", "t(n=2,m=3)", "t(n=3,m=3)"],
    "greaterthan": ["t(n=2,m=1)", "t(n=3,m=1)", "t(n=3,m=2)"],
    "greaterthanorequal": ["t(n=1,m=1)", "t(n=2,m=1)", "t(n=2,m=2)", "t(n=3,m=1)", "t(n=3,m=2)", "t(n=3,m=3)"],
}


@pytest.mark.parametrize(("tag", "bindings"), COMPARISONS.items(), ids=COMPARISONS)
def test_conditions_compare_colours(tag: str, bindings: list[str]) -> None:
    built = coloured(
        place("N", "Small", times(2, every("Small"))),
        transition("t", operator(tag, var("n"), var("m"))),
        arc("N", "t", operator("add", var("n"), var("m"))),
    )
    assert fireable(built) == bindings


def test_conditions_are_combined() -> None:
    is_a, is_b = (operator("equality", var("x"), const(name)) for name in "ab")
    assert one_step(operator("or", is_a, is_b), P=var("x")) == ["t(x=a)", "t(x=b)"]
    assert one_step(operator("not", is_a), P=var("x")) == ["t(x=b)", "t(x=c)"]
    assert one_step(operator("and", operator("not", is_a), operator("not", is_b)), P=var("x")) == ["t(x=c)"]
    assert one_step(operator("imply", operator("not", is_a), is_b), P=var("x")) == ["t(x=a)", "t(x=b)"]
    assert one_step(element("booleanconstant", value="false"), P=var("x")) == []


def test_integers_are_compared_by_value_whatever_their_range() -> None:
    assert one_step(operator("equality", var("n"), integer(3, 0, 10)), N=var("n")) == ["t(n=3)"]


def test_a_variable_of_the_condition_only_takes_every_colour_that_satisfies_it() -> None:
    assert one_step(operator("lessthan", var("n"), var("m")), N=var("n")) == [
        *("t(n=1,m=2)", "t(n=1,m=3)", "t(n=2,m=3)"),
    ]


def test_a_variable_of_an_output_only_takes_every_colour() -> None:
    built = coloured(
        place("P", "Dot", DOT), place("Q", "Phil"), transition("t"), arc("P", "t", DOT), arc("t", "Q", var("x"))
    )
    assert fireable(built) == ["t(x=a)", "t(x=b)", "t(x=c)"]


def test_variables_may_be_of_a_product_sort() -> None:
    built = coloured(
        place("P", "Two", pair(const("b"), every("Small"))),
        place("Q", "Three"),
        transition("t", operator("inequality", var("w"), pair(const("b"), integer(2, 1, 3)))),
        arc("P", "t", var("w")),
        arc("t", "Q", pair(var("w"), const("a"))),
    )
    assert fireable(built) == ["t(w=b,1)", "t(w=b,3)"]
    assert fired(built, "t(w=b,1)") == {"P(b,2)": 1, "P(b,3)": 1, "Q(b,1,a)": 1}


def test_the_same_variable_on_two_arcs_has_one_colour() -> None:
    built = coloured(
        place("P", "Phil", operator("add", const("a"), const("b"))),
        place("Q", "Phil", operator("add", const("b"), const("c"))),
        transition("t"),
        arc("P", "t", var("x")),
        arc("Q", "t", var("x")),
    )
    assert fireable(built) == ["t(x=b)"]


def test_all_tokens_at_once_are_taken_and_given() -> None:
    built = coloured(
        place("P", "Phil", every("Phil")),
        place("Q", "Phil"),
        transition("t"),
        arc("P", "t", every("Phil")),
        arc("t", "Q", operator("subtract", every("Phil"), const("b"))),
    )
    assert fired(built, "t") == {"Q(a)": 1, "Q(c)": 1}


SIDES = element(
    "partition",
    usersort("Phil"),
    element("partitionelement", const("a"), const("b"), id="near", name="near"),
    element("partitionelement", const("c"), id="far", name="far"),
    id="Side",
    name="Side",
)


def test_the_element_of_a_partition_stands_for_all_its_members_among_tokens() -> None:
    def marked(term: str) -> dict[str, int]:
        written = declarations(SIDES, enumeration("Phil", "a", "b", "c"), product("Two", "Phil", "Phil"))
        sort_id = "Two" if "tuple" in term else "Phil"
        built = model(net(written, place("P", sort_id, term)))
        return marking(built, initial(built.system))

    assert marked(times(2, const("near"))) == {"P(a)": 2, "P(b)": 2}
    assert marked(operator("subtract", every("Phil"), const("near"))) == {"P(c)": 1}
    mixed = operator("add", const("near"), operator("add", const("far"), const("c")))
    assert marked(mixed) == {"P(a)": 1, "P(b)": 1, "P(c)": 2}
    assert marked(pair(const("c"), const("near"))) == {"P(c,a)": 1, "P(c,b)": 1}


def test_terms_may_stand_in_more_than_one_subterm() -> None:
    inner = element("subterm", element("subterm", const("a")))
    term = element("subterm", element("numberof", element("subterm", element("numberconstant", value="2")), inner))
    assert marked(place("P", "Phil", term)) == {"P(a)": 2}


def test_partitions_map_colours_to_their_parts() -> None:
    side = operator("partitionelementof", var("x"), refpartition="Side")
    written = declarations(enumeration("Phil", "a", "b", "c"), SIDES, declared("x", "Phil"), declared("s", "Side"))
    body = [place("P", "Phil", every("Phil")), place("Q", "Side"), arc("P", "t", var("x")), arc("t", "Q", var("s"))]

    def bindings(condition: str) -> list[str]:
        return fireable(model(net(written, *body, transition("t", condition))))

    near = operator("equality", var("s"), const("near"))
    same = operator("equality", side, var("s"))
    assert bindings(same) == ["t(x=a,s=near)", "t(x=b,s=near)", "t(x=c,s=far)"]
    assert bindings(operator("and", near, same)) == ["t(x=a,s=near)", "t(x=b,s=near)"]
    assert bindings(operator("and", near, operator("gtp", side, const("near")))) == ["t(x=c,s=near)"]
    assert bindings(operator("and", near, operator("ltp", side, const("far")))) == ["t(x=a,s=near)", "t(x=b,s=near)"]


def abbreviated(id_: str, meaning: str, *parameters: str) -> str:
    return element("namedoperator", element("parameter", *parameters), element("def", meaning), id=id_, name=id_)


def use(id_: str, *arguments: str) -> str:
    return operator("useroperator", *arguments, declaration=id_)


def test_declared_operators_are_expanded() -> None:
    sorts = declarations(
        enumeration("Phil", "a", "b", "c"),
        declared("x", "Phil"),
        abbreviated("left", operator("successor", var("p")), declared("p", "Phil")),
        abbreviated("both", operator("add", var("q"), use("left", var("q"))), declared("q", "Phil")),
        abbreviated(
            "is", operator("equality", var("r"), use("left", var("s"))), declared("r", "Phil"), declared("s", "Phil")
        ),
        abbreviated("first", const("a")),
    )
    inside = [
        place("P", "Phil", use("both", use("left", use("first")))),
        place("Q", "Phil"),
        transition("t", use("is", const("c"), var("x"))),
        arc("P", "t", var("x")),
        arc("t", "Q", use("both", var("x"))),
    ]
    built = model(net(sorts, *inside))
    assert marking(built, initial(built.system)) == {"P(b)": 1, "P(c)": 1}
    assert fired(built, "t(x=b)") == {"P(c)": 1, "Q(b)": 1, "Q(c)": 1}


@pytest.mark.parametrize(
    ("meaning", "argument", "message"),
    [
        (use("f", var("p")), const("a"), "the operator 'f' is defined in terms of itself"),
        (var("p"), every("Phil"), "found <all>, which is not supported here"),
        (var("p"), integer(1, 1, 3), "found a term of sort 1..3, expected {a, b}"),
        (var("p"), "", "found 0 arguments of an operator, expected 1"),
    ],
)
def test_an_invalid_operator_is_refused(meaning: str, argument: str, message: str) -> None:
    sorts = declarations(enumeration("Phil", "a", "b"), abbreviated("f", meaning, declared("p", "Phil")))
    with pytest.raises(ModelError, match=message):
        model(net(sorts, place("P", "Phil", use("f", *([argument] if argument else [])))))


def test_inhibitor_arcs_test_the_colour_of_their_inscription() -> None:
    built = coloured(
        place("P", "Phil", operator("add", const("a"), const("b"))),
        place("Q", "Phil", const("a")),
        transition("t"),
        transition("u"),
        arc("P", "t", var("x")),
        arc("Q", "t", var("x"), element("type", value="inhibitor")),
        arc("Q", "u", const("a")),
    )
    assert fireable(built) == ["t(x=b)", "u"]


def test_unreachable_colours_and_bindings_that_need_them_are_left_out() -> None:
    built = coloured(
        place("P", "Phil", const("a")),
        place("Q", "Phil"),
        place("R", "Phil"),
        transition("t"),
        transition("u"),
        arc("P", "t", var("x")),
        arc("t", "Q", operator("successor", var("x"))),
        arc("Q", "u", var("y")),
        arc("R", "u", var("y")),
    )
    assert list(places(built)) == ["P(a)", "Q(b)"]
    assert [transition.moves[0].text for transition in built.system.transitions] == ["t(x=a)"]


def test_names_in_expressions_mean_all_colours_or_one() -> None:
    built = coloured(
        place(
            "P",
            "Two",
            operator("add", times(2, pair(const("a"), integer(1, 1, 3))), pair(const("b"), integer(3, 1, 3))),
        ),
        transition("t", operator("equality", var("x"), const("b"))),
        arc("P", "t", pair(var("x"), var("n"))),
    )
    assert value(built, "P") == 3
    assert (value(built, "P(a,1)"), value(built, '"P(a,1)"'), value(built, "P(b, 3)")) == (2, 2, 1)
    assert value(built, "fireable(t)") == 1
    assert value(built, 'fireable("t(x=b,n=3)")') == 1


def test_long_chains_of_colours_unfold_in_linear_time() -> None:
    written = declarations(sort("Long", integers(0, 5000)), declared("i", "Long"))
    built = model(
        net(
            written,
            place("P", "Long", integer(0, 0, 5000)),
            transition("t", operator("lessthan", var("i"), integer(5000, 0, 5000))),
            arc("P", "t", var("i")),
            arc("t", "P", operator("successor", var("i"))),
        )
    )
    assert len(built.system.transitions) == 5000


def test_a_net_that_unfolds_to_too_many_transitions_is_refused_with_their_number() -> None:
    written = declarations(sort("Wide", integers(1, 400)), declared("i", "Wide"), declared("j", "Wide"))
    with pytest.raises(ModelError) as refused:
        model(
            net(
                written,
                place("P", "Wide", every("Wide")),
                transition("t"),
                arc("P", "t", operator("add", var("i"), var("j"))),
            )
        )
    assert str(refused.value) == (
        "net.pnml:2:7: this net unfolds to more than 100,000 transitions (there are 160,000 bindings), expected fewer"
    )


def test_a_coloured_philosopher_deadlocks_as_the_others_do() -> None:
    left = operator("successor", var("x"))
    built = coloured(
        place("Think", "Phil", every("Phil")),
        place("Fork", "Phil", every("Phil")),
        place("Wait", "Phil"),
        place("Eat", "Phil"),
        *(transition(name) for name in ("take", "eat", "leave")),
        arc("Think", "take", var("x")),
        arc("Fork", "take", var("x")),
        arc("take", "Wait", var("x")),
        arc("Wait", "eat", var("x")),
        arc("Fork", "eat", left),
        arc("eat", "Eat", var("x")),
        arc("Eat", "leave", var("x")),
        arc("leave", "Think", var("x")),
        arc("leave", "Fork", operator("add", var("x"), left)),
    )
    found = explored(built)
    assert (len(found.states), found.deadlocks) == (14, 1)
