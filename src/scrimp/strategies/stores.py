"""What is remembered of the visited states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar, Literal

from scrimp.errors import OptionError
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

# A cache of so many bytes has room for some states, whatever they are.
SMALL_BYTES = 64 << 10


@dataclass(frozen=True, kw_only=True)
class Store(Strategy):
    """What is remembered of the visited states."""

    role = "store"
    may_forget: ClassVar[bool]
    reports: ClassVar[tuple[Reported, ...]] = ()

    @property
    def exact(self) -> bool:
        """Whether it never takes a new state for a visited one, and does what it promises."""
        return True

    @property
    def has_marks(self) -> bool:
        """Whether something can be remembered beside each state."""
        return True

    @property
    def capacity(self) -> int | None:
        """The most states that it holds at once, where it has been told."""
        return None

    @property
    def table_bytes(self) -> int | None:
        """What it takes from the start, where it has been told."""
        return None

    @property
    def rebuilds_states(self) -> bool:
        """Whether it fires events again to know a state."""
        return False

    @property
    def delays_detection(self) -> bool:
        """Whether it may say only later that a state is new."""
        return False

    @property
    def remembers_levels(self) -> bool:
        """Whether what it remembers are levels of a breadth-first search."""
        return False

    @property
    def forgets_for_good(self) -> bool:
        """Whether what it forgets is not met again, or, where it is, the search holds its path from then on."""
        return False

    @property
    def ends_by_itself(self) -> bool:
        """Whether a search with it that is not limited ends, under an order that it combines with."""
        return True

    @property
    def arranges_queue(self) -> bool:
        """Whether it has been told something about the states that wait to be expanded."""
        return False

    @property
    def evicts(self) -> bool:
        """Whether it may forget any state that is not on the stack, to visit it again later."""
        return self.may_forget and not self.remembers_levels and not self.forgets_for_good

    @property
    def compression(self) -> Compression:
        """How states are stored."""
        return "none"

    @property
    def codes_bytes(self) -> bool:
        """Whether it codes states byte by byte, so that it must know where their variables are."""
        return self.compression in ("huffman", "rle")

    @property
    def uses_event_types(self) -> bool:
        """Whether it asks of which type the events are that lead to states."""
        return False

    @property
    def uses_in_degrees(self) -> bool:
        """Whether native code must say how many edges lead into a state."""
        return False

    @property
    def needs_explicit_system(self) -> bool:
        """Whether it asks for what only a given LTS has."""
        return False

    def sized(self, order: Order, room: int) -> Store:
        """The store of a search without a memory limit, for which so many bytes are left: nothing is gained by filling
        them."""
        return self

    def has_forgotten(self, visits: int, report: Mapping[str, Any]) -> bool:
        """Whether a search forgot states, so that some of its visits may have been to the same."""
        return self.may_forget and bool(report.get("stored_peak", 0) < visits)

    def lost_its_levels(self, report: Mapping[str, Any]) -> bool:
        """Whether a breadth-first search did not go on level by level to its end."""
        return False

    def rows(self, statistics: Statistics) -> Iterator[tuple[str, list[str]]]:
        """What a report says of the numbers that the store declares: labels, and what stands beside each."""
        return iter(())

    def remarks(self, verdict: Verdict, reduction: Reduction, statistics: Statistics) -> Iterator[tuple[str, str]]:
        """What a report says last: labels, and a remark on each."""
        return iter(())

    def remedy(self, ending: Ending, statistics: Statistics) -> str:
        """What would help a search that was cut short; nothing where that is not for the store to say."""
        return ""

    def doubt(self, statistics: Statistics) -> str:
        """Why a search proves nothing although it closed, where the method is not exact."""
        return "the method may have left states out"


@dataclass(frozen=True, kw_only=True)
class Full(Store):
    """Every state, packed into as few bits as its variables need; `compress` shares what states have in common, or
    codes each by itself."""

    name = "full"
    may_forget = False
    compress: Compression = "none"

    @property
    def has_marks(self) -> bool:
        return self.compress != "cleary"  # it keeps only a part of each state

    @property
    def compression(self) -> Compression:
        return self.compress


@dataclass(frozen=True, kw_only=True)
class Cache(Store):
    """At most `states` states, or what takes at most `bytes`, the search path always among them; without either, what
    the memory limit leaves. The others are forgotten by `policy`."""

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
                f"{self._subject}: option 'compress' takes none, huffman or rle: '{self.compress}' keeps parts that "
                "states share, which stay when a state is forgotten"
            )
        super().__post_init__()
        if self.states is not None and self.bytes is not None:
            raise OptionError(f"{self._subject}: expected states or bytes, found both")
        chosen = {share.policy for share in self.cascade}
        for option, users in (("scan", {"type"}), ("type", {"type"}), ("seed", {"random", "type"})):
            default = next(f.default for f in fields(self) if f.name == option)
            if getattr(self, option) != default and not chosen & users:
                which = alternatives([f"'{user}'" for user in sorted(users)])
                raise OptionError(f"{self._subject}: option '{option}' has an effect only with the policy {which}")

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

    def remedy(self, ending: Ending, statistics: Statistics) -> str:
        if ending is not Ending.CACHE:
            return ""
        if statistics.most_stored == 0:
            return f"not one state fits into it; there is little room, but some, in {replace(self, bytes=SMALL_BYTES)}"
        return fuller_path(statistics, self.doubled())

    def doubled(self) -> Cache:
        """A cache with twice the room; one that is given neither states nor bytes has what there is."""
        if self.states is not None:
            return replace(self, states=2 * self.states)
        return self if self.bytes is None else replace(self, bytes=2 * self.bytes)

    @property
    def cascade(self) -> tuple[Share, ...]:
        """The caches that make up this one."""
        return shares(self.policy)


def fuller_path(statistics: Statistics, doubled: Store) -> str:
    """What would help where the path alone fills the store: nobody knows how long it would have become."""
    return f"it is longer than {statistics.most_stored:,} states; twice the room may do: {doubled}"
