"""Packing: places for fields in 64-bit words, none straddling, as few words as we can, evenly filled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrimp.machine.abi import WORD_BITS

_FULL = (1 << WORD_BITS) - 1


@dataclass(frozen=True, slots=True)
class Item:
    """Something to place: `length` elements of `bits` bits."""

    bits: int
    length: int

    @property
    def is_long(self) -> bool:
        return self.bits * self.length > WORD_BITS

    @property
    def stride(self) -> int:
        return 1 << (self.bits - 1).bit_length() if self.is_long else self.bits

    @property
    def size(self) -> int:
        return self.stride * self.length


@dataclass(frozen=True, slots=True)
class Place:
    word: int
    shift: int
    stride: int


@dataclass(frozen=True, slots=True)
class Packing:
    places: tuple[Place, ...]
    word_bits: tuple[int, ...]


def pack(items: Sequence[Item], neighbourhoods: Iterable[Sequence[int]]) -> Packing:
    """Places for all items; those of one neighbourhood, and neighbourhoods in their order, together if they can be."""
    order = [number for group in neighbourhoods for number in group]
    words = max(1, -(-(1 + sum(item.size for item in items)) // WORD_BITS))
    while True:
        for attempt in (_in_order, _largest_first):
            shelf = attempt(items, order, words)
            if shelf is not None:
                return shelf.packing()
        words += 1


class _Shelf:
    """Words being filled: a mask of the free bits of each, and the places given so far."""

    def __init__(self, items: Sequence[Item], words: int) -> None:
        self.items = items
        self.free = [_FULL] * words
        self.free[0] &= ~1
        self.places: list[Place | None] = [None] * len(items)

    def put_long_ones(self) -> bool:
        """Place the arrays longer than a word one after the other, widest elements first, from word 0."""
        cursor = 1
        longs = [number for number, item in enumerate(self.items) if item.is_long]
        for number in sorted(longs, key=lambda number: -self.items[number].stride):
            item = self.items[number]
            cursor = -(-cursor // item.stride) * item.stride
            if cursor + item.size > len(self.free) * WORD_BITS:
                return False
            self.places[number] = Place(cursor // WORD_BITS, cursor % WORD_BITS, item.stride)
            taken = ((1 << item.size) - 1) << cursor
            for word in range(len(self.free)):
                self.free[word] &= ~(taken >> word * WORD_BITS) & _FULL
            cursor += item.size
        return True

    def put(self, number: int, word: int) -> bool:
        item = self.items[number]
        shift = _gap(self.free[word], item.size)
        if shift is None:
            return False
        self.free[word] &= ~(((1 << item.size) - 1) << shift)
        self.places[number] = Place(word, shift, item.stride)
        return True

    def room(self, word: int) -> int:
        return self.free[word].bit_count()

    def packing(self) -> Packing:
        places = tuple(place for place in self.places if place is not None)
        return Packing(places, tuple(max(1, (~free & _FULL).bit_length()) for free in self.free))


def _gap(free: int, size: int) -> int | None:
    """The lowest position of `size` free bits in a row."""
    if size == 0:
        return 0
    run, have = free, 1
    while have < size and run:
        step = min(have, size - have)
        run &= run >> step
        have += step
    return (run & -run).bit_length() - 1 if run else None


def _in_order(items: Sequence[Item], order: Sequence[int], words: int) -> _Shelf | None:
    """Fill the words in order, each to about the same level; put what is left over wherever it fits."""
    shelf = _Shelf(items, words)
    if not shelf.put_long_ones():
        return None
    spare = sum(shelf.room(word) for word in range(words)) - sum(item.size for item in items if not item.is_long)
    word, allowance = 0, spare // words
    left_over = []
    for number in order:
        if items[number].is_long:
            continue
        while word + 1 < words and shelf.room(word) <= allowance:
            word += 1
        if not shelf.put(number, word):
            left_over.append(number)
    return shelf if _put_anywhere(shelf, left_over) else None


def _largest_first(items: Sequence[Item], order: Sequence[int], words: int) -> _Shelf | None:
    shelf = _Shelf(items, words)
    if not shelf.put_long_ones():
        return None
    short = [number for number in order if not items[number].is_long]
    return shelf if _put_anywhere(shelf, short) else None


def _put_anywhere(shelf: _Shelf, numbers: Sequence[int]) -> bool:
    words = range(len(shelf.free))
    return all(
        any(shelf.put(number, word) for word in words)
        for number in sorted(numbers, key=lambda number: -shelf.items[number].size)
    )
