"""A program: what a file declares, with every name looked up. `declarations.py` reads it from the text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from scrimp.frontends.python.source import Source
from scrimp.frontends.python.storage import Spot, Storage
from scrimp.frontends.python.types import ConditionType, EnumType, RecordType
from scrimp.frontends.python.values import Value

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class RecordClass:
    """A frozen dataclass, with the values of fields that may be omitted."""

    type: RecordType
    defaults: dict[str, Value]


@dataclass(frozen=True)
class Member:
    """A process, an action or a property: a method and what its decorator says about it."""

    name: str
    kind: str
    function: Function
    count: int | None = None
    daemon: bool = False
    fair: str | None = None


@dataclass(frozen=True)
class Answer:
    """A property `leads_to`: the bodies of its two functions, with the model as `self`."""

    name: str
    node: ast.Assign
    cause: ast.expr
    effect: ast.expr


@dataclass
class Program:
    """The names of a file, and those of the model in it."""

    source: Source
    imported: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Value] = field(default_factory=dict)
    enums: dict[str, EnumType] = field(default_factory=dict)
    records: dict[str, RecordClass] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=dict)
    models: dict[str, ast.ClassDef] = field(default_factory=dict)
    model: str = ""
    documentation: str = ""
    storage: Storage = field(default_factory=Storage)
    fields: dict[str, Spot] = field(default_factory=dict)
    model_constants: dict[str, Value] = field(default_factory=dict)
    methods: dict[str, Function] = field(default_factory=dict)
    members: list[Member] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    evaluated: Callable[[Any, ast.Call, Function], Value] | None = None  # a call of a function that only computes
    _impure: dict[tuple[int, int], bool] = field(default_factory=dict)

    def numbered_processes(self) -> Iterator[tuple[Member, int | None]]:
        """The processes and actions in their order in the system, each with its number among those of its method."""
        for each in self.members:
            if each.kind == "process" and each.count is not None:
                yield from ((each, number) for number in range(each.count))
            elif each.kind in ("process", "action"):
                yield each, None

    def conditions(self) -> frozenset[str]:
        """The fields that are conditions, whose `wait` does something before it waits."""
        return frozenset(name for name, spot in self.fields.items() if isinstance(spot.type, ConditionType))

    def known_names(self) -> Iterator[str]:
        """Every name that an expression may use."""
        for names in (self.imported, self.constants, self.enums, self.records, self.functions):
            yield from names

    def meaning(self, name: str) -> str:
        """What a name that the file does not define means: that of an imported name or a builtin."""
        if name in self.functions or name in self.constants or name in self.enums or name in self.records:
            return ""
        return self.imported.get(name, name if name in BUILTINS else "")

    def import_hint(self, name: str) -> str:
        """What to add if a name of the library is used and not imported."""
        return f"; add from scrimp.modelling import {name}" if name in MODELLING and name not in self.imported else ""

    def called(self, call: ast.Call, self_name: str | None) -> Function | None:
        """The function of the file, or the method of the model, that a call names."""
        match call.func:
            case ast.Name(name):
                return self.functions.get(name)
            case ast.Attribute(ast.Name(owner), name) if owner == self_name:
                return self.methods.get(name)
            case _:
                return None

    def is_impure(self, node: ast.AST, self_name: str | None) -> bool:
        """Whether evaluating an expression does more than compute a value: it waits, chooses or changes the state."""
        return any(self._acts(each, self_name) for each in ast.walk(node))

    def _acts(self, node: ast.AST, self_name: str | None) -> bool:
        match node:
            case ast.Await() | ast.NamedExpr():
                return True
            case ast.Call(ast.Name(name)) if self.meaning(name) in ("choose", "require"):
                return True
            case ast.Call(ast.Attribute(_, name), _) if name in MUTATORS and self.called(node, self_name) is None:
                return True
            case ast.Call():
                function = self.called(node, self_name)
                return function is not None and not self.is_pure(function)
            case _:
                return False

    def is_pure(self, function: Function) -> bool:
        """Whether a function only computes a value, by statements that can be evaluated symbolically."""
        key = (function.lineno, function.col_offset)
        if key not in self._impure:
            self._impure[key] = True  # while it is being found out; a recursive function is refused elsewhere
            self._impure[key] = isinstance(function, ast.AsyncFunctionDef) or any(
                self._prevents_purity(node, first_parameter(function)) for node in _inside(function)
            )
        return not self._impure[key]

    def _prevents_purity(self, node: ast.AST, self_name: str | None) -> bool:
        match node:
            case ast.Assign(targets):
                return not all(isinstance(target, ast.Name | ast.Tuple) for target in targets) or any(
                    isinstance(part, ast.Attribute | ast.Subscript) for target in targets for part in ast.walk(target)
                )
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                return not isinstance(target, ast.Name)
            case ast.Assert() | ast.While() | ast.Raise() | ast.Match() | ast.Break() | ast.Continue() | ast.With():
                return True
            case ast.AsyncWith() | ast.AsyncFor() | ast.Try() | ast.Delete() | ast.Global() | ast.Nonlocal():
                return True
            case _:
                return self._acts(node, self_name)


def _inside(function: Function) -> Iterator[ast.AST]:
    return (node for statement in function.body for node in ast.walk(statement))


def first_parameter(function: Function) -> str | None:
    arguments = [*function.args.posonlyargs, *function.args.args]
    return arguments[0].arg if arguments else None


def assigned_names(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements assign; those of comprehensions are not among them."""
    for statement in body:
        inner = {
            id(name)
            for node in ast.walk(statement)
            if isinstance(node, ast.comprehension)
            for name in ast.walk(node.target)
        }
        for node in ast.walk(statement):
            match node:
                case ast.Name(name, ast.Store()) if id(node) not in inner:
                    yield name
                case ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
                    yield name


MODELLING = (
    *("Array", "Condition", "Event", "Lock", "Map", "Model", "Queue", "Range", "RangeError", "Semaphore", "action"),
    *("always", "choose", "eventually", "final", "join", "leads_to", "process", "reachable", "require", "run", "step"),
    "until",
)
MUTATORS = frozenset({"put_nowait", "get_nowait", "release", "set", "clear", "notify", "notify_all"})
BUILTINS = frozenset(
    {
        "abs",
        "all",
        "any",
        "bool",
        "enumerate",
        "frozenset",
        "int",
        "len",
        "max",
        "min",
        "range",
        "reversed",
        "set",
        "sum",
        "tuple",
    }
)
