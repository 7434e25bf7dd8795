"""Operators of DVE: what they mean and which binds tighter.

`and` and `or` share one level and associate to the left, and so do `|`, `&` and `^`: not the habits of C but those of
DiVinE's grammar.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.frontends.dve.syntax import Infix, Node
from scrimp.system.expressions import BinaryOperator, UnaryOperator

_LEVELS = (
    ("imply",),
    ("or", "||", "and", "&&"),
    ("|", "&", "^"),
    ("==", "!="),
    ("<", "<=", ">=", ">"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
LEVEL = {spelling: level for level, spellings in enumerate(_LEVELS) for spelling in spellings}

_WORDS: dict[str, BinaryOperator] = {"or": "||", "and": "&&"}
_SYMBOLS: tuple[BinaryOperator, ...] = (
    *("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"),
    *("==", "!=", "<", "<=", ">", ">=", "&&", "||"),
)
BINARY: dict[str, BinaryOperator] = {**{symbol: symbol for symbol in _SYMBOLS}, **_WORDS}
UNARY: dict[str, UnaryOperator] = {"not": "!", "!": "!", "~": "~", "-": "-"}

# Grouping a long run of one of these otherwise changes no result, not even which operand is evaluated first.
_ASSOCIATIVE = frozenset({"or", "||", "and", "&&", "+", "*", "|", "&", "^"})
_LONG_RUN = 32


def arrange(operands: Sequence[Node], operators: Sequence[tuple[str, int]]) -> Node:
    """The tree of `operands[0] operators[0] operands[1] …`; an operator is a spelling and its offset."""
    waiting: list[tuple[str, int]] = []
    done: list[Node] = [operands[0]]
    for operator, operand in zip(operators, operands[1:], strict=True):
        while waiting and LEVEL[waiting[-1][0]] >= LEVEL[operator[0]]:
            _apply(waiting, done)
        waiting.append(operator)
        done.append(operand)
    while waiting:
        _apply(waiting, done)
    return done[0]


def _apply(waiting: list[tuple[str, int]], done: list[Node]) -> None:
    spelling, offset = waiting.pop()
    right = done.pop()
    done.append(Infix(spelling, done.pop(), right, offset))


def run(node: Infix) -> list[Node] | None:
    """The operands of a long left-associated run of one operator, where it may be grouped at will; None elsewhere."""
    if node.operator not in _ASSOCIATIVE:
        return None
    operands: list[Node] = []
    left: Node = node
    while isinstance(left, Infix) and left.operator == node.operator:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    return operands[::-1] if len(operands) > _LONG_RUN else None
