"""A model's text as a tree of lines, so that parts of it can be left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Block:
    """Lines between `head` and `tail`, such as `if` and `fi;`; an option of a selection has no tail, and a mere group
    of lines has neither."""

    head: str
    body: Lines
    tail: str = ""


Line: TypeAlias = str | Block
Lines: TypeAlias = tuple[Line, ...]


def render(lines: Lines, indentation: int = 0) -> str:
    return "".join(_rendered(line, indentation) for line in lines)


def _rendered(line: Line, indentation: int) -> str:
    margin = "  " * indentation
    if isinstance(line, str):
        return f"{margin}{line}\n"
    if not line.head:
        return render(line.body, indentation)
    tail = f"{margin}{line.tail}\n" if line.tail else ""
    return f"{margin}{line.head}\n{render(line.body, indentation + 1)}{tail}"


def size(lines: Lines) -> int:
    """How many lines, those inside blocks included."""
    return sum(1 if isinstance(line, str) else 1 + size(line.body) for line in lines)


def paths(lines: Lines) -> Iterator[tuple[int, ...]]:
    """The paths of all lines: the index of each enclosing block in its own block, outermost first, and that of the line
    last."""
    for place, line in enumerate(lines):
        yield (place,)
        if isinstance(line, Block):
            yield from ((place, *rest) for rest in paths(line.body))


def at(lines: Lines, path: tuple[int, ...]) -> Line:
    line = lines[path[0]]
    return line if len(path) == 1 or isinstance(line, str) else at(line.body, path[1:])


def substituted(lines: Lines, path: tuple[int, ...], count: int, new: Lines) -> Lines:
    """The lines with `count` of them, from the path on, replaced."""
    place = path[0]
    if len(path) == 1:
        return (*lines[:place], *new, *lines[place + count :])
    block = lines[place]
    assert isinstance(block, Block)
    return (*lines[:place], replace(block, body=substituted(block.body, path[1:], count, new)), *lines[place + 1 :])
