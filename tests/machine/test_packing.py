"""Fields are packed without overlaps, straddling or waste."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrimp.machine.packing import Item, Packing, pack

ITEMS = st.lists(st.builds(Item, st.integers(0, 32), st.integers(0, 20)), max_size=25)


def _packed(items: list[Item]) -> Packing:
    return pack(items, [range(len(items))])


@given(ITEMS)
def test_no_bit_is_used_twice_and_no_element_straddles_a_word(items: list[Item]) -> None:
    packing = _packed(items)
    used = {(0, 0)}
    for item, place in zip(items, packing.places, strict=True):
        for element in range(item.length):
            number, lane = divmod(place.first + element, place.per_word)
            start = place.shift + lane * place.stride
            bits = {(place.word + number, bit) for bit in range(start, start + item.bits)}
            assert start + item.bits <= 64
            assert not bits & used
            used |= bits
    assert all(bit < packing.word_bits[word] for word, bit in used)
    assert all(1 <= bits <= 64 for bits in packing.word_bits)


@given(ITEMS)
def test_lanes_are_as_wide_as_an_element_or_a_power_of_two(items: list[Item]) -> None:
    for item, place in zip(items, _packed(items).places, strict=True):
        assert place.stride == item.bits or place.stride & place.stride - 1 == 0


def test_a_long_array_of_odd_width_takes_as_few_words_as_whole_elements_allow() -> None:
    assert len(_packed([Item(5, 20), Item(5, 20), Item(5, 1)]).word_bits) == 4


def test_63_bits_and_the_constant_one_share_a_word() -> None:
    assert len(_packed([Item(21, 1)] * 3).word_bits) == 1
    assert len(_packed([Item(16, 1)] * 4).word_bits) == 2


def test_two_words_are_filled_about_evenly() -> None:
    assert all(30 <= bits <= 45 for bits in _packed([Item(5, 1)] * 14).word_bits)


def test_an_array_that_nearly_fills_its_words_leaves_room_for_the_constant_one() -> None:
    assert len(_packed([Item(4, 31)]).word_bits) == 2


def test_neighbours_are_packed_together() -> None:
    items = [Item(8, 1) for _ in range(12)]
    groups = [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]
    places = pack(items, groups).places
    for group in groups:
        assert len({places[number].word for number in group}) == 1


def test_an_empty_state_takes_one_word() -> None:
    assert _packed([]).word_bits == (1,)
