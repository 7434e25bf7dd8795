"""Operators of DVE: their meaning and precedence.

`and` and `or` share one level and associate to the left, and so do `|`, `&` and `^`: not as in C, but as in DiVinE's
grammar.
"""

from __future__ import annotations

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
