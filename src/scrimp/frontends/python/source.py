"""A model's text, and positions in it."""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from scrimp.errors import ModelError
from scrimp.system.system import Position

Node: TypeAlias = (
    ast.expr | ast.stmt | ast.pattern | ast.arg | ast.excepthandler | ast.keyword | ast.alias | ast.type_ignore
)

_LONGEST_EXCERPT = 60


@dataclass(frozen=True)
class Source:
    """A text, and the file name for its errors."""

    file: str
    text: str

    @cached_property
    def _lines(self) -> list[bytes]:
        return [line.encode() for line in self.text.split("\n")]

    def position(self, node: ast.AST) -> Position:
        """Where a node begins; `ast` counts columns in bytes, we count characters."""
        line: int = getattr(node, "lineno", 1)
        offset: int = getattr(node, "col_offset", 0)
        before = self._lines[line - 1][:offset] if line <= len(self._lines) else b""
        return Position(line, len(before.decode(errors="replace")) + 1)

    def error(self, node: ast.AST, message: str) -> ModelError:
        return self.error_at(self.position(node), message)

    def error_at(self, position: Position, message: str) -> ModelError:
        """An error whose note has the line and a caret below the place, for terminals and tracebacks."""
        return ModelError(self.file, position.line, position.column, message).pointing(self.text)

    def excerpt(self, node: ast.AST) -> str:
        """The text of a node on one line."""
        found = " ".join(ast.unparse(node).split("\n", 1)[0].split())
        return found if len(found) <= _LONGEST_EXCERPT else found[: _LONGEST_EXCERPT - 1].rstrip() + "…"


def shown(name: str) -> str:
    """A name from the text, not too long for a message."""
    return name if len(name) <= 40 else name[:40] + "…"


def renamed(expression: ast.expr, before: str, after: str) -> ast.expr:
    """A copy of an expression in which a variable has another name."""
    found = copy.deepcopy(expression)
    for node in ast.walk(found):
        if isinstance(node, ast.Name) and node.id == before:
            node.id = after
    return found
