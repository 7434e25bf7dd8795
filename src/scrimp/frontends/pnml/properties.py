"""Expressions over a net: how many tokens places hold, and which transitions are enabled."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NoReturn, cast

from lark import Lark, Token, UnexpectedInput, v_args
from lark.exceptions import VisitError
from lark.visitors import Transformer_NonRecursive

from scrimp.errors import ModelError
from scrimp.frontends.pnml.lower import Bounds, balanced, fireable
from scrimp.frontends.pnml.net import Net
from scrimp.frontends.pnml.overflow import OverflowChecks, overflow_checks
from scrimp.frontends.pnml.placement import Placement
from scrimp.frontends.pnml.xml import shortened
from scrimp.system.expressions import FALSE, Binary, BinaryOperator, Constant, Expression, Unary, UnaryOperator
from scrimp.system.types import INT

# Beyond this depth, recursive functions over expressions, including pickle's, come close to Python's limit.
DEEPEST = 150

_FILE = "<expression>"
_UNARY: dict[str, UnaryOperator] = {"not": "!", "!": "!", "-": "-"}
_IN_WORDS = {"and": "&&", "or": "||"}
_ASSOCIATIVE: tuple[set[str], ...] = ({"+"}, {"&&"}, {"||"})


@dataclass(frozen=True)
class NetScope:
    """The names of a net's places and transitions."""

    net: Net
    placement: Placement
    bounds: Bounds

    def expression(self, text: str) -> Expression:
        builder = _Builder(self.net, self.placement, self.bounds)
        try:
            expression, depth = builder.transform(_parser().parse(text))
        except UnexpectedInput as unexpected:
            raise _syntax_error(unexpected, text) from None
        except VisitError as error:
            raise error.orig_exc from None
        if depth > DEEPEST:
            raise ModelError(_FILE, 1, 1, f"this expression is nested more than {DEEPEST} levels deep")
        return self._checks.checked(expression)

    @cached_property
    def _checks(self) -> OverflowChecks:
        return overflow_checks(self.net, self.placement, self.bounds)


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr")


def _syntax_error(unexpected: UnexpectedInput, text: str) -> ModelError:
    token = getattr(unexpected, "token", None)
    if token is not None and token.type != "$END":
        found = f"'{shortened(token)}'"
    elif token is None:
        found = f"the character '{shortened(text[unexpected.pos_in_stream or 0])}'"
    else:
        lines = text.split("\n")
        return ModelError(_FILE, len(lines), len(lines[-1]) + 1, f"found the end of the text, expected {_OPERAND}")
    return ModelError(_FILE, unexpected.line, unexpected.column, f"found {found}, expected {_OPERAND} or an operator")


_OPERAND = "a place, a number, fireable(…)"

_Nested = tuple[Expression, int]


@v_args(inline=True)
class _Builder(Transformer_NonRecursive[Token, _Nested]):
    """One method per rule of the grammar; each returns an expression and its depth."""

    def __init__(self, net: Net, placement: Placement, bounds: Bounds) -> None:
        super().__init__()
        self.net = net
        self.placement = placement
        self.bounds = bounds

    def number(self, digits: Token) -> _Nested:
        if len(digits) > len(str(INT.high)) or int(digits) > INT.high:
            self._fail(digits, f"found the number {shortened(digits)}, expected at most {INT.high}")
        return Constant(int(digits)), 1

    def colours(self, *names: Token) -> str:
        return f"({','.join(self._spelled(name) for name in names)})"

    def tokens(self, name: Token, colours: str = "") -> _Nested:
        """How many tokens a place holds, of all colours or of one."""
        places = self._find(self.net.place_names, name, self._spelled(name) + colours, "place")
        return balanced("+", [self.placement.tokens(place) for place in places], FALSE), 1 + len(places).bit_length()

    def fireable(self, _: Token, name: Token) -> _Nested:
        """Whether a transition is enabled, in any binding if it has several."""
        numbers = self._find(self.net.transition_names, name, self._spelled(name), "transition")
        transitions = [self.net.transitions[number] for number in numbers]
        tests = [fireable(transition, self.placement, self.bounds) for transition in transitions]
        widest = max((len(t.needs) + len(t.inhibitors) for t in transitions), default=0)
        return balanced("||", tests, FALSE), 2 + len(tests).bit_length() + widest.bit_length()

    def prefix(self, operator: Token, operand: _Nested) -> _Nested:
        return Unary(_UNARY[operator], operand[0]), operand[1] + 1

    def chain(self, *parts: Any) -> _Nested:
        """Operands with operators between them, from the left; a run of one associative operator is balanced."""
        operands = cast(tuple[_Nested, ...], parts[::2])
        operators = [cast(BinaryOperator, _IN_WORDS.get(str(part), str(part))) for part in parts[1::2]]
        if set(operators) in _ASSOCIATIVE:
            joined = balanced(operators[0], [expression for expression, _ in operands], FALSE)
            return joined, max(depth for _, depth in operands) + len(operands).bit_length()
        expression, depth = operands[0]
        for operator, (operand, deep) in zip(operators, operands[1:], strict=True):
            expression, depth = Binary(operator, expression, operand), max(depth, deep) + 1
        return expression, depth

    disjunction = conjunction = equality = comparison = sum = product = chain

    def implication(self, left: _Nested, right: _Nested) -> _Nested:
        return Binary("||", Unary("!", left[0]), right[0]), max(left[1] + 1, right[1]) + 1

    def _find(self, names: Mapping[str, tuple[int, ...]], token: Token, spelled: str, what: str) -> tuple[int, ...]:
        if spelled not in names:
            self._fail(token, f"unknown {what} '{shortened(spelled)}', expected a {what} of this net")
        return names[spelled]

    def _fail(self, token: Token, message: str) -> NoReturn:
        raise ModelError(_FILE, token.line or 1, token.column or 1, message)

    def _spelled(self, name: Token) -> str:
        if name.type != "STRING":
            return str(name)
        try:
            return str(json.loads(name, strict=False))
        except ValueError:
            self._fail(name, f"found {shortened(name)}, expected a name with JSON escapes")
