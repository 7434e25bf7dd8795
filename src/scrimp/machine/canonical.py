"""Canonical states: of all states that swaps lead to from a state, one is stored in place of all of them.

    repeat until nothing changes:
      for each group, and each of its members but the last, in order:
        if the key of the next member is smaller than its own, or the keys are equal and the words of the state would be
        smaller: exchange the two

The key of a member is the contents of its block (system/swaps.py). If blocks are all that there is to a group, and all
its swaps apply at the same locations, this is bubble sort, and all states of an orbit have the same canonical state. If
not, several may remain, which is harmless: every canonical state is a state of the orbit.

`canonical` does this in Python, on the bits of a layout; `write_canonical` emits code that does the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from scrimp.machine.context import Context
from scrimp.machine.layout import Field, Layout
from scrimp.system.reference import State
from scrimp.system.swaps import Block, Pairs, Swap, Symmetric, Symmetry

# Exchanges come to an end by themselves, because each makes the sequence of keys or the state smaller.
MOST_ROUNDS = 1_000

Slot: TypeAlias = tuple[Field, int]
"""A field and an element of it."""
Test: TypeAlias = tuple[Field, int, int, Field | None]
"""Whether an element of a field has these bits; if it is one of a message, the field of its channel's length."""


def canonical(symmetry: Symmetry, layout: Layout, state: State) -> tuple[State, list[Swap]]:
    """The canonical state of a state, and the swaps that lead to it, one after the other."""
    made: list[Swap] = []
    for _ in range(MOST_ROUNDS):
        before = len(made)
        for group in symmetry.groups:
            for number, swap in enumerate(group.swaps):
                if swap.applies(state) and _is_better(group, number, swap, layout, state):
                    state = swap(state)
                    made.append(swap)
        if len(made) == before:
            break
    return state, made


def _is_better(group: Symmetric, number: int, swap: Swap, layout: Layout, state: State) -> bool:
    words = layout.encode(state)
    own, following = (_key(block, layout, words) for block in group.blocks[number : number + 2])
    if own != following or group.sorted_by_blocks:
        return following < own
    return layout.encode(swap(state)) < words


def _key(block: Block, layout: Layout, words: Sequence[int]) -> list[int]:
    key = [_bits(words, slot) for slot in _slots(block, layout)]
    for field, element, raw, length in _tests(block, layout):
        is_there = length is None or element < _bits(words, (length, 0))
        key.append(int(is_there and _bits(words, (field, element)) == raw))
    return key


def _bits(words: Sequence[int], slot: Slot) -> int:
    word, shift = slot[0].position(slot[1])
    return words[word] >> shift & slot[0].mask if slot[0].bits else 0


def _slots(block: Block, layout: Layout) -> Iterator[Slot]:
    """What the key of a member begins with."""
    everything = [
        *((layout.locations[process], 0) for process in block.processes),
        *((layout.variables[variable], element) for variable, element in block.cells),
        *(slot for channel in block.channels for slot in _channel(layout, channel)),
    ]
    yield from ((field, element) for field, element in everything if field.bits)


def _channel(layout: Layout, channel: int) -> list[Slot]:
    fields = layout.messages[channel]
    return [(layout.lengths[channel], 0), *((field, slot) for field in fields for slot in range(field.length))]


def _tests(block: Block, layout: Layout) -> Iterator[Test]:
    """What the key of a member ends with: where its values are."""
    for (variable, element), value in block.named_by_cells:
        raw = layout.variables[variable].to_raw(value) if layout.variables[variable].bits else None
        if raw is not None:
            yield layout.variables[variable], element, raw, None
    for (channel, number), value in block.named_by_messages:
        field, length = layout.messages[channel][number], layout.lengths[channel]
        raw = field.to_raw(value) if field.bits and length.bits else None
        if raw is not None:
            yield from ((field, slot, raw, length) for slot in range(field.length))


def write_canonical(context: Context, symmetry: Symmetry) -> None:
    """The functions `canonical`, which changes a state in memory, and `arrive`."""
    names = []
    for place, group in enumerate(symmetry.groups):
        for number, swap in enumerate(group.swaps):
            names.append(f"exchange_{place}_{number}")
            _Exchange(context, swap).write(names[-1], group, number)
    _write_rounds(context, names)
    with context.writer.function("void @arrive(ptr %context, ptr noalias %state) #0"):
        context.writer.do("call fastcc void @canonical(ptr %state)")
        context.writer.do("ret void")


def _write_rounds(context: Context, exchanges: Sequence[str]) -> None:
    writer = context.writer
    with writer.function("internal fastcc void @canonical(ptr noalias %state) #0"):
        writer.do("br label %round")
        writer.begin("round")
        writer.do("%number = phi i32 [0, %0], [%next, %round]")
        changed = "false"
        for name in exchanges:
            exchanged = writer.fresh(f"call fastcc i1 @{name}(ptr %state)")
            changed = writer.value(f"or i1 {changed}, {exchanged}")
        writer.do("%next = add i32 %number, 1")
        more = writer.value(f"icmp ult i32 %next, {MOST_ROUNDS}")
        again = writer.value(f"and i1 {changed}, {more}")
        writer.do(f"br i1 {again}, label %round, label %end")
        writer.begin("end")
        writer.do("ret void")


