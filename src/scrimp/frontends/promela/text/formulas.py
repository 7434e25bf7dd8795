"""The `ltl` formulas in the text of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import NAME, Token
from scrimp.system.system import Position


class LabelReference(NamedTuple):
    """P@label or P[…]@label."""

    proctype: str
    label: str
    position: Position


class LtlBlock(NamedTuple):
    """A formula: its name, which may be empty, its text with macros expanded, and the offsets in the text at which
    tokens begin, with their positions in the model. The last one is the closing brace. `names` are all names in the
    text, `labels` the references to labels."""

    name: str
    text: str
    positions: tuple[tuple[int, Position], ...]
    names: frozenset[str] = frozenset()
    labels: tuple[LabelReference, ...] = ()


def formula_block(name: str, tokens: Sequence[Token], source: Source) -> LtlBlock:
    """A formula of these tokens, of which the last is the closing brace."""
    text = ""
    positions: list[tuple[int, Position]] = []
    for token in tokens:
        before = f"{text} " if text and token.gap else text
        positions.append((len(before), source.position(token.offset)))
        text = before + token.text
    names = frozenset(token.text for token in tokens if token.type == NAME)
    return LtlBlock(name, text[: positions[-1][0]].rstrip(), tuple(positions), names, tuple(_labels(tokens, source)))


def _labels(tokens: Sequence[Token], source: Source) -> Iterator[LabelReference]:
    for place, token in enumerate(tokens[:-1]):
        if token.type != "AT" or place == 0:
            continue
        before = place - 1
        if tokens[before].type == "CLOSE_INDEX":
            depth = 1
            while depth and before:
                before -= 1
                depth += (tokens[before].type == "CLOSE_INDEX") - (tokens[before].type == "OPEN_INDEX")
            before -= 1
        if before >= 0:
            proctype, label = tokens[before], tokens[place + 1].text
            yield LabelReference(proctype.text, label, source.position(proctype.offset))
