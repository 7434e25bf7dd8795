"""The search engine: explores the states of a compiled model."""

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, final

@final
class Machine:
    """Native code of a model; it stays mapped while the object lives.

    `initial`, `successors`, `watch`, `valid_end`, `alone`, `offers` and `in_degree` are offsets of the functions in
    `code`. `holders` is one number per transition, or the bytes of such an array, four each; it comes with `alone`.
    `steps` is one byte per transition; None: each is one step.
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
        """None where the machine does not tell."""

@final
class Relations:
    """Who leads a machine's events, from where, and what depends on what; see engine/reduction/relations.h.

    Numbers have four bytes each, `kind`, `safe` and `visible` one, the words of `dependence` eight; lists are a pair:
    where each begins (and the last ends), and all their items. A location is four numbers: word, shift, bits, and where
    the places of its values begin.
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
        place_cells: tuple[bytes, bytes],
        future_cells: tuple[bytes, bytes],
        support: tuple[bytes, bytes],
        cell_count: int,
    ) -> None: ...
    def dependent(self, a: int, b: int) -> bool: ...

class Replacement(TypedDict):
    """What a cache forgets; see engine/store/replacement.h. 0 states, 0 bytes: what the budget has."""

    states: int
    bytes: int
    parts: list[tuple[str, int]]
    scan: int
    kept_type: int
    seed: int

class Capacity(TypedDict):
    """A number of full states, what takes so many bytes, or a share of the states seen; all 0: not told."""

    states: int
    bytes: int
    share: float

class Comback(TypedDict):
    """How the ComBack method keeps states; see engine/store/comback/options.h. 0 hash bits: as the engine likes."""

    hash_bits: int
    cache: Capacity
    parts: list[tuple[str, int]]
    distance: int
    delays: bool
    candidates: Capacity
    queues_numbers: bool
    group: Capacity
    as_printed: bool
    seed: int

class Snapshots(TypedDict):
    """Which levels are remembered; see engine/store/snapshots/options.h. A cache is its period, what this grows by,
    what leaves it and how many snapshots it has room for."""

    caches: list[tuple[int, int, str, int]]
    pebbles: bool
    backtracks: bool
    keeps_some: bool
    seed: int

class Pseudoroot(TypedDict):
    """How references are counted; see engine/store/pseudoroot/options.h. 0 states: what the budget has."""

    source: Literal["in_degree", "counted"]
    next: Literal["arrival", "fewest"]
    states: int
    by: Literal["none", "tree", "cleary"]
    counters: int
    bits: int
    functions: int

class Compaction(TypedDict):
    hash_bits: int

class Bitstate(TypedDict):
    """0 bytes: what the budget has."""

    bytes: int
    functions: int

ENDINGS: tuple[str, ...]
"""How searches end, in the order of engine/observe/reason.h."""
FINDINGS: tuple[str, ...]
"""The kinds of findings, in the order of engine/observe/finding.h."""

@final
class Progress:
    """How far a running search is."""

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
    """A violation, or a goal that was reached, and the way to it."""

    @property
    def kind(self) -> str:
        """One of FINDINGS. A fault leads nowhere; a failed assertion goes on; a chain of transient states is endless
        where it runs into itself."""

    @property
    def watch(self) -> int:
        """Which watch was hit; -1 where it was none."""

    @property
    def events(self) -> memoryview:
        """Event ids from the initial state, in place; the last one is what faulted, failed or closed the chain."""

    @property
    def cycle(self) -> memoryview:
        """Event ids that lead from there back to there, in place; none where the finding is a path alone."""

@final
class Outcome:
    """What a search found."""

    @property
    def reason(self) -> str:
        """One of ENDINGS."""

    @property
    def states(self) -> int:
        """States entered; where some were forgotten, those that were entered again count again."""

    @property
    def report(self) -> dict[str, Any]:
        """Numbers under the names of engine/observe/report.h: whole, real, or a list of whole ones."""

    @property
    def complaint(self) -> str | None:
        """Under `audit`, the first choice of a reduction that is not as it is defined."""

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
        """Breadth-first: states, then transitions, of each level, in place; depth-first: nothing."""

    @property
    def fired(self) -> bytes:
        """One byte per event id, non-zero where it was fired."""

    @property
    def held_peak(self) -> int:
        """Bytes that the engine held at once."""

    @property
    def findings(self) -> list[Finding]: ...
    @property
    def misfit(self) -> tuple[tuple[int, ...], int] | None:
        """A state and an event of it that needs a wider field."""

    @property
    def seconds(self) -> float: ...

@final
class Search:
    """One exploration of a machine's states."""

    def __init__(
        self,
        machine: Machine,
        *,
        order: Literal["bfs", "dfs"],
        budget: int,
        violation_watches: int,
        goal_watches: int,
        deadlock_is_violation: bool,
        stop_after: int,
        traces: int,
        depth_limit: int,
        time_limit: float,
        shuffle_seed: int | None,
        compress: Literal["none", "tree", "cleary", "huffman", "rle"] = "none",
        cache: Replacement | None = None,
        comback: Comback | None = None,
        snapshots: Snapshots | None = None,
        pseudoroot: Pseudoroot | None = None,
        compaction: Compaction | None = None,
        bitstate: Bitstate | None = None,
        selecting: Literal[
            "all", "local", "overman", "overman_refined", "overman_original", "overman_original_refined", "stubborn"
        ] = "all",
        proviso: bool = True,
        sleeping: Literal["none", "stored", "on_path", "unconditional"] = "none",
        audit: bool = False,
        relations: Relations | None = None,
        fields: bytes | None = None,
        scribe: Callable[[bytes, bytes, bytes, Sequence[Sequence[int]], int], None] | None = None,
    ) -> None:
        """`relations` are needed by whatever selects, sleeps or looks at the types of events; `fields` by `huffman` and
        `rle`: word, shift, bits and bytes of every variable, four bytes each. At most one of `cache`, `comback`,
        `snapshots`, `compaction` and `bitstate` is given; all but the first go without `compress`.

        `scribe` is given every transition, many at a time, while the search runs, in its thread: the numbers of their
        sources, eight bytes each, their labels, four each, the numbers of their targets, eight each. States are
        numbered from 0, the initial one. A label is an event; or, from the number of events on, a way of several: those
        that came up since the last call are given next, in the order of their labels. Last comes 0 or, where the search
        began anew, how many states it had entered: all that was given of them is void. What it raises ends the search,
        and is raised by `run`. Only without `compaction` and `bitstate`."""
    def run(self) -> Outcome:
        """Searches, once, without holding the interpreter's lock."""

    def stop(self) -> None:
        """Asks the search to end soon; from any thread."""

    def progress(self) -> Progress:
        """How far the search is; from any thread."""

def strong_blocks(states: int, sources: array[int], labels: array[int], targets: array[int]) -> bytes:
    """The block of each state under strong bisimilarity, four bytes each; blocks are numbered as they come up in the
    order of states. The columns of transitions have four bytes for each number."""
