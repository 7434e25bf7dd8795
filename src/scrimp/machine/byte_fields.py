"""The variables of a packed state as bytes, for codes that work on bytes (HGP92, section 6)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from scrimp.machine.layout import Field, Layout


def byte_fields(layout: Layout) -> bytes:
    """Four numbers of four bytes for every variable, array element, location, length and part of a message that takes
    bits, in the order of the model: word, shift, bits, and the number of bytes when unpacked."""
    numbers = array("I")
    for field in _fields(layout):
        for element in range(field.length if field.bits else 0):
            word, shift = field.position(element)
            numbers.extend((word, shift, field.bits, (field.bits + 7) // 8))
    return numbers.tobytes()


def _fields(layout: Layout) -> Iterator[Field]:
    yield from layout.locations
    yield from layout.variables
    for length, fields in zip(layout.lengths, layout.messages, strict=True):
        yield length
        yield from fields
