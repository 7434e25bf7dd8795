"""Implications in expressions on the command line and in the API: `a -> b` becomes `!(a) || (b)` before parsing.

In models, `->` separates statements, and `(a -> b : c)` is a choice. So `a -> b` is an implication only as a whole
expression or in parentheses, without such a colon. It has the lowest precedence, and groups to the right.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.frontends.promela.text.tokens import ARROW, END, OPERATOR, PROCTYPE_NAME, Token

_OPENS = {"OPEN": "CLOSE", "OPEN_INDEX": "CLOSE_INDEX"}
_CLOSES = frozenset(_OPENS.values())


def implied(tokens: Sequence[Token]) -> list[Token]:
    """The tokens of an expression, the last of which is the end, with implications replaced."""
    end = [tokens[-1]] if tokens and tokens[-1].type == END else []
    return _group(tokens[: len(tokens) - len(end)]) + end


def _group(tokens: Sequence[Token]) -> list[Token]:
    """Replaces implications in the tokens of a whole expression, or between two parentheses."""
    result: list[Token] = []
    arrow: Token | None = None
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.type in _OPENS:
            close = _closing(tokens, place)
            result += [token, *_group(tokens[place + 1 : close]), *tokens[close : close + 1]]
            place = close + 1
            continue
        if token.type == ARROW and not _chooses(tokens[place + 1 :]):
            arrow = token
            break
        result.append(token)
        place += 1
    if arrow is None:
        return result
    rest = _group(tokens[place + 1 :])
    if not result or not rest:  # the parser reports what is missing
        return [*result, arrow, *rest]
    premise = [_sign("SEND", "!", arrow), *_parenthesised(result, arrow)]
    return [*premise, _sign(OPERATOR, "||", arrow), *_parenthesised(rest, arrow)]


def _chooses(following: Sequence[Token]) -> bool:
    """Whether the colon of `(a -> b : c)` follows; the one of `Proctype:variable` does not count."""
    place = 0
    while place < len(following):
        token = following[place]
        if token.type in _OPENS:
            close = _closing(following, place)
            is_remote = token.type == "OPEN_INDEX" and place > 0 and following[place - 1].type == PROCTYPE_NAME
            place = close + 1 + is_remote
            continue
        if token.type == "COLON" and (place == 0 or following[place - 1].type != PROCTYPE_NAME):
            return True
        place += 1
    return False


def _closing(tokens: Sequence[Token], opening: int) -> int:
    """The index at which the parenthesis opened here is closed; the end of the tokens if it is not."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += (tokens[place].type in _OPENS) - (tokens[place].type in _CLOSES)
        if depth == 0:
            return place
    return len(tokens)


def _parenthesised(tokens: list[Token], at: Token) -> list[Token]:
    return [_sign("OPEN", "(", at), *tokens, _sign("CLOSE", ")", at)]


def _sign(kind: str, text: str, at: Token) -> Token:
    return Token(kind, text, at.offset, at.gap)
