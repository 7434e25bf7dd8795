"""`trace` and `notrace`: the sends and receives on certain channels must, or must not, happen in a certain order.

The assertion is an automaton over these events. A variable holds its state, and every send or receive on one of its
channels moves it:

- `trace`: if no edge of the state matches the event, the assertion is violated.
- `notrace`: if no edge matches, the assertion holds from then on; it is violated when its end is reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from scrimp.frontends.promela.automata.automaton import Automaton, End
from scrimp.frontends.promela.lowering.expressions import ExpressionLowering, brought_into, field_range, folded
from scrimp.frontends.promela.lowering.problems import problem
from scrimp.frontends.promela.planning.channels import Channel
from scrimp.frontends.promela.planning.world import Observation, Traced
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import FALSE, TRUE, Binary, Constant, Expression, Read, Unary, conjunction, disjunction
from scrimp.system.statements import Assert, Assign, If, Place, Statement
from scrimp.system.violations import ViolationKind

Pattern: TypeAlias = tuple[Expression | None, ...]


class Match(NamedTuple):
    """An edge of the automaton that matches a message on a channel if `test` holds and the fields are as wanted."""

    test: Expression
    wanted: Pattern
    target: int


@dataclass(frozen=True, slots=True)
class Events:
    """Says what happens to the variable of a trace assertion when a message is sent or received."""

    lowering: ExpressionLowering
    traced: Traced
    variable: int

    def observed(self, kind: Observation, channel: Channel, message: tuple[Expression, ...]) -> tuple[Statement, ...]:
        """The effect of a send or receive on the assertion; to be executed before the message moves."""
        automaton = self.traced.automaton
        states = sorted(automaton.edges)
        matches = [[*self._matches(kind, channel, state)] for state in states]
        in_scope = disjunction(*(match.test for each in matches for match in each))
        if not any(matches) or in_scope == FALSE:
            return ()
        values = tuple(brought_into(field_range(channel, n), value) for n, value in enumerate(message))
        moves = [self._moved(each, values, kind, channel) for each in matches]
        effect = self._by_state(states, moves)
        return effect if in_scope == TRUE else (If(in_scope, effect),)

    def _matches(self, kind: Observation, channel: Channel, state: int) -> Iterator[Match]:
        for edge in self.traced.automaton.edges[state]:
            event = edge.statement
            if not isinstance(event, syntax.Send if kind == "send" else syntax.Receive):
                continue
            found, _ = self.lowering.candidates(event.channel)
            for test, candidate in found:
                if candidate is channel:
                    yield Match(test, self._pattern(event), edge.target)

    def _pattern(self, event: syntax.Send | syntax.Receive) -> Pattern:
        """The values that fields must have: a variable stands for any value, as `_` does."""
        parts = event.values if isinstance(event, syntax.Send) else event.arguments
        return tuple(map(self._wanted, parts))

    def _wanted(self, part: syntax.Expression | syntax.Argument) -> Expression | None:
        if isinstance(part, syntax.Match):
            return self.lowering.value(part.value)
        return self.lowering.value(part) if isinstance(part, syntax.Number) else None

    def _moved(
        self, matches: list[Match], values: tuple[Expression, ...], kind: Observation, channel: Channel
    ) -> tuple[Statement, ...]:
        """What an event does in a state: the first edge that matches is taken, and no other may match."""
        tests = [
            conjunction(
                test,
                *(
                    folded(Binary("==", value, want))
                    for value, want in zip(values, wanted, strict=False)
                    if want is not None
                ),
            )
            for test, wanted, _ in matches
        ]
        result = self._unmatched(kind, channel)
        for place in reversed(range(len(matches))):
            taken = (*_alone(tests[place + 1 :]), *self._taken(matches[place].target))
            result = taken if tests[place] == TRUE else (If(tests[place], taken, result),)
        return result

    def _taken(self, target: int) -> tuple[Statement, ...]:
        moved = Assign(Place(self.variable), Constant(target))
        if self.traced.kind == "trace" or target != self.traced.end:
            return (moved,)
        message = "notrace assertion violated: all its events have occurred"
        return moved, Assert(FALSE, message, fatal=False, kind=ViolationKind.ASSERTION)

    def _unmatched(self, kind: Observation, channel: Channel) -> tuple[Statement, ...]:
        if self.traced.kind == "notrace":
            return (Assign(Place(self.variable), Constant(self.traced.end)),)
        message = f"trace assertion violated: it has no matching {kind} on {channel.name} here"
        return (Assert(FALSE, message, fatal=False, kind=ViolationKind.ASSERTION),)

    def _by_state(self, states: list[int], moves: list[tuple[Statement, ...]]) -> tuple[Statement, ...]:
        """The effect that belongs to the state in the variable."""
        if len(states) == 1:
            return moves[0]
        half = len(states) // 2
        is_lower = Binary("<", Read(self.variable), Constant(states[half]))
        lower, upper = self._by_state(states[:half], moves[:half]), self._by_state(states[half:], moves[half:])
        return (If(is_lower, lower, upper),)


def _alone(others: list[Expression]) -> tuple[Statement, ...]:
    """SPIN refuses to choose between two edges that match."""
    is_another = disjunction(*others)
    if is_another == FALSE or not others:
        return ()
    return (Assert(folded(Unary("!", is_another)), "two events of the trace assertion match"),)


def require_events(automaton: Automaton, kind: Literal["trace", "notrace"]) -> None:
    """Refuse an assertion that has anything but events."""
    for edges in automaton.edges.values():
        for edge in edges:
            event = edge.statement
            if edge.atomic:
                raise problem(edge.position, f"found an atomic sequence in a {kind} assertion, expected single events")
            if isinstance(event, syntax.Send | syntax.Receive) and not (
                isinstance(event, syntax.Receive) and event.keeps
            ):
                _require_plain(event, kind)
            elif not isinstance(event, End):
                message = f"found '{edge.text:.40}' in a {kind} assertion, expected a send or a receive"
                raise problem(edge.position, message)


def _require_plain(event: syntax.Send | syntax.Receive, kind: Literal["trace", "notrace"]) -> None:
    """In SPIN, `1 + 1` stands for any value, and `eval(x)` is computed when some fields of the message were already
    received and others were not: neither is what anybody expects."""
    for part in event.values if isinstance(event, syntax.Send) else event.arguments:
        value = part.value if isinstance(part, syntax.Match) else part
        is_variable = isinstance(value, syntax.Reference | syntax.Predefined) and value is part
        if not is_variable and not isinstance(value, syntax.Number):
            raise problem(event.position, f"found an expression in a {kind} assertion, expected a constant or '_'")
