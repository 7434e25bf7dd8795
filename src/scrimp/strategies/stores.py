"""What is remembered of the visited states."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated, ClassVar, Literal

from scrimp.errors import OptionError
from scrimp.strategies.policies import CASCADE, Share, shares
from scrimp.strategies.strategy import Strategy
from scrimp.strategies.values import AmountOfMemory, WholeNumber, alternatives

Compression = Literal["none", "tree", "cleary", "huffman", "rle"]
CacheCompression = Literal["none", "huffman", "rle"]


@dataclass(frozen=True, kw_only=True)
class Store(Strategy):
    """What is remembered of the visited states."""

    role = "store"
    may_forget: ClassVar[bool]

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

    def doubled(self) -> Cache:
        """A cache with twice the room; one that is given neither states nor bytes has what there is."""
        if self.states is not None:
            return replace(self, states=2 * self.states)
        return self if self.bytes is None else replace(self, bytes=2 * self.bytes)

    @property
    def cascade(self) -> tuple[Share, ...]:
        """The caches that make up this one."""
        return shares(self.policy)
