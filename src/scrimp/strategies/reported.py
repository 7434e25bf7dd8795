"""The numbers that a store reports beside those of every search, under the engine's names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Reported:
    """A number that a store reports. Its `name` is that of the engine's report and of the record, in which a dot stands
    for a member of an object; `zero` is its value for other stores; real numbers are rounded to `digits`."""

    name: str
    zero: int | float | tuple[int, ...] = 0
    digits: int | None = None

    def recorded(self, value: Any) -> Any:
        if isinstance(self.zero, tuple):
            return list(value)
        return value if self.digits is None else round(value, self.digits)
