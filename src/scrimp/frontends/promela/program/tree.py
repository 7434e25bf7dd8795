"""What lark calls for every rule of the grammar: each method, named for a rule, makes the rule's node."""

from __future__ import annotations

from typing import Any, cast

from lark import Transformer

from scrimp.frontends.promela.program import nodes
from scrimp.frontends.promela.program.nodes import Argument, Node
from scrimp.frontends.promela.text.tokens import LEVELS, Token

# The children of a rule: as many and of the kinds that the grammar says.
Children = list[Any]

_LEVEL = {spelling: level for level, spellings in enumerate(LEVELS) for spelling in spellings}


class TreeBuilder(Transformer[Any, Any]):
    def model(self, children: Children) -> tuple[nodes.Unit, ...]:
        return tuple(children)

    def proctype(self, children: Children) -> nodes.Proctype:
        active, start, name, parameters, priority, provided, body = children
        return nodes.Proctype(start, name, body, active, parameters or (), provided, priority)

    def active(self, children: Children) -> nodes.Active:
        return nodes.Active(*children)

    def parameters(self, children: Children) -> tuple[nodes.Declaration, ...]:
        return tuple(children)

    def init(self, children: Children) -> nodes.Proctype:
        start, priority, body = children
        return nodes.Proctype(start, None, body, priority=priority)

    def claim(self, children: Children) -> nodes.Proctype:
        return nodes.Proctype(*children)

    def trace(self, children: Children) -> nodes.Proctype:
        start, body = children
        return nodes.Proctype(start, None, body)

    def body(self, children: Children) -> nodes.Body:
        return nodes.Body(*children)

    def typedef(self, children: Children) -> nodes.Typedef:
        name, *declarations = children
        return nodes.Typedef(name, tuple(declarations))

    def constants(self, children: Children) -> nodes.Constants:
        _, type_, set_, *names = children
        return nodes.Constants(type_, set_, tuple(names))

    def declaration(self, children: Children) -> nodes.Declaration:
        visibility, type_, *variables = children
        return nodes.Declaration(visibility, type_, tuple(variables))

    def type(self, children: Children) -> nodes.Type:
        return nodes.Type(children[0], children[1] if len(children) > 1 else None)

    def variable(self, children: Children) -> nodes.Variable:
        return nodes.Variable(*children)

    def values(self, children: Children) -> nodes.Values:
        return nodes.Values(tuple(children))

    def channel(self, children: Children) -> nodes.Channel:
        start, capacity, *fields = children
        return nodes.Channel(start, capacity, tuple(fields))

    def sequence(self, children: Children) -> nodes.Sequence:
        return tuple(children)

    def exclusive(self, children: Children) -> nodes.Exclusive:
        return nodes.Exclusive(tuple(children[1:]))

    def unless(self, children: Children) -> nodes.Unless:
        return nodes.Unless(*children)

    def labelled(self, children: Children) -> nodes.Labelled:
        return nodes.Labelled(children[0], children[1] if len(children) > 1 else None)

    def send(self, children: Children) -> nodes.Send:
        channel, operator, *values = children
        return nodes.Send(channel, operator, tuple(values))

    def receive(self, children: Children) -> nodes.Receive:
        channel, operator, arguments = children
        return nodes.Receive(channel, operator, tuple(arguments), keeps=False)

    def peek(self, children: Children) -> nodes.Receive:
        channel, operator, _, arguments = children
        return nodes.Receive(channel, operator, tuple(arguments), keeps=True)

    def assign(self, children: Children) -> nodes.Assign:
        return nodes.Assign(*children)

    def count(self, children: Children) -> nodes.Count:
        return nodes.Count(*children)

    def assign_inline(self, children: Children) -> nodes.AssignInline:
        target, _, block = children
        return nodes.AssignInline(target, block)

    def return_value(self, children: Children) -> nodes.Return:
        return nodes.Return(*children)

    def print(self, children: Children) -> nodes.Print:
        start, *values = children
        return nodes.Print(start, tuple(value for value in values if not _is_string(value)))

    def assertion(self, children: Children) -> nodes.Assertion:
        return nodes.Assertion(*children)

    def set_priority(self, children: Children) -> nodes.SetPriority:
        return nodes.SetPriority(*children)

    def condition(self, children: Children) -> nodes.Condition:
        return nodes.Condition(*children)

    def else_(self, children: Children) -> nodes.Else:
        return nodes.Else(*children)

    def break_(self, children: Children) -> nodes.Break:
        return nodes.Break(*children)

    def goto(self, children: Children) -> nodes.Goto:
        return nodes.Goto(*children)

    def selection(self, children: Children) -> nodes.Selection:
        start, *options = children
        return nodes.Selection(start, tuple(options), repeats=False)

    def loop(self, children: Children) -> nodes.Selection:
        start, *options = children
        return nodes.Selection(start, tuple(options), repeats=True)

    def for_range(self, children: Children) -> nodes.ForRange:
        return nodes.ForRange(*children)

    def for_in(self, children: Children) -> nodes.ForIn:
        return nodes.ForIn(*children)

    def select(self, children: Children) -> nodes.Select:
        return nodes.Select(*children)

    def block(self, children: Children) -> nodes.Block:
        return nodes.Block(*children)

    def atomic(self, children: Children) -> nodes.Block:
        return nodes.Block(*children)

    def d_step(self, children: Children) -> nodes.Block:
        return nodes.Block(*children)

    def argument(self, children: Children) -> list[Argument]:
        if len(children) == 1:
            return [Argument(None, children[0])]
        return [Argument(*children)]

    def more_arguments(self, children: Children) -> list[Argument]:
        first, others = children
        return [*first, *others]

    def expression(self, children: Children) -> Node:
        if len(children) == 1:
            return cast(Node, children[0])
        if len(children) == 3:
            left, operator, right = children
            return nodes.Infix(operator, left, right)
        return _arranged(children[::2], children[1::2])

    def word(self, children: Children) -> Node:
        return cast(Node, children[0])

    def choice(self, children: Children) -> Node:
        return nodes.Choice(*children)

    def prefix(self, children: Children) -> Node:
        return nodes.Prefix(*children)

    def run(self, children: Children) -> Node:
        start, name, arguments, priority = children
        return nodes.Run(start, name, arguments or (), priority)

    def expressions(self, children: Children) -> tuple[Node, ...]:
        return tuple(children)

    def call(self, children: Children) -> Node:
        return nodes.Call(*children)

    def poll(self, children: Children) -> Node:
        channel, operator, arguments = children
        return nodes.Poll(channel, operator, tuple(arguments))

    def remote_label(self, children: Children) -> Node:
        return nodes.RemoteLabel(*children)

    def remote_variable(self, children: Children) -> Node:
        return nodes.RemoteVariable(*children)

    def reference(self, children: Children) -> nodes.Path:
        return nodes.Path(tuple(children))

    def part(self, children: Children) -> nodes.Part:
        return nodes.Part(*children)


def _is_string(value: object) -> bool:
    return isinstance(value, Token) and value.type == "STRING"


def _arranged(operands: list[Node], operators: list[Token]) -> Node:
    """The tree of `operands[0] operators[0] operands[1] …`"""
    waiting: list[Token] = []
    done: list[Node] = [operands[0]]
    for operator, operand in zip(operators, operands[1:], strict=True):
        while waiting and _LEVEL[waiting[-1].text] >= _LEVEL[operator.text]:
            _apply(waiting, done)
        waiting.append(operator)
        done.append(operand)
    while waiting:
        _apply(waiting, done)
    return done[0]


def _apply(waiting: list[Token], done: list[Node]) -> None:
    operator = waiting.pop()
    right = done.pop()
    done.append(nodes.Infix(operator, done.pop(), right))
