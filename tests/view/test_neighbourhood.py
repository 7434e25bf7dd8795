"""The graph around a state is small enough to be drawn, and says what it leaves out."""

from __future__ import annotations

from tests.view.serving import MODELS

from scrimp.frontends import load
from scrimp.system.reference import explore
from scrimp.viewing.neighbourhood import MOST_NODES, neighbourhood
from scrimp.walking import Walk


def test_within_enough_steps_every_state_is_a_node() -> None:
    walk = Walk(load(MODELS / "peterson.dve"))
    graph = neighbourhood(walk, 0, 20, [])
    everything = explore(walk.system)
    assert len(graph["nodes"]) == len(everything.states)
    assert sum(len(labels) for _, _, labels in graph["edges"]) == everything.transitions
    assert graph["note"] == "20 states within 20 steps"


def test_the_path_of_a_node_leads_there() -> None:
    walk = Walk(load(MODELS / "broken_lock.dve"))
    for node in neighbourhood(walk, 0, 9, [])["nodes"]:
        taken = walk.branch(0)
        for event in node["path"]:
            taken.take(event)
        assert taken.length == node["distance"]


def test_too_many_states_are_drawn_as_groups_and_that_is_said() -> None:
    walk = Walk(load(MODELS / "two_phase_commit.pml"))
    graph = neighbourhood(walk, 0, 9, [])
    assert len(graph["nodes"]) <= MOST_NODES
    assert "drawn as" in graph["note"]
    assert graph["by"]


def test_states_are_grouped_by_chosen_names() -> None:
    walk = Walk(load(MODELS / "broken_lock.dve"))
    graph = neighbourhood(walk, 0, 20, ["inside"])
    assert sorted(node["rows"] for node in graph["nodes"]) == [[("inside", "0")], [("inside", "1")], [("inside", "2")]]
    assert sum(node["states"] for node in graph["nodes"]) == 13
    assert graph["note"] == "13 states drawn as 3 groups, by inside"


def test_a_deadlock_is_marked() -> None:
    walk = Walk(load(MODELS / "philosophers.dve"))
    assert "deadlock" in {node["kind"] for node in neighbourhood(walk, 0, 30, [])["nodes"]}
