"""What a search found: the verdict, the traces behind it, the numbers, and the stable record of them all.

`Result.to_dict` is the record that `--json` writes; docs/json.md describes it and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from scrimp.strategies import Method

if TYPE_CHECKING:
    from scrimp.vocabulary import Names

SCHEMA = 1

PropertyKind: TypeAlias = Literal["deadlock", "fault", "invariant", "reach"]
ViolationKind: TypeAlias = Literal["deadlock", "assertion", "fault", "invariant"]

# How a search ended, in the engine's words.
Ending: TypeAlias = Literal["closed", "violations", "memory", "time", "depth", "interrupt", "disk", "cache"]

# A variable's or element's value, or the messages of a channel, oldest first.
Value: TypeAlias = int | tuple[tuple[int, ...], ...]


class Verdict(Enum):
    """What is known of the property after a search."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDETERMINED = "undetermined"

    @property
    def exit_code(self) -> int:
        return {Verdict.PROVED: 0, Verdict.REFUTED: 1, Verdict.UNDETERMINED: 3}[self]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Property:
    """One thing that was asked: no deadlock, no fault, an invariant, or a state that must be reachable."""

    kind: PropertyKind
    name: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "deadlock":
                return "no deadlock"
            case "fault":
                return "no assertion violated, no fault"
            case "invariant":
                return f"always {self.name}"
            case "reach":
                return f"reachable {self.name}"

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": self.name}


@dataclass(frozen=True, slots=True)
class StepMove:
    """What one process does in a step; lines and columns count from 1. `file` is given where it is not the model's own,
    as for what was included."""

    process: str
    source: str
    target: str
    text: str
    line: int
    column: int
    file: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "process": self.process,
            "source": self.source,
            "target": self.target,
            "text": self.text,
            "line": self.line,
            "column": self.column,
            **({} if self.file is None else {"file": self.file}),
        }


@dataclass(frozen=True, slots=True)
class Change:
    """A variable, array element or channel whose value a step changed. `names` says what its values are called: one
    table for a variable, one per field of the messages of a channel, none where they are plain numbers."""

    name: str
    old: Value
    new: Value
    names: tuple[Names, ...] = field(default=(), compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "old": _plain(self.old), "new": _plain(self.new)}


