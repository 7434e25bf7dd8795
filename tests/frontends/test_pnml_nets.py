"""Place/transition nets: what arcs do, the parts of a net, the names of places and transitions."""

from __future__ import annotations

import pytest
from tests.frontends.pnml import (
    arc,
    document,
    element,
    explored,
    fireable,
    fired,
    marking,
    model,
    page,
    place,
    places,
    ptnet,
    text,
)

from scrimp.errors import OptionError
from scrimp.system.reference import initial


def test_a_transition_takes_and_gives_what_its_arcs_say() -> None:
    net = model(ptnet({"p": 5, "q": 0}, "p -> t * 2", "t -> q * 3"))
    assert fired(net, "t") == {"p": 3, "q": 3}
    assert fired(net, "t", "t") == {"p": 1, "q": 6}
    assert explored(net).deadlocks == 1


def test_arcs_between_the_same_nodes_add_up() -> None:
    net = model(ptnet({"p": 3, "q": 0}, "p -> t", "p -> t * 2", "t -> q", "t -> q"))
    assert fired(net, "t") == {"q": 2}


def test_a_transition_that_gives_back_its_tokens_still_needs_them() -> None:
    net = model(ptnet({"p": 2, "q": 0, "r": 1}, "p -> t * 3", "t -> p * 3", "q -> u", "u -> q", "r -> v", "v -> r"))
    assert fireable(net) == ["v"]
    assert fired(net, "v") == {"p": 2, "r": 1}


def test_an_inhibitor_arc_disables_if_there_are_as_many_tokens_as_its_weight() -> None:
    net = model(ptnet({"p": 0, "q": 0}, "p -o t", "t -> p", "p -o u * 3", "u -> p", "q -o u"))
    assert fireable(net) == ["t", "u"]
    assert explored(net).transitions == 4
    assert fired(net, "u", "u", "u") == {"p": 3}


def test_of_two_inhibitor_arcs_the_lesser_weight_counts() -> None:
    net = model(ptnet({"p": 0}, "p -o t * 4", "p -o t * 2", "t -> p"))
    assert [marking(net, state) for state in sorted(explored(net).states, key=str)] == [{}, {"p": 1}, {"p": 2}]


def test_a_test_arc_needs_tokens_and_leaves_them() -> None:
    net = model(ptnet({"p": 2, "q": 1, "r": 0}, "p -? t * 2", "q -> t", "t -> r", "p -? u * 3", "u -> r"))
    assert fireable(net) == ["t"]
    assert fired(net, "t") == {"p": 2, "r": 1}


def test_a_place_that_is_both_tested_and_taken_from_needs_the_greater_number() -> None:
    net = model(ptnet({"p": 3}, "p -? t * 3", "p -> t * 2"))
    assert fired(net, "t") == {"p": 1}
    assert explored(net).transitions == 1


def test_a_reset_arc_empties_a_place_and_needs_no_tokens() -> None:
    net = model(ptnet({"p": 7, "q": 1, "r": 2}, "p -x t", "q -> t", "t -> p * 2", "r -x u", "u -> q", "q -o u"))
    assert fired(net, "t") == {"p": 2, "r": 2}
    assert fired(net, "t", "u") == {"p": 2, "q": 1}
    assert fired(net, "t", "u", "t") == {"p": 2}


@pytest.mark.parametrize(
    "written",
    [
        '<type value="inhibitor"/>',
        "<arctype><text>inhibitor</text></arctype>",
        "<type><text>inhibitor</text></type>",
        "<type>inhibitor</type>",
    ],
)
def test_tools_write_the_kind_of_an_arc_in_different_ways(written: str) -> None:
    inhibitor = f'<arc id="a" source="p" target="t">{written}</arc>'
    net = model(document(page(place("p", 1), '<transition id="t"/>', inhibitor)))
    assert fireable(net) == []


@pytest.mark.parametrize("kind", ["normal", "regular", "ordinary", "Normal"])
def test_an_arc_may_be_explicitly_normal(kind: str) -> None:
    taking = f'<arc id="a" source="p" target="t"><type><text>{kind}</text></type></arc>'
    assert fired(model(document(page(place("p", 1), '<transition id="t"/>', taking))), "t") == {}


def test_the_kind_of_an_arc_may_be_an_attribute() -> None:
    inhibitor = '<arc id="a" source="p" target="t" type="inhibitor"/>'
    assert fireable(model(document(page(place("p", 1), '<transition id="t"/>', inhibitor)))) == []


def test_transitions_without_arcs_are_always_enabled_and_change_nothing() -> None:
    found = explored(model(document(page(place("p", 1), '<transition id="t"/>'))))
    assert (len(found.states), found.transitions, found.deadlocks) == (1, 1, 0)


def test_a_net_without_transitions_has_one_state() -> None:
    found = explored(model(document(page(place("p", 2)))))
    assert (len(found.states), found.transitions, found.deadlocks) == (1, 0, 1)


def test_nodes_may_be_on_nested_pages_or_on_none() -> None:
    inner = element("page", place("q"), arc("t -> q", 2), id="inner")
    net = model(document(page(place("p", 1), inner, arc("p -> t", 1)), '<transition id="t"/>'))
    assert fired(net, "t") == {"q": 1}


def test_reference_nodes_stand_for_the_nodes_that_they_refer_to() -> None:
    references = [
        '<referencePlace id="again" ref="p"/>',
        '<referencePlace id="once more" ref="again"/>',
        '<referenceTransition id="likewise" ref="t"/>',
    ]
    arcs = [
        '<arc id="a" source="once more" target="likewise"/>',
        '<arc id="b" source="t" target="q"/>',
    ]
    net = model(document(page(place("p", 1), place("q"), '<transition id="t"/>', *references, *arcs)))
    assert list(places(net)) == ["p", "q"]
    assert fired(net, "t") == {"q": 1}


