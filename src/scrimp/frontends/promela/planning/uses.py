"""Which variables the statements of a model write and read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from scrimp.frontends.promela.automata.automaton import Automaton, DStep
from scrimp.frontends.promela.planning.plan import run_of
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Symbol, parts_of

_LONGEST_FOLLOWED = 1_000


@dataclass
class Uses:
    """`written` and `read` hold the symbols at the root of references."""

    written: set[Symbol] = field(default_factory=set)
    read: set[Symbol] = field(default_factory=set)

    def target(self, node: object) -> None:
        if isinstance(node, syntax.Reference):
            self.written.add(node.parts[0].symbol)
            for part in node.parts:
                self.expression(part.index)

    def expression(self, node: object) -> None:
        """Record every reference in an expression, or in a tuple of them."""
        if isinstance(node, syntax.Reference):
            self.read.add(node.parts[0].symbol)
            for part in node.parts:
                self.expression(part.index)
        else:
            for inner in parts_of(node):
                self.expression(inner)

    def statement(self, node: object) -> None:
        match node:
            case syntax.Assign(target, value):
                self.target(target)
                self.expression(value)
            case syntax.Receive(channel, arguments):
                self.expression(channel)
                for argument in arguments:
                    if isinstance(argument, syntax.Reference):
                        self.target(argument)
                    else:
                        self.expression(argument)
            case DStep(guards, nodes):
                for inner in (*(guards or ()), *(step.statement for step in nodes)):
                    self.statement(inner)
            case _:
                self.expression(node)


def deciding(automaton: Automaton) -> frozenset[Symbol]:
    """The variables on whose values it depends which edges can be executed and with what processes are started: those
    in conditions and in arguments of `run`, and those from which they get their values, except for long arrays."""
    edges = [edge for edges in automaton.edges.values() for edge in edges]
    needed = Uses()
    for edge in edges:
        if isinstance(edge.statement, syntax.Condition) or run_of(edge) is not None:
            needed.statement(edge.statement)
    known: set[Symbol] = set()
    while new := {symbol for symbol in needed.read - known if (symbol.length or 1) <= _LONGEST_FOLLOWED}:
        known |= new
        for symbol in new:
            needed.expression(symbol.initial)
        for edge in edges:
            _needed_for(edge.statement, known, needed)
    return frozenset(known)


def _needed_for(statement: object, known: set[Symbol], needed: Uses) -> None:
    """Record what a statement reads if it assigns to a known variable."""
    match statement:
        case syntax.Assign(syntax.Reference(parts), _) if parts[0].symbol in known:
            needed.statement(statement)
        case syntax.Receive(_, arguments):
            for argument in arguments:
                if isinstance(argument, syntax.Reference) and argument.parts[0].symbol in known:
                    needed.target(argument)
        case DStep(_, nodes):
            for node in nodes:
                _needed_for(node.statement, known, needed)


def mentions_last(node: object) -> bool:
    """Whether `_last` occurs anywhere in a part of a syntax tree, even in a print or in code that is never executed."""
    match node:
        case syntax.Predefined(name):
            return name == "_last"
        case Symbol():
            return mentions_last(node.initial)
    return any(map(mentions_last, parts_of(node)))


def uses(program: syntax.Program, automata: Iterable[Automaton]) -> Uses:
    """The variables that the statements of these automata and the declarations of the program use."""
    found = Uses()
    for automaton in automata:
        for edges in automaton.edges.values():
            for edge in edges:
                found.statement(edge.statement)
    for proctype in program.proctypes:
        found.expression(proctype.provided)
        for symbol in proctype.locals:
            found.expression(symbol.initial)
    return found
