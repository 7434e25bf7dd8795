"""The `ltl` formulas in the text of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import Token
from scrimp.system.system import Position


class LtlBlock(NamedTuple):
    """A formula: its name, which may be empty, its text with macros expanded, and the offsets in the text at which
    tokens begin, with their positions in the model. The last one is the closing brace."""

    name: str
    text: str
    positions: tuple[tuple[int, Position], ...]


def formula_block(name: str, tokens: Sequence[Token], source: Source) -> LtlBlock:
    """A formula of these tokens, of which the last is the closing brace."""
    text = ""
    positions: list[tuple[int, Position]] = []
    for token in tokens:
        before = f"{text} " if text and token.gap else text
        positions.append((len(before), source.position(token.offset)))
        text = before + token.text
    return LtlBlock(name, text[: positions[-1][0]].rstrip(), tuple(positions))
