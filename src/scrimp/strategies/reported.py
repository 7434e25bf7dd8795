"""What a store reports of a search beside what all searches count, under names that the engine gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Reported:
    """A number that a store reports. Its `name` is that of the engine's report and of the record, where a dot leads
    into an object; `zero` is what it is for other stores; real numbers are recorded to so many `digits`."""

    name: str
    zero: int | float | tuple[int, ...] = 0
    digits: int | None = None

    def recorded(self, value: Any) -> Any:
        if isinstance(self.zero, tuple):
            return list(value)
        return value if self.digits is None else round(value, self.digits)
