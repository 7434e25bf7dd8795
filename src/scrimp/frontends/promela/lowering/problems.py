"""Errors in a model's text."""

from __future__ import annotations

from scrimp.errors import ModelError
from scrimp.system.system import Position


def problem(position: Position, message: str) -> ModelError:
    """An error at a place; its file is empty for the model's own, which the reader of the model fills in."""
    return ModelError(position.file or "", position.line, position.column, message)
