"""From the parser's nodes to the program: resolves each name to an earlier declaration, and checks the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scrimp.frontends.promela.program import nodes
from scrimp.frontends.promela.program.resolving.declarations import DeclarationResolver
from scrimp.frontends.promela.program.resolving.expressions import ExpressionResolver, field_count
from scrimp.frontends.promela.program.resolving.labels import labels_of
from scrimp.frontends.promela.program.resolving.names import MtypeConstant, Names, ProctypeName, kind_of
from scrimp.frontends.promela.program.resolving.statements import BodyResolver
from scrimp.frontends.promela.program.syntax import Expression, Proctype, Program, Symbol
from scrimp.frontends.promela.text.formulas import LtlBlock
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import Token, counted, shortened
from scrimp.system.system import Position

Kind = Literal["proctype", "init", "claim", "trace", "notrace"]

_MOST_PROCESSES = 255
_OF_PRIORITIES = frozenset({"priority", "set_priority", "get_priority", "_priority"})


def resolve_model(
    source: Source, tokens: list[Token], units: tuple[nodes.Unit, ...], formulas: list[LtlBlock]
) -> Program:
    """The program of the units of a text; raises ModelError."""
    resolver = _ModelResolver(source, tokens, tuple(formulas))
    for unit in units:
        resolver.unit(unit)
    return resolver.program()


def resolve_expression(source: Source, node: nodes.Node, program: Program) -> Expression:
    """An expression over a program's state; raises ModelError."""
    names = Names(source)
    for name, constants in program.mtypes.items():
        names.mtypes[name] = list(constants)
        names.everywhere.update({constant: MtypeConstant(constant, name) for constant in constants})
    names.everywhere.update({symbol.name: symbol for symbol in program.globals})
    names.proctypes.update({proctype.name: proctype for proctype in program.proctypes})
    expressions = ExpressionResolver(source, names, lenient=False)
    value = expressions.value(node)
    _check_remote_labels(source, expressions.remote_labels, program.proctypes)
    return value


