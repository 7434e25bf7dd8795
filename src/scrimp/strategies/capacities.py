"""How many full states something holds: a number, an amount of memory (`4M`), or a share (`1%`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, NamedTuple, TypeAlias

from scrimp.limits import parse_bytes
from scrimp.strategies.values import AmountOfMemory, Notation, WholeNumber


class Capacity(NamedTuple):
    """Exactly one of the three is not zero. What `share` is a share of depends on the option."""

    states: int = 0
    bytes: int = 0
    share: float = 0.0


def read_capacity(value: int | str) -> Capacity:
    """The capacity that a value of type `Room` stands for; raises ValueError."""
    if isinstance(value, int):
        return Capacity(states=value)
    if re.fullmatch(r"\d+(\.\d+)?%", value, re.ASCII) and (percent := float(value[:-1])) > 0:
        return Capacity(share=percent / 100)
    if re.fullmatch(r"\d+(\.\d+)?[KMGT](i?B)?", value, re.ASCII | re.IGNORECASE) and (size := parse_bytes(value)) > 0:
        return Capacity(bytes=size)
    raise ValueError(value)


@dataclass(frozen=True)
class CapacityNotation(Notation):
    """A number of states, an amount of memory, or a share."""

    words = f"{WholeNumber(1).words}, an amount of memory such as 4M, a share such as 1%"

    def read(self, text: str) -> int | str:
        try:
            return WholeNumber(1).read(text)
        except ValueError:
            return text

    def complaint(self, value: int | str) -> str | None:
        if isinstance(value, int):
            return WholeNumber(1).complaint(value)
        try:
            capacity = read_capacity(value)
        except ValueError:
            return ""
        return AmountOfMemory().complaint(capacity.bytes) if capacity.bytes else None

    def meaning(self, value: int | str) -> Capacity:
        return read_capacity(value)


Room: TypeAlias = Annotated[int | str, CapacityNotation()]
