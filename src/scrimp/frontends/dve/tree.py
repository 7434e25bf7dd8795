"""The methods that lark calls for the rules of the grammar: each is named for a rule and makes its node."""

from __future__ import annotations

from typing import Any, cast

from lark import Transformer

from scrimp.frontends.dve import syntax
from scrimp.frontends.dve.operators import LEVEL
from scrimp.frontends.dve.tokens import Sign
from scrimp.frontends.grammars import Children, arranged, listed, makes


class TreeBuilder(Transformer[Any, Any]):
    def model(self, children: Children) -> syntax.Model:
        *parts, (timing, property_process) = children
        declarations: list[syntax.Declaration] = [part for part in parts if not isinstance(part, syntax.Process)]
        processes = [part for part in parts if isinstance(part, syntax.Process)]
        return syntax.Model(
            tuple(declarations), tuple(processes), timing.type == "SYNC", timing.offset, property_process
        )

    system = listed

    def variables(self, children: Children) -> syntax.Variables:
        constant, type_, *declarators = children
        return syntax.Variables(constant is not None, type_.spelling, tuple(declarators))

    declarator = makes(syntax.Declarator)

    def values(self, children: Children) -> syntax.Values:
        return syntax.Values(tuple(children))

    def channels(self, children: Children) -> syntax.Channels:
        return syntax.Channels(None, tuple(children))

    def typed_channels(self, children: Children) -> syntax.Channels:
        types, *channels = children
        return syntax.Channels(types, tuple(channels))

    def types(self, children: Children) -> tuple[str, ...]:
        return tuple(token.spelling for token in children)

    channel = listed

    def process(self, children: Children) -> syntax.Process:
        name, *parts, transitions = children
        declarations = [part for part in parts if isinstance(part, syntax.Variables | syntax.Channels)]
        return syntax.Process(name, tuple(declarations), tuple(parts[len(declarations) :]), transitions or ())

    names = listed
    states = makes(syntax.States)
    init = makes(syntax.Init)
    commit = makes(syntax.Commit)

    def accept(self, children: Children) -> syntax.Clause:
        return syntax.Accept(children[0], buchi=True)

    def accept_sets(self, children: Children) -> syntax.Clause:
        return syntax.Accept(tuple(state for states in children for state in states), buchi=False)

    def set(self, children: Children) -> tuple[syntax.Identifier, ...]:
        return tuple(state for states in children if states for state in states)

    pair = set
    assertion = listed

    def assertions(self, children: Children) -> syntax.Clause:
        pairs = zip(children[::2], children[1::2], strict=True)
        return syntax.Assertions(tuple(syntax.Assertion(state, test, after.offset) for (state, test), after in pairs))

    transitions = listed

    def transition(self, children: Children) -> syntax.Transition:
        source, arrow, target, guard, communication, effect, brace = children
        start = source.offset if source is not None else arrow.offset
        return syntax.Transition(source, target, guard, communication, effect or (), start, brace.offset + 1)

    def probabilistic(self, children: Children) -> syntax.Probabilistic:
        return syntax.Probabilistic(children[0])

    def chance(self, children: Children) -> None:
        return None

    def guard(self, children: Children) -> syntax.Node:
        """Several guards must all be true."""
        test, *others = children
        for other in others:
            test = syntax.Infix("and", test, other, other.offset)
        return cast(syntax.Node, test)

    foreign_channel = makes(syntax.ForeignChannel)

    def send(self, children: Children) -> syntax.Send:
        channel, values = children
        if values is None:
            return syntax.Send(channel, ())
        return syntax.Send(channel, values.values if isinstance(values, syntax.Values) else (values,))

    def receive(self, children: Children) -> syntax.Receive:
        channel, targets = children
        if targets is None:
            return syntax.Receive(channel, ())
        return syntax.Receive(channel, tuple(targets) if isinstance(targets, list) else (targets,))

    def places(self, children: Children) -> list[syntax.Target]:
        return children

    effect = listed
    assignment = makes(syntax.Assignment)
    element = makes(syntax.Element)

    def expression(self, children: Children) -> syntax.Node:
        return cast(syntax.Node, arranged(children, _level, _infix))

    def true(self, children: Children) -> syntax.Number:
        return syntax.Number(1, children[0].offset)

    def false(self, children: Children) -> syntax.Number:
        return syntax.Number(0, children[0].offset)

    def prefix(self, children: Children) -> syntax.Prefix:
        operator, operand = children
        return syntax.Prefix(operator.spelling, operand, operator.offset)

    state_test = makes(syntax.StateTest)
    foreign = makes(syntax.Foreign)


def _level(operator: Sign) -> int:
    return LEVEL[operator.spelling]


def _infix(operator: Sign, left: syntax.Node, right: syntax.Node) -> syntax.Node:
    return syntax.Infix(operator.spelling, left, right, operator.offset)
