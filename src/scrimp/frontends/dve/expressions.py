"""From expressions of the syntax tree to expressions of the system: resolves names, folds constants."""

from __future__ import annotations

from dataclasses import dataclass

from scrimp.frontends.dve.names import NamedConstant, NamedState, NamedVariable, Names, wrong_kind
from scrimp.frontends.dve.operators import BINARY, UNARY
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.syntax import Element, Foreign, Identifier, Infix, Node, Number, Prefix, StateTest
from scrimp.frontends.dve.tokens import shortened
from scrimp.frontends.grammars import long_run
from scrimp.system.expressions import At, Binary, Constant, Expression, Read, Unary
from scrimp.system.reference import EvaluationFault, State, evaluate
from scrimp.system.system import System

# Beyond this depth, recursive functions over expressions, including pickle's, come close to Python's limit.
DEEPEST = 150

FIRST = Constant(0)
"""The index of an array that is written without one, as BEEM's train-gate does: DiVinE takes the first element."""

_SCALAR = "a variable or a constant"
_NO_SYSTEM = System("", (), (), (), ())
_NO_STATE = State((), (), ())


@dataclass(frozen=True)
class ExpressionLowering:
    source: Source
    names: Names

    def lower(self, node: Node, depth: int = 0) -> Expression:
        """The expression of the system for `node`; raises ModelError."""
        if depth > DEEPEST:
            raise self.source.error(node.offset, f"this expression is nested more than {DEEPEST} levels deep")
        match node:
            case Number(value, _):
                return Constant(value)
            case Identifier():
                return self._scalar(node)
            case Element(array, subscript):
                return self._element(array, self.names, subscript, depth)
            case Prefix(operator, operand, _):
                return folded(Unary(UNARY[operator], self.lower(operand, depth + 1)))
            case Infix():
                return self._infix(node, depth)
            case StateTest(process, state):
                return self._state_test(process, state)
            case Foreign():
                return self._foreign(node, depth)

    def constant(self, node: Node) -> int:
        """The value of an expression that must not depend on the state; raises ModelError."""
        lowered = self.lower(node)
        if isinstance(lowered, Constant):
            return lowered.value
        try:
            evaluate(_NO_SYSTEM, _NO_STATE, lowered)
        except EvaluationFault as fault:
            raise self.source.error(node.offset, f"cannot compute this constant: {fault}") from None
        except LookupError:
            pass
        raise self.source.error(node.offset, "this value depends on variables, expected a constant")

    def _scalar(self, identifier: Identifier) -> Expression:
        meaning = self.names.find(self.source, identifier, _SCALAR)
        if isinstance(meaning, NamedConstant):
            return Constant(meaning.value)
        if not isinstance(meaning, NamedVariable):
            raise wrong_kind(self.source, identifier, meaning, _SCALAR)
        if meaning.constants is not None:
            return Constant(meaning.constants[0])
        return Read(meaning.index, None if meaning.length is None else FIRST)

    def _element(self, array: Identifier, owner: Names, subscript: Node, depth: int) -> Expression:
        meaning = owner.find(self.source, array, "an array")
        if not isinstance(meaning, NamedVariable) or meaning.length is None:
            raise wrong_kind(self.source, array, meaning, "an array")
        lowered = self.lower(subscript, depth + 1)
        if meaning.constants is not None and isinstance(lowered, Constant) and 0 <= lowered.value < meaning.length:
            return Constant(meaning.constants[lowered.value])
        return Read(meaning.index, lowered)

    def _infix(self, node: Infix, depth: int) -> Expression:
        if node.operator == "imply":
            premise = self.lower(node.left, depth + 2)
            return folded(Binary("||", folded(Unary("!", premise)), self.lower(node.right, depth + 1)))
        operands = long_run(node, _operator)
        if operands is not None:
            return self._balanced(node, operands, depth)
        left = self.lower(node.left, depth + 1)
        return folded(Binary(BINARY[node.operator], left, self.lower(node.right, depth + 1)))

    def _balanced(self, node: Infix, operands: list[Node], depth: int) -> Expression:
        """A long run of one operator as a balanced tree, of logarithmic depth."""
        if len(operands) == 1:
            return self.lower(operands[0], depth)
        half = len(operands) // 2
        left = self._balanced(node, operands[:half], depth + 1)
        return folded(Binary(BINARY[node.operator], left, self._balanced(node, operands[half:], depth + 1)))

    def _state_test(self, process: Identifier, state: Identifier) -> Expression:
        owner = self.names.find_process(self.source, process)
        meaning = owner.names.get(state.name)
        if not isinstance(meaning, NamedState):
            message = f"process '{shortened(process.name)}' has no state '{shortened(state.name)}'"
            if isinstance(meaning, NamedVariable | NamedConstant):
                message += f"; its variable of this name is ({process.name}->{state.name})"
            raise self.source.error(state.offset, message)
        return At(owner.index, meaning.index)

    def _foreign(self, node: Foreign, depth: int) -> Expression:
        owner = self.names.find_process(self.source, node.process)
        meaning = owner.names.get(node.variable.name)
        if not isinstance(meaning, NamedVariable | NamedConstant):
            message = f"process '{shortened(node.process.name)}' has no variable '{shortened(node.variable.name)}'"
            raise self.source.error(node.variable.offset, message)
        inside = ExpressionLowering(self.source, Names({}, owner))
        if node.subscript is None:
            return inside._scalar(node.variable)
        return self._element(node.variable, inside.names, node.subscript, depth)


def _operator(node: Node) -> str | None:
    return node.operator if isinstance(node, Infix) else None


def folded(expression: Unary | Binary) -> Expression:
    """An operation on constants replaced by its result, unless it faults."""
    match expression:
        case Unary(_, Constant()) | Binary(_, Constant(), Constant()):
            try:
                return Constant(evaluate(_NO_SYSTEM, _NO_STATE, expression))
            except EvaluationFault:
                return expression
    return expression
