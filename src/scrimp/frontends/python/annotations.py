"""Annotations: the types that fields, records and local variables declare."""

from __future__ import annotations

import ast

from scrimp.errors import did_you_mean
from scrimp.frontends.python.expressions import Expressions
from scrimp.frontends.python.program import Program
from scrimp.frontends.python.source import shown
from scrimp.frontends.python.types import (
    BOOL,
    CONTAINERS,
    INTEGER,
    LARGEST_DOMAIN,
    NONE,
    ArrayType,
    BoolType,
    ConditionType,
    EnumType,
    EventType,
    Held,
    IntType,
    LockType,
    MapType,
    NoneOnly,
    OptionalType,
    Plain,
    QueueType,
    SemaphoreType,
    SetType,
    TupleType,
    domain_size,
)
from scrimp.frontends.python.values import Mismatch, Value, converted
from scrimp.system.types import INT

MOST_ELEMENTS = 4_096
MOST_ITEMS_IN_A_QUEUE = 255
_MOST_NESTED = 20
_CONTAINERS = ("Array", "Map", "Queue", "Lock", "Event", "Semaphore", "Condition")

_HINTS = {
    "str": "texts are not values of a model; use an Enum",
    "float": "models have whole numbers only",
    "list": "use Array[…]",
    "List": "use Array[…]",
    "dict": "use Map[…]",
    "Dict": "use Map[…]",
    "set": "use frozenset[…], and |= and -=",
    "Set": "use frozenset[…], and |= and -=",
    "object": "use an Enum or a frozen dataclass",
    "Any": "name the type",
    "Range": "write Annotated[int, Range(0, 7)]",
    "deque": "use Queue[…]",
}


def plain_type(program: Program, node: ast.expr, depth: int = 0) -> Plain:
    """The type of values that an annotation names; raises ModelError."""
    source = program.source
    if depth > _MOST_NESTED:
        raise source.error(node, f"types nest more than {_MOST_NESTED} deep")
    match node:
        case ast.Constant(None):
            return NONE
        case ast.Constant(str(text)):
            return plain_type(program, _parsed(program, node, text), depth + 1)
        case ast.Name(name):
            return _named(program, node, name, depth)
        case ast.BinOp(left, ast.BitOr(), right):
            return _optional(program, node, [left, right], depth)
        case ast.Subscript(ast.Name(name), arguments):
            inner = list(arguments.elts) if isinstance(arguments, ast.Tuple) else [arguments]
            return _generic(program, node, program.imported.get(name, name), inner, depth)
    raise source.error(node, f"found {source.excerpt(node)}, expected a type of a model")


def _parsed(program: Program, node: ast.expr, text: str) -> ast.expr:
    try:
        parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise program.source.error(node, "expected a type between the quotes") from None
    for each in ast.walk(parsed):
        if isinstance(each, ast.expr):
            each.lineno, each.col_offset = node.lineno, node.col_offset
    return parsed


def _named(program: Program, node: ast.expr, name: str, depth: int) -> Plain:
    if name in program.aliases:
        return plain_type(program, program.aliases[name], depth + 1)
    if name in program.enums:
        return program.enums[name]
    if name in program.records:
        return program.records[name].type
    if name in ("bool", "int"):
        return BOOL if name == "bool" else INTEGER
    if name in _HINTS:
        raise program.source.error(node, f"{name} is not a type of a model: {_HINTS[name]}")
    if program.imported.get(name) in _CONTAINERS:
        raise program.source.error(node, f"{name} is allowed only as the type of a field")
    known = ["bool", "int", "frozenset", "tuple", *program.enums, *program.records, *program.aliases]
    hint = program.import_hint(name) or did_you_mean(name, known)
    raise program.source.error(node, f"unknown type '{shown(name)}'{hint}")


