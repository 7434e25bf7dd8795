"""AUT, the Aldebaran format in which CADP and mCRL2 write labelled transition systems. docs/aut.md describes it.

des (0, 3, 2)
(0, "send !1", 1)
(1, i, 0)
(1, "send !2", 1)
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from pathlib import PurePath
from typing import NoReturn

from scrimp.errors import ModelError, OptionError
from scrimp.frontends.model import Model
from scrimp.system.explicit import MOST_EDGES, MOST_STATES, ExplicitSystem, Graph, explicit_system
from scrimp.system.expressions import At, Expression, Unary
from scrimp.vocabulary import Vocabulary

_MOST_DIGITS = 18
_NUMBER = f"[0-9]{{1,{_MOST_DIGITS}}}"
_HEADER = re.compile(rf"\s*des\s*\(\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\)\s*")
# A quoted label ends with the last quote, so that quotes within it need no escape; one without quotes ends before the
# target state.
_EDGE = re.compile(rf'\s*\(\s*({_NUMBER})\s*,\s*(?:"(.*)"|([^"\s].*?))\s*,\s*({_NUMBER})\s*\)\s*', re.DOTALL)

# Isolated states need memory, too: more than this is a mistake, not a model.
_MOST_ISOLATED = 10_000_000

_HEADER_PARTS = ("des", "(", "the initial state", ",", "the number of transitions", ",", "the number of states", ")")
_EDGE_PARTS = ("(", "a state", ",", "a label", ",", "a state", ")")
_PATTERNS = {"des": r"des\b", "(": r"\(", ",": ",", ")": r"\)", "a label": r'".*"|[^",)\s][^,]*'}


class LtsScope:
    """Expressions over a state: comparisons of its number."""

    def __init__(self, states: int) -> None:
        self._states = states

    def expression(self, text: str) -> Expression:
        match = re.fullmatch(rf"\s*state\s*(==|!=)\s*({_NUMBER})\s*", text)
        if match is None:
            raise ModelError("<expression>", 1, 1, f"expected 'state == NUMBER' or 'state != NUMBER', found '{text}'")
        if int(match[2]) >= self._states:
            raise ModelError("<expression>", 1, match.start(2) + 1, f"there is no state {match[2]}")
        test = At(0, int(match[2]))
        return test if match[1] == "==" else Unary("!", test)


def read_model(
    path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool = False
) -> Model:
    """The model of a text; raises ModelError, or OptionError for options that do not apply to an LTS."""
    if empty_channels:
        raise OptionError("--empty-channels: an LTS has no channels; every state without transitions is a deadlock")
    for name in defines:
        raise OptionError(f"-D {name}: an LTS has no constants")
    system = read_system(path, text)
    vocabulary = Vocabulary(stuck="no transition leaves the state")
    return Model(path, "aut", system, None, LtsScope(system.graph.states), vocabulary=vocabulary)


def read_system(path: str, text: str) -> ExplicitSystem:
    return explicit_system(PurePath(path).name.partition(".")[0], _Reader(path, text).graph())


class _Reader:
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.states = 0

    def graph(self) -> Graph:
        lines = self._lines()
        number, header = next(lines, (1, ""))
        match = _HEADER.fullmatch(header)
        if match is None:
            self._refuse(number, header, _HEADER_PARTS)
        initial, transitions, self.states = map(int, match.groups())
        self._require_room(number, match, transitions)
        if initial >= self.states:
            self._fail(number, match.start(1), f"the initial state is {initial}, but there are {self.states} states")
        sources, graph = self._edges(lines, initial)
        if graph.edges != transitions:
            self._fail(number, match.start(2), f"expected {transitions} transitions, found {graph.edges}")
        return _ordered(sources, graph)

    def _lines(self) -> Iterator[tuple[int, str]]:
        """The lines that are not blank, and their numbers."""
        lines = self.text.split("\n")
        return ((number, line) for number, line in enumerate(lines, start=1) if line and not line.isspace())

    def _require_room(self, number: int, match: re.Match[str], transitions: int) -> None:
        if transitions > MOST_EDGES:
            self._fail(number, match.start(2), f"found {transitions} transitions, expected at most {MOST_EDGES}")
        if self.states > MOST_STATES:
            self._fail(number, match.start(3), f"found {self.states} states, expected at most {MOST_STATES}")
        if self.states > 2 * transitions + _MOST_ISOLATED:
            self._fail(
                number, match.start(3), f"found {self.states} states for {transitions} transitions, expected fewer"
            )
        if transitions > len(self.text):  # before memory is allocated for them
            self._fail(number, match.start(2), f"expected {transitions} transitions, but the file is too short")

    def _edges(self, lines: Iterator[tuple[int, str]], initial: int) -> tuple[array[int], Graph]:
        """The edges in the order of the text: their sources, and the rest."""
        sources, targets, labels, places = array("I"), array("I"), array("I"), array("I")
        names: dict[str, int] = {}
        for number, line in lines:
            match = _EDGE.fullmatch(line)
            if match is None:
                self._refuse(number, line, _EDGE_PARTS)
            source, quoted, bare, target = match.groups()
            label = bare if quoted is None else quoted
            sources.append(self._state(number, match, 1, source))
            targets.append(self._state(number, match, 4, target))
            labels.append(names.setdefault(label, len(names)))
            places.append(number)
        first = array("I", bytes(4 * (self.states + 1)))
        return sources, Graph(initial, first, targets, labels, places, tuple(names))

    def _state(self, number: int, match: re.Match[str], group: int, digits: str) -> int:
        state = int(digits)
        if state >= self.states:
            self._fail(number, match.start(group), f"there is no state {state}: the header says {self.states} states")
        return state

    def _refuse(self, number: int, line: str, parts: tuple[str, ...]) -> NoReturn:
        """Raises ModelError for the first missing part of a line."""
        column = 0
        for part in parts:
            column += len(line[column:]) - len(line[column:].lstrip())
            match = re.compile(_PATTERNS.get(part, rf"{_NUMBER}(?![0-9])")).match(line, column)
            if match is None:
                expected = part if part[0].isalpha() and part != "des" else f"'{part}'"
                self._fail(number, column, f"expected {expected}, found {_found(line[column:])}")
            column = match.end()
        column += len(line[column:]) - len(line[column:].lstrip())
        self._fail(number, column, f"expected the end of the line, found '{line[column : column + 20].rstrip()}'")

    def _fail(self, number: int, column: int, message: str) -> NoReturn:
        raise ModelError(self.path, number, column + 1, message)


def _found(rest: str) -> str:
    """What stands at the beginning of the rest of a line, in words."""
    if re.match(f"[0-9]{{{_MOST_DIGITS + 1}}}", rest):
        return f"one of more than {_MOST_DIGITS} digits"
    return f"'{rest[0]}'" if rest else "the end of the line"


def _ordered(sources: array[int], graph: Graph) -> Graph:
    """The graph with its edges ordered by source, those of one source as in the text."""
    for source in sources:
        graph.first[source + 1] += 1
    first = array("I", accumulate(graph.first))
    if all(before <= after for before, after in pairwise(sources)):
        return Graph(graph.initial, first, graph.targets, graph.labels, graph.lines, graph.names)
    order = sorted(range(len(sources)), key=sources.__getitem__)
    targets, labels, lines = (
        array("I", map(column.__getitem__, order)) for column in (graph.targets, graph.labels, graph.lines)
    )
    return Graph(graph.initial, first, targets, labels, lines, graph.names)
