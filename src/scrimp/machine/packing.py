"""Packing: positions for fields in 64-bit words, none straddling, in as few words as possible, evenly filled.

An array longer than a word is stored in *lanes*: every word it spans is cut into as many lanes of one width as fit,
from the top down to some unused bits at the bottom, and element i is in lane `first + i`, counted through the words.
Lanes are as wide as an element, or a power of two if arrays of several widths then share words better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from scrimp.machine.abi import WORD_BITS

_FULL = (1 << WORD_BITS) - 1


@dataclass(frozen=True, slots=True)
class Item:
    """Something to place: `length` elements of `bits` bits."""

    bits: int
    length: int

    @property
    def is_long(self) -> bool:
        return self.size > WORD_BITS

    @property
    def size(self) -> int:
        return self.bits * self.length


@dataclass(frozen=True, slots=True)
class Place:
    """Element i has lane `first + i`: the words from `word` on have `per_word` lanes each, `stride` bits apart, the
    lowest at `shift`."""

    word: int
    shift: int
    stride: int
    first: int = 0
    per_word: int = 1


@dataclass(frozen=True, slots=True)
class Packing:
    places: tuple[Place, ...]
    word_bits: tuple[int, ...]


def pack(items: Sequence[Item], neighbourhoods: Iterable[Sequence[int]]) -> Packing:
    """Places for all items; those of one neighbourhood together if possible, and neighbourhoods in order."""
    order = [number for group in neighbourhoods for number in group]
    words = max(1, -(-(1 + sum(item.size for item in items)) // WORD_BITS))
    while True:
        for lane_width, fill in product((_exact, _power_of_two), (_in_order, _largest_first)):
            shelf = _Shelf(items, words)
            if shelf.put_long_ones(lane_width) and fill(shelf, order):
                return shelf.packing()
        words += 1


def _exact(bits: int) -> int:
    return bits


def _power_of_two(bits: int) -> int:
    return 1 << (bits - 1).bit_length()


class _Shelf:
    """Words being filled: a mask of the free bits of each, and the places given so far."""

    def __init__(self, items: Sequence[Item], words: int) -> None:
        self.items = items
        self.free = [_FULL] * words
        self.free[0] &= ~1
        self.places: list[Place | None] = [None] * len(items)

    def put_long_ones(self, lane_width: Callable[[int], int]) -> bool:
        """Place the arrays longer than a word one after the other, widest elements first, from word 0."""
        word, bit = 0, 1
        longs = [number for number, item in enumerate(self.items) if item.is_long]
        for number in sorted(longs, key=lambda number: -self.items[number].bits):
            stride = lane_width(self.items[number].bits)
            per_word = WORD_BITS // stride
            shift = WORD_BITS - per_word * stride
            first = max(0, -(-(bit - shift) // stride))
            place = Place(word + first // per_word, shift, stride, first % per_word, per_word)
            end = place.first + self.items[number].length
            word, bit = place.word + (end - 1) // per_word, shift + ((end - 1) % per_word + 1) * stride
            if word >= len(self.free):
                return False
            self.places[number] = place
            self._take_lanes(place, end)
        return True

    def _take_lanes(self, place: Place, end: int) -> None:
        """Mark the lanes from the first of a place up to `end` as used."""
        for lane in range(place.first, end):
            mask = ((1 << place.stride) - 1) << (place.shift + lane % place.per_word * place.stride)
            self.free[place.word + lane // place.per_word] &= ~mask

    def put(self, number: int, word: int) -> bool:
        item = self.items[number]
        shift = _gap(self.free[word], item.size)
        if shift is None:
            return False
        self.free[word] &= ~(((1 << item.size) - 1) << shift)
        self.places[number] = Place(word, shift, item.bits, per_word=max(1, item.length))
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


def _in_order(shelf: _Shelf, order: Sequence[int]) -> bool:
    """Fill the words in order, each to about the same level; put the remaining items wherever they fit."""
    items, words = shelf.items, len(shelf.free)
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
    return _put_anywhere(shelf, left_over)


def _largest_first(shelf: _Shelf, order: Sequence[int]) -> bool:
    return _put_anywhere(shelf, [number for number in order if not shelf.items[number].is_long])


def _put_anywhere(shelf: _Shelf, numbers: Sequence[int]) -> bool:
    words = range(len(shelf.free))
    return all(
        any(shelf.put(number, word) for word in words)
        for number in sorted(numbers, key=lambda number: -shelf.items[number].size)
    )
