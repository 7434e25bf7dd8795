"""Classes as models: the text of the file or notebook in which a class is defined. Nothing in it is executed again."""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from scrimp.errors import OptionError
from scrimp.modelling import Model

NOTEBOOK = "<notebook>"


def source_of(kind: type) -> tuple[str, str]:
    """The file of a class that derives from `scrimp.modelling.Model`, and what of its text the class needs; raises
    OptionError. Lines keep their numbers, unless definitions come from other cells of a notebook."""
    if not issubclass(kind, Model) or kind is Model:
        raise OptionError(f"model: expected a class that derives from scrimp.modelling.Model, found {kind.__name__}")
    file = next((each.__code__.co_filename for each in vars(kind).values() if inspect.isfunction(each)), None)
    lines = linecache.getlines(file) if file is not None else []
    if file is None or not lines:
        raise OptionError(f"model: the text of {kind.__name__} cannot be found; define it in a file or a notebook")
    text = "".join(lines)
    if os.path.isfile(file):
        return file, _reduced(text, kind.__name__)
    cells: Sequence[str] = getattr(sys.modules.get(kind.__module__), "In", ())
    others = "".join(f"{cell}\n" for cell in cells if cell.strip() != text.strip() and _parsed(cell) is not None)
    return NOTEBOOK, _reduced(others + text, kind.__name__)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:  # a cell with commands of the notebook itself
        return None


def _reduced(text: str, name: str) -> str:
    """A text in which only the definitions are left that a class needs; other lines are empty."""
    tree = _parsed(text)
    if tree is None:
        return text
    found = {defined: node for node in tree.body for defined in _defined(node)}
    needed: set[ast.stmt] = set()
    todo = [name]
    while todo:
        node = found.get(todo.pop())
        if node is not None and node not in needed:
            needed.add(node)
            todo += (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
            todo += (each.value for each in ast.walk(node) if _is_text(each))
    kept = {line for node in needed for line in range(_first_line(node), (node.end_lineno or node.lineno) + 1)}
    lines = text.splitlines(keepends=True)
    return "".join(line if number in kept else "\n" for number, line in enumerate(lines, start=1))


def _is_text(node: ast.AST) -> TypeGuard[_Text]:
    """Whether a node is a text, which may be a quoted type."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class _Text(ast.Constant):
    value: str


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _defined(node: ast.stmt) -> Iterator[str]:
    """The names that a statement defines at the top of a file."""
    match node:
        case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            yield name
        case ast.Assign(targets):
            yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
        case ast.AnnAssign(ast.Name(name)):
            yield name
        case ast.ImportFrom(_, names) | ast.Import(names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
