"""Random systems of alike processes: each transition is made once for every process, from one template. Some are then
broken in one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeAlias

from scrimp.system.expressions import (
    TRUE,
    At,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Unary,
    conjunction,
)
from scrimp.system.statements import OLDEST, Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import Channel, Invariant, Move, Position, Process, System, Transition, Variable
from scrimp.system.types import Range

Test: TypeAlias = Callable[[int], Expression]
Action: TypeAlias = Callable[[int], tuple[Expression, Statement]]

SHARED, MARKS, OWNER, LAST = range(4)
QUEUE = 0


def compare(operator: BinaryOperator, left: Expression, right: Expression | int) -> Expression:
    return Binary(operator, left, Constant(right) if isinstance(right, int) else right)


class Template:
    """Makes one system: global variables, an array with an element for each process, variables whose values are
    processes (`count`: nobody), a queue of messages from processes, and for each process two variables and a box."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.count = self.random.choice((2, 2, 3))
        self.locations = self.random.choice((2, 3))
        self.names_processes = self.random.random() < 0.7

    def own(self, me: int) -> int:
        return LAST + 2 * me

    def chosen(self, me: int) -> int:
        return LAST + 2 * me + 1

    def box(self, me: int) -> int:
        return 1 + me

    def others(self, me: int) -> list[int]:
        return [other for other in range(self.count) if other != me]

    def system(self) -> System:
        anybody = Range(0, self.count, wraps=self.random.random() < 0.5)
        small, bit = Range(0, 2), Range(0, 1)
        start = self.random.choice((self.count, self.count, 0))
        variables = [
            Variable("shared", small, (0,)),
            Variable("marks", bit, (0,) * self.count, self.count),
            Variable("owner", anybody, (start,)),
        ]
        for me in range(self.count):
            variables.append(Variable("own", small, (0,), owner=me))
            variables.append(Variable("chosen", anybody, (self.count,), owner=me))
        channels = [Channel("queue", 2, (anybody, bit)), *(Channel(f"box{k}", 1, (bit,)) for k in range(self.count))]
        processes = [Process(f"P{me}", tuple(f"l{k}" for k in range(self.locations)), 0) for me in range(self.count)]
        made = [transition for _ in range(self.random.randint(3, 6)) for transition in self.transitions()]
        made.sort(key=lambda transition: transition.moves[0].process)
        return System(
            "random",
            tuple(variables),
            tuple(channels),
            tuple(processes),
            tuple(made),
            invariants=(Invariant("asked", self.invariant()),),
        )

    def invariant(self) -> Expression:
        if self.random.random() < 0.5:
            return compare("<", self.total(), self.random.randint(1, self.count))
        everybody = conjunction(*(At(me, self.locations - 1) for me in range(self.count)))
        return Unary("!", everybody)

    def total(self) -> Expression:
        total: Expression = Read(MARKS, Constant(0))
        for me in range(1, self.count):
            total = Binary("+", total, Read(MARKS, Constant(me)))
        return total

    def transitions(self) -> list[Transition]:
        source, target = (self.random.randrange(self.locations) for _ in range(2))
        tests = [self.test() for _ in range(self.random.choice((0, 1, 1, 2)))]
        actions = [self.action() for _ in range(self.random.choice((0, 1, 1, 2)))]
        holds = self.random.random() < 0.15
        meets = self.random.random() < 0.15
        made = []
        for me in range(self.count):
            for partner in self.others(me) if meets else [None]:
                pairs = [action(me) for action in actions]
                guard = conjunction(*(test(me) for test in tests), *(needs for needs, _ in pairs))
                moves = [Move(me, source, target, "step", Position(1, 1))]
                if partner is not None:
                    moves.append(Move(partner, target, source, "joins", Position(2, 1)))
                effect = tuple(statement for _, statement in pairs)
                made.append(Transition(tuple(moves), guard, effect, holder=me if holds else None))
        return made

    def test(self) -> Test:
        bit, small = self.random.randint(0, 1), self.random.randint(0, 2)
        place = self.random.randrange(self.locations)
        tests: list[Test] = [
            lambda me: compare("==", Read(SHARED), small),
            lambda me: compare("==", Read(self.own(me)), small),
            lambda me: compare("==", Read(MARKS, Constant(me)), bit),
            lambda me: compare("<", self.total(), self.count),
            lambda me: conjunction(*(Unary("!", At(other, place)) for other in self.others(me))),
            lambda me: conjunction(*(compare("==", Read(MARKS, Constant(other)), 0) for other in self.others(me))),
            lambda me: compare("<", Length(QUEUE), 2),
            lambda me: compare(">", Length(self.box(me)), 0),
        ]
        if self.names_processes:
            tests += [
                lambda me: compare("==", Read(OWNER), me),
                lambda me: compare("!=", Read(OWNER), me),
                lambda me: compare("==", Read(OWNER), self.count),
                lambda me: compare("==", Read(self.chosen(me)), Read(OWNER)),
                lambda me: compare("!=", Read(self.chosen(me)), me),
                lambda me: compare("==", Read(MARKS, Read(OWNER)), bit),
                lambda me: compare(">=", Find(QUEUE, (Constant(me), None)), 0),
            ]
        return self.random.choice(tests)

    def action(self) -> Action:
        bit, small = self.random.randint(0, 1), self.random.randint(0, 2)
        room, waiting = compare("<", Length(QUEUE), 2), compare(">", Length(QUEUE), 0)

        def alone(statement: Callable[[int], Statement]) -> Action:
            return lambda me: (TRUE, statement(me))

        actions: list[Action] = [
            alone(lambda me: Assign(Place(SHARED), Constant(small))),
            alone(lambda me: Assign(Place(SHARED), Binary("+", Read(SHARED), Constant(1)))),
            alone(lambda me: Assign(Place(MARKS, Constant(me)), Constant(bit))),
            alone(lambda me: Assign(Place(self.own(me)), Constant(small))),
            alone(lambda me: Assign(Place(self.own(me)), Read(SHARED))),
            lambda me: (compare("==", Length(self.box(me)), 0), Enqueue(self.box(me), (Constant(bit),))),
            alone(lambda me: Clear(self.box(me))),
            alone(lambda me: Assert(compare("<", Read(self.own(me)), 2), "small enough", fatal=small == 0)),
        ]
        if self.names_processes:
            actions += [
                alone(lambda me: Assign(Place(OWNER), Constant(me))),
                alone(lambda me: Assign(Place(OWNER), Constant(self.count))),
                alone(lambda me: Assign(Place(OWNER), Read(self.chosen(me)))),
                alone(lambda me: Assign(Place(self.chosen(me)), Read(OWNER))),
                alone(lambda me: Assign(Place(self.chosen(me)), Constant(me))),
                alone(lambda me: Assign(Place(MARKS, Read(OWNER)), Constant(bit))),
                alone(
                    lambda me: If(
                        compare("==", Read(OWNER), me),
                        (Assign(Place(SHARED), Constant(small)),),
                        (Assign(Place(self.own(me)), Constant(small)),),
                    )
                ),
                alone(
                    lambda me: Assign(
                        Place(self.chosen(me)),
                        Conditional(compare("==", Read(SHARED), 0), Constant(me), Read(OWNER)),
                    )
                ),
                lambda me: (room, Enqueue(QUEUE, (Constant(me), Constant(bit)))),
                lambda me: (waiting, Dequeue(QUEUE, (Place(self.chosen(me)), None))),
                lambda me: (
                    conjunction(waiting, compare("==", Message(QUEUE, 0, OLDEST), me)),
                    Dequeue(QUEUE, (None, None)),
                ),
            ]
        return self.random.choice(actions)