def _generic(program: Program, node: ast.Subscript, name: str, inner: list[ast.expr], depth: int) -> Plain:
    source = program.source
    match name:
        case "Annotated":
            return _annotated(program, node, inner, depth)
        case "Optional" if len(inner) == 1:
            return _optional(program, node, [inner[0], ast.Constant(None)], depth)
        case "tuple" | "Tuple":
            if any(isinstance(each, ast.Constant) and each.value is ... for each in inner):
                raise source.error(node, "expected a tuple of fixed length, as in tuple[int, bool]")
            return TupleType(tuple(plain_type(program, each, depth + 1) for each in inner))
        case "frozenset" | "FrozenSet" if len(inner) == 1:
            item = plain_type(program, inner[0], depth + 1)
            size = domain_size(item)
            if size is None or size > LARGEST_DOMAIN:
                hint = f"expected an Enum, bool or a range of at most {LARGEST_DOMAIN} numbers"
                hint += ", as in frozenset[Annotated[int, Range(0, 7)]]"
                raise source.error(node, f"found {source.excerpt(node)}, {hint}")
            return SetType(item)
    if name in _HINTS:
        raise source.error(node, f"{name} is not a type of a model: {_HINTS[name]}")
    if name in ("Array", "Map", "Queue"):
        raise source.error(node, f"{name} is allowed only as the type of a field")
    raise source.error(node, f"found {source.excerpt(node)}, expected a type of a model")


def _optional(program: Program, node: ast.expr, choices: list[ast.expr], depth: int) -> Plain:
    types = [plain_type(program, each, depth + 1) for each in choices]
    others = [each for each in types if not isinstance(each, NoneOnly)]
    if len(others) != 1 or isinstance(others[0], OptionalType) or len(types) == len(others):
        raise program.source.error(
            node,
            "expected a type or None, as in int | None; for several kinds of records, use one with a field of an Enum",
        )
    return OptionalType(others[0])


def _annotated(program: Program, node: ast.Subscript, inner: list[ast.expr], depth: int) -> Plain:
    source = program.source
    expected = "expected Annotated[int, Range(low, high)]"
    match inner:
        case [ast.Name("int"), ast.Call(ast.Name(name), [low, high], [])] if program.imported.get(name) == "Range":
            bounds = [Expressions(program, program.model_constants).value(each).number for each in (low, high)]
            if bounds[0] is None or bounds[1] is None:
                raise source.error(node, f"{expected} with constant bounds")
            if bounds[0] > bounds[1]:
                raise source.error(node, f"the range {bounds[0]}..{bounds[1]} is empty")
            return IntType(bounds[0], bounds[1])
    raise source.error(node, f"found {source.excerpt(node)}, {expected}")


def declared(program: Program, annotation: ast.expr, value: ast.expr | None, name: str) -> tuple[Held, Value | None]:
    """The type of a field, and its initial value, or that of its elements."""
    source = program.source
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = _parsed(program, annotation, annotation.value)
    if isinstance(annotation, ast.Name) and annotation.id in program.aliases:
        return declared(program, program.aliases[annotation.id], value, name)
    head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    kind = program.imported.get(head.id, "") if isinstance(head, ast.Name) else ""
    if kind in _CONTAINERS:
        return _container(program, annotation, kind, value, name)
    type_ = plain_type(program, annotation)
    if value is None:
        raise source.error(annotation, f"{name} needs an initial value, as in {name}: {source.excerpt(annotation)} = …")
    found = _initial(program, value, type_, name)
    return type_, found


def _initial(program: Program, node: ast.expr, type_: Plain, name: str) -> Value:
    place = Expressions(program, program.model_constants)
    try:
        found = place.set_over(type_.item, node) if isinstance(type_, SetType) and type_.item is not None else None
        value = converted(place.value(node) if found is None else found, type_)
    except Mismatch as mismatch:
        raise program.source.error(node, f"{name}: {mismatch}") from None
    if not value.is_constant:
        raise program.source.error(node, f"expected a constant as the initial value of {name}")
    _require_inside(program, node, value, type_, name)
    return value


def _require_inside(program: Program, node: ast.expr, value: Value, type_: Plain, name: str) -> None:
    from scrimp.frontends.python.storage import encoded, slots_of
    from scrimp.system.expressions import Constant

    for part, slot in zip(encoded(value, type_), slots_of(type_), strict=True):
        assert isinstance(part, Constant)
        if not slot.range.contains(part.value):
            bounds = f"{slot.range.low}..{slot.range.high}"
            raise program.source.error(node, f"the initial value {part.value} of {name} is outside its range {bounds}")