class _Exchange:
    """The code of a function that makes a swap if that leads to a smaller state, and returns whether it did."""

    def __init__(self, context: Context, swap: Swap) -> None:
        self.writer = context.writer
        self.layout = context.layout
        self.swap = swap
        self.before = context.draft()
        self.after = context.draft()

    def write(self, name: str, group: Symmetric, number: int) -> None:
        writer = self.writer
        with writer.function(f"internal fastcc i1 @{name}(ptr noalias %state) #0"):
            tie = "false"
            if not group.sorted_by_blocks:
                self._exchange()
                tie = self._has_smaller_words()
            smaller = self._has_smaller_key(group.blocks[number], group.blocks[number + 1], tie)
            smaller = writer.value(f"and i1 {smaller}, {self._applies()}")
            writer.do(f"br i1 {smaller}, label %exchange, label %keep")
            writer.begin("exchange")
            with writer.scope():
                if group.sorted_by_blocks:
                    self._exchange()
                for word in sorted(self.after.changed):
                    writer.do(f"store i64 {self.after.word(word)}, ptr {self.after.address('%state', word)}")
                writer.do("ret i1 true")
            writer.begin("keep")
            writer.do("ret i1 false")

    def _read(self, slot: Slot) -> str:
        return self.before.read(*slot)

    def _has_smaller_key(self, own: Block, following: Block, tie: str) -> str:
        """Whether the key of the next member is smaller, or, if they are equal, `tie`."""
        writer = self.writer
        keys = [
            [*map(self._read, _slots(block, self.layout)), *map(self._tested, _tests(block, self.layout))]
            for block in (own, following)
        ]
        smaller = tie
        for mine, theirs in reversed(list(zip(*keys, strict=True))):
            equal = writer.value(f"icmp eq i32 {mine}, {theirs}")
            less = writer.value(f"icmp ult i32 {theirs}, {mine}")
            smaller = writer.value(f"or i1 {less}, {writer.value(f'and i1 {equal}, {smaller}')}")
        return smaller

    def _tested(self, test: Test) -> str:
        field, element, raw, length = test
        found = self.writer.value(f"icmp eq i32 {self._read((field, element))}, {raw}")
        if length is not None:
            found = self.writer.value(f"and i1 {found}, {self._is_filled(element, self._read((length, 0)))}")
        return self.writer.value(f"zext i1 {found} to i32")

    def _is_filled(self, element: int, length: str) -> str:
        return self.writer.value(f"icmp ult i32 {element}, {length}")

    def _applies(self) -> str:
        """Whether the swap is a symmetry in the state."""
        applies = "true"
        for process, locations in self.swap.where:
            field, raws = self.layout.locations[process], self.layout.raws[process]
            there = "false"
            for raw in sorted(raws[location] for location in locations if location in raws):
                here = self.writer.value(f"icmp eq i32 {self._read((field, 0)) if field.bits else 0}, {raw}")
                there = self.writer.value(f"or i1 {there}, {here}")
            applies = self.writer.value(f"and i1 {applies}, {there}")
        return applies

    def _has_smaller_words(self) -> str:
        smaller = "false"
        for word in sorted(self.after.changed, reverse=True):
            old, new = self.before.word(word), self.after.word(word)
            equal = self.writer.value(f"icmp eq i64 {new}, {old}")
            less = self.writer.value(f"icmp ult i64 {new}, {old}")
            smaller = self.writer.value(f"or i1 {less}, {self.writer.value(f'and i1 {equal}, {smaller}')}")
        return smaller

    def _exchange(self) -> None:
        """Collect the words after the swap."""
        new = {a: self._read(b) for pair in self._pairs() for a, b in (pair, pair[::-1]) if a[0].bits}
        for variable, pairs in self.swap.variable_values:
            field = self.layout.variables[variable]
            for element in range(field.length if field.bits else 0):
                slot = (field, element)
                new[slot] = self._exchanged(field, new.get(slot) or self._read(slot), pairs)
        for (channel, number), pairs in self.swap.message_values:
            field, length = self.layout.messages[channel][number], (self.layout.lengths[channel], 0)
            for element in range(field.length if field.bits and length[0].bits else 0):
                slot = (field, element)
                old = new.get(slot) or self._read(slot)
                filled = self._is_filled(element, new.get(length) or self._read(length))
                exchanged = self._exchanged(field, old, pairs)
                new[slot] = self.writer.value(f"select i1 {filled}, i32 {exchanged}, i32 {old}")
        for slot, raw in new.items():
            self.after.write(*slot, raw, None)
        self.after.settle()

    def _pairs(self) -> Iterator[tuple[Slot, Slot]]:
        layout = self.layout
        for a, b in self.swap.processes:
            yield (layout.locations[a], 0), (layout.locations[b], 0)
        for (v, i), (w, j) in self.swap.cells:
            yield (layout.variables[v], i), (layout.variables[w], j)
        for a, b in self.swap.channels:
            yield from zip(_channel(layout, a), _channel(layout, b), strict=True)

    def _exchanged(self, field: Field, raw: str, pairs: Pairs) -> str:
        result = raw
        for a, b in pairs:
            for old, new in ((a, b), (b, a)):
                bits = field.to_raw(old), field.to_raw(new)
                if bits[0] is not None and bits[1] is not None:
                    is_old = self.writer.value(f"icmp eq i32 {raw}, {bits[0]}")
                    result = self.writer.value(f"select i1 {is_old}, i32 {bits[1]}, i32 {result}")
        return result
