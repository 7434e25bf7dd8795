"""Messages about syntax errors: what the parser found and what it expected instead."""

from __future__ import annotations

from collections.abc import Callable, Collection

from lark import Lark, Token, UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from scrimp.errors import ModelError
from scrimp.system.text.names import print_string

FUNCTIONS = frozenset({"LEN", "MESSAGE", "FIND", "TIMEOUT", "UNDEFINED"})
EXPRESSION_STARTS = frozenset({"NAME", "STRING", "INT", "LPAR", "NOT", "MINUS", "COMPLEMENT"}) | FUNCTIONS
CONNECTIVES = frozenset({"OR", "AND", "QMARK"})
BITWISE = frozenset({"BIT_OR", "BIT_XOR", "BIT_AND", "SHIFT"})
OPERATORS = CONNECTIVES | BITWISE | {"EQUALITY", "COMPARISON", "PLUS", "MINUS", "PRODUCT"}
CONDITIONS = frozenset({"CLAIM", "COMMITTED", "VALID_END", "OFFER", "INVARIANT"})
DECLARATION_STARTS = CONDITIONS | {"PROCESS", "VARIABLE", "CHANNEL", "TRANSITION"}
GROUPS = (
    ("an expression", EXPRESSION_STARTS),
    ("an operator", OPERATORS),
    ("a declaration", DECLARATION_STARTS),
    ("a statement", frozenset({"NAME", "STRING", "IF", "ASSERT", "EXPECT", "CLEAR", "OUTGROW"})),
    ("a name", frozenset({"NAME", "STRING"})),
)
"""If all tokens of a group are expected, the message names the group instead; earlier groups come first."""

WORDS = {"NAME": "a name", "INT": "a number", "STRING": "a text in quotes", "$END": "the end of the file"}
WORDS |= {"EQUALITY": "`==`", "COMPARISON": "`<`", "SHIFT": "`<<`", "PRODUCT": "`*`"}


def syntax_error(unexpected: UnexpectedInput, parser: Lark, text: str, file: str) -> ModelError:
    """The parser's complaint as an error for the user."""
    line, column = _place(unexpected, text)
    expected = describe_expected(_expected(unexpected), parser)
    return ModelError(file, line, column, f"found {_found(unexpected)}, expected {expected}")


def describe_expected(terminals: Collection[str], parser: Lark) -> str:
    left = set(terminals)
    phrases = []
    for phrase, group in GROUPS:
        if left >= group:
            phrases.append(phrase)
            left -= group
    phrases += sorted(_word(terminal, parser) for terminal in left)
    return " or ".join([", ".join(phrases[:-1]), phrases[-1]] if len(phrases) > 1 else phrases)


def _word(terminal: str, parser: Lark) -> str:
    if terminal in WORDS:
        return WORDS[terminal]
    pattern = parser.get_terminal(terminal).pattern
    return f"`{pattern.value}`"


def _expected(unexpected: UnexpectedInput) -> Collection[str]:
    """The terminals that could come next; the exception's own list has some that could not."""
    accepts: Callable[[], Collection[str]] = unexpected.interactive_parser.accepts
    return accepts()


def _place(unexpected: UnexpectedInput, text: str) -> tuple[int, int]:
    match unexpected:
        case UnexpectedToken(token=Token(type="$END")) | UnexpectedEOF():
            lines = text.split("\n")
            return len(lines), len(lines[-1]) + 1
    return unexpected.line, unexpected.column


def _found(unexpected: UnexpectedInput) -> str:
    match unexpected:
        case UnexpectedToken(token=Token(type="$END")) | UnexpectedEOF():
            return "the end of the file"
        case UnexpectedToken(token=token):
            return f"`{token}`"
        case UnexpectedCharacters():
            return f"`{unexpected.char}`" if unexpected.char.isprintable() else print_string(unexpected.char)
    return "something else"
