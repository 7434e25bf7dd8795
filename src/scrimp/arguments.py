"""Arguments of the Python interface: a wrong one is refused in one line that names the parameter."""

from __future__ import annotations

from collections.abc import Iterable

from scrimp.errors import OptionError

# The largest number that the engine counts with.
MOST = 2**63 - 1


def require_kind(name: str, value: object, kind: type, expected: str) -> None:
    if not isinstance(value, kind):
        raise OptionError(f"{name}: expected {expected}, found {value!r:.80}")


def require_whole_number(name: str, value: object, *, least: int, most: int = MOST, otherwise: str = "") -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise OptionError(f"{name}: expected a whole number from {least} to {most}{otherwise}, found {value!r:.80}")


def require_texts(name: str, values: str | Iterable[str]) -> tuple[str, ...]:
    """One text or several, as a tuple."""
    if isinstance(values, str):
        return (values,)
    if isinstance(values, Iterable):
        texts = tuple(values)
        if all(isinstance(text, str) for text in texts):
            return texts
    raise OptionError(f"{name}: expected an expression or several, found {values!r:.80}")


def require_seed(shuffle: bool, seed: int) -> int | None:
    """The seed of a random order; None if the order is not random. A seed without effect is refused."""
    require_kind("shuffle", shuffle, bool, "True or False")
    require_whole_number("seed", seed, least=0)
    if seed and not shuffle:
        raise OptionError(f"seed: {seed} needs shuffle=True")
    return seed if shuffle else None
