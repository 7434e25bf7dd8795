"""Expressions of a system as text in the model's words, and as a tree that shows why one has its value in a state."""

from __future__ import annotations

from collections.abc import Iterator

from scrimp.frontends.model import Model
from scrimp.outputs.page_states import Json
from scrimp.outputs.trace_text import message_text, value_text
from scrimp.system import reference
from scrimp.system.expressions import (
    At,
    Binary,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Timeout,
    Unary,
    Undefined,
)
from scrimp.system.reference import EvaluationFault, State

CONNECTIVES = ("&&", "||")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
DEEPEST = 24


class Explainer:
    """Explains expressions in one state of a model."""

    def __init__(self, model: Model, state: State) -> None:
        self._model = model
        self._state = state

    def tree(self, expression: Expression, depth: int = 0) -> Json:
        """A node: its text, whether it holds, and the parts that decide that. Parts that do not matter are marked."""
        node: dict[str, Json] = {"text": self.text(expression), "holds": self._holds(expression)}
        value = self._value(expression)
        if not self._is_test(expression):
            node["value"] = value
        elif self._holds(expression) is None:
            node["note"] = value
        parts = [] if depth == DEEPEST else [self.tree(part, depth + 1) for part in self._parts(expression)]
        if parts:
            node["parts"] = self._weighed(expression, node["holds"], parts)
        return node

    def _weighed(self, expression: Expression, holds: bool | None, parts: list[Json]) -> list[Json]:
        """Of a conjunction that is false, or a disjunction that is true, the operands that agree decide."""
        match expression:
            case Binary("&&" | "||" as operator, _, _) if holds == (operator == "||"):
                return [part | ({} if part["holds"] == holds else {"idle": True}) for part in parts]
        return parts

    def _parts(self, expression: Expression) -> Iterator[Expression]:
        match expression:
            case Binary(operator, left, right) if operator in CONNECTIVES:
                yield from self._operands(expression, operator)
            case Binary(_, left, right):
                yield from (part for part in (left, right) if not isinstance(part, Constant))
            case Unary(_, operand):
                yield operand
            case Conditional(test, then, otherwise):
                yield test
                yield then if self._holds(test) else otherwise
            case Read(_, index) if index is not None and not isinstance(index, Constant):
                yield index
            case Message(_, _, position) if not isinstance(position, Constant):
                yield position

    def _operands(self, expression: Expression, operator: str) -> Iterator[Expression]:
        """The operands of a chain of the same connective."""
        match expression:
            case Binary(found, left, right) if found == operator:
                yield from self._operands(left, operator)
                yield from self._operands(right, operator)
            case _:
                yield expression

    def _value(self, expression: Expression) -> str:
        try:
            value = reference.evaluate(self._model.system, self._state, expression)
        except EvaluationFault as fault:
            return f"cannot be evaluated: {fault}"
        match expression:
            case Read(variable, _):
                return value_text(value, self._model.vocabulary.names(variable))
            case Message(channel, field, _):
                names = self._model.vocabulary.messages.get(channel, ())
                return message_text((value,), names[field : field + 1])
        return str(value)

    def _holds(self, expression: Expression) -> bool | None:
        """Whether the value is not 0; None if there is none."""
        try:
            return reference.evaluate(self._model.system, self._state, expression) != 0
        except EvaluationFault:
            return None

    @staticmethod
    def _is_test(expression: Expression) -> bool:
        match expression:
            case Binary(operator, _, _):
                return operator in (*CONNECTIVES, *COMPARISONS)
            case Unary("!", _) | At() | Timeout():
                return True
        return False

    def text(self, expression: Expression) -> str:
        """The expression, with names of the model."""
        system, vocabulary = self._model.system, self._model.vocabulary
        match expression:
            case Constant(value):
                return str(value)
            case Read(variable, None):
                return vocabulary.variable(system, variable)
            case Read(variable, Constant(element)) if element < len(system.variables[variable].initial):
                return vocabulary.element(system, variable, element)
            case Read(variable, index):
                return f"{vocabulary.variable(system, variable)}[{self.text(index) if index else 0}]"
            case At(process, location):
                return vocabulary.place(system, process, location) or f"{system.processes[process].name} does not run"
            case Length(channel):
                return f"len({system.channels[channel].name})"
            case Message(channel, field, position):
                return f"{system.channels[channel].name}[{self.text(position)}].{field + 1}"
            case Find(channel, pattern):
                fields = ", ".join("_" if part is None else self.text(part) for part in pattern)
                return f"place of ({fields}) in {system.channels[channel].name}"
            case Timeout():
                return "timeout"
            case Undefined(text):
                return text
            case Unary(operator, operand):
                return f"{operator}{self._nested(operand)}"
            case Binary(operator, left, right) if operator in CONNECTIVES:
                return f" {operator} ".join(map(self._operand, self._operands(expression, operator)))
            case Binary(operator, left, right):
                return f"{self._nested(left, comparing(operator))} {operator} {self._compared(left, operator, right)}"
            case Conditional(test, then, otherwise):
                return " ".join(f"{self._nested(test)} ? {self._nested(then)} : {self._nested(otherwise)}".split())

    def _compared(self, left: Expression, operator: str, right: Expression) -> str:
        """The right side of an operator; a number that is compared with a variable goes by the name it has there."""
        match left, right:
            case Read(variable, _), Constant(value) if comparing(operator):
                return value_text(value, self._model.vocabulary.names(variable))
        return self._nested(right, comparing(operator))

    def _operand(self, expression: Expression) -> str:
        """An operand of a connective: only another connective needs parentheses."""
        match expression:
            case Binary("&&" | "||", _, _) | Conditional():
                return f"({self.text(expression)})"
        return self.text(expression)

    def _nested(self, expression: Expression, inside_comparison: bool = False) -> str:
        text = self.text(expression)
        match expression:
            case Binary(operator, _, _):
                loose = comparing(operator) or operator in CONNECTIVES
                return f"({text})" if loose or not inside_comparison else text
            case Conditional() | At():
                return f"({text})"
        return text


def comparing(operator: str) -> bool:
    return operator in COMPARISONS
