"""Errors in formulas: where they are in the model's file or in the option's text."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from scrimp.errors import ModelError
from scrimp.frontends.model import Formula
from scrimp.ltl.formula import Formula as Parsed
from scrimp.ltl.parse import Span, constant_or_atom, parse
from scrimp.system.system import Position


def in_formula(formula: Formula, error: ModelError) -> ModelError:
    """The error, of which line and column are those in the formula's text, at its place in the file."""
    position = _in_file(formula, error.column) if formula.positions else Position(error.line, error.column)
    found = ModelError(position.file or formula.place, position.line, position.column, error.message)
    return found.pointing(formula.text, error.line, error.column)


def in_atom(formula: Formula, atom: str, error: ModelError) -> ModelError:
    """The same for an error in the text of an atom."""
    span = _first(formula, atom)
    column = error.column + (span.column - 1 if error.line == 1 else 0)
    message = error.message + (_about_letters(span) or _about_arrow(formula, span))
    return in_formula(formula, replace(error, line=error.line + span.line - 1, column=column, message=message))


def _about_letters(span: Span) -> str:
    """How to write `GF p` of other notations."""
    word = re.match(r"[GFX]{2,}\b", span.text)
    return f"; operators are separate words: {' '.join(word[0])}" if word else ""


def _about_arrow(formula: Formula, span: Span) -> str:
    """How to write `process->variable` of DVE, in which a formula reads an implication."""
    line = formula.text.split("\n")[span.line - 1]
    variable = re.match(r"\s*->\s*(\w+)", line[span.column - 1 + len(span.text) :])
    if variable is None or not span.text.isidentifier():
        return ""
    return f"; '->' is an implication here, and {{{span.text}->{variable[1]}}} a variable of a process"


def _in_file(formula: Formula, column: int) -> Position:
    """The text of a formula in a file is one line."""
    place = max(bisect_right(formula.positions, column - 1, key=lambda known: known[0]) - 1, 0)
    offset, position = formula.positions[place]
    return replace(position, column=position.column + column - 1 - offset)


def _first(formula: Formula, atom: str) -> Span:
    """The first place of an atom in a formula."""
    spans: list[Span] = []

    def note(span: Span) -> Parsed:
        spans.append(span)
        return constant_or_atom(span)

    parse(formula.text, note)
    return next(span for span in spans if span.text == atom)