def random_symmetric(seed: int) -> System:
    """A system in which all processes are alike."""
    return Template(seed).system()


def random_broken(seed: int) -> System:
    """The same with one asymmetry, most of which make a difference."""
    system, random = random_symmetric(seed), Random(seed)
    place = random.randrange(len(system.transitions))
    broken = system.transitions[place]
    me = broken.moves[0].process
    way = random.randrange(7)
    match way:
        case 0:
            return replace(system, invariants=(Invariant("asked", compare("==", Read(MARKS, Constant(0)), 0)),))
        case 1:
            broken = replace(broken, guard=conjunction(broken.guard, compare("<", Read(OWNER), max(me, 1))))
            return replace(system, transitions=_replaced(system, place, broken))
        case 2:
            return replace(system, transitions=tuple(map(_ordered, system.transitions)))
        case 3:
            broken = replace(broken, effect=(*broken.effect, Assign(Place(MARKS, Constant(0)), Constant(1))))
            return replace(system, transitions=_replaced(system, place, broken))
        case 4:
            return replace(system, transitions=tuple(t for n, t in enumerate(system.transitions) if n != place))
        case 5:
            ending = tuple(each for each in system.transitions if each.moves[0].source < each.moves[0].target)
            return replace(system, transitions=ending or system.transitions, valid_end=At(me, 0))
        case _:
            return replace(system, transitions=tuple(_in_order(each, me) for each in system.transitions))


def random_started(seed: int) -> System:
    """A system of alike processes that another one starts, one after the other."""
    system = random_symmetric(seed)
    count = len(system.processes)
    starter = Process("Starter", tuple(f"s{k}" for k in range(count + 1)), 0)
    processes = tuple(
        replace(process, locations=(*process.locations, "absent"), initial=len(process.locations))
        for process in system.processes
    )
    steps = []
    for me in range(count):
        moves = (
            Move(count, me, me + 1, "start", Position(3, 1)),
            Move(me, len(system.processes[me].locations), 0, "begin", Position(3, 1)),
        )
        steps.append(Transition(moves, TRUE, (Assign(Place(LAST + 2 * me + 1), Constant(me)),)))
    return replace(system, processes=(*processes, starter), transitions=(*system.transitions, *steps))


def _ordered(transition: Transition) -> Transition:
    """The same, with processes compared by their numbers if it leaves the first location."""
    move = transition.moves[0]
    test = compare(">=", Read(LAST + 2 * move.process + 1), Read(OWNER))
    return transition if move.source else replace(transition, guard=conjunction(transition.guard, test))


def _in_order(transition: Transition, first: int) -> Transition:
    """The same with two more assignments, whose order depends on the process."""
    process = transition.moves[0].process
    more: list[Statement] = [
        Assign(Place(SHARED), Constant(1)),
        Assign(Place(LAST + 2 * process), Read(SHARED)),
    ]
    return replace(transition, effect=(*transition.effect, *(more if process == first else reversed(more))))


def _replaced(system: System, place: int, transition: Transition) -> tuple[Transition, ...]:
    return (*system.transitions[:place], transition, *system.transitions[place + 1 :])
