"""From the parser's nodes to expressions of the syntax tree: resolves names, replaces structures by their fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, cast

from scrimp.frontends.grammars import long_run
from scrimp.frontends.promela.program import nodes, syntax
from scrimp.frontends.promela.program.resolving.names import MtypeConstant, Names, kind_of
from scrimp.frontends.promela.program.syntax import Expression, Number, Part, Predefined, Reference, Structure, Symbol
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import NUMBER, Token, shortened
from scrimp.system.system import Position

# Beyond this depth, recursive functions over the tree come close to Python's limit.
DEEPEST = 150

MISPLACED_RUN = (
    "found 'run' inside an expression, expected it alone or once in an assigned value: write 'p = run …' before it, "
    "and use p"
)
SECOND_RUN = (
    "found a second 'run' in an expression, expected one at most: start each process by a statement of its own, as in "
    "'atomic { p = run …; q = run … }'"
)
_READABLE = frozenset({"_pid", "_nr_pr", "_last", "_priority"})
_PRIORITIES = range(1, 256)
_TESTS = frozenset({"len", "full", "empty", "nfull", "nempty"})


@dataclass
class ExpressionResolver:
    """`inside` says whether a process evaluates the expressions. `lenient` accepts an array without an index, with a
    warning, as SPIN does in models. `in_events`: in an assertion about events, `_` stands for any value. `runs` and
    `remote_labels` are for checks that need the whole model."""

    source: Source
    names: Names
    inside: bool = False
    lenient: bool = True
    in_events: bool = False
    runs: list[tuple[Token, int]] = field(default_factory=list)
    remote_labels: list[tuple[Token, Token]] = field(default_factory=list)
    _allowed_run: nodes.Run | None = field(init=False, default=None)

    def position(self, token: Token) -> Position:
        return self.source.position(token.offset)

    def statement_value(self, node: nodes.Node) -> Expression:
        """An expression as a statement, which may be a `run`."""
        self._require_one_run(node)
        if isinstance(node, nodes.Run):
            return self._run(node, 0)
        return self.value(node)

    def assigned_value(self, node: nodes.Node) -> Expression:
        """An assigned expression, which may contain one `run` in a part that is always evaluated."""
        self._require_one_run(node)
        self._allowed_run = _only_run(node)
        value = self.value(node)
        self._allowed_run = None
        return value

    def _require_one_run(self, node: nodes.Node) -> None:
        """Of several, SPIN accepts those in an assigned value, and C does not say in which order they are executed."""
        second = next(islice(_runs(node), 1, None), None)
        if second is not None:
            raise self.source.error(second.start.offset, SECOND_RUN)

    def value(self, node: nodes.Node, depth: int = 0) -> Expression:
        """An expression that has one value; raises ModelError."""
        match node:
            case Token():
                return self._word(node)
            case nodes.Path():
                return self._single(self.path(node, depth), node)
            case nodes.Infix():
                return self._infix(node, depth)
            case nodes.Prefix(operator, operand):
                sign = cast(Literal["-", "!", "~"], operator.text)
                return syntax.Prefix(sign, self._deeper(operand, depth), self.position(operator))
        return self._other(node, depth)

    def _other(self, node: nodes.Node, depth: int) -> Expression:
        match node:
            case nodes.Choice(start, test, then, otherwise):
                parts = [self._deeper(part, depth) for part in (test, then, otherwise)]
                return syntax.Choice(parts[0], parts[1], parts[2], self.position(start))
            case nodes.Call(function, argument):
                return self._call(function, argument, depth)
            case nodes.Poll(channel, operator, arguments):
                found = self.channel(channel, depth)
                matched = self.arguments(arguments, depth)
                start = channel.parts[0].name
                return syntax.Poll(found, matched, operator.text == "??", self.position(start))
            case nodes.RemoteLabel(proctype, pid, label):
                self.remote_labels.append((proctype, label))
                asked = None if pid is None else self._deeper(pid, depth)
                return syntax.RemoteLabel(proctype.text, asked, label.text, self.position(proctype))
            case nodes.RemoteVariable():
                return self._remote_variable(node, depth)
            case nodes.Run(start):
                if node is not self._allowed_run:
                    raise self.source.error(start.offset, MISPLACED_RUN)
                return self._run(node, depth)
        raise AssertionError(node)

    def _deeper(self, node: nodes.Node, depth: int) -> Expression:
        if depth >= DEEPEST:
            start = nodes.start_of(node)
            raise self.source.error(start.offset, f"this expression is nested more than {DEEPEST} levels deep")
        return self.value(node, depth + 1)

    def _word(self, token: Token) -> Expression:
        if token.type == NUMBER:
            return Number(token.value, token.text, self.position(token))
        return Predefined(cast(Literal["timeout", "np_"], token.text), self.position(token))

    def _single(self, found: Reference | Number | Predefined, node: nodes.Path) -> Expression:
        name = node.parts[-1].name
        if isinstance(found, Predefined):
            if found.name not in _READABLE and not (found.name == "_" and self.in_events):
                raise self.source.error(name.offset, f"'{name.text}' has no value: it can only be written to")
            if not self.inside and found.name not in ("_nr_pr", "_last"):
                raise self.source.error(name.offset, f"found '{name.text}', expected an expression over the state")
        elif isinstance(found, Reference) and isinstance(found.symbol.type, Structure):
            raise self.source.error(name.offset, f"'{shortened(name.text)}' is a structure, expected one of its fields")
        return found

    def _infix(self, node: nodes.Infix, depth: int) -> Expression:
        operands = long_run(node, _operator)
        if operands is not None:
            return self._balanced(node.operator, operands, depth)
        left = self._deeper(node.left, depth)
        return syntax.Infix(node.operator.text, left, self._deeper(node.right, depth), self.position(node.operator))

    def _balanced(self, operator: Token, operands: list[nodes.Node], depth: int) -> Expression:
        """A long run of one operator as a balanced tree, of logarithmic depth."""
        if len(operands) == 1:
            return self._deeper(operands[0], depth)
        half = len(operands) // 2
        left = self._balanced(operator, operands[:half], depth + 1)
        right = self._balanced(operator, operands[half:], depth + 1)
        return syntax.Infix(operator.text, left, right, self.position(operator))

    def _call(self, function: Token, argument: nodes.Node, depth: int) -> Expression:
        if function.text in _TESTS:
            if not isinstance(argument, nodes.Path):
                start = nodes.start_of(argument)
                raise self.source.error(start.offset, f"found an expression in {function.text}(), expected a channel")
            test = cast(Literal["len", "full", "empty", "nfull", "nempty"], function.text)
            return syntax.ChannelTest(test, self.channel(argument, depth), self.position(function))
        kind = cast(Literal["enabled", "pc_value", "get_priority"], function.text)
        return syntax.ProcessTest(kind, self._deeper(argument, depth), self.position(function))

    def _run(self, node: nodes.Run, depth: int) -> Expression:
        if not self.inside:
            raise self.source.error(node.start.offset, "found 'run' outside of a process")
        arguments = tuple(value for argument in node.arguments for value in self.values(argument, depth))
        self.runs.append((node.name, len(arguments)))
        return syntax.Run(node.name.text, arguments, self.position(node.start), self.priority(node.priority))

    def priority(self, given: Token | None) -> int:
        """The priority of a process, 1 if none is given; raises ModelError."""
        if given is None:
            return 1
        if given.value not in _PRIORITIES:
            raise self.source.error(given.offset, f"found the priority {shortened(given.text)}, expected 1 to 255")
        return given.value

    def _remote_variable(self, node: nodes.RemoteVariable, depth: int) -> Expression:
        proctype = self.names.proctypes.get(node.proctype.text)
        if proctype is None:
            raise self.names.unknown(node.proctype, "a proctype defined above")
        first = node.variable.parts[0].name
        symbol = next((symbol for symbol in proctype.locals if symbol.name == first.text), None)
        if symbol is None:
            message = f"proctype '{shortened(proctype.name)}' has no variable '{shortened(first.text)}'"
            raise self.source.error(first.offset, message)
        lenient, self.lenient = self.lenient, False  # SPIN compares the address of an array
        variable = self._single(self._parts(symbol, node.variable, depth), node.variable)
        self.lenient = lenient
        pid = None if node.pid is None else self._deeper(node.pid, depth)
        position = self.position(node.proctype)
        return syntax.RemoteVariable(proctype.name, pid, cast(Reference, variable), position)

    def channel(self, path: nodes.Path, depth: int = 0) -> Expression:
        """The channel that a path denotes; raises ModelError."""
        found = self.path(path, depth)
        name = path.parts[-1].name
        if not isinstance(found, Reference) or isinstance(found.symbol.type, Structure):
            kind = "a structure" if isinstance(found, Reference) else "a constant"
            raise self.source.error(name.offset, f"'{shortened(name.text)}' is {kind}, expected a channel")
        return found

    def values(self, node: nodes.Node, depth: int = 0) -> Iterator[Expression]:
        """The values of an argument: of a structure, all its fields."""
        if isinstance(node, nodes.Path):
            found = self.path(node, depth)
            if isinstance(found, Reference) and isinstance(found.symbol.type, Structure):
                yield from self.fields(found, node.parts[-1].name)
                return
        yield self.value(node, depth)

    def arguments(self, arguments: tuple[nodes.Argument, ...], depth: int = 0) -> tuple[syntax.Argument, ...]:
        """The arguments of a receive or a poll."""
        return tuple(found for argument in arguments for found in self._argument(argument, depth))

    def _argument(self, argument: nodes.Argument, depth: int) -> Iterator[syntax.Argument]:
        operator, value = argument.operator, argument.value
        if operator is not None and operator.type == "MINUS" and isinstance(value, Token):
            yield syntax.Match(Number(-value.value, f"-{value.text}", self.position(operator)))
        elif operator is not None or not isinstance(value, nodes.Path):
            yield syntax.Match(self.value(value, depth))
        else:
            yield from self._target_or_constant(value, depth)

    def _target_or_constant(self, path: nodes.Path, depth: int) -> Iterator[syntax.Argument]:
        found = self.path(path, depth)
        match found:
            case Number():
                yield syntax.Match(found)
            case Reference() if isinstance(found.symbol.type, Structure):
                yield from self.fields(found, path.parts[-1].name)
            case Predefined(name, _) if name != "_":
                token = path.parts[0].name
                message = f"'{name}' is predefined and cannot be received into; eval({name}) matches its value"
                raise self.source.error(token.offset, message)
            case _:
                yield found

    def target(self, path: nodes.Path) -> Reference | Predefined:
        """The target of an assignment; raises ModelError."""
        found = self.path(path, 0)
        name = path.parts[-1].name
        match found:
            case Number():
                raise self.source.error(
                    name.offset, f"'{shortened(name.text)}' is an mtype constant, expected a variable to assign to"
                )
            case Predefined("_", _):
                return found
            case Predefined():
                raise self.assigned(name)
        self._single(found, path)
        return found

    def assigned(self, name: Token) -> Exception:
        return self.source.error(name.offset, f"'{name.text}' is predefined and cannot be assigned to")

    def path(self, path: nodes.Path, depth: int) -> Reference | Number | Predefined:
        """The meaning of a path: a constant, a predefined name, or a variable, perhaps a whole structure."""
        first = path.parts[0]
        name = first.name.text
        meaning = self.names.find(name)
        if isinstance(meaning, Symbol):
            return self._parts(meaning, path, depth)
        if isinstance(meaning, MtypeConstant) or name in _READABLE or name == "_":
            if first.subscript is not None or len(path.parts) > 1:
                raise self.source.error(first.name.offset, f"'{shortened(name)}' is neither an array nor a structure")
            if isinstance(meaning, MtypeConstant):
                return Number(self.names.mtype_value(meaning), name, self.position(first.name))
            predefined = cast(Literal["_pid", "_nr_pr", "_last", "_priority", "_"], name)
            return Predefined(predefined, self.position(first.name))
        if meaning is None:
            raise self.names.unknown(first.name, "a variable, a channel or an mtype constant")
        raise self.source.error(
            first.name.offset,
            f"'{shortened(name)}' is {kind_of(meaning)}, expected a variable, a channel or a constant",
        )

    def whole(self, path: nodes.Path) -> Reference:
        """A variable that may be a structure or an array; raises ModelError."""
        symbol = self.names.find(path.parts[0].name.text)
        if not isinstance(symbol, Symbol):
            raise self.names.unknown(path.parts[0].name, "a variable")
        return self._parts(symbol, path, 0, whole=True)

    def _parts(self, symbol: Symbol, path: nodes.Path, depth: int, whole: bool = False) -> Reference:
        parts: list[Part] = []
        last = len(path.parts) - 1
        for place, part in enumerate(path.parts):
            name = part.name
            if place:
                symbol = self._field(symbol, path.parts[place - 1].name, name)
            is_whole = whole and place == last and part.subscript is None
            parts.append(Part(symbol, None if is_whole else self._index(symbol, part, depth)))
            if place < last and not isinstance(symbol.type, Structure):
                message = f"'{shortened(name.text)}' is not a structure and has no field"
                raise self.source.error(name.offset, f"{message} '{shortened(path.parts[place + 1].name.text)}'")
        return Reference(tuple(parts), self.position(path.parts[0].name))

    def _index(self, symbol: Symbol, part: nodes.Part, depth: int) -> Expression | None:
        """The index of an element; None for a variable that is not an array."""
        name, index = part.name, part.subscript
        shown = shortened(name.text)
        if symbol.length is None:
            # SPIN treats a plain variable as an array of one element.
            if index is None or _is_zero(index):
                return None
            raise self.source.error(name.offset, f"'{shown}' is not an array, expected no index after it")
        if index is not None:
            return self._deeper(index, depth)
        if not self.lenient:
            raise self.source.error(
                name.offset, f"'{shown}' is an array, expected an index after it, such as {shown}[0]"
            )
        self.source.warn(name.offset, f"'{shown}' is an array without an index, read as {shown}[0] as in SPIN")
        return Number(0, "0", self.position(name))

    def _field(self, symbol: Symbol, owner: Token, name: Token) -> Symbol:
        structure = cast(Structure, symbol.type)
        for candidate in structure.fields:
            if candidate.name == name.text:
                return candidate
        known = ", ".join(candidate.name for candidate in structure.fields[:6])
        raise self.source.error(
            name.offset,
            f"typedef '{shortened(structure.name)}' has no field '{shortened(name.text)}', expected one of {known}",
        )

    def fields(self, reference: Reference, name: Token) -> Iterator[Reference]:
        """References to the basic fields of a structure, in order; raises ModelError."""
        structure = cast(Structure, reference.symbol.type)
        for member in structure.fields:
            if isinstance(member.type, Structure):
                if member.length is not None:
                    raise self.source.error(
                        name.offset,
                        f"the field '{shortened(member.name)}' is an array of structures: it cannot be sent",
                    )
                yield from self.fields(Reference((*reference.parts, Part(member, None)), reference.position), name)
            elif member.length is None:
                yield Reference((*reference.parts, Part(member, None)), reference.position)
            else:
                for index in range(member.length):
                    number = Number(index, str(index), reference.position)
                    yield Reference((*reference.parts, Part(member, number)), reference.position)


def _runs(node: object) -> Iterator[nodes.Run]:
    """Every `run` in an expression, in the order of the text."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, nodes.Run):
            yield part
        if isinstance(part, tuple):
            waiting += reversed(part)


def _only_run(node: nodes.Node) -> nodes.Run | None:
    """The `run` in an expression that is always evaluated, if there is exactly one."""
    found: list[nodes.Run] = []
    waiting = [node]
    while waiting:
        match waiting.pop():
            case nodes.Run() as run:
                found.append(run)
            case nodes.Prefix(_, operand):
                waiting.append(operand)
            case nodes.Infix(operator, left, right) if operator.text not in ("&&", "||"):
                waiting += [left, right]
    return found[0] if len(found) == 1 else None


def _is_zero(index: nodes.Node | None) -> bool:
    return isinstance(index, Token) and index.type == NUMBER and index.value == 0


def _operator(node: nodes.Node) -> str | None:
    return node.operator.text if isinstance(node, nodes.Infix) else None


def field_count(symbol: Symbol) -> int:
    """How many values a parameter takes."""
    if not isinstance(symbol.type, Structure):
        return symbol.length or 1
    return sum(field_count(member) for member in symbol.type.fields)