def test_nodes_are_called_by_their_names_if_these_are_unique() -> None:
    nodes = [
        place("p1", 1, "free"),
        place("p2", 2, "busy"),
        place("p3", 3, "busy"),
        place("p4", 4, "p1"),
        place("p5", 5),
    ]
    net = model(document(page(*nodes)))
    assert marking(net, initial(net.system)) == {"free": 1, "p2": 2, "p3": 3, "p4": 4, "p5": 5}


def test_consecutive_blanks_in_names_become_one_blank() -> None:
    net = model(document(page(place("p", 1, " a\n   b "))))
    assert marking(net, initial(net.system)) == {"a b": 1}


def test_older_ways_to_write_numbers_are_read() -> None:
    old = element("place", element("initialMarking", element("value", "Default,3")), id="p")
    bare = element("place", element("initialMarking", "4"), id="q")
    blank = element("place", element("initialMarking", text("")), id="r")
    net = model(document(page(old, bare, blank)))
    assert marking(net, initial(net.system)) == {"p": 3, "q": 4}


def test_the_arcs_markings_and_names_of_tapaal_are_read() -> None:
    nodes = '<place id="p" name="P" initialMarking="5"/><place id="q" initialMarking="0"/><transition id="t" name="T"/>'
    two = element("inscription", element("value", "2"))
    arcs = [
        element("inputArc", two, source="p", target="t"),
        element("outputArc", source="t", target="q"),
        element("inhibitorArc", two, source="q", target="t"),
    ]
    net = model(document(nodes, *arcs, kind="P/T net"))
    assert fired(net, "T") == {"P": 3, "q": 1}
    assert fired(net, "T", "T") == {"P": 1, "q": 2}
    assert len(explored(net).states) == 3


def test_tool_specific_elements_are_ignored() -> None:
    marked = element("initialMarking", text(9))
    tool = element("toolspecific", '<place id="other"/>', marked, tool="x", version="1")
    drawing = "<graphics><position x='1' y='2'/></graphics>"
    net = model(document(tool, page(drawing, element("place", tool, drawing, id="p"))))
    assert list(places(net)) == ["p"]
    assert marking(net, initial(net.system)) == {}


def test_namespace_prefixes_and_comments_do_not_matter() -> None:
    written = """<?xml version="1.0" encoding="ISO-8859-1"?>
    <!-- a net --><x:pnml xmlns:x="http://www.pnml.org/version-2009/grammar/pnml">
    <x:net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><x:place id="p&#233;"/></x:net></x:pnml>"""
    assert places(model(written)) == ("pé",)


@pytest.mark.parametrize(
    "kind", ["ptnet", "PTNet", "pt-net", "coremodel", "pnmlcoremodel", "pnmlcore", "ptNetb", "ptnet.pntd"]
)
def test_the_types_of_place_transition_nets(kind: str) -> None:
    assert fireable(model(document(page('<transition id="t"/>'), kind=kind))) == ["t"]


def test_the_type_of_a_net_that_states_none_follows_from_its_labels() -> None:
    dots = element("type", element("structure", "<dot/>"))
    marked = element("hlinitialMarking", element("structure", "<dotconstant/>"))
    for inside in (place("p", 1), element("place", dots, marked, id="p")):
        net = model(f'<pnml><net id="n"><page id="a">{inside}</page></net></pnml>')
        assert marking(net, initial(net.system)) == {"p": 1}


def test_one_of_several_nets_is_chosen_by_its_id() -> None:
    nets = [element("net", page(place("p", tokens)), id=f"n{tokens}", type="ptnet") for tokens in (1, 2)]
    net = model(element("pnml", *nets), {"net": "n2"})
    assert marking(net, initial(net.system)) == {"p": 2}
    with pytest.raises(OptionError, match="-D net=n3: there is no such net; the file has n1, n2"):
        model(element("pnml", *nets), {"net": "n3"})


def test_a_document_type_without_declarations_is_ignored() -> None:
    written = ptnet({"p": 1}).replace("<pnml>", '<!DOCTYPE pnml SYSTEM "http://example.org/pnml.dtd"><pnml>')
    assert places(model(written)) == ("p",)


def test_a_transition_that_would_fill_a_place_beyond_its_capacity_is_disabled() -> None:
    def limited(capacity: str, *arcs: str) -> str:
        written = ptnet({"p": 9, "q": 1}, *arcs)
        return written.replace('<place id="q">', f'<place id="q"><capacity><value>{capacity}</value></capacity>')

    def most(capacity: str, *arcs: str) -> int:
        net = model(limited(capacity, *arcs))
        return max(marking(net, state).get("q", 0) for state in explored(net).states)

    assert most("4", "p -> t", "t -> q * 2") == 3
    assert most("4", "p -> t", "q -> t", "t -> q * 4") == 4
    assert most("1", "p -> t", "q -> t", "t -> q") == 1
    assert most("2", "p -> t", "t -> q * 3") == 1
    assert most("2", "p -> t", "q -x t", "t -> q * 3") == 1
    assert most("0", "p -> t", "t -> q") == 10


def test_a_read_arc_may_be_drawn_either_way() -> None:
    for written in ("p -? t", "t -? p"):
        net = model(ptnet({"p": 1, "q": 0}, written, "t -> q", "t -> p", "p -> t"))
        assert fired(net, "t") == {"p": 1, "q": 1}


def test_a_transition_has_the_position_of_its_element() -> None:
    (transition,) = model(document(page("\n\n  ", '<transition id="t"/>'))).system.transitions
    assert (transition.moves[0].position.line, transition.moves[0].position.column) == (4, 3)
