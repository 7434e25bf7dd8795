"""From text to syntax tree, by the grammar of grammar.lark; errors in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import cast

from lark import Lark, UnexpectedToken

from scrimp.errors import ModelError
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.syntax import Model, Node
from scrimp.frontends.dve.tokens import NAME, NUMBER, OPERATOR, Sign, Token, Tokenizer, shown, tokenizer
from scrimp.frontends.dve.tree import TreeBuilder
from scrimp.frontends.grammars import END, Start, any_of, expected_after, parsed, parser_of

# The terminals that an operand can start with: messages call all of them together "an expression".
_OPERAND_STARTS = frozenset({NAME, NUMBER, "TRUE", "FALSE", "LPAR", "NOT", "BANG", "TILDE", "MINUS"})
_IN_WORDS = {NAME: "a name", NUMBER: "a number", OPERATOR: "an operator"}
# What to write instead of DiVinE 3's additions, by their first word.
_INSTEAD = {
    "input": "write const, whose value -D NAME=VALUE replaces",
    "template": "write out each process",
    "expression": "ask with --ltl",
    "property": "ask with --ltl, or name a property process after system async",
    "if": "write out each case",
    "for": "write out each case",
}
# With these begin the templates (.mdve) that DiVinE expands by m4.
_MACROS = frozenset({"default", "define", "divert", "dnl", "forloop", "ifelse", "include"})


def parse_model(source: Source) -> Model:
    """The tree of a whole model; raises ModelError."""
    return cast(Model, _parse(source, "model"))


def parse_expression(source: Source) -> Node:
    """The tree of one expression; raises ModelError."""
    return cast(Node, _parse(source, "expression"))


@dataclass(frozen=True)
class _Parser:
    lark: Lark
    tokenizer: Tokenizer


@cache
def _parser() -> _Parser:
    lark = parser_of("dve", Path(__file__).with_name("grammar.lark"), TreeBuilder())
    return _Parser(lark, tokenizer(lark.terminals))


def _parse(source: Source, start: Start) -> object:
    parser = _parser()
    try:
        return parsed(parser.lark, parser.tokenizer.tokens(source), start)
    except UnexpectedToken as error:
        wrong = cast(Token, error.token)
    before = takewhile(lambda token: token != wrong, parser.tokenizer.tokens(source))
    raise _syntax_error(source, wrong, expected_after(parser.lark, before, start))


def _syntax_error(source: Source, found: Token, expected: set[str]) -> ModelError:
    spelling = {terminal: spelling for spelling, terminal in _parser().tokenizer.kinds.items() if terminal != OPERATOR}
    if found.type == END:
        what = "the end of the text"
    elif isinstance(found, Sign) and found.spelling.isalpha():
        what = f"the keyword '{found.spelling}'"
    else:
        what = f"'{shown(found)}'"
    instead = _INSTEAD.get(shown(found)) if found.type != END and "PROCESS" in expected else None
    if instead is not None:
        return source.error(found.offset, f"found {what}, which is DiVinE 3's alone; {instead}")
    if found.type != END and "PROCESS" in expected and shown(found) in _MACROS:
        return source.error(found.offset, f"found {what}, a macro of m4; expected a text in which m4 has expanded them")
    return source.error(found.offset, f"found {what}, expected {any_of(_described(expected, spelling))}")


def _described(terminals: set[str], spelling: dict[str, str]) -> Iterator[str]:
    """Descriptions of terminals for a message, the most general first."""
    if terminals >= _OPERAND_STARTS:
        yield "an expression"
        terminals = terminals - _OPERAND_STARTS
    if OPERATOR in terminals:
        terminals = terminals - {"MINUS"}
    yield from (words for terminal, words in _IN_WORDS.items() if terminal in terminals)
    if END in terminals:
        yield "the end of the text"
    yield from sorted(f"'{spelling[terminal]}'" for terminal in terminals - _IN_WORDS.keys() - {END})