@dataclass
class _ModelResolver:
    source: Source
    tokens: list[Token]
    formulas: tuple[LtlBlock, ...]
    trace: Proctype | None = None
    globals: list[Symbol] = field(default_factory=list)
    proctypes: list[Proctype] = field(default_factory=list)
    passive: list[nodes.Proctype] = field(default_factory=list)
    names: Names = field(init=False)
    expressions: ExpressionResolver = field(init=False)
    declarations: DeclarationResolver = field(init=False)

    def __post_init__(self) -> None:
        self.names = Names(self.source)
        self.expressions = ExpressionResolver(self.source, self.names)
        self.declarations = DeclarationResolver(self.source, self.names, self.expressions)

    def unit(self, unit: nodes.Unit) -> None:
        match unit:
            case nodes.Declaration():
                self.globals.extend(self.declarations.declare(unit, "global", None))
            case nodes.Constants():
                self.declarations.define_constants(unit)
            case nodes.Typedef():
                self.declarations.define_structure(unit)
            case nodes.Proctype():
                self._proctype(unit)

    def program(self) -> Program:
        """The program of all units so far, after the checks that need all of it."""
        for name, count in self.expressions.runs:
            self._check_run(name, count)
        self._warn_of_idle()
        _check_remote_labels(self.source, self.expressions.remote_labels, self.proctypes)
        if not any(proctype.kind != "claim" for proctype in self.proctypes):
            end = self.tokens[-1]
            raise self.source.error(end.offset, "found the end of the text, expected a proctype or init before it")
        mtypes = {name: tuple(constants) for name, constants in self.names.mtypes.items()}
        return Program(
            globals=tuple(self.globals),
            proctypes=tuple(self.proctypes),
            mtypes=mtypes,
            formulas=self.formulas,
            trace=self.trace,
            priorities=self._priorities(),
            warnings=tuple(self.source.warnings),
        )

    def _proctype(self, node: nodes.Proctype) -> None:
        kind, name = self._declared(node)
        expressions, names = self.expressions, self.names
        body = BodyResolver(self.source, self.tokens, names, expressions, self.declarations, name)
        names.scopes.append({})
        expressions.inside = True
        expressions.in_events = kind in ("trace", "notrace")
        for declaration in node.parameters:
            for _ in body.declare(declaration, "parameter"):
                pass
        parameters = tuple(body.locals)
        if kind == "proctype":
            names.everywhere[name] = ProctypeName(parameters)
        provided = None if node.provided is None else expressions.value(node.provided)
        statements = body.body(node.body)
        expressions.inside = expressions.in_events = False
        names.scopes.pop()
        proctype = Proctype(
            name=name,
            kind=kind,
            parameters=len(parameters),
            locals=tuple(body.locals),
            body=statements,
            active=self._active(node),
            provided=provided,
            position=self._position(node.start),
            end=self._position(node.body.end),
            deterministic=node.start.type == "D_PROCTYPE",
            priority=expressions.priority(node.priority),
        )
        if kind in ("trace", "notrace"):
            self.trace = proctype
            return
        if kind == "proctype" and node.active is None:
            self.passive.append(node)
        self.proctypes.append(proctype)
        names.proctypes[name] = proctype

    def _declared(self, node: nodes.Proctype) -> tuple[Kind, str]:
        """The kind and name of a process; declares the name."""
        if node.start.type == "INIT":
            return "init", self._anonymous("init", "init")
        if node.start.type in ("TRACE", "NOTRACE"):
            if self.trace is not None:
                message = f"found a second assertion about events, '{node.start.text}', expected one at most"
                raise self.source.error(node.start.offset, message)
            return ("trace" if node.start.type == "TRACE" else "notrace"), f":{node.start.text}:"
        if node.name is None:
            return "claim", self._anonymous("claim", "never")
        self.names.declare(node.name, ProctypeName(()))
        return ("claim" if node.start.type == "NEVER" else "proctype"), node.name.text

    def _anonymous(self, kind: Kind, keyword: str) -> str:
        """`:init:` or `:never:`; further ones are numbered from 2. SPIN starts every `init`."""
        others = sum(proctype.kind == kind for proctype in self.proctypes)
        return f":{keyword}{others + 1 if others else ''}:"

    def _active(self, node: nodes.Proctype) -> int:
        if node.active is None:
            return 1 if node.start.type == "INIT" else 0
        if node.active.number is None:
            return 1
        count = self.declarations.size(node.active.number, "a number of processes")
        if not 0 <= count <= _MOST_PROCESSES:
            start = nodes.start_of(node.active.number)
            raise self.source.error(start.offset, f"found {count} processes, expected 0 to {_MOST_PROCESSES}")
        return count

    def _priorities(self) -> Position | None:
        """The first mention of priorities."""
        return next((self._position(token) for token in self.tokens if token.text in _OF_PRIORITIES), None)

    def _warn_of_idle(self) -> None:
        """Warn of proctypes that nothing starts: a proof then says nothing about them."""
        run = {name.text for name, _ in self.expressions.runs}
        for node in self.passive:
            if node.name is not None and node.name.text not in run:
                name = shortened(node.name.text)
                call = f"run {name}({'…' if node.parameters else ''})"
                self.source.warn(node.start.offset, f"proctype {name} is never started: add 'active' or '{call}'")

    def _check_run(self, name: Token, count: int) -> None:
        meaning = self.names.everywhere.get(name.text)
        if meaning is None:
            raise self.names.unknown(name, "a proctype")
        if not isinstance(meaning, ProctypeName):
            message = f"'{shortened(name.text)}' is {kind_of(meaning)}, expected a proctype"
            raise self.source.error(name.offset, message)
        expected = sum(field_count(parameter) for parameter in meaning.parameters)
        if count != expected:
            what = f"{counted(count, 'argument')} of proctype '{shortened(name.text)}'"
            raise self.source.error(name.offset, f"found {what}, expected {expected}")

    def _position(self, token: Token) -> Position:
        return self.source.position(token.offset)


def _check_remote_labels(
    source: Source, remote_labels: list[tuple[Token, Token]], proctypes: Sequence[Proctype]
) -> None:
    labels = {proctype.name: labels_of(proctype.body) for proctype in proctypes} if remote_labels else {}
    for proctype, label in remote_labels:
        known = labels.get(proctype.text)
        if known is None:
            raise source.error(proctype.offset, f"unknown name '{shortened(proctype.text)}', expected a proctype")
        if label.text not in known:
            message = f"proctype '{shortened(proctype.text)}' has no label '{shortened(label.text)}'"
            raise source.error(label.offset, message)
