"""The semicolons that SPIN inserts: at the ends of most lines, after blocks and after `else`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scrimp.frontends.promela.text.tokens import ARROW, END, SEMICOLON, Token

# A line that ends with one of these ends a statement, inside a body and outside parentheses.
_ENDS_A_STATEMENT = frozenset(
    {"CLOSE_BLOCK", "CLOSE", "CLOSE_INDEX", "OD", "FI", "ELSE", "BREAK", "NAME", "NUMBER", "INCREMENT", "DECREMENT"}
)
_AFTER_A_BLOCK = frozenset(
    {"PROCTYPE", "D_PROCTYPE", "INIT", "NEVER", "OPTION", "FI", "OD", "CLOSE_BLOCK", "UNLESS", "COMMA"}
    | {SEMICOLON, ARROW, END}
)
_AFTER_ELSE = frozenset({SEMICOLON, ARROW, "FI", "OD"})
_HAS_A_BODY = frozenset({"PROCTYPE", "D_PROCTYPE", "INIT", "NEVER", "TRACE", "NOTRACE", "TYPEDEF"})
_SEPARATORS = (SEMICOLON, ARROW)


def separated(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens, with the missing semicolons and without those before a closing brace."""
    held: Token | None = None
    for token in _completed(tokens):
        if held is not None and token.type != "CLOSE_BLOCK":
            yield held
        held = None
        if token.type in _SEPARATORS:
            held = token
        else:
            yield token


def _completed(tokens: Iterable[Token]) -> Iterator[Token]:
    last = ""
    parentheses = blocks = 0
    has_body = False
    for token in tokens:
        kind = token.type
        if (
            (token.gap == 2 and has_body and blocks and parentheses == 0 and _ends_line(last, kind))
            or (last == "CLOSE_BLOCK" and kind not in _AFTER_A_BLOCK)
            or (last == "ELSE" and kind not in _AFTER_ELSE)
        ):
            yield Token(SEMICOLON, "", token.offset, 0)
        if kind in ("OPEN", "OPEN_INDEX"):
            parentheses += 1
        elif kind in ("CLOSE", "CLOSE_INDEX"):
            parentheses -= 1
        elif parentheses and token.text == "in" and last in ("NAME", "CLOSE_INDEX"):
            # A keyword only in `for (name in name)`.
            kind = token.type = "IN"
        elif kind == "OPEN_BLOCK":
            blocks += 1
        elif kind == "CLOSE_BLOCK":
            blocks -= 1
            has_body = has_body and blocks > 0
        elif kind in _HAS_A_BODY:
            has_body = True
        last = kind
        yield token


def _ends_line(last: str, kind: str) -> bool:
    return last in _ENDS_A_STATEMENT and kind != "UNLESS"
