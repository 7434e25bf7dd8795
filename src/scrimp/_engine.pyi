"""The search engine: explores the states of a compiled model."""

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

@final
class Machine:
    """Native code of a model; it stays mapped while the object lives.

    `initial`, `successors`, `watch`, `valid_end`, `alone`, `offers`, `in_degree` and `arrive` are offsets of the
    functions in `code`. `holders` is one number per transition, or the bytes of such an array, four each; it comes with
    `alone`.
    `steps` is one byte per transition; None: each is one step. The functions' context is the addresses of the tables in
    `context`, arrays of four-byte numbers that the machine holds and does not copy.
    """

    def __init__(
        self,
        code: bytes,
        *,
        words: int,
        word_bits: bytes,
        max_successors: int,
        transitions: int,
        watches: int,
        initial: int,
        successors: int,
        watch: int | None,
        valid_end: int | None,
        holders: Sequence[int] | bytes | None = None,
        alone: int | None = None,
        offers: int | None = None,
        steps: bytes | None = None,
        in_degree: int | None = None,
        arrive: int | None = None,
        context: Sequence[array[int]] = (),
    ) -> None: ...
    def initial(self) -> tuple[int, ...]: ...
    def successors(self, state: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """Event ids with their flags, and the words each leads to; the words of a flagged event mean nothing."""

    def alone(self, state: tuple[int, ...], holder: int) -> list[tuple[int, tuple[int, ...]]]:
        """The same for the events that one process leads."""

    def watch(self, state: tuple[int, ...]) -> int: ...
    def valid_end(self, state: tuple[int, ...]) -> bool: ...
    def offers(self, state: tuple[int, ...], holder: int) -> bool: ...
    def in_degree(self, state: tuple[int, ...]) -> int | None:
        """None if the machine cannot compute it for this state."""

@final
class Relations:
    """Relations between a machine's events: which process leads each, from where, and which depend on each other; see
    engine/reduction/relations.h.

    Numbers have four bytes each, `kind`, `safe` and `visible` one, the words of `dependence` eight; lists are a pair:
    where each begins (and the last ends), and all their items. A location is four numbers: word, shift, bits, and where
    the places of its values begin. A test is six: word, shift, bits, the ends of an interval, and two flags.
    """

    def __init__(
        self,
        *,
        process: bytes,
        kind: bytes,
        safe: bytes,
        visible: bytes,
        dependence_class: bytes,
        classes: int,
        dependence: bytes,
        locations: bytes,
        places: bytes,
        place_count: int,
        moved_places: tuple[bytes, bytes],
        leaving: tuple[bytes, bytes],
        entering: tuple[bytes, bytes],
        enabling: tuple[bytes, bytes],
        tests: bytes,
        conditions: tuple[bytes, bytes],
        condition_enabling: tuple[bytes, bytes],
        place_cells: tuple[bytes, bytes],
        future_cells: tuple[bytes, bytes],
        support: tuple[bytes, bytes],
        cell_count: int,
        outgrowing: bytes,
    ) -> None: ...
    def dependent(self, a: int, b: int) -> bool: ...

def survey_checkpoints(folder: str) -> tuple[tuple[int, int, bytes] | None, list[str]]:
    """The latest intact checkpoint in a folder (its number, how many states it has, its setup), and what is wrong with
    those after it."""

def reencode(reencoding: tuple[int, int, bytes], state: Sequence[int]) -> tuple[int, ...]:
    """A state in another layout; the moves are those of engine/search/checkpoint/reencoding.h."""

@final
class CheckpointReport:
    """What became of the checkpoints of a search."""

    @property
    def written(self) -> int: ...
    @property
    def states(self) -> int:
        """In the last checkpoint that was written or resumed from."""

    @property
    def resumptions(self) -> int:
        """How often the search was resumed so far."""

    @property
    def resumed_states(self) -> int: ...
    @property
    def complaint(self) -> str:
        """Why no more checkpoints could be written; empty if they could."""

ENDINGS: tuple[str, ...]
"""How searches end, in the order of engine/observe/reason.h."""
FINDINGS: tuple[str, ...]
"""The kinds of findings, in the order of engine/observe/finding.h."""

@final
class Progress:
    """How far a running search has come."""

    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def matched(self) -> int: ...
    @property
    def depth(self) -> int:
        """Breadth-first: the level being expanded; depth-first: the length of the path."""

    @property
    def frontier(self) -> int:
        """Breadth-first: states waiting to be expanded; depth-first: the length of the path."""

    @property
    def bytes(self) -> int: ...

@final
class Finding:
    """A violation, or a goal that was reached, and the path to it."""

    @property
    def kind(self) -> str:
        """One of FINDINGS. A fault leads to no state; after a failed assertion the search continues; a chain of
        transient states is endless if it leads back to one of them."""

    @property
    def watch(self) -> int:
        """Which watch was hit; -1 if none was."""

    @property
    def events(self) -> memoryview:
        """Event ids from the initial state, not copied; the last one is the event that faulted, failed or closed the
        chain."""

    @property
    def cycle(self) -> memoryview:
        """Event ids that lead from the end of the path back to it, not copied; empty if the finding is just a path."""

@final
class Outcome:
    """What a search found."""

    @property
    def reason(self) -> str:
        """One of ENDINGS."""

    @property
    def states(self) -> int:
        """States entered; a state that was evicted and entered again counts again."""

    @property
    def report(self) -> dict[str, Any]:
        """Numbers under the names of engine/observe/report.h: whole, real, or a list of whole ones."""

    @property
    def complaint(self) -> str | None:
        """With `audit`, a message about the first choice of a reduction that violates its definition."""

    @property
    def transitions(self) -> int:
        """Arrivals in ordinary states, and faults."""

    @property
    def events_executed(self) -> int:
        """Transitions, the events that led to transient states, and those fired to rebuild states or to count edges."""

    @property
    def matched(self) -> int: ...
    @property
    def depth(self) -> int:
        """Breadth-first: the last level; depth-first: the most steps of a path, as SPIN counts them."""

    @property
    def deadlocks(self) -> int: ...
    @property
    def faults(self) -> int: ...
    @property
    def violations(self) -> int: ...
    @property
    def watch_hits(self) -> list[int]:
        """Per watch, the states in which it was hit."""

    @property
    def levels(self) -> memoryview:
        """Breadth-first: the numbers of states and of transitions of each level, alternating, not copied; depth-first:
        empty."""

    @property
    def fired(self) -> bytes:
        """One byte per event id, non-zero if it was fired."""

    @property
    def checkpoint(self) -> CheckpointReport | None: ...
    @property
    def held_peak(self) -> int:
        """The most bytes that the engine held at once."""

    @property
    def findings(self) -> list[Finding]: ...
    @property
    def misfit(self) -> tuple[tuple[int, ...], int] | None:
        """A state and an event of it that needs a wider field."""

    @property
    def handover(self) -> str:
        """What became of the handover: none, left or lost."""

    @property
    def seconds(self) -> float: ...

@final
class Search:
    """One exploration of a machine's states."""

    def __init__(
        self,
        machine: Machine,
        *,
        method: Mapping[str, Any],
        budget: int,
        violation_watches: int,
        goal_watches: int,
        deadlock_is_violation: bool,
        fault_is_violation: bool = True,
        stop_at_goals: bool = False,
        stop_after: int,
        traces: int,
        depth_limit: int,
        time_limit: float,
        state_limit: int = 0,
        shuffle_seed: int | None,
        threads: int = 1,
        worth_sharing: int = 32768,
        audit: bool = False,
        relations: Relations | None = None,
        fields: bytes | None = None,
        scribe: Callable[[bytes, bytes, bytes, Sequence[Sequence[int]], int, bytes, bytes], None] | None = None,
        states: bool = False,
        liveness: Mapping[str, Any] | None = None,
        monitor: Mapping[str, Any] | None = None,
        disk: int = 0,
        spill: str = "",
        change_after: int = 0,
        checkpoint: Mapping[str, Any] | None = None,
        handover: Mapping[str, Any] | None = None,
    ) -> None:
        """`method` is a record such as {"order": {"name": "bfs"}, "store": {"name": "full", "compress": "tree"},
        "reduction": [{"name": "sleep"}]}; `strategies` lists names and options; an omitted option has its default.
        `relations` are needed by reductions and by stores that use the types of events; `fields` by `huffman` and
        `rle`: word, shift, bits and bytes of every variable, four bytes each. `threads` may work on the search; what it
        finds does not depend on them. They share rounds of at least `worth_sharing` successors. The store `auto` may
        take so many bytes of `disk`, in the folder `spill`, or in the one for temporary files if that is empty; with
        `change_after` it changes its representation after so many states each time, for tests.

        `scribe` is called with every transition, many at a time, while the search runs, in the search's thread. Its
        first three arguments are the numbers of their sources, eight bytes each, their labels, four each, and the
        numbers of their targets, eight each. States are numbered from 0, the initial one. A label is an event; or, from
        the number of events on, a sequence of several: the fourth argument has those that are new since the last call,
        in the order of their labels. The fifth is 0 or, if the search started again, how many states it had entered:
        all that was passed about them is void. The last two are for the states that were entered since the last call,
        if `states` asks for them: their numbers, eight bytes each, and their words, eight bytes each, one state after
        the other. An exception in it ends the search, and is raised by `wait`. Not with the stores `compact` and
        `bitstate`.

        With `liveness` the search looks for an accepted run and for nothing else, depth-first and with `full`. With
        `monitor` it is one of the machine together with an automaton, and its watches are those of the monitor.
        `liveness_of` and `monitor_of` in engine/wire/tables.h describe their entries. `stop_at_goals` ends it as soon
        as all goals are reached."""
    def start(self) -> None:
        """Begins to search in a thread of its own; may be called once."""

    def wait(self, seconds: float | None = None) -> Outcome | None:
        """The outcome; None if the search still runs after this many seconds."""

    def stop(self) -> None:
        """Asks the search to end soon; may be called from any thread."""

    def progress(self) -> Progress:
        """How far the search has come; may be called from any thread."""

def strategies() -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
    """All strategies: role, name, option, and the option's default, with its choices or limits if it has any."""

def minimal_lts(
    states: int, sources: array[int], labels: array[int], targets: array[int], poll: Callable[[], None]
) -> tuple[int, bytes]:
    """The smallest LTS that is strongly bisimilar to this one: its number of states, which are numbered in the order of
    their first members, and its transitions, sorted: source, label and target, four bytes each, as the columns have
    them. `poll` is called several times a second; if it raises, or if there is a signal, that is the end."""

def minimising_bytes(states: int, transitions: int) -> int:
    """The most bytes that `minimal_lts` takes, with its arguments and its result."""

@final
class EdgeLines:
    """The lines of a text that lists transitions: `before`, the source, the label's `between`, the target, the label's
    `after`. Labels are numbered in the order in which they are added."""

    def __init__(self, before: str) -> None: ...
    def add_label(self, between: str, after: str) -> None: ...
    def text(
        self, sources: memoryview | array[int], labels: memoryview | array[int], targets: memoryview | array[int]
    ) -> bytes:
        """In UTF-8. The columns have eight bytes for each state, and four for each label."""
