"""What lark calls for every rule of the grammar: each method, named for a rule, makes the rule's node of the tree."""

from __future__ import annotations

from typing import Any, cast

from lark import Transformer

from scrimp.frontends.dve.operators import arrange
from scrimp.frontends.dve.syntax import (
    Accept,
    Assertion,
    Assertions,
    Assignment,
    Channels,
    Clause,
    Commit,
    Declaration,
    Declarator,
    Element,
    Foreign,
    ForeignChannel,
    Identifier,
    Infix,
    Init,
    Model,
    Node,
    Number,
    Prefix,
    Probabilistic,
    Process,
    Receive,
    Send,
    States,
    StateTest,
    Target,
    Transition,
    Values,
    Variables,
)
from scrimp.frontends.dve.tokens import Sign

# The children of a rule: as many and of the kinds that the grammar says.
Children = list[Any]


class TreeBuilder(Transformer[Any, Any]):
    def model(self, children: Children) -> Model:
        *parts, (timing, property_process) = children
        declarations: list[Declaration] = [part for part in parts if not isinstance(part, Process)]
        processes = [part for part in parts if isinstance(part, Process)]
        return Model(tuple(declarations), tuple(processes), timing.type == "SYNC", timing.offset, property_process)

    def system(self, children: Children) -> tuple[Sign, Identifier | None]:
        timing, property_process = children
        return timing, property_process

    def variables(self, children: Children) -> Variables:
        constant, type_, *declarators = children
        return Variables(constant is not None, type_.spelling, tuple(declarators))

    def declarator(self, children: Children) -> Declarator:
        return Declarator(*children)

    def values(self, children: Children) -> Values:
        return Values(tuple(children))

    def channels(self, children: Children) -> Channels:
        return Channels(None, tuple(children))

    def typed_channels(self, children: Children) -> Channels:
        types, *channels = children
        return Channels(types, tuple(channels))

    def types(self, children: Children) -> tuple[str, ...]:
        return tuple(token.spelling for token in children)

    def channel(self, children: Children) -> tuple[Identifier, Node | None]:
        name, size = children
        return name, size

    def process(self, children: Children) -> Process:
        name, *parts, transitions = children
        declarations = [part for part in parts if isinstance(part, Variables | Channels)]
        return Process(name, tuple(declarations), tuple(parts[len(declarations) :]), transitions or ())

    def names(self, children: Children) -> tuple[Identifier, ...]:
        return tuple(children)

    def states(self, children: Children) -> Clause:
        return States(children[0])

    def init(self, children: Children) -> Clause:
        return Init(children[0])

    def commit(self, children: Children) -> Clause:
        return Commit(children[0])

    def accept(self, children: Children) -> Clause:
        return Accept(children[0], buchi=True)

    def accept_sets(self, children: Children) -> Clause:
        return Accept(tuple(state for states in children for state in states), buchi=False)

    def set(self, children: Children) -> tuple[Identifier, ...]:
        return tuple(state for states in children if states for state in states)

    def pair(self, children: Children) -> tuple[Identifier, ...]:
        return tuple(state for states in children if states for state in states)

    def assertion(self, children: Children) -> tuple[Identifier, Node]:
        state, test = children
        return state, test

    def assertions(self, children: Children) -> Clause:
        pairs = zip(children[::2], children[1::2], strict=True)
        return Assertions(tuple(Assertion(state, test, after.offset) for (state, test), after in pairs))

    def transitions(self, children: Children) -> tuple[Transition | Probabilistic, ...]:
        return tuple(children)

    def transition(self, children: Children) -> Transition:
        source, arrow, target, guard, communication, effect, brace = children
        start = source.offset if source is not None else arrow.offset
        return Transition(source, target, guard, communication, effect or (), start, brace.offset + 1)

    def probabilistic(self, children: Children) -> Probabilistic:
        return Probabilistic(children[0])

    def chance(self, children: Children) -> None:
        return None

    def guard(self, children: Children) -> Node:
        """Several guards must all be true."""
        test, *others = children
        for other in others:
            test = Infix("and", test, other, other.offset)
        return cast(Node, test)

    def foreign_channel(self, children: Children) -> ForeignChannel:
        return ForeignChannel(*children)

    def send(self, children: Children) -> Send:
        channel, values = children
        if values is None:
            return Send(channel, ())
        return Send(channel, values.values if isinstance(values, Values) else (values,))

    def receive(self, children: Children) -> Receive:
        channel, targets = children
        if targets is None:
            return Receive(channel, ())
        return Receive(channel, tuple(targets) if isinstance(targets, list) else (targets,))

    def places(self, children: Children) -> list[Target]:
        return children

    def effect(self, children: Children) -> tuple[Assignment, ...]:
        return tuple(children)

    def assignment(self, children: Children) -> Assignment:
        return Assignment(*children)

    def element(self, children: Children) -> Element:
        return Element(*children)

    def expression(self, children: Children) -> Node:
        if len(children) == 1:
            return cast(Node, children[0])
        if len(children) == 3:
            left, operator, right = children
            return Infix(operator.spelling, left, right, operator.offset)
        return arrange(children[::2], [(operator.spelling, operator.offset) for operator in children[1::2]])

    def true(self, children: Children) -> Number:
        return Number(1, children[0].offset)

    def false(self, children: Children) -> Number:
        return Number(0, children[0].offset)

    def prefix(self, children: Children) -> Prefix:
        operator, operand = children
        return Prefix(operator.spelling, operand, operator.offset)

    def state_test(self, children: Children) -> StateTest:
        return StateTest(*children)

    def foreign(self, children: Children) -> Foreign:
        return Foreign(*children)
