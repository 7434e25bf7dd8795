"""The `ltl` formulas in the text of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrimp.frontends.promela.text.tokens import Token
from scrimp.system.system import Position


class LtlBlock(NamedTuple):
    """A formula: its position, its name, which may be empty, and its text with macros expanded."""

    position: Position
    name: str
    text: str


def formula_text(tokens: Sequence[Token]) -> str:
    """The text of a formula's tokens."""
    return "".join(f" {token.text}" if place and token.gap else token.text for place, token in enumerate(tokens))
