"""Values as bytes, for requests to the process that searches and for its answers: the other side of
engine/wire/value.h, which describes the format."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from struct import Struct
from typing import Any, TypeAlias

Value: TypeAlias = (
    "bool | int | float | str | bytes | memoryview | array[int] | Sequence[Value] | Mapping[str, Value] | None"
)
Read: TypeAlias = Callable[[int], memoryview]
"""Returns the next bytes, as many as requested."""

_WORD = Struct("<Q")
_SIGNED = Struct("<q")
_REAL = Struct("<d")
_WORD_BYTES = 8

_NONE, _YES, _NO, _WHOLE, _NEGATIVE, _REAL_NUMBER, _TEXT, _BYTES, _LIST, _RECORD = range(10)


def encode(value: Value) -> Iterator[bytes | memoryview]:
    """The bytes of a value, piece by piece; large arrays are not copied."""
    match value:
        case None:
            yield _head(_NONE)
        case bool():
            yield _head(_YES if value else _NO)
        case int():
            yield _head(_WHOLE) + _WORD.pack(value) if value >= 0 else _head(_NEGATIVE) + _SIGNED.pack(value)
        case float():
            yield _head(_REAL_NUMBER) + _REAL.pack(value)
        case str():
            yield from _padded(_TEXT, memoryview(value.encode()))
        case bytes() | memoryview() | array():
            yield from _padded(_BYTES, memoryview(value).cast("B"))
        case Mapping():
            yield _head(_RECORD, len(value))
            for name, each in value.items():
                yield from encode(name)
                yield from encode(each)
        case _:
            yield _head(_LIST, len(value))
            for each in value:
                yield from encode(each)


def decode(read: Read) -> Any:
    """The value at the beginning of a stream of bytes. Bytes that it contains are memoryviews."""
    (head,) = _WORD.unpack(read(_WORD_BYTES))
    kind, length = head & 0xFF, head >> 8
    match kind:
        case 0:
            return None
        case 1 | 2:
            return kind == _YES
        case 3:
            return _WORD.unpack(read(_WORD_BYTES))[0]
        case 4:
            return _SIGNED.unpack(read(_WORD_BYTES))[0]
        case 5:
            return _REAL.unpack(read(_WORD_BYTES))[0]
        case 6:
            return str(_unpadded(read, length), "utf-8")
        case 7:
            return _unpadded(read, length)
        case 8:
            return [decode(read) for _ in range(length)]
        case 9:
            return {decode(read): decode(read) for _ in range(length)}
    raise ValueError(f"a value of kind {kind}")


def _head(kind: int, length: int = 0) -> bytes:
    return _WORD.pack(length << 8 | kind)


def _padded(kind: int, content: memoryview) -> Iterator[bytes | memoryview]:
    yield _head(kind, content.nbytes)
    yield content
    yield bytes(-content.nbytes % _WORD_BYTES)


def _unpadded(read: Read, length: int) -> memoryview:
    return read(length + -length % _WORD_BYTES)[:length]
