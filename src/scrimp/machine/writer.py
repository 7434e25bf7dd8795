"""A writer of LLVM assembly: the lines of one function, with a name for every value and no value computed twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Writer:
    """Collects the lines of functions. Text instead of llvmlite's objects: twenty times as fast to generate."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names = 0
        self._known: dict[str, str] = {}
        self._trail: list[str] = []

    def value(self, computation: str) -> str:
        """The name of a value that depends only on the operands in its text."""
        name = self._known.get(computation)
        if name is None:
            name = self.fresh(computation)
            self._known[computation] = name
            self._trail.append(computation)
        return name

    def fresh(self, computation: str) -> str:
        """The name of a value that must be computed at this point, such as a load from memory that changes."""
        self._names += 1
        name = f"%v{self._names}"
        self.lines.append(f"  {name} = {computation}")
        return name

    def do(self, instruction: str) -> None:
        self.lines.append(f"  {instruction}")

    def label(self) -> str:
        self._names += 1
        return f"b{self._names}"

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Values named inside are forgotten at the end, because they do not dominate the code that follows."""
        mark = len(self._trail)
        try:
            yield
        finally:
            for computation in self._trail[mark:]:
                del self._known[computation]
            del self._trail[mark:]

    @contextmanager
    def function(self, header: str) -> Iterator[None]:
        self.lines.append(f"define {header} {{")
        with self.scope():
            yield
        self.lines.append("}")

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
