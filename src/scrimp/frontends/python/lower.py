"""From a program to a system: a process for each process and each action of the model, and its properties."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from scrimp.fairness import Fairness
from scrimp.frontends.model import Formula
from scrimp.frontends.python.algebra import replaced
from scrimp.frontends.python.bodies import Body, new_frame
from scrimp.frontends.python.expressions import Expressions
from scrimp.frontends.python.flow import Facts, TypeGrew
from scrimp.frontends.python.functions import result
from scrimp.frontends.python.graph import Edge
from scrimp.frontends.python.liveness import reset_dead_variables
from scrimp.frontends.python.operations import JOINED
from scrimp.frontends.python.program import Answer, Function, Member, Program, assigned_names, first_parameter
from scrimp.frontends.python.propagation import propagate, renumbered
from scrimp.frontends.python.values import Value, constant, truth_of
from scrimp.modelling.starting import starts_at_await
from scrimp.system.expressions import At, Constant, Expression, Read, conjunction, disjunction
from scrimp.system.statements import Assign
from scrimp.system.system import Invariant, Move, Process, System, Transition
from scrimp.system.traverse import assigned, evaluated_in, subexpressions, substatements
from scrimp.system.validate import InvalidSystem, validate
from scrimp.vocabulary import Vocabulary

_MOST_ROUNDS = 40
DONE = "done"
START = "start"


@dataclass(frozen=True)
class Lowered:
    """A system, what is asked of it beside its invariants, and the names in which users see its parts."""

    system: System
    goals: tuple[Invariant, ...]
    formulas: tuple[Formula, ...]
    fair: Mapping[int, Fairness]
    vocabulary: Vocabulary


def lower(program: Program) -> Lowered:
    """The system of a program; raises ModelError."""
    lowering = _Lowering(program)
    numbered = list(program.numbered_processes())
    program.storage.add_waiting([process_name(each, number) for each, number in numbered])
    for each, number in numbered:
        lowering.add(each, number)
    return lowering.finish()


def process_name(each: Member, number: int | None) -> str:
    return each.name if number is None else f"{each.name}[{number}]"


@dataclass
class _Lowering:
    program: Program
    processes: list[Process] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)
    ends: list[Expression] = field(default_factory=list)
    fair: dict[int, Fairness] = field(default_factory=dict)
    done: dict[Expression, Expression] = field(default_factory=dict)

    def add(self, each: Member, number: int | None) -> None:
        """A process with its transitions."""
        name = process_name(each, number)
        body = self._translated(each, number)
        self._require_hoisted(body, each)
        local = [number for _, numbers in body.variables.values() for number in numbers]
        propagate(body.graph, local)
        reset_dead_variables(body.graph, local)
        self._drop_unused(body, local)
        if each.kind == "action":
            self._name_after_action(body, each)
        start = self._start(body, each)
        process = len(self.processes)
        used = sorted({start, *body.graph.waiting, *(place for edge in body.graph.edges for place in _ends(edge))})
        used = [place for place in used if place == start or any(edge.target == place for edge in body.graph.edges)]
        order = {place: index for index, place in enumerate(used)}
        names = list(_distinct(self._place_name(body, place, each) for place in used))
        self.processes.append(Process(name, names, order[start]))
        if each.fair:
            self.fair[process] = Fairness(each.fair)
        for edge in sorted(body.graph.edges, key=lambda edge: order.get(edge.source, -1)):
            if edge.source in order:
                self.transitions.append(_transition(body, process, order, edge))
        done = next((place for place in used if body.graph.waiting.get(place) == DONE), None)
        self.done[At(process, JOINED)] = Constant(0) if done is None else At(process, order[done])
        if each.kind == "process" and not each.daemon:
            self.ends.append(self.done[At(process, JOINED)])

    @staticmethod
    def _place_name(body: Body, place: int, each: Member) -> str:
        if place not in body.graph.waiting:
            return f"inside:{place}"
        return each.name if each.kind == "action" else body.graph.waiting[place]

    def _translated(self, each: Member, number: int | None) -> Body:
        """Translate a body until the facts about its local variables are complete."""
        storage = self.program.storage
        mark = len(storage.variables)
        facts = Facts()
        while True:
            del storage.variables[mark:]
            facts.grown = False
            try:
                body = self._body(each, number, facts)
            except TypeGrew:
                facts.rounds += 1
                continue
            if not facts.grown:
                body.graph.simplify()
                return body
            facts.rounds += 1
            if facts.rounds > _MOST_ROUNDS:
                raise self.program.source.error(each.function, f"{each.name}: the types of its variables do not settle")

    def _body(self, each: Member, number: int | None, facts: Facts) -> Body:
        function = each.function
        body = Body(self.program, len(self.processes), facts, each.kind == "action")
        start = body.graph.add_place(START)
        frame = new_frame(body, function, (), (), first_parameter(function))
        if each.kind == "action":
            frame.return_place = start
        else:
            body.graph.waiting[frame.return_place] = DONE
        body.frames.append(frame)
        body.node = function
        body.enter(start)
        if number is not None:
            parameter = function.args.args[1].arg
            if parameter in assigned_names(function.body):
                body.assign((parameter,), parameter, constant(number))
            else:
                frame.names[parameter] = constant(number)
        body.block(function.body)
        body.goto(frame.return_place)
        return body

    def _require_hoisted(self, body: Body, each: Member) -> None:
        for edge in body.graph.edges:
            if edge.required and edge.source not in body.graph.waiting:
                message = f"{each.name}: a require(…) depends on what the action changes before it; put it first"
                raise self.program.source.error_at(edge.required, message)

    def _drop_unused(self, body: Body, local: list[int]) -> None:
        """Remove the local variables of a process that nothing reads any more; its variables are the last ones."""
        variables = self.program.storage.variables
        used = {
            part.variable
            for edge in body.graph.edges
            for expression in (edge.guard, *evaluated_in(edge.effect))
            for part in subexpressions(expression)
            if isinstance(part, Read)
        }
        written = {
            place.variable
            for edge in body.graph.edges
            for statement in substatements(edge.effect)
            for place in assigned(statement)
        }
        kept = sorted(set(local) & (used | written))
        first = len(variables) - len(local)
        numbers = {old: first + place for place, old in enumerate(kept)}
        variables[first:] = [variables[old] for old in kept]
        renumbered(body.graph, numbers)

    def _name_after_action(self, body: Body, each: Member) -> None:
        """The steps of an action go by its name, at the line of its definition."""
        position = self.program.source.position(each.function)
        body.graph.edges = [
            replace(edge, text=f"{each.name}()", position=position) if edge.source in body.graph.waiting else edge
            for edge in body.graph.edges
        ]

    def _start(self, body: Body, each: Member) -> int:
        """The place at which a process begins."""
        if each.kind == "action" or not starts_at_await(each.function.body, self.program.conditions()):
            return 0
        (first,) = [edge for edge in body.graph.edges if edge.source == 0]
        for statement in first.effect:
            assert isinstance(statement, Assign)
            assert isinstance(statement.value, Constant)

            variables = self.program.storage.variables
            variable = variables[statement.place.variable]
            variables[statement.place.variable] = replace(variable, initial=(statement.value.value,))
        body.graph.edges.remove(first)
        if not any(edge.target == 0 for edge in body.graph.edges):
            del body.graph.waiting[0]
        return first.target

    def finish(self) -> Lowered:
        program = self.program
        storage = program.storage
        invariants: list[Invariant] = []
        goals: list[Invariant] = []
        finals: list[Invariant] = []
        formulas: list[Formula] = []
        for each in program.members:
            if each.kind in ("always", "reachable", "final"):
                test = self._property(each)
                position = program.source.position(each.function)
                named = Invariant(_titled(each), test, position)
                {"always": invariants, "reachable": goals, "final": finals}[each.kind].append(named)
            elif each.kind == "eventually":
                self._property(each)
                formulas.append(self._formula(each.name, f"<> {{self.{each.name}()}}", _said(each.function)))
        formulas += map(self._answer, program.answers)
        ends = [conjunction(*self.ends)] if self.ends or not finals else []
        has_actions = any(each.kind == "action" for each in program.members)
        if has_actions:
            ends = []
        end = disjunction(*ends, *(named.test for named in finals)) if ends or finals else None
        system = System(
            program.model,
            tuple(storage.variables),
            tuple(storage.channels),
            tuple(self.processes),
            tuple(replace(each, guard=replaced(each.guard, self.done)) for each in self.transitions),
            tuple(invariants),
            valid_end=end,
        )
        self._validate(system)
        return Lowered(system, tuple(goals), tuple(formulas), self.fair, self._vocabulary())

    def _answer(self, answer: Answer) -> Formula:
        for condition in (answer.cause, answer.effect):
            if self.program.is_impure(condition, "self"):
                raise self.program.source.error(condition, "a property only computes; it changes and chooses nothing")
            Expressions(self.program, {}, "self").condition(condition)
        cause, effect = ast.unparse(answer.cause), ast.unparse(answer.effect)
        return self._formula(answer.name, f"[] ({{{cause}}} -> <> {{{effect}}})")

    def _formula(self, name: str, text: str, said: str = "") -> Formula:
        return Formula(name, text, f"{self.program.source.file}: {name}", said)

    def _validate(self, system: System) -> None:
        try:
            validate(system)
        except InvalidSystem as error:
            node = self.program.models[self.program.model]
            raise self.program.source.error(node, f"{node.name} is too large or nests too deeply: {error}") from None

    def _property(self, each: Member) -> Expression:
        """The test of a property, which only computes."""
        function = each.function
        if not self.program.is_pure(function):
            raise self.program.source.error(
                function, f"@{each.kind} {each.name}: a property only computes; it changes, chooses and asserts nothing"
            )
        inside = Expressions(self.program, {}, first_parameter(function), calls=(each.name,))
        value: Value = result(inside, function)
        return truth_of(value)

    def _vocabulary(self) -> Vocabulary:
        storage = self.program.storage
        places = {
            number: tuple(f"{process.name} at {name}" for name in process.locations)
            for number, process in enumerate(self.processes)
        }
        return Vocabulary(
            elements=dict(storage.elements),
            values=dict(storage.values),
            messages=dict(storage.messages),
            places=places,
            endless="infinite loop without an await",
        )


def _ends(edge: Edge) -> tuple[int, int]:
    return edge.source, edge.target


def _titled(each: Member) -> str:
    """The name of a property, with what is said about it."""
    said = _said(each.function)
    return f"{each.name} ({said})" if said else each.name


def _said(function: Function) -> str:
    """The first line of a docstring."""
    return (ast.get_docstring(function) or "").strip().split("\n")[0].strip().rstrip(".")


def _distinct(names: Iterator[str]) -> Iterator[str]:
    """Names with a number added to those that occur before."""
    seen: set[str] = set()
    for name in names:
        unique, number = name, 2
        while unique in seen:
            unique, number = f"{name} ({number})", number + 1
        seen.add(unique)
        yield unique


def _transition(body: Body, process: int, order: dict[int, int], edge: Edge) -> Transition:
    move = Move(process, order[edge.source], order[edge.target], edge.text, edge.position)
    inside = edge.target not in body.graph.waiting
    return Transition((move,), edge.guard, edge.effect, edge.kind, holder=process if inside else None)
