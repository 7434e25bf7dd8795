"""Declarations: what a file imports and defines, read from its syntax tree. Nothing is executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from scrimp.errors import ModelError, OptionError, did_you_mean, suggestion
from scrimp.frontends.python import refusals
from scrimp.frontends.python.annotations import declared, plain_type
from scrimp.frontends.python.expressions import Expressions
from scrimp.frontends.python.functions import evaluated
from scrimp.frontends.python.program import BUILTINS, MODELLING, Answer, Function, Member, Program, RecordClass
from scrimp.frontends.python.source import Source, renamed, shown
from scrimp.frontends.python.types import BoolType, EnumType, IntType, RecordType
from scrimp.frontends.python.values import Mismatch, Value, constant, converted, member

IMPORTABLE: Mapping[str, Sequence[str]] = {
    "__future__": ("annotations",),
    "dataclasses": ("dataclass", "replace"),
    "enum": ("Enum", "auto", "unique"),
    "scrimp.modelling": MODELLING,
    "typing": ("Annotated", "Final", "Optional", "TypeAlias"),
}
MOST_PROCESSES = 1_000
MODEL_OPTION = "model"
_ROLES = ("process", "action", "always", "reachable", "eventually", "final")


def read_program(source: Source, tree: ast.Module, defines: Mapping[str, str]) -> Program:
    """The program of a syntax tree, with the model's fields in its storage; raises ModelError, or OptionError for a
    definition that the file has no constant for."""
    reader = _Reader(source, defines)
    for statement in tree.body:
        reader.read(statement)
    return reader.finish(tree)


class _Reader:
    def __init__(self, source: Source, defines: Mapping[str, str]) -> None:
        self.source = source
        self.defines = defines
        self.overridden = {MODEL_OPTION} & defines.keys()
        self.program = Program(source, evaluated=evaluated)
        self.places: dict[str, ast.stmt] = {}

    def finish(self, tree: ast.Module) -> Program:
        program = self.program
        node = self._chosen(tree)
        program.model = node.name
        program.documentation = " ".join((ast.get_docstring(node) or ast.get_docstring(tree) or "").split())
        for each in self._lineage(node):
            for statement in each.body:
                self._member(statement)
        if unknown := sorted(self.defines.keys() - self.overridden):
            known = [*program.constants, *program.model_constants]
            raise OptionError(f"-D {unknown[0]}: the model has no constant of this name{suggestion(unknown[0], known)}")
        for function in (
            *program.functions.values(),
            *program.methods.values(),
            *(m.function for m in program.members),
        ):
            self._require_own_names(function)
        if not any(each.kind in ("process", "action") for each in program.members):
            raise self.source.error(node, f"{node.name} does nothing: it needs a method with @process or @action")
        return program

    def _require_own_names(self, function: Function) -> None:
        """Refuse local names that hide others: Python and its readers would take them for different things."""
        program = self.program
        hidden = {
            *program.constants,
            *program.enums,
            *program.records,
            *program.functions,
            *program.imported,
            *BUILTINS,
        }
        for node in ast.walk(function):
            match node:
                case ast.arg(name) | ast.Name(name, ast.Store()) | ast.MatchAs(_, str(name)) if name in hidden:
                    raise self.source.error(node, f"{shown(name)} means something else in this file; use another name")

    # The file

    def read(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return
            case ast.Import(names):
                self._refuse_import(node, names[0].name)
            case ast.ImportFrom():
                self._import(node)
            case ast.Assign([ast.Name(name)], value):
                self._constant(node, name, value)
            case ast.Assign([ast.Tuple() as names], value):
                for name, each in Expressions(self.program, {}).unpacked(names, self._evaluated(node, value)).items():
                    self._require_new(node, name)
                    self.program.constants[name] = self._overridden(name, each)
            case ast.AnnAssign(ast.Name(name), annotation, ast.expr() as value):
                self._annotated(node, name, annotation, value)
            case ast.ClassDef():
                self._class(node)
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                self._require_new(node, name)
                if name in ("step", "until", "join"):
                    raise self.source.error(node, f"{name} is what a process waits with; use another name")
                if node.decorator_list:
                    raise self.source.error(node.decorator_list[0], "decorators are allowed only on a model's methods")
                self.program.functions[name] = node
            case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]), orelse=[]):
                return
            case _:
                found = self.source.excerpt(node)
                raise self.source.error(
                    node, f"found {found}, expected imports, constants, classes and functions at the top of the file"
                )

    def _refuse_import(self, node: ast.AST, name: str) -> None:
        hint = refusals.IMPORTS.get(name, "a model imports only from scrimp.modelling, enum, dataclasses and typing")
        raise self.source.error(node, f"cannot import {shown(name)}: {hint}")

    def _import(self, node: ast.ImportFrom) -> None:
        module = node.module or "."
        if module == "asyncio" and (found := [each.name for each in node.names if each.name in refusals.ASYNCIO]):
            raise self.source.error(
                node, f"asyncio.{found[0]} is not part of the language: {refusals.ASYNCIO[found[0]]}"
            )
        if module not in IMPORTABLE or node.level:
            self._refuse_import(node, module)
        for alias in node.names:
            if alias.name not in IMPORTABLE[module]:
                known = ", ".join(IMPORTABLE[module])
                instead = refusals.IMPORTED.get(alias.name)
                hint = did_you_mean(alias.name, IMPORTABLE[module]) + f"; models use {known}"
                raise self.source.error(
                    node, f"cannot import '{shown(alias.name)}' from {module}{f': {instead}' if instead else hint}"
                )
            self.program.imported[alias.asname or alias.name] = alias.name

    def _require_new(self, node: ast.stmt, name: str) -> None:
        if name in self.places or name in self.program.imported:
            raise self.source.error(node, f"{shown(name)} is already defined; use another name")
        self.places[name] = node

    def _constant(self, node: ast.stmt, name: str, value: ast.expr) -> None:
        if name == "__all__":
            return
        self._require_new(node, name)
        if self._is_type(value):
            self.program.aliases[name] = value
            return
        self.program.constants[name] = self._overridden(name, self._evaluated(node, value))

    def _annotated(self, node: ast.AnnAssign, name: str, annotation: ast.expr, value: ast.expr) -> None:
        head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        kind = self.program.imported.get(head.id, "") if isinstance(head, ast.Name) else ""
        if kind == "TypeAlias":
            self._require_new(node, name)
            self.program.aliases[name] = value
            return
        if kind != "Final":
            plain_type(self.program, annotation)
        self._constant(node, name, value)

    def _is_type(self, value: ast.expr) -> bool:
        match value:
            case ast.Subscript(ast.Name(name)):
                return self.program.imported.get(name, name) in ("Annotated", "Optional", "tuple", "frozenset")
            case ast.BinOp(_, ast.BitOr(), ast.Constant(None)):
                return True
            case ast.Name(name):
                return name in ("int", "bool") or name in self.program.enums or name in self.program.records
            case _:
                return False

    def _evaluated(self, node: ast.stmt, value: ast.expr) -> Value:
        found = Expressions(self.program, self.program.model_constants).value(value)
        if not found.is_constant:
            raise self.source.error(node, f"expected a constant value, found {self.source.excerpt(value)}")
        return found

    def _overridden(self, name: str, value: Value) -> Value:
        if name not in self.defines:
            return value
        self.overridden.add(name)
        text = self.defines[name]
        found = _parsed_define(value, text)
        if found is None:
            raise OptionError(f"-D {name}={text}: expected a value of {value.type}, as in the model")
        return found

    # Classes

    def _class(self, node: ast.ClassDef) -> None:
        self._require_new(node, node.name)
        if node.keywords:
            raise self.source.error(node, "a class of a model takes no keywords")
        bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
        kinds = [self.program.imported.get(base, "") for base in bases]
        if kinds == ["Enum"]:
            self.program.enums[node.name] = self._enum(node)
        elif len(bases) == 1 and (kinds == ["Model"] or bases[0] in self.program.models):
            self.program.models[node.name] = node
        elif not node.bases and self._is_dataclass(node):
            self.program.records[node.name] = self._record(node)
        elif not node.bases and not node.decorator_list:
            raise self.source.error(
                node, f"class {node.name}: expected a base, Model or Enum, or the decorator @dataclass(frozen=True)"
            )
        elif any(self.program.import_hint(base) for base in bases):
            hint = self.program.import_hint(bases[0])
            raise self.source.error(node, f"class {node.name}: unknown base '{bases[0]}'{hint}")
        else:
            found = ", ".join(ast.unparse(base) for base in node.bases)
            expected = "expected Model, another model of this file, Enum, or a dataclass without a base"
            raise self.source.error(node, f"class {node.name}: found the base {found or 'none'}, {expected}")

    def _is_dataclass(self, node: ast.ClassDef) -> bool:
        for decorator in node.decorator_list:
            match decorator:
                case ast.Call(ast.Name(name), [], keywords) if self.program.imported.get(name) == "dataclass":
                    given = {keyword.arg: ast.unparse(keyword.value) for keyword in keywords}
                    if given.get("frozen") == "True" and given.keys() <= {"frozen", "slots", "kw_only"}:
                        return True
                    raise self.source.error(decorator, "expected @dataclass(frozen=True): a record never changes")
                case ast.Name(name) if self.program.imported.get(name) == "dataclass":
                    raise self.source.error(decorator, "expected @dataclass(frozen=True): a record never changes")
        return False

    def _enum(self, node: ast.ClassDef) -> EnumType:
        names: list[str] = []
        numbers: list[int | None] = []
        for statement in node.body:
            match statement:
                case ast.Expr(ast.Constant()) | ast.Pass():
                    continue
                case ast.Assign([ast.Name(name)], value):
                    if name in names:
                        raise self.source.error(statement, f"{name} is already a member")
                    names.append(name)
                    numbers.append(self._enum_number(value, numbers))
                case _:
                    raise self.source.error(statement, "expected members of the Enum, as in RED = 1 or RED = auto()")
        if not names:
            raise self.source.error(node, f"{node.name} has no members")
        known = [number for number in numbers if number is not None]
        if len(set(known)) != len(known):
            raise self.source.error(
                node, f"two members of {node.name} have the same value, so they are one; remove one"
            )
        return EnumType(node.name, tuple(names), tuple(numbers))

    def _enum_number(self, value: ast.expr, before: Sequence[int | None]) -> int | None:
        match value:
            case ast.Call(ast.Name(name), [], []) if self.program.imported.get(name) == "auto":
                known = [number for number in before if number is not None]
                return max(known, default=0) + 1
            case ast.Constant(str()):
                return None
            case _:
                number = Expressions(self.program, {}).value(value).number
                if number is None:
                    raise self.source.error(value, "expected a whole number, a text or auto() as the value of a member")
                return number

    def _record(self, node: ast.ClassDef) -> RecordClass:
        fields = []
        defaults: dict[str, Value] = {}
        for statement in node.body:
            match statement:
                case ast.Expr(ast.Constant()) | ast.Pass():
                    continue
                case ast.AnnAssign(ast.Name(name), annotation, value):
                    type_ = plain_type(self.program, annotation)
                    fields.append((name, type_))
                    if value is not None:
                        defaults[name] = self._default(value, type_)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    raise self.source.error(statement, "a record has no methods; define a function of the file")
                case _:
                    raise self.source.error(statement, "expected fields of the record, as in sender: int")
        return RecordClass(RecordType(node.name, tuple(fields)), defaults)

    def _default(self, node: ast.expr, type_: object) -> Value:
        try:
            return converted(Expressions(self.program, {}).value(node), type_)  # type: ignore[arg-type]
        except Mismatch as mismatch:
            raise self.source.error(node, str(mismatch)) from None

    # The model

    def _chosen(self, tree: ast.Module) -> ast.ClassDef:
        """The model of the file: its only one, or the one that is asked for."""
        models = self.program.models
        wanted = self.defines.get(MODEL_OPTION)
        if wanted is not None:
            if wanted not in models:
                hint = suggestion(wanted, models)
                raise OptionError(f"-D {MODEL_OPTION}={wanted}: the file has no model of this name{hint}")
            return models[wanted]
        bases = {base.id for node in models.values() for base in node.bases if isinstance(base, ast.Name)}
        leaves = [node for name, node in models.items() if name not in bases]
        if not leaves:
            raise ModelError(
                self.source.file, 1, 1, "found no model, expected a class that derives from scrimp.modelling.Model"
            )
        if len(leaves) > 1:
            names = " and ".join(node.name for node in leaves[:3])
            raise self.source.error(
                leaves[1], f"found the models {names}; choose one with -D {MODEL_OPTION}={leaves[0].name}"
            )
        return leaves[0]

    def _lineage(self, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """The class after those that it derives from."""
        (base,) = node.bases
        if isinstance(base, ast.Name) and base.id in self.program.models:
            yield from self._lineage(self.program.models[base.id])
        yield node

    def _member(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return
            case ast.AnnAssign(ast.Name(name), annotation, value):
                self._field(node, name, annotation, value)
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(function), arguments, [])) if (
                self.program.imported.get(function) == "leads_to"
            ):
                self._answer(node, name, arguments)
            case ast.Assign([ast.Name(name)], value):
                made = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
                example = f"{made} = …" if made in ("Lock", "Semaphore", "Event", "Condition") else "int = 0"
                raise self.source.error(
                    node, f"{shown(name)} needs a type, as in {shown(name)}: {example}; a constant is Final"
                )
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._method(node)
            case _:
                hint = "expected fields with types, and methods"
                raise self.source.error(node, f"found {self.source.excerpt(node)} in a model, {hint}")

    def _field(self, node: ast.AnnAssign, name: str, annotation: ast.expr, value: ast.expr | None) -> None:
        program = self.program
        head = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if isinstance(head, ast.Name) and program.imported.get(head.id) == "Final":
            if value is None:
                raise self.source.error(node, f"{name} needs a value")
            program.model_constants[name] = self._overridden(name, self._evaluated(node, value))
            return
        if name.startswith("__"):
            raise self.source.error(node, f"the names of fields do not begin with two underscores, found {shown(name)}")
        if name in program.methods or name in program.model_constants or any(e.name == name for e in program.answers):
            raise self.source.error(node, f"{shown(name)} is already defined; use another name")
        type_, initial = declared(program, annotation, value, name)
        if name in program.fields:
            raise self.source.error(node, f"{shown(name)} is already a field; use another name")
        program.fields[name] = program.storage.add_field(name, type_, initial)

    def _answer(self, node: ast.Assign, name: str, arguments: Sequence[ast.expr]) -> None:
        if name in self.program.fields or name in self.program.methods or name in self.program.model_constants:
            raise self.source.error(node, f"{shown(name)} is already defined; use another name")
        if len(arguments) != 2:
            raise self.source.error(node, "expected leads_to(lambda self: …, lambda self: …)")
        cause, effect = (self._condition(each) for each in arguments)
        self.program.answers = [each for each in self.program.answers if each.name != name]
        self.program.answers.append(Answer(name, node, cause, effect))

    def _condition(self, function: ast.expr) -> ast.expr:
        """The body of a function of the model that is written as a lambda, or a call of a method."""
        match function:
            case ast.Lambda(ast.arguments([], [parameter], None, [], [], None, []), body):
                return renamed(body, parameter.arg, "self")
            case ast.Name(name) if name in self.program.methods:
                return ast.parse(f"self.{name}()", mode="eval").body
            case _:
                raise self.source.error(function, "expected lambda self: … or the name of a method above")

    def _method(self, node: Function) -> None:
        program = self.program
        if node.name in program.fields or node.name in program.model_constants:
            raise self.source.error(node, f"{shown(node.name)} is already defined; use another name")
        if node.name.startswith("__"):
            hint = "; the initial values of fields are in the class" if node.name == "__init__" else ""
            raise self.source.error(node, f"a model has no method {shown(node.name)}{hint}")
        if not node.args.args or node.args.posonlyargs:
            raise self.source.error(node, f"{node.name} needs the parameter self")
        program.methods.pop(node.name, None)
        program.members = [each for each in program.members if each.name != node.name]
        roles = [self._role(node, decorator) for decorator in node.decorator_list]
        if len(roles) > 1:
            raise self.source.error(node.decorator_list[1], "expected one decorator")
        if roles:
            self._require_shape(node, roles[0])
            program.members.append(roles[0])
        else:
            program.methods[node.name] = node
        if not roles or roles[0].kind in ("always", "reachable", "eventually", "final"):
            program.methods[node.name] = node

    def _role(self, node: Function, decorator: ast.expr) -> Member:
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        kind = self.program.imported.get(name.id, "") if isinstance(name, ast.Name) else ""
        if kind not in _ROLES:
            found = self.source.excerpt(decorator)
            instead = refusals.DECORATORS.get(found)
            hint = f"; {instead}" if instead else f", expected one of @{', @'.join(_ROLES)}"
            raise self.source.error(decorator, f"found the decorator {found}{hint}")
        if not isinstance(decorator, ast.Call):
            return Member(node.name, kind, node)
        if kind not in ("process", "action"):
            raise self.source.error(decorator, f"@{kind} takes no arguments")
        if decorator.args:
            raise self.source.error(decorator.args[0], f"expected arguments with names, {_arguments_of(kind)}")
        return self._moving_role(node, kind, decorator)

    def _moving_role(self, node: Function, kind: str, decorator: ast.Call) -> Member:
        """The role of a process or an action."""
        count, daemon, fair = None, False, None
        for keyword in decorator.keywords:
            match keyword.arg, keyword.value:
                case "count", value if kind == "process":
                    count = Expressions(self.program, self.program.model_constants).value(value).number
                    if count is None or not 0 <= count <= MOST_PROCESSES:
                        raise self.source.error(value, f"expected a constant number from 0 to {MOST_PROCESSES:,}")
                case "daemon", ast.Constant(bool(value)) if kind == "process":
                    daemon = value
                case "fair", ast.Constant("weak" | "strong" as value):
                    fair = value
                case _:
                    raise self.source.error(keyword, f"expected {_arguments_of(kind)}")
        return Member(node.name, kind, node, count, daemon, fair)

    def _require_shape(self, node: Function, role: Member) -> None:
        is_async = isinstance(node, ast.AsyncFunctionDef)
        if (role.kind == "process") != is_async:
            wanted = "async def" if role.kind == "process" else "def"
            raise self.source.error(node, f"@{role.kind} needs {wanted} {node.name}")
        wanted_parameters = 2 if role.count is not None else 1
        arguments = node.args
        odd = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults
        if len(arguments.args) != wanted_parameters or odd:
            expected = "self and the number of the process" if role.count is not None else "self"
            hint = "; @process(count=…) passes a number" if len(arguments.args) > 1 and role.kind == "process" else ""
            raise self.source.error(node, f"{node.name}: expected the parameters {expected} only{hint}")


def _arguments_of(kind: str) -> str:
    """The arguments of a decorator."""
    return ("count=NUMBER, daemon=True or " if kind == "process" else "") + "fair='weak' or 'strong'"


def _parsed_define(value: Value, text: str) -> Value | None:
    """The value that a text gives a constant of the same type."""
    match value.type:
        case BoolType():
            known = {"true": True, "false": False, "1": True, "0": False}.get(text.lower())
            return None if known is None else constant(known)
        case IntType():
            try:
                number = int(text)
            except ValueError:
                return None
            return constant(number) if -(2**31) <= number < 2**31 else None
        case EnumType(_, members):
            name = text.rpartition(".")[2]
            return member(value.type, members.index(name)) if name in members else None
        case _:
            return None
