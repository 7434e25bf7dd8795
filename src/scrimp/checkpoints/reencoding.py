"""How the engine translates states when their layout gets wider fields: a search goes on, instead of starting again."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from scrimp.machine.layout import Field, Layout

Reencoding: TypeAlias = tuple[int, int, bytes]
"""The words of a state before and after, and the moves of engine/search/checkpoint/reencoding.h."""

_NONE = (0, 0, 0, 0)


def reencoding(before: Layout, after: Layout) -> Reencoding:
    """From one layout of a system to another with wider fields."""
    moves = array("Q")
    for move in _together(_moves(before, after)):
        moves.extend(number % 2**64 for number in move)
    return before.words, after.words, moves.tobytes()


def _together(moves: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The same moves; values that stay as they are, and move equally far between two words, are moved at once."""
    bits: dict[tuple[int, int, int], int] = {}
    for move in moves:
        word, shift, mask, add, modulus, to, to_shift, *present = move
        if add == 0 and (modulus == 0 or mask < modulus) and tuple(present) == _NONE:
            place = word, to, to_shift - shift
            bits[place] = bits.get(place, 0) | mask << shift
        else:
            yield move
    for (word, to, distance), mask in bits.items():
        shift = max((mask & -mask).bit_length() - 1, 0)
        yield word, shift, mask >> shift, 0, 0, to, shift + distance, *_NONE


def _moves(before: Layout, after: Layout) -> Iterator[tuple[int, ...]]:
    for old, new in zip((*before.locations, *before.variables), (*after.locations, *after.variables), strict=True):
        for element in range(old.length):
            yield from _move(old, new, element)
    channels = zip(before.lengths, after.lengths, before.messages, after.messages, strict=True)
    for old_length, new_length, old_fields, new_fields in channels:
        yield from _move(old_length, new_length, 0)
        word, shift = old_length.position(0)
        for old, new in zip(old_fields, new_fields, strict=True):
            for element in range(old.length):
                yield from _move(old, new, element, (word, shift, old_length.mask, element))


def _move(
    old: Field, new: Field, element: int, present: tuple[int, int, int, int] = _NONE
) -> Iterator[tuple[int, ...]]:
    if new.constants is not None or new.bits == 0:
        return
    word, shift = old.position(element) if old.bits else (0, 0)
    modulus = new.type.size if new.type.wraps else 0
    add = old.base - new.base
    yield word, shift, old.mask, add % modulus if modulus else add, modulus, *new.position(element), *present
