"""`d_step` as transitions: a single one if the body has no loops, otherwise a chain through transient states.

Inside a `d_step` there is no choice: of several executable options, the first is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scrimp.frontends.promela.automata.automaton import DStep, StepNode
from scrimp.frontends.promela.lowering.expressions import folded
from scrimp.frontends.promela.lowering.statements import Alternative, StatementLowering
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import FALSE, TRUE, Expression, Unary, conjunction, disjunction
from scrimp.system.statements import Assert, If, Statement


@dataclass(frozen=True)
class Body:
    """The graph of a `d_step`."""

    step: DStep

    def following(self, node: int) -> list[int]:
        this = self.step.nodes[node]
        return [following for following in (this.then, this.otherwise) if following is not None]

    def loop_heads(self) -> set[int]:
        """The nodes at which the loops of the body begin."""
        return self.explored()[1]

    def explored(self) -> tuple[list[int], set[int]]:
        """The nodes in postorder: each after its successors, except through loops; and the heads of loops."""
        heads: set[int] = set()
        entered: set[int] = set()
        finished: dict[int, None] = {}
        path: list[tuple[int, Iterator[int]]] = []

        def enter(node: int) -> None:
            path.append((node, iter(self.following(node))))
            entered.add(node)

        if self.step.nodes:
            enter(0)
        while path:
            node, following = path[-1]
            for target in following:
                if target not in entered:
                    enter(target)
                    break
                if target not in finished:
                    heads.add(target)
            else:
                path.pop()
                finished[node] = None
        return [*finished], heads


def guard_of(statements: StatementLowering, step: DStep, nothing_else: Callable[[], Expression]) -> Expression:
    """Whether a `d_step` can start; `nothing_else` says whether nothing else can be executed in the process's state."""
    if step.guards is None:
        return TRUE
    return disjunction(
        *(
            nothing_else() if isinstance(guard, syntax.Else) else executable(statements.in_d_step(guard))
            for guard in step.guards
        )
    )


def executable(alternatives: list[Alternative]) -> Expression:
    return disjunction(*(alternative.guard for alternative in alternatives))


def straight_effect(statements: StatementLowering, step: DStep, first: int | None = 0) -> tuple[Statement, ...]:
    """The effect of a body without loops, from the node `first` on."""
    return tuple(_Straight(statements, step).from_node(first, None)) if step.nodes else ()


def first_receive(step: DStep) -> syntax.Receive | None:
    """The receive that a `d_step` begins with: the only statement of it that can take part in a handshake."""
    first = step.nodes[0].statement if step.nodes else None
    if isinstance(first, syntax.Receive) and step.guards == (first,) and not first.keeps:
        return first
    return None


class _Straight:
    """Branches meet again at the first node that all paths from the branching pass: its postdominator."""

    def __init__(self, statements: StatementLowering, step: DStep) -> None:
        self.statements = statements
        self.nodes = step.nodes
        self.meets = _postdominators(step)

    def from_node(self, node: int | None, stop: int | None) -> list[Statement]:
        result: list[Statement] = []
        while node is not None and node != stop:
            this = self.nodes[node]
            alternatives = self.statements.in_d_step(this.statement)
            if this.otherwise is None:
                result += executed(alternatives, this)
                node = this.then
                continue
            meet = self.meets[node]
            onward = self.from_node(this.then, meet)
            result += chosen(alternatives, onward, self.from_node(this.otherwise, meet))
            node = meet
        return result


def executed(alternatives: list[Alternative], node: StepNode) -> list[Statement]:
    """Execute a statement; blocking is a fault."""
    return chosen(alternatives, [], [Assert(FALSE, node.blocked or "block in d_step")])


def chosen(alternatives: list[Alternative], onward: list[Statement], otherwise: list[Statement]) -> list[Statement]:
    """Execute the first executable alternative, then `onward`; if there is none, `otherwise`."""
    result = otherwise
    for alternative in reversed(alternatives):
        body = [*alternative.effect, *onward]
        result = body if alternative.guard == TRUE else [If(alternative.guard, tuple(body), tuple(result))]
    return result


def _postdominators(step: DStep) -> dict[int, int | None]:
    """For each node of a body without loops, the first node on every path from it to the end; None: the end."""
    order, _ = Body(step).explored()
    rank = {node: number for number, node in enumerate(order)}
    nearest: dict[int, int | None] = {}

    def common(a: int | None, b: int | None) -> int | None:
        while a != b:
            if a is None or b is None:
                return None
            if rank[a] > rank[b]:
                a = nearest[a]
            else:
                b = nearest[b]
        return a

    for node in order:
        this = step.nodes[node]
        nearest[node] = this.then if this.otherwise is None else common(this.then, this.otherwise)
    return nearest


@dataclass(frozen=True)
class Inner:
    """A transition within a `d_step`, from one node's location to another's; target None: the end."""

    source: int
    target: int | None
    guard: Expression
    effect: tuple[Statement, ...]


def after_first(statements: StatementLowering, step: DStep) -> tuple[tuple[Statement, ...], int | None]:
    """The effect after the first statement of a body with loops, and the node at which it stops; None: the end."""
    stops, _ = inner_transitions(statements, step)
    effect, stop = _along(statements, step, step.nodes[0].then, stops)
    return tuple(effect), stop


def inner_transitions(statements: StatementLowering, step: DStep) -> tuple[set[int], list[Inner]]:
    """A body with loops: the nodes that need a location, among them node 0, and the transitions between these."""
    stops = {0} | {target for node in range(len(step.nodes)) for target in _branches(step, node)}
    result: list[Inner] = []
    for stop in sorted(stops):
        result += _from_stop(statements, step, stop, stops)
    return stops, result


def _branches(step: DStep, node: int) -> list[int]:
    """The successors of a node at which a transition must end: heads of loops, and nodes with several options."""
    heads = Body(step).loop_heads()
    return [
        target
        for target in Body(step).following(node)
        if target in heads or (step.nodes[target].otherwise is not None and target == step.nodes[node].then)
    ]


def _from_stop(statements: StatementLowering, step: DStep, stop: int, stops: set[int]) -> Iterator[Inner]:
    """The options at a stop, in order, each with the statements after it up to the next stop."""
    earlier: list[Expression] = []
    node: int | None = stop
    while node is not None:
        this = step.nodes[node]
        alternatives = statements.in_d_step(this.statement)
        for alternative in alternatives:
            effect, target = _along(statements, step, this.then, stops)
            yield Inner(stop, target, conjunction(*earlier, alternative.guard), (*alternative.effect, *effect))
        blocked = folded(Unary("!", disjunction(*(alternative.guard for alternative in alternatives))))
        if blocked == FALSE:
            return
        earlier.append(blocked)
        if this.otherwise is None:
            yield Inner(stop, None, conjunction(*earlier), (Assert(FALSE, this.blocked or "block in d_step"),))
        node = this.otherwise


def _along(
    statements: StatementLowering, step: DStep, node: int | None, stops: set[int]
) -> tuple[list[Statement], int | None]:
    effect: list[Statement] = []
    while node is not None and node not in stops:
        this = step.nodes[node]
        effect += executed(statements.in_d_step(this.statement), this)
        node = this.then
    return effect, node
