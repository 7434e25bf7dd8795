"""Arguments of the Python interface: one of another kind than its parameter is refused in one line, by name."""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.errors import OptionError

# What the engine counts with.
MOST = 2**63 - 1


def require_kind(name: str, value: object, kind: type, expected: str) -> None:
    if not isinstance(value, kind):
        raise OptionError(f"{name}: expected {expected}, found {value!r:.80}")


def require_whole_number(name: str, value: object, *, least: int, otherwise: str = "") -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST:
        raise OptionError(f"{name}: expected a whole number from {least} to {MOST}{otherwise}, found {value!r:.80}")


def require_texts(name: str, values: Sequence[str]) -> None:
    """A single text is refused as well: its letters would be taken for expressions."""
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise OptionError(f"{name}: expected a sequence of expressions, found {values!r:.80}")
