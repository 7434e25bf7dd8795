"""Lists of numbers in the engine's format: begins and items, see engine/reduction/relations.h."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrimp.reduction.bits import members


@dataclass(frozen=True, slots=True)
class Lists:
    """List i is `items[begins[i]:begins[i + 1]]`; both are 32-bit numbers."""

    begins: bytes
    items: bytes

    def __len__(self) -> int:
        return len(numbers(self.begins)) - 1

    def __getitem__(self, number: int) -> Sequence[int]:
        begins = numbers(self.begins)
        return numbers(self.items)[begins[number] : begins[number + 1]]


def numbers(stored: bytes) -> Sequence[int]:
    return memoryview(stored).cast("I")


def packed(values: Iterable[int]) -> bytes:
    return array("I", values).tobytes()


def lists(sequences: Iterable[Iterable[int]]) -> Lists:
    begins, items = array("I", [0]), array("I")
    for sequence in sequences:
        items.extend(sequence)
        begins.append(len(items))
    return Lists(begins.tobytes(), items.tobytes())


def lists_of_sets(sets: Iterable[int]) -> Lists:
    """One list per set of bits, in order. Many sets are equal: each distinct one is converted once."""
    known: dict[int, array[int]] = {}

    def members_of(bits: int) -> array[int]:
        if bits not in known:
            known[bits] = array("I", members(bits))
        return known[bits]

    return lists(map(members_of, sets))
