"""Errors in a model's text."""

from __future__ import annotations

from scrimp.errors import ModelError
from scrimp.system.system import Position


def problem(position: Position, message: str) -> ModelError:
    """An error at a position. An empty file name stands for the model's own file, which the caller fills in."""
    return ModelError(position.file or "", position.line, position.column, message)
