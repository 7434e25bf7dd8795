"""Results made by hand, for tests of how they are shown."""

from __future__ import annotations

from dataclasses import replace

from scrimp.evidence import Goal, Violation
from scrimp.properties import Assertions, Deadlock, Faults, Invariant, Judgement, Property
from scrimp.record import Unreached
from scrimp.result import Result
from scrimp.statistics import Statistics
from scrimp.steps import Change, Step, StepMove, Trace
from scrimp.strategies import (
    Cache,
    Comback,
    Compact,
    DepthFirst,
    Full,
    Method,
    Pseudoroot,
    Sleep,
    Snapshots,
)
from scrimp.system.violations import ViolationKind
from scrimp.verdict import Ending, Verdict

TAKE = Step(4, (StepMove("phil_0", "think", "one", "take left", 7, 3),), (Change("fork[0]", 0, 1),))
MEET = Step(
    9,
    (StepMove("phil_1", "think", "one", "table!1", 8, 3), StepMove("waiter", "idle", "busy", "table?x", 21, 3)),
    (Change("waiter.x", 0, 1), Change("orders", ((1, 2),), ((1, 2), (3, 4)))),
)
CRASH = Step(11, (StepMove("waiter", "busy", "idle", "x = 1 / 0", 22, 3),), (), "division by zero")
TRACE = Trace((TAKE, MEET))

STATISTICS = Statistics(
    states=12_376,
    transitions=40_123,
    matched=27_748,
    depth=17,
    deadlocks=1,
    faults=0,
    violations=1,
    seconds=0.5,
    compile_seconds=0.25,
    levels=((1, 2), (2, 5)),
    violations_by_name={"fork[0] < 2": 3},
    state_bytes=99_008,
    bytes_by_part={"table": 2**20, "frontier": 2**19},
    rss_peak=40 * 2**20,
    bits_per_state=23,
)


def judged(verdict: Verdict, reason: str, *, deadlock: Verdict | None = None) -> tuple[Judgement, ...]:
    """The properties checked here, all with the same verdict, except perhaps the one on deadlocks."""
    asked: tuple[Property, ...] = (Assertions(), Faults(), Deadlock(), Invariant("fork[0] < 2"))
    return tuple(
        Judgement(each, deadlock if deadlock is not None and isinstance(each, Deadlock) else verdict, reason)
        for each in asked
    )


PROVED = Result(
    verdict=Verdict.PROVED,
    reason="every reachable state was visited",
    ending=Ending.CLOSED,
    properties=judged(Verdict.PROVED, "every reachable state was visited"),
    model="models/phils.dve",
    method=Method(store=Full(compress="tree")),
    statistics=replace(STATISTICS, deadlocks=0, violations=0, violations_by_name={}),
    unreached=(Unreached("waiter", "x == 9", 30, 3),),
)

REFUTED = replace(
    PROVED,
    verdict=Verdict.REFUTED,
    reason="deadlock: no process can move",
    ending=Ending.VIOLATIONS,
    properties=judged(Verdict.UNDETERMINED, "the search stopped", deadlock=Verdict.REFUTED),
    statistics=STATISTICS,
    violations=(Violation(ViolationKind.DEADLOCK, "", "deadlock: no process can move", TRACE),),
    goals=(Goal("fork[0] == 1", Trace((TAKE,))), Goal("fork[0] == 2")),
    unreached=(),
)

REBUILT = replace(
    PROVED,
    method=Method(store=Comback(cache=100)),
    statistics=replace(
        PROVED.statistics,
        report={
            "reconstructions.states": 9_000,
            "reconstructions.events": 60_000,
            "reconstructions.detections": 12,
        },
        events_executed=100_123,
    ),
    unreached=(),
)

SAMPLED = replace(
    PROVED,
    method=Method(store=Snapshots()),
    statistics=replace(
        PROVED.statistics,
        visits=20_000,
        states_exact=False,
        stored_peak=2_000,
        state_bytes=32_000,
        report={
            "snapshots.taken": 70,
            "snapshots.kept": 4,
            "snapshots.backtracking": 12,
            "snapshots.hits_by_cache": [900, 80],
            "snapshots.hits_by_open": 50,
            "snapshots.hits_by_kept": 7,
            "snapshots.hits_by_backtracking": 3,
            "snapshots.hits_by_distance": [400, 500, 130],
        },
    ),
    unreached=(),
)

REFERENCED = replace(
    PROVED,
    method=Method(store=Pseudoroot(source="counted", states=2_000)),
    statistics=replace(
        PROVED.statistics,
        visits=20_000,
        states_exact=False,
        stored_peak=2_000,
        state_bytes=32_000,
        report={
            "pseudoroot.kept": 31,
            "pseudoroot.discarded": 700,
            "pseudoroot.restarts": 1,
            "pseudoroot.counted_states": 12_376,
            "pseudoroot.counted_bytes": 3 * 2**20,
            "pseudoroot.counted_seconds": 0.25,
        },
    ),
    unreached=(),
)

COMPACTED = replace(
    REFUTED,
    method=Method(store=Compact(hash=32)),
    statistics=replace(STATISTICS, report={"expected_omissions": 0.0178}),
)

CACHED = replace(
    PROVED,
    method=Method(order=DepthFirst(), store=Cache(states=600), reduction=Sleep()),
    statistics=replace(
        PROVED.statistics, visits=20_000, states_exact=False, stored_peak=600, state_bytes=4_800, depth=545
    ),
    unreached=(),
)
