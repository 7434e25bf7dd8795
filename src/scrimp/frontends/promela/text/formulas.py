"""Properties that are read, but not checked; and the invariant that an `ltl` formula may stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrimp.frontends.promela.text.tokens import ARROW, NAME, OPERATOR, Token
from scrimp.system.system import Position

_TEMPORAL = frozenset(
    {"U", "V", "W", "X", "always", "eventually", "next", "until", "stronguntil", "weakuntil", "release"}
)
_INFIX = frozenset({OPERATOR, ARROW, "MINUS", "LESS", "GREATER", "FORMULA_SIGN"})
_OPENS = frozenset({"(", "["})
_CLOSES = frozenset({")", "]"})


class Refused(NamedTuple):
    """A property that scrimp does not check: its position and description, and for a formula `[] EXPR`, EXPR."""

    position: Position
    text: str
    invariant: str = ""


def invariant_of(formula: Sequence[Token]) -> str:
    """EXPR, if the tokens of a formula are `[] EXPR` and EXPR has no temporal operator; otherwise empty.

    `[]` has a higher precedence than every infix operator: `[] a && b` is `([] a) && b`.
    """
    formula = _bare(formula)
    always = 1 if formula and formula[0].text == "always" else 2 if _is_pair(formula, 0, "[", "]") else 0
    operand = formula[always:]
    if not always or not operand or _has_infix(operand) or _is_temporal(operand):
        return ""
    bare = _bare(operand)
    return "".join(f" {token.text}" if place and token.gap else token.text for place, token in enumerate(bare))


def _bare(tokens: Sequence[Token]) -> Sequence[Token]:
    """Tokens without the parentheses around all of them."""
    texts = [token.text for token in tokens]
    first = next((place for place, text in enumerate(texts) if text != "("), 0)
    last = len(texts) - next((place for place, text in enumerate(reversed(texts)) if text != ")"), 0)
    pairs = min(_depths(tokens)[first:last], default=0)
    return tokens[pairs : len(tokens) - pairs] if 0 < pairs <= min(first, len(texts) - last) else tokens


def _depths(tokens: Sequence[Token]) -> list[int]:
    """The number of brackets that are open after each token."""
    depths, depth = [], 0
    for token in tokens:
        depth += (token.text in _OPENS) - (token.text in _CLOSES)
        depths.append(depth)
    return depths


def _has_infix(tokens: Sequence[Token]) -> bool:
    """Whether an infix operator is outside all brackets."""
    return any(
        depth == 0 and token.type in _INFIX and place > 0
        for place, (token, depth) in enumerate(zip(tokens, _depths(tokens), strict=True))
    )


def _is_temporal(tokens: Sequence[Token]) -> bool:
    return any(
        (token.type == NAME and token.text in _TEMPORAL)
        or _is_pair(tokens, place, "[", "]")
        or _is_pair(tokens, place, "<", ">")
        for place, token in enumerate(tokens)
    )


def _is_pair(tokens: Sequence[Token], place: int, first: str, second: str) -> bool:
    return [token.text for token in tokens[place : place + 2]] == [first, second]
