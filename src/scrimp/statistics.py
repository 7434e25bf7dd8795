"""The numbers of a search, while it runs and when it has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scrimp.forecast import Forecast, Range
from scrimp.numbers import amount, count, counted, duration

PART = "bytes."


def bytes_by_part(report: Mapping[str, Any]) -> dict[str, int]:
    """The parts of the engine, and their bytes, in a report."""
    return {name.removeprefix(PART): held for name, held in report.items() if name.startswith(PART)}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running search has come; `check` passes one to its `progress` function several times a second.

    Attributes:
        states: states entered so far.
        transitions: events fired so far.
        matched: events that led to a stored state.
        depth: the current level of a breadth-first search, the length of the path of a depth-first one.
        frontier: states that wait to be expanded; depth-first, the length of the path.
        bytes: what the engine holds.
        seconds: since the search began.
        levels: states and transitions of the levels that were expanded, each the sum of `level_width` of them.
        level_width: 1, 2, 4, …: larger if there are many levels.
        bytes_by_part: what each part of the engine holds, under the names of `Statistics.bytes_by_part`.
        disk_bytes: what the states take on disk.
        changes: the changes of representation that the store has made, and after how many states.
        forecast: how large the search will become; None if too little is known.

    Example:
        >>> import scrimp
        >>> seen = []
        >>> scrimp.check("models/peterson.dve", progress=seen.append).verdict
        <Verdict.PROVED: 'proved'>
        >>> all(progress.states <= 20 for progress in seen)
        True
    """

    states: int
    transitions: int
    matched: int
    depth: int
    frontier: int
    bytes: int
    seconds: float
    levels: Sequence[tuple[int, int]] = ()
    level_width: int = 1
    bytes_by_part: Mapping[str, int] = field(default_factory=dict)
    disk_bytes: int = 0
    changes: Sequence[tuple[str, int]] = ()
    forecast: Forecast | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Statistics:
    """The numbers of a search.

    Attributes:
        states: distinct states; an estimate unless `states_exact`.
        transitions: events fired.
        matched: events that led to a stored state.
        depth: the last level of a breadth-first search, the longest path of a depth-first one.
        deadlocks: states without events that are not valid ends.
        faults: events that faulted.
        violations: violating states and events that were found.
        threads: how many threads the search had.
        seconds: how long the search took.
        compile_seconds: how long it took to compile the model.
        visits: states entered; the same as `states` if the store never evicts a state.
        states_exact: whether `states` is exact.
        levels: states and transitions of each level of a breadth-first search.
        violations_by_name: violating states of each invariant.
        stored_peak: the most states stored at once.
        state_bytes: the bytes that the states take in the table, without unused slots.
        held_peak: the most bytes that the engine held at once.
        bytes_by_part: the peak of each part of the engine.
        rss_peak: the most bytes that the process that searches held, its code included.
        compiler_rss_peak: the most bytes that the compiler held before, in a process of its own; 0 if the model was in
            the cache.
        bits_per_state: the size of a packed state.
        events_executed: events fired, including those that were fired again to rebuild states or to count edges.
        report: the store's own numbers by name, as in `statistics["snapshots.taken"]`.
        relayouts: how often a field was too narrow, so that the search started again, or went on from a checkpoint.
        resumed: how often the search was resumed from a checkpoint; `seconds` is the time of all its parts.
        states_forecast: how many states there are in all, if the search was cut short and the shape of its levels says
            something about it: the `least`, the `likely` and the `most`.

    Example:
        >>> import scrimp
        >>> statistics = scrimp.explore("models/peterson.dve").statistics
        >>> statistics.states, statistics.transitions, statistics.depth
        (20, 34, 6)
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
    threads: int = 1
    visits: int | None = None
    states_exact: bool = True
    levels: Sequence[tuple[int, int]] = ()
    violations_by_name: Mapping[str, int] = field(default_factory=dict)
    stored_peak: int | None = None
    state_bytes: int = 0
    held_peak: int | None = None
    bytes_by_part: Mapping[str, int] = field(default_factory=dict)
    rss_peak: int = 0
    compiler_rss_peak: int = 0
    bits_per_state: int = 0
    events_executed: int | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    relayouts: int = 0
    resumed: int = 0
    states_forecast: Range | None = None

    def __repr__(self) -> str:
        parts = [
            counted(self.states, "state"),
            counted(self.transitions, "transition"),
            f"depth {count(self.depth)}",
            amount(self.bytes_peak),
            duration(self.seconds),
        ]
        return f"<Statistics: {', '.join(parts)}>"

    def __getitem__(self, name: str) -> Any:
        """The store's own number of that name; 0 if the search had another store."""
        return self.report.get(name, 0)

    @property
    def bytes_peak(self) -> int:
        """The most bytes that the engine held at once; its parts may have had their peaks at other moments."""
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
        return 1 + self["reconstructions.events"] / self.transitions if self.transitions else 1.0

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
            "compiler_rss_peak": self.compiler_rss_peak,
            "events_executed": self.transitions if self.events_executed is None else self.events_executed,
            "events_per_transition": round(self.events_per_transition, 6),
            "relayouts": self.relayouts,
            "resumed": self.resumed,
            "states_forecast": _rounded(self.states_forecast),
            "threads": self.threads,
            "seconds": round(self.seconds, 6),
            "compile_seconds": round(self.compile_seconds, 6),
        }


def _rounded(forecast: Range | None) -> dict[str, int] | None:
    return None if forecast is None else {name: round(number) for name, number in asdict(forecast).items()}
