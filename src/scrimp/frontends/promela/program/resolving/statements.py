"""The body of one proctype: from the parser's nodes to statements of the syntax tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, cast

from scrimp.frontends.promela.program import nodes, syntax
from scrimp.frontends.promela.program.resolving.declarations import DeclarationResolver, Kind
from scrimp.frontends.promela.program.resolving.expressions import ExpressionResolver
from scrimp.frontends.promela.program.resolving.labels import Labels
from scrimp.frontends.promela.program.resolving.names import Names
from scrimp.frontends.promela.program.syntax import (
    Expression,
    Number,
    Reference,
    Sequence,
    Statement,
    Structure,
    Symbol,
)
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import NUMBER, Token, shortened
from scrimp.system.system import Position

# If the two numbers of a `select` differ by at most this, SPIN replaces it by an `if` with an option for each value.
_WIDEST_SELECTION = 32
_STATEMENT_ENDS = frozenset({"SEMICOLON", "ARROW", "OPTION", "FI", "OD", "CLOSE_BLOCK", "UNLESS", "$END"})
_OPENING, _CLOSING = frozenset({"OPEN", "OPEN_INDEX"}), frozenset({"CLOSE", "CLOSE_INDEX"})


@dataclass
class BodyResolver:
    """`locals` grows with the declarations. `at_start` is true before the first statement: variables declared there get
    their values when the process starts. `returning` has the targets to which the values of the enclosing inlines are
    assigned."""

    source: Source
    tokens: list[Token]
    names: Names
    expressions: ExpressionResolver
    declarations: DeclarationResolver
    owner: str
    locals: list[Symbol] = field(default_factory=list)
    labels: Labels = field(init=False)
    loops: int = 0
    at_start: bool = True
    returning: list[nodes.Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.labels = Labels(self.source)

    def body(self, body: nodes.Body) -> Sequence:
        """The statements of a whole body; raises ModelError."""
        self.labels.visit(body.sequence)
        self.names.scopes.append({})
        statements = tuple(statement for step in body.sequence for statement in self._step(step))
        self.names.scopes.pop()
        return statements

    def declare(self, declaration: nodes.Declaration, kind: Kind) -> Iterator[tuple[Symbol, nodes.Variable]]:
        """Declare locals, one after the other."""
        symbols = self.declarations.declare(declaration, kind, self.owner)
        for symbol, variable in zip(symbols, declaration.variables, strict=False):
            self.locals.append(symbol)
            yield symbol, variable

    def _sequence(self, steps: nodes.Sequence, start: Token) -> Sequence:
        """A sequence within the body; it must have a statement."""
        self.at_start = False
        statements = tuple(statement for step in steps for statement in self._step(step))
        if not statements:
            raise self.source.error(start.offset, "found no statement in this block, expected at least one")
        return statements

    def _scoped(self, steps: nodes.Sequence, start: Token) -> Sequence:
        self.names.scopes.append({})
        statements = self._sequence(steps, start)
        self.names.scopes.pop()
        return statements

    def _step(self, step: nodes.Step) -> Iterable[Statement]:
        if isinstance(step, nodes.Declaration):
            return self._declaration(step)
        if isinstance(step, nodes.Exclusive):
            for channel in step.channels:
                self.expressions.channel(channel)
            return ()
        self.at_start = False
        if isinstance(step, nodes.Unless):
            return (self._unless(step),)
        return self._statements(step)

    def _declaration(self, declaration: nodes.Declaration) -> list[Statement]:
        """For each variable declared after a statement, SPIN executes an assignment there, of 0 by default."""
        if self.at_start:
            for _ in self.declare(declaration, "first"):
                pass
            return []
        assignments: list[Statement] = []
        for symbol, variable in self.declare(declaration, "later"):
            position = self._position(variable.name)
            zero = Number(0, "0", position)
            if isinstance(symbol.type, Structure):
                # The step exists, but changes nothing.
                assignments.append(syntax.Assign(syntax.Predefined("_", position), zero, position, symbol.name))
                continue
            index = None if symbol.length is None else zero
            target = Reference((syntax.Part(symbol, index),), position)
            if symbol.initial is None:
                assignments.append(syntax.Assign(target, zero, position, f"{symbol.name} = 0"))
            else:
                text = self._text(variable.name, commas=False)
                assignments.append(syntax.Assign(target, cast(Expression, symbol.initial), position, text))
        return assignments

    def _unless(self, step: nodes.Unless) -> Statement:
        main = self._one(step.main)
        return syntax.Unless(main, self._one(step.escape), main.position)

    def _one(self, statement: nodes.Statement) -> Statement:
        statements = tuple(self._statements(statement))
        if len(statements) == 1:
            return statements[0]
        return syntax.Block("block", statements, statements[0].position)

    def _statements(self, node: nodes.Statement) -> Iterable[Statement]:
        """The statements of the tree for one of the text: mostly one."""
        match node:
            case nodes.Labelled():
                return self._labelled(node)
            case nodes.Select():
                return self._select(node)
            case nodes.Selection(start, options, repeats):
                return (self._selection(start, options, repeats),)
            case nodes.Block(start, body):
                return (self._block(start, body),)
            case nodes.ForRange():
                return (self._for_range(node),)
            case nodes.ForIn():
                return (self._for_in(node),)
            case nodes.AssignInline(target, block):
                self.returning.append(target)
                statement = self._block(block.start, block.body)
                self.returning.pop()
                return (statement,)
        return (self._basic(node),)

    def _basic(self, node: nodes.Statement) -> Statement:
        match node:
            case nodes.Condition(test):
                start = self._first(test)
                return syntax.Condition(
                    self.expressions.statement_value(test), self._position(start), self._text(start)
                )
            case nodes.Assign(target, value):
                start = target.parts[0].name
                return self._assign(target, value, start, self._text(start))
            case nodes.Count(target, operator):
                return self._count(target, operator)
            case nodes.Send(channel, operator, values):
                start = channel.parts[0].name
                sent = tuple(value for node in values for value in self.expressions.values(node))
                found = self.expressions.channel(channel)
                return syntax.Send(found, sent, operator.text == "!!", self._position(start), self._text(start))
            case nodes.Receive(channel, operator, arguments, keeps):
                start = channel.parts[0].name
                found, taken = self.expressions.channel(channel), self.expressions.arguments(arguments)
                self._check_taken_once(taken)
                place, text = self._position(start), self._text(start)
                return syntax.Receive(found, taken, operator.text == "??", keeps, place, text)
        return self._word(node)

    def _word(self, node: nodes.Statement) -> Statement:
        match node:
            case nodes.Assertion(start, test):
                return syntax.Assert(self.expressions.value(test), self._position(start), self._text(start))
            case nodes.SetPriority(start, pid, value):
                number, priority = self.expressions.value(pid), self.expressions.value(value)
                return syntax.SetPriority(number, priority, self._position(start), self._text(start))
            case nodes.Print(start, values):
                printed = tuple(self.expressions.value(value) for value in values)
                return syntax.Print(self._position(start), self._text(start), printed)
            case nodes.Goto(start, label):
                return syntax.Goto(self._label(label), self._position(start), self._text(start))
            case nodes.Break(start):
                if not self.loops:
                    raise self._error(start, "found 'break' outside of a loop")
                return syntax.Break(self._position(start))
            case nodes.Else(start):
                return syntax.Else(self._position(start))
            case nodes.Return(start, value):
                if not self.returning:
                    raise self._error(start, "found 'return' outside of an inline whose value is assigned")
                target = self.returning[-1]
                return self._assign(target, value, start, self._text(start))
        raise AssertionError(node)

    def _assign(self, path: nodes.Path, value: nodes.Node, start: Token, text: str) -> Statement:
        if path.parts[0].name.text == "_priority":
            own = syntax.Predefined("_pid", self._position(start))
            return syntax.SetPriority(own, self.expressions.value(value), self._position(start), text)
        target = self.expressions.target(path)
        return syntax.Assign(target, self.expressions.assigned_value(value), self._position(start), text)

    def _count(self, path: nodes.Path, operator: Token) -> Statement:
        target = self.expressions.target(path)
        start = path.parts[0].name
        if not isinstance(target, Reference):
            raise self._error(start, "'_' has no value: it can only be written to")
        position = self._position(operator)
        value = syntax.Infix(operator.text[0], target, Number(1, "1", position), position)
        return syntax.Assign(target, value, self._position(start), self._text(start))

    def _check_taken_once(self, arguments: tuple[syntax.Argument, ...]) -> None:
        seen: set[Symbol] = set()
        for argument in arguments:
            if not isinstance(argument, Reference) or len(argument.parts) > 1 or argument.symbol.length is not None:
                continue
            if argument.symbol in seen:
                name = shortened(argument.symbol.name)
                raise self.source.error_at(
                    argument.position, f"the variable '{name}' receives two fields of one message"
                )
            seen.add(argument.symbol)

    def _label(self, token: Token) -> str:
        return self.labels.unique[token.index]

    def _labelled(self, node: nodes.Labelled) -> Iterable[Statement]:
        position = self._position(node.label)
        if isinstance(self.names.find(node.label.text), Symbol):
            name = shortened(node.label.text)
            self.source.warn(
                node.label.offset, f"the label '{name}' has the name of a variable: SPIN reports a bad label name"
            )
        if node.statement is None:
            skip = syntax.Condition(Number(1, "1", position), position, "(1)")
            statements: list[Statement] = [skip]
        else:
            statements = list(self._statements(node.statement))
        statements[0] = syntax.Labelled(self._label(node.label), statements[0], position)
        return statements

    def _block(self, start: Token, body: nodes.Sequence) -> Statement:
        kinds: dict[str, Literal["block", "atomic", "d_step"]] = {"ATOMIC": "atomic", "D_STEP": "d_step"}
        statements = self._scoped(body, start)
        return syntax.Block(kinds.get(start.type, "block"), statements, self._position(start))

    def _selection(self, start: Token, options: tuple[nodes.Sequence, ...], repeats: bool) -> Statement:
        self.loops += repeats
        resolved: list[Sequence] = []
        has_else = False
        for option in options:
            first = _without_labels(option[0])
            if isinstance(first, nodes.Else):
                if has_else:
                    raise self._error(first.start, "found a second 'else' in one selection, expected one at most")
                has_else = True
            resolved.append(self._option(option, start))
        self.loops -= repeats
        return syntax.Selection(tuple(resolved), repeats, self._position(start))

    def _option(self, option: nodes.Sequence, start: Token) -> Sequence:
        self.at_start = False
        first = _without_labels(option[0])
        if not isinstance(first, nodes.Else):
            return self._sequence(option, start)
        statement: Statement = syntax.Else(self._position(first.start))
        step = option[0]
        while isinstance(step, nodes.Labelled):
            statement = syntax.Labelled(self._label(step.label), statement, self._position(step.label))
            step = cast(nodes.Statement, step.statement)
        return (statement, *(found for later in option[1:] for found in self._step(later)))

    def _for_range(self, node: nodes.ForRange) -> Statement:
        variable = self._counter(node.variable)
        first, last = self.expressions.value(node.first), self.expressions.value(node.last)
        self._check_range(node.first, first, last)
        return self._loop(node.start, variable, first, last, node.body)

    def _loop(
        self, start: Token, variable: Reference, first: Expression, last: Expression, body: nodes.Sequence
    ) -> Statement:
        self.loops += 1
        statements = self._scoped(body, start)
        self.loops -= 1
        return syntax.ForRange(variable, first, last, statements, self._position(start))

    def _for_in(self, node: nodes.ForIn) -> Statement:
        name = node.variable.parts[0].name
        symbol = self.names.find(name.text)
        if isinstance(symbol, Symbol) and isinstance(symbol.type, Structure):
            return self._for_messages(node)
        container = node.container.parts[0].name
        reference = self.expressions.whole(node.container)
        # For an array within a structure, SPIN uses the length of the outermost array.
        length = reference.parts[0].symbol.length
        if length is None:
            raise self._error(container, f"'{shortened(container.text)}' is not an array, expected one to iterate over")
        position = self._position(node.start)
        last = Number(length - 1, str(length - 1), position)
        return self._loop(node.start, self._counter(node.variable), Number(0, "0", position), last, node.body)

    def _for_messages(self, node: nodes.ForIn) -> Statement:
        variable, channel = self.expressions.whole(node.variable), self.expressions.whole(node.container)
        name = node.container.parts[-1].name
        shape = channel.symbol.initial
        if not isinstance(shape, syntax.ChannelShape) or shape.capacity == 0 or shape.fields != (variable.symbol.type,):
            raise self._error(
                name,
                f"'{shortened(name.text)}' is not a buffered channel whose messages are this structure",
            )
        position = self._position(node.start)
        kind: Literal["byte", "short"] = "short" if shape.capacity > 255 else "byte"
        counter = Symbol(f":counter{len(self.locals)}:", kind, None, None, self.owner, position, at_creation=False)
        self.locals.append(counter)
        self.loops += 1
        body = self._scoped(node.body, node.start)
        self.loops -= 1
        return syntax.ForMessages(variable, channel, Reference((syntax.Part(counter, None),), position), body, position)

    def _counter(self, path: nodes.Path, array_allowed: bool = False) -> Reference:
        """The variable of a `for` or `select`."""
        name = path.parts[0].name
        found = self.expressions.target(path)
        is_element = isinstance(found, Reference) and found.symbol.length is not None
        refused = is_element and not (array_allowed and path.parts[0].subscript is None)
        if not isinstance(found, Reference) or len(found.parts) > 1 or refused:
            raise self._error(name, f"found '{shortened(name.text)}' as a counter, expected a plain variable")
        if found.symbol.type == "chan":
            raise self._error(name, f"'{shortened(name.text)}' is a channel, expected a plain variable")
        return found

    def _check_range(self, node: nodes.Node, first: Expression, last: Expression) -> None:
        if isinstance(first, Number) and isinstance(last, Number) and first.value > last.value:
            start = nodes.start_of(node)
            raise self._error(start, f"found an empty range from {first.value} to {last.value}")

    def _select(self, node: nodes.Select) -> Iterable[Statement]:
        variable = self._counter(node.variable, array_allowed=_is_written_out(node))
        first, last = self.expressions.value(node.first), self.expressions.value(node.last)
        self._check_range(node.first, first, last)
        position = self._position(node.start)
        if not _is_written_out(node):
            return (syntax.Select(variable, first, last, position),)
        return self._written_out(variable, cast(Number, first), cast(Number, last), position)

    def _written_out(self, variable: Reference, first: Number, last: Number, position: Position) -> list[Statement]:
        """SPIN replaces `select (name : number .. number)` in the text, but not within inlines."""
        name = variable.symbol.name

        def assignment(value: Expression, text: str) -> Statement:
            return syntax.Assign(variable, value, position, f"{name} = {text}")

        if last.value - first.value <= _WIDEST_SELECTION:
            numbers = [Number(value, str(value), position) for value in range(first.value, last.value + 1)]
            options = tuple((assignment(number, number.text),) for number in numbers)
            return [syntax.Selection(options, False, position)]
        below = syntax.Condition(syntax.Infix("<", variable, last, position), position, f"({name} < {last.value})")
        more = assignment(syntax.Infix("+", variable, Number(1, "1", position), position), f"{name}+1")
        loop = syntax.Selection(((below, more), (syntax.Break(position),)), True, position)
        return [assignment(first, first.text), loop]

    def _first(self, node: nodes.Node) -> Token:
        """The first token of a statement that is an expression, including parentheses."""
        start = nodes.start_of(node)
        index = start.index
        while index and self.tokens[index - 1].type == "OPEN":
            index -= 1
        return self.tokens[index]

    def _text(self, start: Token, commas: bool = True) -> str:
        """The words of the basic statement that starts with a token."""
        words: list[str] = []
        depth = 0
        tokens = self.tokens
        for index in range(start.index, len(tokens)):
            token = tokens[index]
            if token.type in _OPENING:
                depth += 1
            elif token.type in _CLOSING:
                depth -= 1
            elif depth == 0 and (token.type in _STATEMENT_ENDS or (token.type == "COMMA" and not commas)):
                break
            words.append(f" {token.text}" if token.gap and words else token.text)
        return "".join(words)

    def _position(self, token: Token) -> Position:
        return self.source.position(token.offset)

    def _error(self, token: Token, message: str) -> Exception:
        return self.source.error(token.offset, message)


def _without_labels(step: nodes.Step) -> nodes.Step | None:
    inner: nodes.Step | None = step
    while isinstance(inner, nodes.Labelled):
        inner = inner.statement
    return inner


def _is_written_out(node: nodes.Select) -> bool:
    """Whether SPIN replaces a `select` in the text. It matches characters, not tokens, and no names with a `_`."""
    numbers = (node.first, node.last)
    return (
        node.start.type == "SELECT"
        and "_" not in node.variable.parts[0].name.text
        and all(isinstance(number, Token) and number.type == NUMBER and number.text.isdigit() for number in numbers)
    )
