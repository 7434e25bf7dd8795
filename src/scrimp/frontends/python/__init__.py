"""Python: models as classes that derive from `scrimp.modelling.Model`. docs/modelling.md describes the language.

The text is parsed by `ast` and translated; it is never executed.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scrimp.errors import ModelError, OptionError
from scrimp.frontends.model import Model
from scrimp.frontends.python.declarations import read_program
from scrimp.frontends.python.expressions import Expressions
from scrimp.frontends.python.lower import lower
from scrimp.frontends.python.program import Program
from scrimp.frontends.python.source import Source
from scrimp.left_out import IGNORED, LeftOut
from scrimp.system.expressions import Expression
from scrimp.system.system import Position


@dataclass(frozen=True)
class PythonScope:
    """Expressions over the fields of the model, with or without `self.`."""

    program: Program

    def expression(self, text: str) -> Expression:
        source = Source("<expression>", text)
        try:
            tree = _parsed(source, "eval")
            assert isinstance(tree, ast.Expression)
            place = Expressions(replace(self.program, source=source), {}, "self", bare_fields=True)
            return place.condition(tree.body)
        except RecursionError:
            raise ModelError("<expression>", 1, 1, "this expression is nested too deeply") from None


def read_model(
    path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool = False
) -> Model:
    """The model of a text; raises ModelError, or OptionError for `defines` that override no constant and for
    `empty_channels`."""
    if empty_channels:
        raise OptionError("--empty-channels: a Python model ends validly when every process is done; use @final")
    source = Source(path, text)
    try:
        tree = _parsed(source, "exec")
        assert isinstance(tree, ast.Module)
        program = read_program(source, tree, defines)
        lowered = lower(program)
    except RecursionError:
        raise ModelError(path, 1, 1, "this model is nested too deeply") from None
    ignored = lowered.formulas if ignore_property else ()
    return Model(
        path,
        "python",
        lowered.system,
        None,
        PythonScope(program),
        vocabulary=lowered.vocabulary,
        left_out=tuple(LeftOut("ltl", each.name, f"ltl {each.name}", IGNORED) for each in ignored),
        formulas=() if ignore_property else lowered.formulas,
        fair=lowered.fair,
        goals=lowered.goals,
    )


def _parsed(source: Source, mode: str) -> ast.AST:
    """The syntax tree of a text."""
    try:
        tree: ast.AST = ast.parse(source.text, source.file, mode)
    except SyntaxError as error:
        place = Position(max(error.lineno or 1, 1), max(error.offset or 1, 1))
        raise source.error_at(place, f"syntax error: {error.msg}") from None
    except (ValueError, MemoryError) as error:
        raise ModelError(source.file, 1, 1, f"cannot be parsed: {error}") from None
    return tree