@dataclass(frozen=True, slots=True)
class Passed:
    """What one process handed to another when they met."""

    channel: str
    values: tuple[int, ...]
    names: tuple[Names, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a trace: who moved, and what changed. `fault` says what is wrong with the event: why it leads
    to no state, or which assertion it violates. For those who show traces, and in no record: `passed` is what the first
    of two movers gave to the second; `transient` says that searches pass the state after it without counting it."""

    event: int
    moves: tuple[StepMove, ...]
    changes: tuple[Change, ...] = ()
    fault: str | None = None
    passed: Passed | None = field(default=None, compare=False)
    transient: bool = field(default=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {
            "event": self.event,
            "moves": [move.to_dict() for move in self.moves],
            "changes": [change.to_dict() for change in self.changes],
            "fault": self.fault,
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """A path of events from the initial state, replayed by the reference interpreter.

    `steps` is a sequence that is replayed whenever it is looked at: a depth-first trace may have millions of steps, and
    takes a few bytes for each. `tuple(steps)` holds them all.
    """

    steps: Sequence[Step]

    @property
    def events(self) -> tuple[int, ...]:
        return tuple(step.event for step in self.steps)

    def to_dict(self) -> dict[str, Any]:
        return {"steps": [step.to_dict() for step in self.steps]}


@dataclass(frozen=True, slots=True)
class Violation:
    """A state or event that must not be, and how to get there. `name` is the invariant's; `trace` is None where no more
    traces were asked for."""

    kind: ViolationKind
    name: str
    message: str
    trace: Trace | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "name": self.name,
            "message": self.message,
            "trace": None if self.trace is None else self.trace.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Goal:
    """A state that must be reachable, with its witness where one was found."""

    name: str
    witness: Trace | None = None

    @property
    def reached(self) -> bool:
        return self.witness is not None

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "reached": self.reached,
            "trace": None if self.witness is None else self.witness.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Unreached:
    """A piece of the model's text that no reachable state executes. `file` is as for a StepMove."""

    process: str
    text: str
    line: int
    column: int
    file: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "process": self.process,
            "text": self.text,
            "line": self.line,
            "column": self.column,
            **({} if self.file is None else {"file": self.file}),
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running search has come; `seconds` since it began. `depth` is the current level under breadth-first."""

    states: int
    transitions: int
    matched: int
    depth: int
    frontier: int
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Reconstructions:
    """What a store did to know states of which it keeps only the way to them: `states` it rebuilt, `events` it fired
    for that, `detections` of duplicates among several candidates."""

    states: int = 0
    events: int = 0
    detections: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {"states": self.states, "events": self.events, "detections": self.detections}


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotUse:
    """What a search with snapshots remembered, and what recognised known states: snapshots `taken`, `kept` for good,
    states learnt by the `backtracking` set; hits of each cache of the stream, of the level being expanded, of what is
    kept, of the backtracking set, and `hits_by_distance`: of levels 1, 2 to 3, 4 to 7, ... before."""

    taken: int = 0
    kept: int = 0
    backtracking: int = 0
    hits_by_cache: Sequence[int] = ()
    hits_by_open: int = 0
    hits_by_kept: int = 0
    hits_by_backtracking: int = 0
    hits_by_distance: Sequence[int] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudorootUse:
    """What a search that counts references did: states `kept` to the end, as more leads to them than was explored;
    states `discarded` for lack of room, and `restarts` because there was none even then; and what the search before it
    took that `counted` what leads to states."""

    kept: int = 0
    discarded: int = 0
    restarts: int = 0
    counted_states: int = 0
    counted_bytes: int = 0
    counted_seconds: float = 0.0

    @property
    def visits_again(self) -> bool:
        """Whether there was so little room that states may have been visited again."""
        return bool(self.discarded or self.restarts)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"counted_seconds": round(self.counted_seconds, 6)}


@dataclass(frozen=True, slots=True)
class Statistics:
    """The numbers of a search.

    `transitions` counts the events fired, `matched` those that met a stored state, `visits` the states entered; where
    nothing is forgotten `states` equals `visits` exactly, else it is an estimate unless `states_exact`. `stored_peak`
    is the most states held at once. `violations` counts the violating states and events met, `violations_by_name` those
    of each invariant. `levels` holds states and transitions per level of a breadth-first
    search. `state_bytes` is what the states take in the table without slack, `bytes_by_part` the peak of every part.
    `events_executed` also counts events fired again to rebuild forgotten states; `reconstructions` are those.
    `snapshots` tells what a store of that name remembered, `pseudoroot` what one of that name kept.
    `expected_omissions` tells how many states a store that trusts hashes is likely to have taken for others.
    `relayouts` says how often a field proved too narrow and the search began anew.
    """

    states: int
    transitions: int
    matched: int
    depth: int
    deadlocks: int
    faults: int
    violations: int
    seconds: float
    compile_seconds: float = 0.0
    visits: int | None = None
    states_exact: bool = True
    levels: Sequence[tuple[int, int]] = ()
    violations_by_name: Mapping[str, int] = field(default_factory=dict)
    stored_peak: int | None = None
    state_bytes: int = 0
    held_peak: int | None = None
    bytes_by_part: Mapping[str, int] = field(default_factory=dict)
    rss_peak: int = 0
    bits_per_state: int = 0
    events_executed: int | None = None
    reconstructions: Reconstructions = field(default_factory=Reconstructions)
    snapshots: SnapshotUse = field(default_factory=SnapshotUse)
    pseudoroot: PseudorootUse = field(default_factory=PseudorootUse)
    expected_omissions: float = 0.0
    relayouts: int = 0

    @property
    def bytes_peak(self) -> int:
        """What the engine held at once, at most; its parts may have had their peaks at other moments."""
        return sum(self.bytes_by_part.values()) if self.held_peak is None else self.held_peak

    @property
    def entered(self) -> int:
        """The visits."""
        return self.states if self.visits is None else self.visits

    @property
    def visits_per_state(self) -> float:
        """How often a state was visited, on average."""
        return self.entered / self.states if self.states else 0.0

    @property
    def most_stored(self) -> int:
        """The most states held at once."""
        return self.states if self.stored_peak is None else self.stored_peak

    @property
    def bytes_per_state(self) -> float:
        return self.state_bytes / self.most_stored if self.most_stored else 0.0

    @property
    def states_per_second(self) -> float:
        return self.entered / self.seconds if self.seconds > 0 else 0.0

    @property
    def transitions_per_second(self) -> float:
        return self.transitions / self.seconds if self.seconds > 0 else 0.0

    @property
    def events_per_transition(self) -> float:
        """Events fired by the search and to rebuild states, for each one fired by the search: E↑ of EWK09."""
        return 1 + self.reconstructions.events / self.transitions if self.transitions else 1.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "states": self.states,
            "states_exact": self.states_exact,
            "visits": self.entered,
            "transitions": self.transitions,
            "matched": self.matched,
            "depth": self.depth,
            "levels": [list(level) for level in self.levels],
            "deadlocks": self.deadlocks,
            "faults": self.faults,
            "violating": self.violations,
            "violating_by_name": dict(self.violations_by_name),
            "stored_peak": self.most_stored,
            "bytes_peak": self.bytes_peak,
            "bytes_by_part": dict(self.bytes_by_part),
            "bytes_per_state": round(self.bytes_per_state, 3),
            "bits_per_state": self.bits_per_state,
            "rss_peak": self.rss_peak,
            "events_executed": self.transitions if self.events_executed is None else self.events_executed,
            "events_per_transition": round(self.events_per_transition, 6),
            "reconstructions": self.reconstructions.to_dict(),
            "snapshots": self.snapshots.to_dict(),
            "pseudoroot": self.pseudoroot.to_dict(),
            "expected_omissions": self.expected_omissions,
            "relayouts": self.relayouts,
            "seconds": round(self.seconds, 6),
            "compile_seconds": round(self.compile_seconds, 6),
        }


@dataclass(frozen=True, kw_only=True)
class Result:
    """The outcome of `check` or `explore`. `unreached` is empty unless the search closed. `properties` is empty where
    nothing was asked, as by `explore`: its verdict is then PROVED when every reachable state was visited."""

    verdict: Verdict
    reason: str
    properties: tuple[Property, ...]
    model: str
    method: Method
    statistics: Statistics
    violations: tuple[Violation, ...] = ()
    goals: tuple[Goal, ...] = ()
    unreached: tuple[Unreached, ...] = ()
    seed: int | None = None
    audit: bool = False

    @property
    def exit_code(self) -> int:
        return self.verdict.exit_code

    @property
    def went_level_by_level(self) -> bool:
        """Whether states were visited in the order of their distance from the initial one, so that traces to them are
        as short as they can be."""
        return self.method.order.finds_shortest_traces and not self.statistics.pseudoroot.visits_again

    @property
    def trace(self) -> Trace | None:
        """The first violation's trace or, where there is none, the first goal's witness."""
        traces = [violation.trace for violation in self.violations] + [goal.witness for goal in self.goals]
        return next((trace for trace in traces if trace is not None), None)

    def to_dict(self) -> dict[str, Any]:
        """The stable record of docs/json.md."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict.value,
            "reason": self.reason,
            "property": [each.to_dict() for each in self.properties],
            "model": self.model,
            "strategy": {
                "method": str(self.method),
                **self.method.to_dict(),
                "seed": self.seed,
                "audit": self.audit,
            },
            **self.statistics.to_dict(),
            "violations": [violation.to_dict() for violation in self.violations],
            "goals": [goal.to_dict() for goal in self.goals],
            "unreached": [each.to_dict() for each in self.unreached],
            "trace": None if self.trace is None else self.trace.to_dict(),
        }


