"""Calls in expressions: of functions of the file, builtins, records, and operations of containers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from scrimp.errors import did_you_mean
from scrimp.frontends.python import refusals
from scrimp.frontends.python.algebra import (
    ZERO,
    comparison,
    conditional,
    conjoined,
    disjoined,
    negated,
)
from scrimp.frontends.python.operators import Operators
from scrimp.frontends.python.place import with_article
from scrimp.frontends.python.source import shown
from scrimp.frontends.python.storage import Spot
from scrimp.frontends.python.types import (
    ArrayType,
    ConditionType,
    EventType,
    LockType,
    MapType,
    QueueType,
    RecordType,
    SemaphoreType,
    SetType,
    TupleType,
)
from scrimp.frontends.python.values import (
    NOTHING,
    Value,
    as_number,
    boolean,
    constant,
    converted,
    domain_members,
    integer,
    present,
    truth_of,
    tuple_of,
)
from scrimp.system.expressions import FALSE, TRUE, Constant, Expression, Length, Undefined

OPERATIONS: dict[type, tuple[str, ...]] = {
    QueueType: ("put", "get", "put_nowait", "get_nowait", "qsize", "empty", "full"),
    LockType: ("acquire", "release", "locked"),
    SemaphoreType: ("acquire", "release", "locked"),
    EventType: ("set", "clear", "wait", "is_set"),
    ConditionType: ("acquire", "release", "locked", "wait", "wait_for", "notify", "notify_all"),
}
WAITING = ("put", "get", "acquire", "wait", "wait_for")


class Calls(Operators):
    """Expressions that are calls."""

    def _call(self, node: ast.Call) -> Value:
        function = self.program.called(node, self.self_name)
        if function is not None:
            if self.program.is_pure(function):
                assert self.program.evaluated is not None
                return self.program.evaluated(self, node, function)
            return self._impure(node)
        match node.func:
            case ast.Name(name) if name not in self.names:
                return self._named_call(node, name)
            case ast.Attribute(owner, name):
                return self._method(node, owner, name)
        raise self.error(node, f"{self.program.source.excerpt(node.func)} cannot be called")

    def _named_call(self, node: ast.Call, name: str) -> Value:
        if name in self.program.records:
            return self._constructed(node, name)
        if name in self.program.enums:
            raise self.error(node, f"an Enum is not looked up by value; name the member, as in {self._example(name)}")
        meaning = self.program.meaning(name)
        match meaning:
            case "choose":
                return self._impure(node)
            case "require":
                raise self.error(node, "require(…) is a statement of its own")
            case "until" | "step" | "join":
                raise self.error(node, f"write await {self.program.source.excerpt(node)}")
            case "replace":
                return self._replaced(node)
            case "range" | "enumerate" | "reversed":
                raise self.error(node, f"{meaning}(…) is allowed only after in, and in choose(*range(…))")
            case "" | "Model" | "process" | "action" | "always" | "reachable" | "eventually" | "leads_to" | "final":
                if name in refusals.NAMES:
                    raise self.error(node, f"{name} is not part of the language: {refusals.NAMES[name]}")
                known = [*self.program.functions, *self.program.records, *self.program.imported]
                hint = self.program.import_hint(name) or did_you_mean(name, known)
                raise self.error(node, f"unknown function '{shown(name)}'{hint}")
        if meaning in ("Queue", "Lock", "Event", "Semaphore", "Condition", "Array", "Map", "run"):
            raise self.error(node, f"{meaning}(…) is made only as the initial value of a field")
        return self._builtin(node, meaning)

    def _builtin(self, node: ast.Call, name: str) -> Value:
        defaults = {keyword.arg: keyword.value for keyword in node.keywords}
        if defaults and not (name in ("min", "max") and defaults.keys() == {"default"}):
            raise self.error(node, f"{name} has no keyword arguments here")
        match name, node.args:
            case ("any" | "all", [argument]):
                return boolean(self._quantified(name == "any", argument))
            case ("sum", [argument]):
                total: Expression = ZERO
                for value, test in self._elements(argument):
                    total = self.algebra.sum(total, conditional(test, as_number(value), ZERO))
                return integer(total)
            case ("min" | "max", [argument]):
                return self._extreme(node, name == "min", list(self._elements(argument)), defaults.get("default"))
            case ("min" | "max", [_, _, *_]):
                return self._extreme(node, name == "min", [(value, TRUE) for value in self.operands(*node.args)], None)
            case ("len", [argument]):
                return self._length(argument)
            case ("abs", [argument]):
                number = as_number(self.value(argument))
                return integer(conditional(comparison("<", number, ZERO), self.algebra.negation(number), number))
            case ("bool", [argument]):
                return boolean(self.condition(argument))
            case ("int", [argument]):
                return integer(as_number(self.value(argument)))
            case ("frozenset" | "set", []):
                return Value(SetType(None, frozen=name == "frozenset"), (ZERO,))
            case ("frozenset" | "set", [argument]):
                found = self._collected(argument)
                assert isinstance(found.type, SetType)
                return Value(SetType(found.type.item, frozen=name == "frozenset"), found.parts)
            case ("tuple", _):
                raise self.error(node, "write the items of a tuple between parentheses")
        raise self.error(node, f"{name} does not take {len(node.args)} arguments here")

    def _quantified(self, is_any: bool, argument: ast.expr) -> Expression:
        if isinstance(argument, ast.ListComp):
            raise self.error(argument, "write a generator, without brackets: any and all stop at the item that decides")
        tests = []
        for value, test in self._elements(argument):
            held = truth_of(value)
            if is_any:
                tests.append(held if test == TRUE else conjoined(test, held))
            else:
                tests.append(held if test == TRUE else disjoined(negated(test), held))
        result = _joined(tests, conjoined if not is_any else disjoined, FALSE if is_any else TRUE)
        return self.strictly(result, *map(boolean, tests), NOTHING) if isinstance(argument, ast.Tuple) else result

    def _extreme(
        self, node: ast.Call, is_min: bool, found: Sequence[tuple[Value, Expression]], default: ast.expr | None
    ) -> Value:
        empty = Undefined("ValueError: min() or max() of nothing")
        best: Expression = as_number(self.value(default)) if default is not None else empty
        there: Expression = FALSE
        for value, test in found:
            number = as_number(value)
            better = comparison("<" if is_min else ">", number, best)
            taken = conjoined(test, disjoined(negated(there), better)) if there != TRUE else conjoined(test, better)
            best = conditional(test, number, best) if there == FALSE else conditional(taken, number, best)
            there = disjoined(there, test) if test != TRUE else TRUE
        if isinstance(best, Undefined):
            raise self.error(node, f"{'min' if is_min else 'max'} of nothing")
        return integer(best)

    def _length(self, argument: ast.expr) -> Value:
        spot = self.spot(argument)
        if spot is not None and isinstance(spot.type, QueueType):
            return integer(self.of_channel(spot, Length))
        if spot is not None and isinstance(spot.type, ArrayType | MapType):
            return constant(spot.type.length)
        if isinstance(argument, ast.Name) and argument.id in self.program.enums and argument.id not in self.names:
            return constant(len(self.program.enums[argument.id].members))
        value = self.value(argument)
        match value.type:
            case TupleType(items):
                return constant(len(items))
            case SetType(item):
                total: Expression = ZERO
                for each in domain_members(item) if item is not None else []:
                    assert item is not None
                    total = self.algebra.sum(total, self._has(value, each, item))
                return integer(total)
        raise self.error(argument, f"a value of {value.type} has no length")

    def _constructed(self, node: ast.Call, name: str) -> Value:
        record = self.program.records[name]
        names = [each for each, _ in record.type.fields]
        if len(node.args) > len(names):
            raise self.error(node, f"{name} has {len(names)} fields, found {len(node.args)} arguments")
        given = dict(zip(names, node.args, strict=False))
        for keyword in node.keywords:
            if keyword.arg not in names or keyword.arg in given:
                raise self.error(
                    keyword,
                    f"{name} has no other field '{keyword.arg or '**'}'{did_you_mean(keyword.arg or '', names)}",
                )
            given[keyword.arg] = keyword.value
        values = dict(zip(given, self.operands(*given.values()), strict=True))
        parts = []
        for each, kind in record.type.fields:
            if each not in values and each not in record.defaults:
                raise self.error(node, f"{name} needs a value for its field '{each}'")
            parts.append(converted(values.get(each) or record.defaults[each], kind))
        return converted(Value(_renamed(record.type, parts), tuple_of(parts).parts), record.type)

    def _replaced(self, node: ast.Call) -> Value:
        if len(node.args) != 1:
            raise self.error(node, "expected replace(record, field=value)")
        owner, *given = self.operands(node.args[0], *(keyword.value for keyword in node.keywords))
        owner = present(owner, "a record")
        if not isinstance(owner.type, RecordType):
            raise self.error(node.args[0], f"found {owner.type}, expected a frozen dataclass")
        items = list(owner.items())
        dropped = []
        for keyword, value in zip(node.keywords, given, strict=True):
            place = owner.type.place(keyword.arg or "")
            if place is None:
                names = [name for name, _ in owner.type.fields]
                raise self.error(
                    keyword, f"{owner.type} has no field '{keyword.arg}'{did_you_mean(keyword.arg or '', names)}"
                )
            dropped.append(items[place])
            items[place] = converted(value, owner.type.fields[place][1])
        return self.kept_faults(Value(owner.type, tuple_of(items).parts), dropped)

    def _method(self, node: ast.Call, owner: ast.expr, name: str) -> Value:
        spot = self.spot(owner)
        if spot is None:
            if self.is_self(owner):
                hint = did_you_mean(name, self.program.methods)
                raise self.error(node, f"the model has no method '{shown(name)}'{hint}")
            if isinstance(owner, ast.Name) and owner.id in refusals.IMPORTS:
                raise self.error(node, f"{owner.id} is not part of the language: {refusals.IMPORTS[owner.id]}")
            raise self.error(node, f"a value of {self.value(owner).type} has no method '{shown(name)}'")
        operations = OPERATIONS.get(type(spot.type), ())
        if name not in operations:
            listed = f"; it has {', '.join(operations)}" if operations else ""
            hint = did_you_mean(name, operations) + (_set_hint(spot, name) or listed)
            raise self.error(node, f"{with_article(str(spot.type))} has no method '{shown(name)}'{hint}")
        match spot.type, name:
            case (QueueType(), "qsize"):
                self._no_arguments(node)
                return integer(self.of_channel(spot, Length))
            case (QueueType(), "empty"):
                self._no_arguments(node)
                return boolean(self.of_channel(spot, lambda channel: comparison("==", Length(channel), ZERO)))
            case (QueueType(_, capacity), "full"):
                self._no_arguments(node)
                room = Constant(capacity)
                return boolean(self.of_channel(spot, lambda channel: comparison(">=", Length(channel), room)))
            case (LockType() | ConditionType(), "locked") | (EventType(), "is_set"):
                self._no_arguments(node)
                return boolean(spot.reads[0])
            case (SemaphoreType(), "locked"):
                self._no_arguments(node)
                return boolean(comparison("==", spot.reads[0], ZERO))
        if name in WAITING:
            raise self.error(node, f"write await {self.program.source.excerpt(node)}")
        return self._impure(node)

    def _no_arguments(self, node: ast.Call) -> None:
        if node.args or node.keywords:
            raise self.error(node, f"{self.program.source.excerpt(node.func)} takes no arguments")


def _set_hint(spot: Spot, name: str) -> str:
    if not isinstance(spot.type, SetType):
        return ""
    operator = {"add": "|=", "update": "|=", "discard": "-=", "remove": "-="}.get(name)
    return f"; a frozenset never changes: write {spot.name} {operator} {{…}}" if operator else ""


def _renamed(type_: RecordType, parts: Sequence[Value]) -> RecordType:
    fields = tuple((name, part.type) for (name, _), part in zip(type_.fields, parts, strict=True))
    return RecordType(type_.name, fields)


def _joined(
    tests: Sequence[Expression], join: Callable[[Expression, Expression], Expression], otherwise: Expression
) -> Expression:
    """Tests from left to right, joined by halves so that they are not nested deeply."""
    if not tests:
        return otherwise
    if len(tests) == 1:
        return tests[0]
    middle = len(tests) // 2
    return join(_joined(tests[:middle], join, otherwise), _joined(tests[middle:], join, otherwise))
