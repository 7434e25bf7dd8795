"""Which events may close a cycle of states."""

from __future__ import annotations

import pytest
from tests.random_systems import ALL_PROFILES, RANDOM_SYSTEMS, random_system

from scrimp.reduction.accesses import Reader
from scrimp.reduction.cells import Cells
from scrimp.reduction.passages import passages
from scrimp.reduction.places import Places
from scrimp.reduction.recurrence import recurring
from scrimp.system import reference
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.reference import State
from scrimp.system.system import System
from scrimp.system.text import parse_system

DECLARATIONS = "system s; process P { a, b, c } process Q { d, e } "
MOST_STATES = 100


def recurring_events(system: System) -> set[int]:
    cells, places = Cells(system), Places(system)
    reader = Reader(system, cells)
    ways = passages(system, cells, places, [reader.access(transition) for transition in system.transitions])
    return {event for event, recurs in enumerate(recurring(system, places, ways)) if recurs}


@pytest.mark.parametrize(
    ("transitions", "events"),
    [
        (["{ P: a -> b; }", "{ P: b -> c; }", "{ Q: d -> e; }"], set()),
        (["{ P: a -> b; }", "{ P: b -> c; }", "{ P: c -> a; }"], {2}),
        (["{ P: a -> a; }", "{ P: a -> b; }"], {0}),
        (["{ P: a -> b; }", "{ P: b -> a; Q: d -> e; }", "{ Q: e -> d; }"], {1, 2}),
        (["holder P { P: a -> b; }", "{ P: b -> a; }"], {0, 1}),
    ],
    ids=["down", "back", "stays", "partner", "transient"],
)
def test_an_event_recurs_unless_it_moves_all_its_processes_down(transitions: list[str], events: set[int]) -> None:
    system = parse_system(DECLARATIONS + " ".join(f"transition {text}" for text in transitions))
    assert recurring_events(system) == events


def steps_without(system: System, banned: set[int]) -> dict[State, list[State]]:
    """The states that are reachable, each with its successors by other events; transient states count as states."""
    found: dict[State, list[State]] = {}
    waiting = [reference.initial(system)]
    while waiting and len(found) < MOST_STATES:
        state = waiting.pop()
        if state in found:
            continue
        fired = {event: reference.fire(system, state, event) for event in reference.enabled(system, state)}
        after = {event: each for event, each in fired.items() if isinstance(each, State)}
        found[state] = [each for event, each in after.items() if event not in banned]
        waiting += after.values()
    return found


def has_cycle(graph: dict[State, list[State]]) -> bool:
    """By removing states without predecessors."""
    degrees = dict.fromkeys(graph, 0)
    for targets in graph.values():
        for target in targets:
            degrees[target] = degrees.get(target, 0) + 1
    free = [state for state, degree in degrees.items() if degree == 0]
    removed = 0
    while free:
        removed += 1
        for target in graph.get(free.pop(), []):
            degrees[target] -= 1
            if degrees[target] == 0:
                free.append(target)
    return removed < len(degrees)


@pytest.mark.parametrize("profile", ALL_PROFILES)
def test_no_cycle_of_states_does_without_a_recurring_event(profile: str) -> None:
    for seed in range(RANDOM_SYSTEMS // 5):
        system = random_system(seed, profile=ALL_PROFILES[profile])
        if isinstance(system, ExplicitSystem) or system.claim is not None:
            continue
        assert not has_cycle(steps_without(system, recurring_events(system))), (profile, seed)
