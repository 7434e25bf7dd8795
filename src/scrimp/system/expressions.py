"""Expressions: pure functions of a state to a 32-bit integer.

Arithmetic wraps around at 32 bits, as in C on every machine we know; division truncates towards zero and `%` takes the
sign of the dividend; a shift takes its count modulo 32 and `>>` keeps the sign. `&&` and `||` evaluate their right side
only if the left does not decide, `Conditional` evaluates one branch. True is 1 and false is 0; any value but 0 is true.

Evaluation may *fault*: an index outside the array, a position without a message, a division by zero or of the smallest
integer by -1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Literal, TypeAlias

UnaryOperator: TypeAlias = Literal["-", "!", "~"]
BinaryOperator: TypeAlias = Literal[
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||"
]

MIRRORED: Mapping[BinaryOperator, BinaryOperator]
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparisons, each with its equivalent for swapped operands."""

OPPOSITE: Mapping[BinaryOperator, BinaryOperator]
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""The comparisons, each with its negation."""

_MOST_IN_A_ROW = 32


@dataclass(frozen=True, slots=True)
class Constant:
    value: int


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a variable, or of one element of an array variable."""

    variable: int
    index: Expression | None = None


@dataclass(frozen=True, slots=True)
class At:
    """Whether a process is at a location."""

    process: int
    location: int


@dataclass(frozen=True, slots=True)
class Length:
    """How many messages a channel holds."""

    channel: int


@dataclass(frozen=True, slots=True)
class Message:
    """One field of the message at `position` in a channel, the oldest being at 0; a fault if there is no such
    message."""

    channel: int
    field: int
    position: Expression


@dataclass(frozen=True, slots=True)
class Find:
    """The position of the oldest message whose fields equal `pattern`, in which None equals everything; -1 if there
    is none. The whole pattern is evaluated first, whatever the channel holds, and its values are compared as they are,
    without being brought into the fields' ranges."""

    channel: int
    pattern: tuple[Expression | None, ...]


@dataclass(frozen=True, slots=True)
class Timeout:
    """Whether nothing in the whole system would be enabled otherwise; see System."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """No value: evaluating it is a fault, and `text` says why."""

    text: str


@dataclass(frozen=True, slots=True)
class Unary:
    operator: UnaryOperator
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    operator: BinaryOperator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    test: Expression
    then: Expression
    otherwise: Expression


Expression: TypeAlias = (
    Constant | Read | At | Length | Message | Find | Timeout | Undefined | Unary | Binary | Conditional
)

TRUE = Constant(1)
FALSE = Constant(0)


def conjunction(*tests: Expression) -> Expression:
    """All of `tests`, evaluated left to right; constants that are true disappear."""
    return _joined("&&", [test for test in tests if test != TRUE], TRUE)


def disjunction(*tests: Expression) -> Expression:
    """Any of `tests`, evaluated left to right; constants that are false disappear."""
    return _joined("||", [test for test in tests if test != FALSE], FALSE)


def _joined(operator: BinaryOperator, tests: Sequence[Expression], otherwise: Expression) -> Expression:
    """The tests joined by the operator, or `otherwise` if there are none. Many are joined by halves, so that the
    expression is not nested deeply."""
    if len(tests) > _MOST_IN_A_ROW:
        middle = len(tests) // 2
        halves = (_joined(operator, part, otherwise) for part in (tests[:middle], tests[middle:]))
        return Binary(operator, *halves)
    return reduce(partial(Binary, operator), tests) if tests else otherwise
