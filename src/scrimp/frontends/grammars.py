"""Shared by the grammars of front ends: parsers, methods of tree builders, and operator precedence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from lark import Lark, Transformer

from scrimp.disk_cache import cache_folder

Start = Literal["model", "expression"]
# The children of a rule; the grammar determines their number and kinds.
Children = list[Any]
Made = TypeVar("Made")

END = "$END"

# Regrouping a long run of one of these changes no result, not even the order in which operands are evaluated.
_ASSOCIATIVE = frozenset({"or", "||", "and", "&&", "+", "*", "|", "&", "^"})
_LONG_RUN = 32


def parser_of(language: str, grammar: Path, builder: Transformer[Any, Any]) -> Lark:
    """A parser for models and expressions. The caller feeds it tokens, `builder` makes its tree."""
    return Lark(
        grammar.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        start=["model", "expression"],
        transformer=builder,
        cache=_tables(language) or False,
    )


def _tables(language: str) -> str | None:
    """The file in which lark keeps the tables of the grammar, which take ten times as long to make as to read. Lark
    makes them again when the grammar changes."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder / f"{language}-grammar.tables")


def parsed(parser: Lark, tokens: Iterable[Any], start: Start) -> object:
    """The tree of tokens, the last of which is the end; raises UnexpectedToken. Lark reads only the type of a token, so
    that a token can already be a node of the tree."""
    # The interactive parser's own method calls this one: calling it directly saves a call per token.
    feed: Callable[[Any, bool], object] = parser.parse_interactive(start=start).parser_state.feed_token
    result = None
    for token in tokens:
        result = feed(token, token.type == END)
    return result


def expected_after(parser: Lark, tokens: Iterable[Any], start: Start) -> set[str]:
    """The terminals that may follow tokens. A parser that failed may already have reduced too far because of the wrong
    token, so a new one is used."""
    interactive = parser.parse_interactive(start=start)
    for token in tokens:
        interactive.feed_token(token)
    return cast(set[str], interactive.accepts())  # type: ignore[no-untyped-call]


def any_of(alternatives: Iterable[str]) -> str:
    """Alternatives in words."""
    *others, last = alternatives
    return f"{', '.join(others)} or {last}" if others else last


def makes(node: Callable[..., Made]) -> Callable[[Any, Children], Made]:
    """The method of a tree builder for a rule whose children are the fields of its node, in this order."""
    return lambda builder, children: node(*children)


def listed(builder: object, children: Children) -> tuple[Any, ...]:
    """The method of a tree builder for a rule whose result is the tuple of its children."""
    return tuple(children)


def arranged(children: Sequence[Any], level: Callable[[Any], int], infix: Callable[[Any, Any, Any], object]) -> Any:
    """The tree of operands with operators between them. Operators of a higher level bind tighter; `infix` makes a node
    of an operator and its two operands."""
    if len(children) == 1:
        return children[0]
    if len(children) == 3:
        left, operator, right = children
        return infix(operator, left, right)
    waiting: list[Any] = []
    done = [children[0]]

    def apply() -> None:
        right = done.pop()
        done.append(infix(waiting.pop(), done.pop(), right))

    for operator, operand in zip(children[1::2], children[2::2], strict=True):
        while waiting and level(waiting[-1]) >= level(operator):
            apply()
        waiting.append(operator)
        done.append(operand)
    while waiting:
        apply()
    return done[0]


def long_run(node: Any, operator_of: Callable[[Any], str | None]) -> list[Any] | None:
    """The operands of a long left-associative run of one operator, if it may be regrouped; otherwise None."""
    operator = operator_of(node)
    if operator not in _ASSOCIATIVE:
        return None
    operands: list[Any] = []
    while operator_of(node) == operator:
        operands.append(node.right)
        node = node.left
    operands.append(node)
    return operands[::-1] if len(operands) > _LONG_RUN else None
