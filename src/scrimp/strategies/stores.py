"""How visited states are stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar, Literal

from scrimp.errors import OptionError
from scrimp.forecast import Room
from scrimp.statistics import Statistics
from scrimp.strategies.cache_size import advice
from scrimp.strategies.orders import Order
from scrimp.strategies.policies import CASCADE, Share, shares
from scrimp.strategies.reductions import Reduction
from scrimp.strategies.reported import Reported
from scrimp.strategies.strategy import Strategy
from scrimp.strategies.values import AmountOfMemory, WholeNumber, alternatives
from scrimp.verdict import Ending, Verdict

Compression = Literal["none", "tree", "cleary", "huffman", "rle"]
CacheCompression = Literal["none", "huffman", "rle"]

# A cache of this many bytes has room for some states of any model.
SMALL_BYTES = 64 << 10


@dataclass(frozen=True, kw_only=True)
class Store(Strategy):
    """How visited states are stored.

    Example:
        >>> import scrimp
        >>> scrimp.Full().exact, scrimp.Bitstate().exact
        (True, False)
    """

    role = "store"
    may_forget: ClassVar[bool]
    reports: ClassVar[tuple[Reported, ...]] = ()

    @property
    def exact(self) -> bool:
        """Whether it never mistakes a new state for a visited one; a store as printed in a paper may."""
        return True

    @property
    def has_marks(self) -> bool:
        """Whether something can be stored beside each state."""
        return True

    @property
    def capacity(self) -> int | None:
        """The most states that it holds at once, if an option says so."""
        return None

    @property
    def table_bytes(self) -> int | None:
        """The bytes that it takes from the start, if an option says so."""
        return None

    @property
    def rebuilds_states(self) -> bool:
        """Whether it fires events again to rebuild a state."""
        return False

    @property
    def changes(self) -> bool:
        """Whether it changes its representation during a breadth-first search."""
        return False

    def changes_made(self, report: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
        """The changes of representation, and after how many states each was made."""
        return ()

    def room(self, report: Mapping[str, Any]) -> Room | None:
        """When a running search will make the next change, judged by what it holds now; None if there is none."""
        return None

    @property
    def remembers_levels(self) -> bool:
        """Whether it stores levels of a breadth-first search."""
        return False

    @property
    def forgets_for_good(self) -> bool:
        """Whether evicted states are never visited again or, once one might be, the search keeps its path."""
        return False

    @property
    def ends_by_itself(self) -> bool:
        """Whether a search without limits finishes, under any order that the store combines with."""
        return True

    @property
    def arranges_queue(self) -> bool:
        """Whether one of its options is about the queue of states to be expanded."""
        return False

    @property
    def evicts(self) -> bool:
        """Whether it may evict any state that is not on the stack, and visit it again later."""
        return self.may_forget and not self.remembers_levels and not self.forgets_for_good

    @property
    def compression(self) -> Compression:
        """How states are compressed."""
        return "none"

    @property
    def codes_bytes(self) -> bool:
        """Whether it codes states byte by byte, and needs to know where their variables are."""
        return self.compression in ("huffman", "rle")

    @property
    def has_shards(self) -> bool:
        """Whether threads of a breadth-first search can share it: each inserts the states of some of its shards."""
        return False

    @property
    def can_be_saved(self) -> bool:
        """Whether a search with it can be resumed: it holds every state, and nothing else that matters."""
        return False

    @property
    def uses_event_types(self) -> bool:
        """Whether it uses the types of the events that lead to states."""
        return False

    @property
    def uses_in_degrees(self) -> bool:
        """Whether native code must compute the in-degrees of states."""
        return False

    @property
    def needs_explicit_system(self) -> bool:
        """Whether it needs the edges of an explicit LTS."""
        return False

    def sized(self, order: Order, room: int) -> Store:
        """The store of a search without a memory limit, with `room` bytes left: it need not fill them."""
        return self

    def has_forgotten(self, visits: int, report: Mapping[str, Any]) -> bool:
        """Whether a search evicted states, so that it may have visited some of them again."""
        return self.may_forget and bool(report.get("stored_peak", 0) < visits)

    def lost_its_levels(self, report: Mapping[str, Any]) -> bool:
        """Whether a breadth-first search stopped going level by level before its end."""
        return False

    def rows(self, statistics: Statistics) -> Iterator[tuple[str, list[str]]]:
        """Rows of a report with the numbers that the store declares: labels, and the parts beside each."""
        return iter(())

    def remarks(self, verdict: Verdict, reduction: Reduction, statistics: Statistics) -> Iterator[tuple[str, str]]:
        """The last rows of a report: labels, and a remark beside each."""
        return iter(())

    def remedy(self, ending: Ending, statistics: Statistics) -> str:
        """What would help a search that was cut short; empty if the store was not the reason."""
        return ""

    def cause(self, ending: Ending, statistics: Statistics) -> str:
        """Why a search was cut short, if the store can say more than the ending does."""
        return ""

    def doubt(self, statistics: Statistics) -> str:
        """Why a search that finished proves nothing, if the method is not exact."""
        return "the method is not exact and may have missed states"


@dataclass(frozen=True, kw_only=True)
class Full(Store):
    """Stores every state, packed into as few bits as its variables need. `compress` stores the common parts of states
    once (tree, cleary), or codes each state by itself (huffman, rle).

    Example:
        >>> import scrimp
        >>> scrimp.explore("models/peterson.dve", store=scrimp.Full(compress="tree")).statistics.states
        20
    """

    name = "full"
    may_forget = False
    compress: Compression = "none"

    @property
    def has_marks(self) -> bool:
        return self.compress != "cleary"  # it stores only a part of each state

    @property
    def compression(self) -> Compression:
        return self.compress

    @property
    def can_be_saved(self) -> bool:
        return True

    @property
    def has_shards(self) -> bool:
        return not self.codes_bytes


@dataclass(frozen=True, kw_only=True)
class Cache(Store):
    """Stores at most `states` states, or as many as fit into `bytes`, the search path always among them; without both,
    as many as fit into the memory limit. `policy` says which of the others are evicted.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", store=scrimp.Cache(states=100)).verdict
        <Verdict.PROVED: 'proved'>
    """

    name = "cache"
    may_forget = True
    states: Annotated[int, WholeNumber(1)] | None = None
    bytes: Annotated[int, AmountOfMemory()] | None = None
    policy: Annotated[str, CASCADE] = "random"
    scan: Annotated[int, WholeNumber(1)] = 20
    type: Annotated[int, WholeNumber(1, 5)] | None = None
    seed: Annotated[int, WholeNumber(0)] = 0
    compress: CacheCompression = "none"

    def __post_init__(self) -> None:
        if self.compress in ("tree", "cleary"):
            raise OptionError(
                f"{self._subject}: option 'compress' takes none, huffman or rle: '{self.compress}' shares parts among "
                "states, and evicting a state would not free them"
            )
        super().__post_init__()
        if self.states is not None and self.bytes is not None:
            raise OptionError(f"{self._subject}: takes 'states' or 'bytes', not both")
        chosen = {share.policy for share in self.cascade}
        for option, users in (("scan", {"type"}), ("type", {"type"}), ("seed", {"random", "type"})):
            default = next(f.default for f in fields(self) if f.name == option)
            if getattr(self, option) != default and not chosen & users:
                which = alternatives([f"'{user}'" for user in sorted(users)])
                raise OptionError(f"{self._subject}: option '{option}' needs the policy {which}")

    @property
    def capacity(self) -> int | None:
        return self.states

    @property
    def compression(self) -> Compression:
        return self.compress

    @property
    def uses_event_types(self) -> bool:
        return any(share.policy == "type" for share in self.cascade)

    def remarks(self, verdict: Verdict, reduction: Reduction, statistics: Statistics) -> Iterator[tuple[str, str]]:
        if line := advice(verdict, reduction, statistics):
            yield "cache", line

    def cause(self, ending: Ending, statistics: Statistics) -> str:
        is_empty = ending is Ending.CACHE and statistics.most_stored == 0
        return "the cache cannot hold a single state" if is_empty else ""

    def remedy(self, ending: Ending, statistics: Statistics) -> str:
        if ending is not Ending.CACHE:
            return ""
        if statistics.most_stored == 0:
            return f"try {replace(self, bytes=SMALL_BYTES)}"
        return fuller_path(statistics, self, self.doubled())

    def doubled(self) -> Cache:
        """The cache with twice the room; without `states` and `bytes` it already has all the memory there is."""
        if self.states is not None:
            return replace(self, states=2 * self.states)
        return self if self.bytes is None else replace(self, bytes=2 * self.bytes)

    @property
    def cascade(self) -> tuple[Share, ...]:
        """The caches that this one consists of."""
        return shares(self.policy)


def fuller_path(statistics: Statistics, store: Store, doubled: Store) -> str:
    """What may help if the path alone fills the store; how long the path would have become is not known."""
    larger = "a larger --memory" if doubled == store else str(doubled)
    return f"it is longer than {statistics.most_stored:,} states; try {larger}"
