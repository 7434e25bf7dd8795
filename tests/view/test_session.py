"""What the messages of the page do."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.view.serving import session_of

from scrimp.checking import check
from scrimp.errors import OptionError, ScrimpError
from scrimp.frontends import load
from scrimp.viewing.session import Session


def lock() -> Session:
    session = session_of("broken_lock.dve")
    session.publish(check(session.model))
    return session


def finished(session: Session, number: int) -> Any:
    """The search when it has ended."""
    for _ in range(2000):
        record = session.answer("jobs", {})["jobs"][number]
        if record["status"] != "running":
            return record
        time.sleep(0.02)
    raise AssertionError("the search does not end")


def test_a_step_has_only_what_it_changed() -> None:
    steps = lock().answer("steps", {"walk": 0, "first": 2, "last": 4})
    assert [step["changes"] for step in steps] == [[["taken", "0", "1"], ["inside", "0", "1"]], [["inside", "1", "2"]]]


def test_a_state_is_grouped_by_process() -> None:
    state = lock().answer("state", {"walk": 0, "at": 4, "watch": ["inside * 2", "nonsense"]})
    assert [group["name"] for group in state["groups"]] == ["First", "Second", "variables"]
    assert state["groups"][0]["place"] == "critical"
    assert state["violated"] == ["First.critical: inside == 1", "Second.critical: inside == 1"]
    assert state["watch"][0] == {"text": "inside * 2", "value": "4"}
    assert "nonsense" in state["watch"][1]["problem"]


def test_an_event_says_what_it_would_change() -> None:
    state = lock().answer("state", {"walk": 0, "at": 2})
    assert state["events"][0]["changes"] == [["taken", "0", "1"], ["inside", "0", "1"]]
    assert state["next"] == state["events"][0]["event"]


def test_taking_an_event_in_the_middle_of_a_trace_begins_a_branch() -> None:
    session = lock()
    event = session.answer("state", {"walk": 0, "at": 1})["events"][0]["event"]
    branch = session.answer("take", {"walk": 0, "at": 1, "events": [event]})
    assert (branch["id"], branch["kind"], branch["length"]) == (1, "walk", 2)
    assert session.walks[0].walk.length == 4


def test_undo_takes_back_a_step_of_a_walk_and_leaves_traces_alone() -> None:
    session = lock()
    branch = session.answer("run", {"walk": 0, "at": 2, "steps": 5})
    assert session.answer("undo", {"walk": branch["id"]})["length"] == 6
    with pytest.raises(OptionError, match="stays as it is"):
        session.answer("undo", {"walk": 0})


def test_an_address_reproduces_a_walk() -> None:
    session = lock()
    address = session.answer("address", {"walk": 0, "at": 4})["address"]
    again = session.answer("walk", {"address": address})
    assert session.walks[again["id"]].walk.end == session.walks[0].walk.end


@pytest.mark.parametrize("address", ["x", "1.-1", "7", "1.1.9"])
def test_an_address_that_leads_nowhere_is_refused(address: str) -> None:
    with pytest.raises(ScrimpError):
        lock().answer("walk", {"address": address})


def test_a_run_ends_when_its_condition_holds() -> None:
    session = session_of("broken_lock.dve")
    session.walks.begin()
    run = session.answer("run", {"walk": 0, "at": 0, "steps": 1000, "until": "inside == 2"})
    assert run["reached"]
    assert ["inside", "2"] in session.answer("state", {"walk": 0, "at": run["length"]})["groups"][2]["rows"]


def test_steps_are_filtered_by_process_variable_and_text() -> None:
    session = lock()

    def filtered(**wanted: str) -> Any:
        return session.answer("filter", {"walk": 0, **wanted})

    assert filtered(process="First") == [0, 2]
    assert filtered(variable="taken") == [2]
    assert filtered(text="SAW_IT_FREE ->") == [2, 3]
    assert filtered(process="Second", text="critical") == [3]


def test_the_shortest_trace_to_a_state_is_found() -> None:
    session = session_of("peterson.dve")
    session.walks.begin()
    run = session.answer("run", {"walk": 0, "at": 0, "steps": 50})
    session.answer("shortest", {"walk": 0, "at": run["length"]})
    job = finished(session, 0)
    assert job["status"] == "done"
    found = session.walks[job["walks"][0]]
    assert found.walk.end == session.walks[0].walk.end
    assert found.walk.length <= 6


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        ({"kind": "invariant", "text": "inside <= 2"}, "proved"),
        ({"kind": "reach", "text": "inside == 2"}, "proved"),
        ({"kind": "ltl", "text": "<> [] (inside == 1)"}, "refuted"),
    ],
)
def test_questions_are_answered(asked: dict[str, str], verdict: str) -> None:
    session = session_of("broken_lock.dve")
    session.answer("ask", asked)
    job = finished(session, 0)
    judged = dict(job["result"]["properties"])
    name = {"invariant": "always ", "reach": "reachable ", "ltl": "ltl "}[asked["kind"]] + asked["text"]
    assert judged[name] == verdict


def test_a_question_with_a_mistake_is_refused_in_words() -> None:
    session = session_of("broken_lock.dve")
    session.answer("ask", {"kind": "invariant", "text": "inside <"})
    job = finished(session, 0)
    assert job["status"] == "refused"
    assert "--invariant 'inside <'" in job["message"]
    with pytest.raises(OptionError, match="write the expression"):
        session.answer("ask", {"kind": "reach", "text": " "})


def test_a_search_can_be_stopped() -> None:
    session = session_of("sliding_window.dve", defines={"MODULUS": 12, "WINDOW": 6, "CAPACITY": 6})
    session.answer("ask", {"kind": "explore"})
    session.answer("stop", {"job": 0})
    assert finished(session, 0)["status"] == "stopped"


def test_coverage_names_the_lines_that_were_never_executed() -> None:
    text = "byte x;\nactive proctype P() {\n  if\n  :: x > 0 ->\n    x = 2\n  :: else\n  fi\n}\n"
    session = Session(load(text=text, language="promela"), text)
    session.answer("ask", {"kind": "explore"})
    result = finished(session, 0)["result"]
    assert result["covered"]
    assert [each["line"] for each in result["unreached"]] == [4, 5]
    assert session.answer("open", {})["sources"][0]["text"] == text


def test_a_net_shows_its_marked_places() -> None:
    session = session_of("philosophers.pnml")
    session.walks.begin()
    state = session.answer("state", {"walk": 0, "at": 0})
    assert [group["name"] for group in state["groups"]] == ["places"]
