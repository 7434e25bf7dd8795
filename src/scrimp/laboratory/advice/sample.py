"""Samples: short searches of a model by each method."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from scrimp.checking import explore
from scrimp.compatibility import why_one_thread
from scrimp.errors import OptionError
from scrimp.searching import OUT_OF_MEMORY
from scrimp.strategies import Auto, Method, Snapshots
from scrimp.strategies.streams import PRESETS
from scrimp.verdict import Verdict

if TYPE_CHECKING:
    from scrimp.frontends.model import Model

# Exact methods, from the usual one to those that are used if memory is short. `dfs/full` is not among them: it needs as
# much memory as `bfs/full`, and is never faster. Nor is `pseudoroot:source=counted`: its first search stores all
# states, as `compress=cleary` does.
USUAL = Method(store=Auto())
CANDIDATES = (
    USUAL,
    *(
        Method.parse(text)
        for text in (
            *("bfs/full", "bfs/full:compress=tree", "bfs/full:compress=cleary", "bfs/auto/stubborn"),
            *(f"dfs/full{form}/stubborn" for form in ("", ":compress=tree", ":compress=cleary")),
            *("dfs/full:compress=cleary/local", "bfs/comback"),
        )
    ),
    *(Method(store=Snapshots(caches=preset)) for preset in reversed(PRESETS)),
    *(Method.parse(text) for text in ("bfs/pseudoroot", "dfs/cache/sleep")),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """`stored` is the most states at once, `held` the most bytes of the engine, `resident` those of the process that
    searched; `levels` are the states and transitions of each level of a breadth-first search, without the last level of
    an incomplete search. `on_disk`: some of the states were. `ran_out`: it had too little memory. `refused` says why
    the method cannot be used here."""

    method: Method
    is_complete: bool = False
    states: int = 0
    visits: int = 0
    stored: int = 0
    transitions: int = 0
    matched: int = 0
    seconds: float = 0.0
    bytes_per_state: float = 0.0
    bits: int = 0
    held: int = 0
    resident: int = 0
    on_disk: bool = False
    ran_out: bool = False
    levels: tuple[tuple[int, int], ...] = ()
    refused: str = ""

    @property
    def pace(self) -> float:
        """Seconds for each visit."""
        return self.seconds / max(self.visits, 1)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"method": str(self.method)}


def sample_from_dict(record: dict[str, Any]) -> Sample:
    levels = tuple((states, edges) for states, edges in record["levels"])
    return Sample(**record | {"method": Method.parse(record["method"]), "levels": levels})


def take(model: Model, method: Method, seconds: float, threads: int | None = None, memory: int | None = None) -> Sample:
    """Search for this many seconds, or to the end, within the memory limit of the search that is to be predicted; with
    these threads (None: as many as `explore` takes) if the method can use several."""
    try:
        several = None if why_one_thread(method) else threads
        result = explore(model, method=method, time=seconds, threads=several, memory=memory)
    except OptionError as error:
        return Sample(method, refused=str(error))
    found = result.statistics
    is_complete = result.verdict is Verdict.PROVED
    return Sample(
        method=method,
        is_complete=is_complete,
        states=found.states,
        visits=found.entered,
        stored=found.most_stored,
        transitions=found.transitions,
        matched=found.matched,
        seconds=found.seconds,
        bytes_per_state=found.bytes_per_state,
        bits=found.bits_per_state,
        held=found.bytes_peak,
        resident=found.rss_peak,
        on_disk=bool(found.report.get("disk.bytes_written")),
        ran_out=result.ending in OUT_OF_MEMORY,
        levels=tuple(found.levels if is_complete else found.levels[:-1]),
    )
