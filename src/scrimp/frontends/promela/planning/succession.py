"""Whether all processes of a model are started before any of them can end.

That is so if nothing is started at all; and if only the first process starts others, in one atomic sequence that begins
where the process does and cannot block: as long as more may be started, it continues alone.
"""

from __future__ import annotations

from scrimp.frontends.promela.automata.automaton import Automaton, DStep, Edge, Jump
from scrimp.frontends.promela.planning.plan import run_of
from scrimp.frontends.promela.planning.world import World
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Proctype, walk
from scrimp.system.expressions import OPPOSITE


def starts_come_first(world: World) -> bool:
    """Whether no process is started after one has ended."""
    processes = [proctype for proctype in world.program.proctypes if proctype.kind in ("proctype", "init")]
    starters = [proctype for proctype in processes if _may_start(world.automata[proctype.name])]
    if not starters:
        return True
    active = [proctype for proctype in processes if proctype.active]
    return active == starters and world.active_slots == 1 and _starts_at_once(world, starters[0])


def _may_start(automaton: Automaton) -> bool:
    return any(_has_run(edge) for edges in automaton.edges.values() for edge in edges)


def _has_run(edge: Edge) -> bool:
    return any(isinstance(part, syntax.Run) for part in walk(edge.statement))


def _starts_at_once(world: World, proctype: Proctype) -> bool:
    automaton = world.automata[proctype.name]
    before = {state for state, edges in automaton.edges.items() if any(map(_has_run, edges))}
    entries = {
        state: [(source, edge) for source, edges in automaton.edges.items() for edge in edges if edge.target == state]
        for state in automaton.edges
    }
    todo = list(before)
    while todo:
        for source, edge in entries[todo.pop()]:
            if not edge.atomic or isinstance(edge.statement, syntax.Send | syntax.Receive):
                return False
            if source not in before:
                before.add(source)
                todo.append(source)
    return proctype.provided is None and all(
        _cannot_block(automaton.edges[state]) for state in before if entries[state] or state != automaton.initial
    )


def _cannot_block(edges: tuple[Edge, ...]) -> bool:
    """Whether a process can always leave a state by one of these edges."""
    tests = [edge.statement.test for edge in edges if isinstance(edge.statement, syntax.Condition)]
    return any(map(_is_always_executable, edges)) or any(_are_opposite(one, other) for one in tests for other in tests)


def _are_opposite(one: syntax.Expression, other: syntax.Expression) -> bool:
    """Whether one of two comparisons is true, as far as their text says."""
    match one, other:
        case syntax.Infix(operator, left, right), syntax.Infix(opposite, left_too, right_too):
            is_opposite = (operator, opposite) in OPPOSITE.items()
            return is_opposite and _are_same(left, left_too) and _are_same(right, right_too)
    return False


def _are_same(one: object, other: object) -> bool:
    """Whether two numbers or variables are the same."""
    match one, other:
        case syntax.Number(value), syntax.Number(value_too):
            return value == value_too
        case syntax.Reference((syntax.Part(symbol, None),)), syntax.Reference((syntax.Part(symbol_too, None),)):
            return symbol is symbol_too
    return False


def _is_always_executable(edge: Edge) -> bool:
    match edge.statement:
        case syntax.Condition(syntax.Number(value)):
            return value != 0
        case syntax.Assign() | syntax.Assert() | syntax.Print() | syntax.Else() | Jump():
            return True
        case DStep():
            return False
    return run_of(edge) is not None
