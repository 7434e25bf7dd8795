"""Notes: what the passes over a system did, and which of its processes can be exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.numbers import count

MOST_NAMES = 6


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
        after: the processes that have to be past some locations before that is so, such as one that starts the others.
    """

    members: tuple[str, ...]
    permutations: int
    after: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The note in words, such as "P:0 and P:1: up to 2 states are one"."""
        once = f", once {enumeration(self.after)} treat{'s' * (len(self.after) == 1)} them alike" if self.after else ""
        return f"{enumeration(self.members)}: up to {count(self.permutations)} states are one{once}"


def enumeration(names: Sequence[str]) -> str:
    """Some names in words; of many, a few."""
    if len(names) > MOST_NAMES:
        names = (*names[: MOST_NAMES - 2], f"{count(len(names) - MOST_NAMES + 1)} more", names[-1])
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
