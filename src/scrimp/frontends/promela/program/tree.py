"""The methods that lark calls for the rules of the grammar: each is named for a rule and makes its node."""

from __future__ import annotations

from typing import Any, cast

from lark import Transformer

from scrimp.frontends.grammars import Children, arranged, listed, makes
from scrimp.frontends.promela.program import nodes
from scrimp.frontends.promela.text.tokens import LEVELS, STRING, Token

_LEVEL = {spelling: level for level, spellings in enumerate(LEVELS) for spelling in spellings}


class TreeBuilder(Transformer[Any, Any]):
    model = listed

    def proctype(self, children: Children) -> nodes.Proctype:
        active, start, name, parameters, priority, provided, body = children
        return nodes.Proctype(start, name, body, active, parameters or (), provided, priority)

    active = makes(nodes.Active)
    parameters = listed

    def init(self, children: Children) -> nodes.Proctype:
        start, priority, body = children
        return nodes.Proctype(start, None, body, priority=priority)

    claim = makes(nodes.Proctype)

    def trace(self, children: Children) -> nodes.Proctype:
        start, body = children
        return nodes.Proctype(start, None, body)

    body = makes(nodes.Body)

    def typedef(self, children: Children) -> nodes.Typedef:
        name, *declarations = children
        return nodes.Typedef(name, tuple(declarations))

    def constants(self, children: Children) -> nodes.Constants:
        _, type_, set_, *names = children
        return nodes.Constants(type_, set_, tuple(names))

    def declaration(self, children: Children) -> nodes.Declaration:
        visibility, type_, *variables = children
        return nodes.Declaration(visibility, type_, tuple(variables))

    type = makes(nodes.Type)
    variable = makes(nodes.Variable)

    def values(self, children: Children) -> nodes.Values:
        return nodes.Values(tuple(children))

    def channel(self, children: Children) -> nodes.Channel:
        start, capacity, *fields = children
        return nodes.Channel(start, capacity, tuple(fields))

    sequence = listed

    def exclusive(self, children: Children) -> nodes.Exclusive:
        return nodes.Exclusive(tuple(children[1:]))

    unless = makes(nodes.Unless)
    labelled = makes(nodes.Labelled)

    def send(self, children: Children) -> nodes.Send:
        channel, operator, *values = children
        return nodes.Send(channel, operator, tuple(values))

    def receive(self, children: Children) -> nodes.Receive:
        channel, operator, arguments = children
        return nodes.Receive(channel, operator, tuple(arguments), keeps=False)

    def peek(self, children: Children) -> nodes.Receive:
        channel, operator, _, arguments = children
        return nodes.Receive(channel, operator, tuple(arguments), keeps=True)

    assign = makes(nodes.Assign)
    count = makes(nodes.Count)

    def assign_inline(self, children: Children) -> nodes.AssignInline:
        target, _, block = children
        return nodes.AssignInline(target, block)

    return_value = makes(nodes.Return)

    def print(self, children: Children) -> nodes.Print:
        start, *values = children
        return nodes.Print(start, tuple(value for value in values if not _is_string(value)))

    assertion = makes(nodes.Assertion)
    set_priority = makes(nodes.SetPriority)
    condition = makes(nodes.Condition)
    else_ = makes(nodes.Else)
    break_ = makes(nodes.Break)
    goto = makes(nodes.Goto)

    def selection(self, children: Children) -> nodes.Selection:
        start, *options = children
        return nodes.Selection(start, tuple(options), repeats=False)

    def loop(self, children: Children) -> nodes.Selection:
        start, *options = children
        return nodes.Selection(start, tuple(options), repeats=True)

    for_range = makes(nodes.ForRange)
    for_in = makes(nodes.ForIn)
    select = makes(nodes.Select)
    block = atomic = d_step = makes(nodes.Block)

    def argument(self, children: Children) -> list[nodes.Argument]:
        if len(children) == 1:
            return [nodes.Argument(None, children[0])]
        return [nodes.Argument(*children)]

    def more_arguments(self, children: Children) -> list[nodes.Argument]:
        first, others = children
        return [*first, *others]

    def expression(self, children: Children) -> nodes.Node:
        return cast(nodes.Node, arranged(children, _level, nodes.Infix))

    choice = makes(nodes.Choice)
    prefix = makes(nodes.Prefix)

    def run(self, children: Children) -> nodes.Run:
        start, name, arguments, priority = children
        return nodes.Run(start, name, arguments or (), priority)

    expressions = listed
    call = makes(nodes.Call)

    def poll(self, children: Children) -> nodes.Poll:
        channel, operator, arguments = children
        return nodes.Poll(channel, operator, tuple(arguments))

    remote_label = makes(nodes.RemoteLabel)
    remote_variable = makes(nodes.RemoteVariable)

    def reference(self, children: Children) -> nodes.Path:
        return nodes.Path(tuple(children))

    part = makes(nodes.Part)


def _is_string(value: object) -> bool:
    return isinstance(value, Token) and value.type == STRING


def _level(operator: Token) -> int:
    return _LEVEL[operator.text]
