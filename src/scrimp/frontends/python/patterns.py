"""Patterns of `match`: the test that a value fits, and the names that it binds."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from scrimp.frontends.python.algebra import conjoined, disjoined
from scrimp.frontends.python.expressions import Expressions
from scrimp.frontends.python.types import BoolType, OptionalType, RecordType, TupleType
from scrimp.frontends.python.values import Mismatch, Value, constant, equality, is_none
from scrimp.system.expressions import FALSE, TRUE, Expression


@dataclass(frozen=True)
class Match:
    """Whether a value fits a pattern, and the names that are bound if so."""

    test: Expression
    names: dict[str, Value] = field(default_factory=dict)

    def then(self, other: Match) -> Match:
        test = (
            other.test if self.test == TRUE else conjoined(self.test, other.test) if other.test != TRUE else self.test
        )
        return Match(test, {**self.names, **other.names})


def matched(place: Expressions, pattern: ast.pattern, value: Value) -> Match:
    try:
        return _matched(place, pattern, value)
    except Mismatch as mismatch:
        raise place.error(pattern, str(mismatch)) from None


def _matched(place: Expressions, pattern: ast.pattern, value: Value) -> Match:
    match pattern:
        case ast.MatchValue(node):
            return Match(equality(value, place.value(node)))
        case ast.MatchSingleton(None):
            return Match(is_none(value))
        case ast.MatchSingleton(bool(wanted)):
            kind = value.type.item if isinstance(value.type, OptionalType) else value.type
            if not isinstance(kind, BoolType):
                raise place.error(pattern, f"found {wanted}, expected a pattern of {value.type}")
            return Match(equality(value, constant(wanted)))
        case ast.MatchAs(None, None):
            return Match(TRUE)
        case ast.MatchAs(None, str(name)):
            return Match(TRUE, {name: value})
        case ast.MatchAs(ast.pattern() as inner, str(name)):
            return _matched(place, inner, value).then(Match(TRUE, {name: value}))
        case ast.MatchOr(patterns):
            return _any(place, pattern, [_matched(place, each, value) for each in patterns])
        case ast.MatchSequence(patterns):
            return _sequence(place, pattern, patterns, value)
        case ast.MatchClass():
            return _record(place, pattern, value)
    raise place.error(pattern, "expected a value, a record, a tuple, a name or _ as a pattern")


def _any(place: Expressions, node: ast.pattern, found: list[Match]) -> Match:
    if any(match.names for match in found):
        raise place.error(node, "alternatives cannot bind names; write a case for each")
    test: Expression = FALSE
    for match in found:
        test = match.test if test == FALSE else disjoined(test, match.test)
    return Match(test)


def _inside(value: Value) -> tuple[Match, Value]:
    """The value inside an optional one, and the test that it is there."""
    if not isinstance(value.type, OptionalType):
        return Match(TRUE), value
    return Match(value.parts[0]), Value(value.type.item, value.parts[1:])


def _sequence(place: Expressions, node: ast.pattern, patterns: list[ast.pattern], value: Value) -> Match:
    found, value = _inside(value)
    if not isinstance(value.type, TupleType) or any(isinstance(each, ast.MatchStar) for each in patterns):
        raise place.error(node, f"found a pattern of a sequence, expected one of {value.type}; * is not supported")
    if len(patterns) != len(value.type.items):
        return Match(FALSE)
    for each, item in zip(patterns, value.items(), strict=True):
        found = found.then(_matched(place, each, item))
    return found


def _record(place: Expressions, node: ast.MatchClass, value: Value) -> Match:
    found, value = _inside(value)
    name = node.cls.id if isinstance(node.cls, ast.Name) else ""
    if not isinstance(value.type, RecordType) or value.type.name != name:
        raise place.error(node, f"found a pattern of {ast.unparse(node.cls)[:40]}, expected one of {value.type}")
    fields = [each for each, _ in value.type.fields]
    if len(node.patterns) > len(fields):
        raise place.error(node, f"{name} has {len(fields)} fields, found {len(node.patterns)} patterns")
    pairs = [*zip(fields, node.patterns, strict=False), *zip(node.kwd_attrs, node.kwd_patterns, strict=True)]
    items = list(value.items())
    for each, pattern in pairs:
        where = value.type.place(each)
        if where is None:
            raise place.error(node, f"{name} has no field '{each}'")
        found = found.then(_matched(place, pattern, items[where]))
    return found
