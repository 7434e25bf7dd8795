"""Shrink a model to a small one that still shows something.

Lines are left out in runs, halves first; blocks are replaced by their bodies, and parts of lines by simpler ones. Each
step is kept if the smaller model still shows it, and everything is tried again until nothing more can be removed. A
text that is no longer a model does not show it either, so nothing here needs to know the language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.differential.tree import Block, Lines, at, paths, render, size, substituted

MOST_ATTEMPTS = 2_000

_SIMPLER = (
    (re.compile(r"\(([^()]*) (?:[-+*/%&|^<>=!]=?|<<|>>|&&|\|\|) ([^()]*)\)"), (r"\1", r"\2")),
    (re.compile(r"\([^()]+\)"), ("0", "1")),
    (re.compile(r"!\(([^()]*)\)"), (r"\1",)),
    (re.compile(r" = [^;]+;"), (" = 0;", " = 1;")),
    (re.compile(r"^[^:;]*;$"), ("skip;",)),
    (re.compile(r"\[(\w+) & \d\]"), ("[0]", "[1]")),
    (re.compile(r" provided \(.*\) \{"), (" {",)),
    (re.compile(r"active \[\d\]"), ("active",)),
    (re.compile(r"^(?:short|int|unsigned|pid|bit|bool) (\w+)"), (r"byte \1",)),
    (re.compile(r" : 2(?=[ ;])"), ("",)),
)


class _Shrinking:
    def __init__(self, model: Lines, shows: Callable[[str], bool]) -> None:
        self.model = model
        self.shows = shows
        self.attempts = 0
        self.seen = {render(model)}

    def accepts(self, candidate: Lines) -> bool:
        text = render(candidate)
        if text in self.seen or self.attempts >= MOST_ATTEMPTS:
            return False
        self.seen.add(text)
        self.attempts += 1
        if not self.shows(text):
            return False
        self.model = candidate
        return True

    def run(self) -> Lines:
        while any([self.leave_out(), self.simplify()]):
            pass
        return self.model

    def leave_out(self) -> bool:
        """Leave out runs of lines, long ones first; returns whether any could be left out."""
        went = False
        length = size(self.model)
        while length >= 1:
            went |= self.first_of(lambda length=length: _without(self.model, length))  # type: ignore[misc]
            length //= 2
        return went

    def simplify(self) -> bool:
        return any([self.first_of(lambda: _hoisted(self.model)), self.first_of(lambda: _simpler(self.model))])

    def first_of(self, candidates: Callable[[], Iterator[Lines]]) -> bool:
        """Take the first candidate that shows it, continue from there, and stop when no candidate does."""
        took = False
        while any(self.accepts(candidate) for candidate in candidates()):
            took = True
        return took


def shrink(model: Lines, shows: Callable[[str], bool]) -> Lines:
    """The smallest model found whose text `shows` accepts, as it does that of the given one."""
    return _Shrinking(model, shows).run()


def _without(model: Lines, length: int) -> Iterator[Lines]:
    for path in paths(model):
        siblings = model if len(path) == 1 else _body(model, path[:-1])
        if path[-1] % max(length // 2, 1) == 0 and len(siblings) - path[-1] >= min(length, len(siblings)):
            yield substituted(model, path, length, ())


def _hoisted(model: Lines) -> Iterator[Lines]:
    """The model with one block replaced by its lines, or by those of one of its options."""
    for path in paths(model):
        block = at(model, path)
        if isinstance(block, Block) and len(path) > 1:
            yield substituted(model, path, 1, block.body)
            for option in block.body:
                if isinstance(option, Block):
                    yield substituted(model, path, 1, option.body)


def _simpler(model: Lines) -> Iterator[Lines]:
    for path in paths(model):
        line = at(model, path)
        text = line.head if isinstance(line, Block) else line
        for simpler in _simpler_texts(text):
            yield substituted(
                model, path, 1, (Block(simpler, line.body, line.tail) if isinstance(line, Block) else simpler,)
            )


def _simpler_texts(text: str) -> Iterator[str]:
    for pattern, replacements in _SIMPLER:
        for found in pattern.finditer(text):
            for replacement in replacements:
                simpler = text[: found.start()] + found.expand(replacement) + text[found.end() :]
                if len(simpler) < len(text) or replacement.startswith("byte"):
                    yield simpler


def _body(model: Lines, path: tuple[int, ...]) -> Lines:
    block = at(model, path)
    assert isinstance(block, Block)
    return block.body
