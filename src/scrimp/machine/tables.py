"""Constant arrays as code: their elements are packed into numbers inside small functions."""

from __future__ import annotations

from scrimp.machine.abi import WORD_BITS
from scrimp.machine.writer import Writer


class Tables:
    """The functions that look up elements of constant arrays; each is generated when first needed."""

    def __init__(self, attributes: str) -> None:
        self.attributes = attributes
        self.functions: dict[int, str] = {}

    def look_up(self, writer: Writer, variable: int, constants: tuple[int, ...], index: str) -> str:
        """Code for the element at an index, an i32 in range."""
        name = f"@table_{variable}"
        if variable not in self.functions:
            self.functions[variable] = _function(name, constants, self.attributes)
        return writer.value(f"call fastcc i32 {name}(i32 {index})")


def _function(name: str, constants: tuple[int, ...], attributes: str) -> str:
    base = min(constants)
    bits = max(1, (max(constants) - base).bit_length())
    in_a_word = WORD_BITS // bits
    packed = [
        sum(value - base << bits * place for place, value in enumerate(constants[start : start + in_a_word]))
        for start in range(0, len(constants), in_a_word)
    ]
    writer = Writer()
    with writer.function(f"internal fastcc i32 {name}(i32 %index) {attributes}"):
        writer.begin("entry")
        place = "%index"
        word = str(packed[0])
        if len(packed) > 1:
            place = writer.value(f"urem i32 %index, {in_a_word}")
            word = _chosen_word(writer, writer.value(f"udiv i32 %index, {in_a_word}"), packed)
        shift = writer.value(f"zext i32 {writer.value(f'mul i32 {place}, {bits}')} to i64")
        shifted = writer.value(f"trunc i64 {writer.value(f'lshr i64 {word}, {shift}')} to i32")
        element = writer.value(f"and i32 {shifted}, {(1 << bits) - 1}")
        writer.do(f"ret i32 {writer.value(f'add i32 {element}, {base}')}")
    return writer.text()


def _chosen_word(writer: Writer, number: str, packed: list[int]) -> str:
    """A switch over the word's number, merged by a phi."""
    end = writer.label()
    cases = [(value, writer.label()) for value in range(len(packed))]
    arms = " ".join(f"i32 {value}, label %{label}" for value, label in cases)
    writer.do(f"switch i32 {number}, label %{cases[0][1]} [{arms}]")
    for _, label in cases:
        writer.begin(label)
        writer.do(f"br label %{end}")
    writer.begin(end)
    incoming = ", ".join(f"[{word}, %{label}]" for word, (_, label) in zip(packed, cases, strict=True))
    return writer.value(f"phi i64 {incoming}")