CUT_SHORT: Mapping[Ending, str] = {
    "memory": "the memory limit was reached before all states were visited",
    "time": "the time limit was reached before all states were visited",
    "depth": "states beyond the depth limit were not visited",
    "interrupt": "the search was interrupted before all states were visited",
    "cache": "the search path alone fills the cache",
    "disk": "the disk space for traces ran out before all states were visited",
    "violations": "the search ended at a violation that is none of the property",
}


def decide(
    *,
    ending: Ending,
    exact: bool,
    violated: Sequence[str],
    goals: Sequence[Goal],
    reduced: bool = False,
    remedy: str = "",
    expected_omissions: float = 0.0,
) -> tuple[Verdict, str]:
    """The verdict and its reason; no other function computes one.

    `violated` holds one message per violation that was found and replayed, in the order of discovery. `exact` says
    whether the method visits, when it closes, every reachable state or, where it is `reduced`, enough of them to find
    what is asked for. `remedy` says what would help a search that was cut short. `expected_omissions` are those of a
    store that may take a state for another.
    """
    missing = [goal.name for goal in goals if not goal.reached]
    if violated:
        return Verdict.REFUTED, violated[0]
    if missing and ending == "closed" and exact:
        return Verdict.REFUTED, f"{missing[0]} is not reachable"
    if ending == "closed" and not exact and expected_omissions > 0:
        return Verdict.UNDETERMINED, f"states may be missing: {_taken_for_others(expected_omissions)}"
    if ending == "closed" and not exact:
        return Verdict.UNDETERMINED, "the method may have left states out"
    if ending == "closed" and reduced:
        return Verdict.PROVED, "every state that the reduction keeps was visited"
    if ending == "closed":
        return Verdict.PROVED, "every reachable state was visited"
    return Verdict.UNDETERMINED, CUT_SHORT[ending] + (f"; {remedy}" if remedy else "")


def _taken_for_others(expected: float) -> str:
    number = "fewer than 0.001"
    if expected >= 0.001:
        number = f"about {expected:.1g}" if expected < 1 else f"about {expected:,.0f}"
    behind = ", and what only those lead to was met by nobody" if expected >= 1 else ""
    return f"the store is expected to have taken {number} of them for others{behind}"


def _plain(value: Value) -> Any:
    return value if isinstance(value, int) else [list(message) for message in value]
