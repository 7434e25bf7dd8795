"""Boolean parts of formulas in which an operand may have no value, as `i < 3 -> a[i] == 0` has.

The atoms of a formula must have a value in every state. In an expression, operands are evaluated from left to right,
and only as far as necessary; so that formulas mean what expressions do, a part without temporal operators becomes a
single atom if evaluating one of its operands may fault.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scrimp.errors import ModelError
from scrimp.formula_errors import in_atom
from scrimp.frontends.model import Formula, Model
from scrimp.ltl.formula import And, Atom, Not, Or, atoms, negation, subformulas
from scrimp.ltl.formula import Constant as Truth
from scrimp.ltl.formula import Formula as Part
from scrimp.system.expressions import FALSE, TRUE, Expression, Unary, conjunction, disjunction
from scrimp.system.faults import may_fault


def atom_of(model: Model, formula: Formula, text: str) -> Expression:
    """An atom of a formula; raises ModelError with its place."""
    try:
        return model.expression(text)
    except ModelError as error:
        raise in_atom(formula, text, error) from None


class BooleanParts:
    """The parts of a formula that become atoms. `special` has their expressions by their texts."""

    def __init__(self, model: Model, formula: Formula) -> None:
        self.special: dict[str, Callable[[Model], Expression]] = {}
        self._model = model
        self._formula = formula
        self._faulty: dict[str, bool] = {}

    def join(self, operator: str, left: Part, right: Part) -> Part | None:
        """The atom for two operands of `&&`, `||` or `->`; None if they may stay apart."""
        names = {*atoms(left), *atoms(right)}
        if not any(map(self._may_fault, names)) or not (_is_boolean(left) and _is_boolean(right)):
            return None
        text = f"{self._text(left)} {operator} {self._text(right)}"
        operands = (negation(left), right) if operator == "->" else (left, right)
        self.special[text] = partial(self._joined, conjunction if operator == "&&" else disjunction, operands)
        self._faulty[text] = True
        return Atom(text)

    def _may_fault(self, atom: str) -> bool:
        if atom not in self._faulty:
            try:
                self._faulty[atom] = may_fault(self._model.expression(atom))
            except ModelError:
                self._faulty[atom] = False  # The error is reported when the atom is used.
        return self._faulty[atom]

    def _text(self, part: Part) -> str:
        return part.name if isinstance(part, Atom) and part.name not in self.special else f"({part})"

    def _joined(self, combine: Callable[..., Expression], operands: tuple[Part, ...], model: Model) -> Expression:
        return combine(*(self._expression(operand, model) for operand in operands))

    def _expression(self, part: Part, model: Model) -> Expression:
        match part:
            case Atom(name=name):
                return self.special[name](model) if name in self.special else atom_of(model, self._formula, name)
            case Truth(value=value):
                return TRUE if value else FALSE
            case Not(operand=operand):
                return Unary("!", self._expression(operand, model))
            case And(operands=operands):
                return self._joined(conjunction, operands, model)
            case Or(operands=operands):
                return self._joined(disjunction, operands, model)
        raise AssertionError(f"{part} is not Boolean")


def _is_boolean(part: Part) -> bool:
    return all(isinstance(each, Atom | Truth | Not | And | Or) for each in subformulas(part))
