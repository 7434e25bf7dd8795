"""Notes: what the passes over a system did."""

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
