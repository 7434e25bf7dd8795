"""The words of one state while code reads and changes them.

A draft starts as the state that the generated function was given. Changes of fields at fixed positions are collected,
per word, until the word is needed: so a transition that sets three fields costs one `and` and one `xor`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scrimp.machine.abi import WORD_BITS
from scrimp.machine.layout import Field
from scrimp.machine.writer import Writer

_ALL = (1 << WORD_BITS) - 1
# Divisions by the number of lanes in a word are multiplications, exact for lane numbers below 2^32 / 64.
_RECIPROCAL_BITS = 32


@dataclass(slots=True)
class _Patch:
    """Changes of one word that are not yet in code: clear bits, flip bits, then set the bits of some terms."""

    touched: int = 0
    clear: int = 0
    flip: int = 0
    terms: list[str] = field(default_factory=list)


class Draft:
    """`slot` names the memory in which the successor is built; None if the state is only read."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.slot: str | None = None
        self.changed: dict[int, str] = {}
        self._patches: dict[int, _Patch] = {}

    def word(self, index: int) -> str:
        """The name of a word's current value."""
        patch = self._patches.pop(index, None)
        if patch is not None:
            self.changed[index] = self._apply(self._base(index), patch)
        return self._base(index)

    def read(self, place: Field, element: int | str) -> str:
        """The bits of an element, as an i32. The element is a number, or an i32 that is in range or harmless (see
        `_position`)."""
        if isinstance(element, str):
            return self._read_at(place, element)
        word, shift = place.position(element)
        patch = self._patches.get(word)
        untouched = patch is None or not patch.touched & place.mask << shift
        name = self._base(word) if untouched else self.word(word)
        return self._low_bits(self._shifted("lshr", name, shift), place, shift)

    def _read_at(self, place: Field, index: str) -> str:
        number, shift = self._position(place, index)
        if number is None:
            name = self.word(place.word)
        else:
            name = self.writer.fresh(f"load i64, ptr {self._address(self._memory_of(place), place, number)}")
        return self._low_bits(self.writer.value(f"lshr i64 {name}, {shift}"), place, 0)

    def write(self, place: Field, element: int | str, raw: str | int, active: str | None) -> None:
        """Give an element (as for `read`) new bits (an i32 name or a number), if the condition `active` holds."""
        if isinstance(element, str):
            self._write_at(place, element, raw, active)
            return
        word, shift = place.position(element)
        mask = place.mask << shift
        if active is not None:
            self.word(word)
        patch = self._patch(word, mask)
        patch.clear |= mask
        if isinstance(raw, int):
            patch.flip |= raw << shift
        else:
            patch.terms.append(self._shifted("shl", self.writer.value(f"zext i32 {raw} to i64"), shift))
        if active is not None:
            old = self._base(word)
            self.changed[word] = self._chosen(self._apply(old, self._patches.pop(word)), old, active)

    def replace(self, place: Field, old: int, new: int) -> None:
        """Change a single value that is known to be `old`."""
        patch = self._patch(place.word, place.mask << place.shift)
        patch.flip |= (old ^ new) << place.shift

    def _write_at(self, place: Field, index: str, raw: str | int, active: str | None) -> None:
        value = str(raw) if isinstance(raw, int) else self.writer.value(f"zext i32 {raw} to i64")
        number, shift = self._position(place, index)
        if number is None:
            old = self.word(place.word)
            self.changed[place.word] = self._chosen(self._inserted(old, place, shift, value), old, active)
            return
        self._flush(place)
        assert self.slot is not None
        address = self._address(self.slot, place, number)
        old = self.writer.fresh(f"load i64, ptr {address}")
        new = self._inserted(old, place, shift, value)
        self.writer.do(f"store i64 {self._chosen(new, old, active)}, ptr {address}")
        for word in range(place.word, place.word + place.words):
            self.changed[word] = self.writer.fresh(f"load i64, ptr {self.address(self.slot, word)}")

    def clear(self, place: Field, active: str | None) -> None:
        """Clear every element."""
        for number in range(place.words):
            low, high, _ = self._lanes(place, number)
            old = self.word(place.word + number)
            new = self._masked(old, _ALL & ~((1 << high) - (1 << low)))
            self.changed[place.word + number] = self._chosen(new, old, active)

    def drop(self, place: Field, element: int | str, active: str | None) -> None:
        """Remove an element, given by a number or an i32 in range: those above it move down by one, the last is
        cleared."""
        old = self._words(place)
        for number, word in enumerate(old):
            low, high, _ = self._lanes(place, number)
            mask = (1 << high) - (1 << low)
            stays = mask & ~((1 << low + place.stride) - 1)
            moved = self._shifted("lshr", self._masked(word, stays), place.stride)
            if number + 1 < len(old):
                following = self._masked(old[number + 1], ((1 << place.stride) - 1) << place.shift)
                following = self._shifted("shl", following, high - place.stride - place.shift)
                moved = self.writer.value(f"or i64 {moved}, {following}")
            new = self.writer.value(f"or i64 {self._masked(word, _ALL & ~mask)}, {moved}")
            new = self._from_element_on(place, number, element, word, new)
            self.changed[place.word + number] = self._chosen(new, word, active)

    def lift(self, place: Field, element: int | str, active: str | None) -> None:
        """Make room for an element, given by a number or an i32 in range: it and those above move up by one, and the
        last is lost. The bits left in its place are meaningless."""
        old = self._words(place)
        for number, word in enumerate(old):
            low, high, _ = self._lanes(place, number)
            mask = (1 << high) - (1 << low)
            stays = mask & ((1 << high - place.stride) - 1)
            moved = self._shifted("shl", self._masked(word, stays), place.stride)
            if number:
                last = self._lanes(place, number - 1)[1] - place.stride
                before = self._masked(self._shifted("lshr", old[number - 1], last), (1 << place.stride) - 1)
                moved = self.writer.value(f"or i64 {moved}, {self._shifted('shl', before, low)}")
            new = self.writer.value(f"or i64 {self._masked(word, _ALL & ~mask)}, {moved}")
            new = self._from_element_on(place, number, element, word, new)
            self.changed[place.word + number] = self._chosen(new, word, active)

    def _words(self, place: Field) -> list[str]:
        return [self.word(place.word + number) for number in range(place.words)]

    def _lanes(self, place: Field, number: int) -> tuple[int, int, int]:
        """For one of a field's words: the positions where its elements begin and end, and the first of them."""
        lowest = place.first if number == 0 else 0
        end = min(place.per_word, place.first + place.length - number * place.per_word)
        low, high = (place.shift + lane * place.stride for lane in (lowest, end))
        return low, high, number * place.per_word + lowest - place.first

    def _from_element_on(self, place: Field, number: int, element: int | str, old: str, new: str) -> str:
        """One of a field's words with the elements below a given one from `old`, the others from `new`."""
        low, high, first = self._lanes(place, number)
        end = first + (high - low) // place.stride
        if isinstance(element, int):
            if element <= first:
                return new
            return old if element >= end else self._mixed(old, new, (1 << low + (element - first) * place.stride) - 1)
        if place.length == 1:
            return new
        distance = self.writer.value(f"zext i32 {element} to i64")
        if first:
            distance = self.writer.value(f"sub i64 {distance}, {first}")
        if place.stride != 1:
            distance = self.writer.value(f"mul i64 {distance}, {place.stride}")
        if low:
            distance = self.writer.value(f"add i64 {distance}, {low}")
        bit = self.writer.value(f"shl i64 1, {self.writer.value(f'and i64 {distance}, {WORD_BITS - 1}')}")
        result = self._mixed(old, new, self.writer.value(f"sub i64 {bit}, 1"))
        if number:
            above = self.writer.value(f"icmp ule i32 {element}, {first}")
            result = self._chosen(new, result, above)
        if number + 1 < place.words:
            below = self.writer.value(f"icmp uge i32 {element}, {end}")
            result = self._chosen(old, result, below)
        return result

    def _mixed(self, old: str, new: str, mask: int | str) -> str:
        """The bits of `old` under a mask, those of `new` elsewhere."""
        difference = self.writer.value(f"xor i64 {old}, {new}")
        return self.writer.value(f"xor i64 {new}, {self.writer.value(f'and i64 {difference}, {mask}')}")

    def _position(self, place: Field, index: str) -> tuple[str | None, str]:
        """The position of an element: the number of its word after the field's first (None if there is only one) and
        the shift.

        Within one word the shift is taken modulo the word: an index out of range reads or writes the wrong bits, which
        is harmless if the result is not used. Over several words the caller must have clamped the index.
        """
        lane = self.writer.value(f"zext i32 {index} to i64")
        if place.first:
            lane = self.writer.value(f"add i64 {lane}, {place.first}")
        if place.words == 1:
            return None, self.writer.value(f"and i64 {self._lane_shift(place, lane)}, {WORD_BITS - 1}")
        reciprocal = -(-(1 << _RECIPROCAL_BITS) // place.per_word)
        scaled = self.writer.value(f"mul i64 {lane}, {reciprocal}")
        number = self.writer.value(f"lshr i64 {scaled}, {_RECIPROCAL_BITS}")
        before = self.writer.value(f"mul i64 {number}, {place.per_word}")
        return number, self._lane_shift(place, self.writer.value(f"sub i64 {lane}, {before}"))

    def _lane_shift(self, place: Field, lane: str) -> str:
        if place.stride != 1:
            lane = self.writer.value(f"mul i64 {lane}, {place.stride}")
        return self.writer.value(f"add i64 {lane}, {place.shift}") if place.shift else lane

    def address(self, memory: str, word: int) -> str:
        return memory if word == 0 else self.writer.value(f"getelementptr i64, ptr {memory}, i64 {word}")

    def settle(self) -> None:
        """Emit every pending change."""
        for word in list(self._patches):
            self.word(word)

    def _base(self, index: int) -> str:
        name = self.changed.get(index)
        if name is None:
            name = self.writer.value(f"load i64, ptr {self.address('%state', index)}")
        return name

    def _patch(self, word: int, mask: int) -> _Patch:
        """The patch of a word to which changes under `mask` can be added."""
        patch = self._patches.get(word)
        if patch is not None and patch.touched & mask:
            self.word(word)
            patch = None
        if patch is None:
            patch = self._patches[word] = _Patch()
        patch.touched |= mask
        return patch

    def _apply(self, name: str, patch: _Patch) -> str:
        name = self._masked(name, _ALL & ~patch.clear)
        if patch.flip:
            name = self.writer.value(f"xor i64 {name}, {patch.flip}")
        for term in patch.terms:
            name = self.writer.value(f"or i64 {name}, {term}")
        return name

    def _chosen(self, new: str, old: str, active: str | None) -> str:
        return new if active is None else self.writer.value(f"select i1 {active}, i64 {new}, i64 {old}")

    def _inserted(self, old: str, place: Field, bit: str, value: str) -> str:
        hole = self.writer.value(f"shl i64 {place.mask}, {bit}")
        kept = self.writer.value(f"and i64 {old}, {self.writer.value(f'xor i64 {hole}, -1')}")
        return self.writer.value(f"or i64 {kept}, {self.writer.value(f'shl i64 {value}, {bit}')}")

    def _memory_of(self, place: Field) -> str:
        """Memory that holds the current words of a field."""
        words = range(place.word, place.word + place.words)
        if not any(word in self.changed or word in self._patches for word in words):
            return "%state"
        self._flush(place)
        assert self.slot is not None
        return self.slot

    def _flush(self, place: Field) -> None:
        assert self.slot is not None
        for word in range(place.word, place.word + place.words):
            self.writer.do(f"store i64 {self.word(word)}, ptr {self.address(self.slot, word)}")

    def _address(self, memory: str, place: Field, number: str) -> str:
        return self.writer.value(f"getelementptr i64, ptr {self.address(memory, place.word)}, i64 {number}")

    def _low_bits(self, name: str, place: Field, shift: int) -> str:
        narrow = self.writer.value(f"trunc i64 {name} to i32")
        whole = place.bits >= 32 or (shift and shift + place.bits == WORD_BITS)
        return narrow if whole else self.writer.value(f"and i32 {narrow}, {place.mask}")

    def _shifted(self, operation: str, name: str, shift: int) -> str:
        return self.writer.value(f"{operation} i64 {name}, {shift}") if shift else name

    def _masked(self, name: str, mask: int) -> str:
        return name if mask == _ALL else self.writer.value(f"and i64 {name}, {mask}")
