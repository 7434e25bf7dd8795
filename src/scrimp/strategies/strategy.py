"""The base of all strategies: a frozen dataclass whose fields are its options."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, get_type_hints

from scrimp.strategies.values import check_value, meaning, value_text


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """The common part of orders, stores and reductions: a name, options, and a text that can be parsed again.

    Example:
        >>> import scrimp
        >>> str(scrimp.Full(compress="tree")), scrimp.Full(compress="tree").to_dict()
        ('full:compress=tree', {'name': 'full', 'compress': 'tree'})
    """

    role: ClassVar[str]
    name: ClassVar[str]
    unnamed: ClassVar[str | None] = None  # the option whose name may be left out in texts

    def __post_init__(self) -> None:
        for option, kind in option_types(type(self)).items():
            check_value(f"{self._subject}: option '{option}'", kind, getattr(self, option))

    def __str__(self) -> str:
        """The command line's text: the name, then the options that differ from their defaults."""
        kinds = option_types(type(self))
        changed = [f.name for f in fields(self) if getattr(self, f.name) != f.default]
        options = [f"{name}={value_text(kinds[name], getattr(self, name))}" for name in changed]
        return self.name + (":" + ",".join(options) if options else "")

    @classmethod
    def description(cls) -> str:
        """What the strategy does: its docstring up to the example."""
        return (cls.__doc__ or "").partition("\n\n")[0]

    @property
    def _subject(self) -> str:
        return f"{self.role} '{self.name}'"

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name} | {f.name: getattr(self, f.name) for f in fields(self)}

    def engine_record(self) -> dict[str, Any]:
        """The same for the engine: texts in a notation are replaced by plain values."""
        kinds = option_types(type(self))
        return {"name": self.name} | {option: meaning(kind, getattr(self, option)) for option, kind in kinds.items()}


def option_types(strategy: type[Strategy]) -> dict[str, Any]:
    """The options of a strategy with their types, in the order of declaration."""
    hints = get_type_hints(strategy, include_extras=True)
    return {f.name: hints[f.name] for f in fields(strategy)}
