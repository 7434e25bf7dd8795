"""Notes: what the passes over a system did, and which of its processes can be exchanged."""

from __future__ import annotations

from dataclasses import dataclass

from scrimp.numbers import count


@dataclass(frozen=True)
class Note:
    """What a pass did.

    Attributes:
        name: the name of the pass, such as `"dead"`.
        count: how often it did it.
        what: what it did, such as "variables reset".
        keeps_steps: whether states and steps still correspond one to one.
        keeps_deadlocks: whether the number of deadlocks still says whether there are any.
    """

    name: str
    count: int
    what: str
    keeps_steps: bool = True
    keeps_deadlocks: bool = True

    @property
    def text(self) -> str:
        """The note in words, such as "1 variable reset"."""
        return f"{count(self.count)} {self.what if self.count != 1 else self.what.replace('s ', ' ', 1)}"


@dataclass(frozen=True)
class Exchangeable:
    """Processes that can be exchanged without a difference: states that differ only in that are one.

    Attributes:
        members: their names.
        permutations: in how many ways they can be arranged, and so how many states may be one.
    """

    members: tuple[str, ...]
    permutations: int

    @property
    def text(self) -> str:
        """The note in words, such as "P:0, P:1 and P:2 are interchangeable"."""
        *others, last = self.members
        if len(self.members) > 4:
            others, last = [*self.members[:2], f"{count(len(self.members) - 3)} more"], self.members[-1]
        return f"{', '.join(others)} and {last}: up to {count(self.permutations)} states are one"