def _container(
    program: Program, annotation: ast.expr, kind: str, value: ast.expr | None, name: str
) -> tuple[Held, Value | None]:
    source = program.source
    examples = {
        "Array": "Array(2, initial)",
        "Map": "Map(Enum, initial)",
        "Queue": "Queue(1)",
        "Lock": "Lock()",
        "Event": "Event()",
        "Semaphore": "Semaphore(1)",
        "Condition": "Condition()",
    }
    match value:
        case ast.Call(ast.Name(made), arguments, []) if program.imported.get(made) == kind:
            pass
        case _:
            where = annotation if value is None else value
            raise source.error(where, f"expected the initial value of {name} as {examples[kind]}")
    inner = _arguments(annotation)
    match kind, inner, arguments:
        case "Array", [item], [length, initial]:
            size = _size(program, length, "elements", MOST_ELEMENTS)
            held, start = declared(program, item, initial, name)
            _refuse_conditions(program, annotation, held)
            return _sized(program, value, ArrayType(held, size)), start
        case "Map", [key, item], [keys, initial]:
            return _map(program, annotation, key, item, keys, initial, name)
        case "Queue", [item], [capacity]:
            size = _size(program, capacity, "items", MOST_ITEMS_IN_A_QUEUE)
            return QueueType(plain_type(program, item), size), None
        case "Lock", [], []:
            return LockType(), None
        case "Event", [], []:
            return EventType(), None
        case "Condition", [], []:
            return ConditionType(), None
        case "Semaphore", [], []:
            return SemaphoreType(1), None
        case "Semaphore", [], [permits]:
            if Expressions(program, program.model_constants).value(permits).number == 0:
                hint = f"use a field {name}: int = 0 and await until(lambda: self.{name} > 0)"
                raise source.error(
                    permits, f"a Semaphore has all its permits at first, and is never above them; {hint}"
                )
            return SemaphoreType(_size(program, permits, "permits", INT.high)), None
    types = {"Array": "Array[type]", "Map": "Map[Enum, type]", "Queue": "Queue[type]"}.get(kind, kind)
    raise source.error(annotation, f"expected {name}: {types} = {examples[kind]}")


def _refuse_conditions(program: Program, node: ast.expr, held: Held) -> None:
    if isinstance(held, ConditionType):
        raise program.source.error(node, "a Condition is a field of its own; give each a name instead of an index")


def _arguments(annotation: ast.expr) -> list[ast.expr]:
    if not isinstance(annotation, ast.Subscript):
        return []
    inner = annotation.slice
    return list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]


def _sized(program: Program, node: ast.expr, type_: ArrayType) -> ArrayType:
    total, inner = 1, type_
    while isinstance(inner, ArrayType):
        total *= inner.length
        inner = inner.item  # type: ignore[assignment]
    if total > MOST_ELEMENTS:
        raise program.source.error(node, f"found {total:,} elements, expected at most {MOST_ELEMENTS:,}")
    return type_


def _size(program: Program, node: ast.expr, what: str, most: int) -> int:
    number = Expressions(program, program.model_constants).value(node).number
    if number is None or not 1 <= number <= most:
        raise program.source.error(node, f"expected a constant number of {what} from 1 to {most:,}")
    return number


def _map(
    program: Program,
    annotation: ast.expr,
    key: ast.expr,
    item: ast.expr,
    keys: ast.expr,
    initial: ast.expr,
    name: str,
) -> tuple[Held, Value | None]:
    type_ = plain_type(program, key)
    if not isinstance(type_, EnumType | BoolType):
        raise program.source.error(key, f"found {type_}, expected an Enum or bool as the keys of a Map; use an Array")
    if plain_type(program, keys) != type_:
        raise program.source.error(keys, f"expected the keys of {name}, {type_}")
    held, start = declared(program, item, initial, name)
    _refuse_conditions(program, annotation, held)
    if isinstance(held, CONTAINERS) and isinstance(held, MapType | ArrayType):
        raise program.source.error(annotation, "the elements of a Map cannot be arrays or maps")
    return MapType(type_, held), start
