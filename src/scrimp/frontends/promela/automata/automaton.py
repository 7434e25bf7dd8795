"""The parts of a proctype's state machine: its states, the edges between them, and the statements on the edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Node
from scrimp.system.system import Position


@dataclass(frozen=True, slots=True)
class Jump(Node):
    """A step without an effect: a `goto` or `break` that is a separate transition, or the end of a selection."""

    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class End(Node):
    """The end of the process, `-end-`: the process dies when it is the youngest alive."""

    position: Position
    text: str = "-end-"


@dataclass(frozen=True, slots=True)
class StepNode(Node):
    """One statement inside a `d_step`. `then` is the next node; None: the `d_step` is over. If the statement cannot be
    executed, `otherwise` is the next node; None: it is an error, with the message `blocked`. An Else is always
    executable here: it is reached only if none of the options before it is."""

    statement: Basic
    then: int | None
    otherwise: int | None
    blocked: str


@dataclass(frozen=True, slots=True)
class DStep(Node):
    """The body of a `d_step` as a separate graph. It can start if one of `guards` can be executed, always if `guards`
    is None. A guard that is an Else is the only one, and can be executed if nothing else in the state of the process
    can. The body starts at node 0. Without nodes it does nothing."""

    guards: tuple[Basic, ...] | None
    nodes: tuple[StepNode, ...]
    position: Position
    text: str


Basic: TypeAlias = syntax.Basic | Jump | End


@dataclass(frozen=True, slots=True)
class Edge:
    """One way out of a state.

    `target` is the next state, 0 after the end of the process. `atomic`: the process has exclusive control after it.
    `escape` is 0, or the number of the `unless` escape that the edge belongs to: edges of an escape precede the others,
    and if one of them is executable, those with another number are not tried. `identifier` is SPIN's number of the
    statement, unique over all proctypes; an edge may occur in the lists of several states.
    """

    target: int
    statement: Basic | DStep
    atomic: bool
    escape: int
    identifier: int

    @property
    def position(self) -> Position:
        return self.statement.position

    @property
    def text(self) -> str:
        return self.statement.text


@dataclass(frozen=True, slots=True)
class Automaton:
    """A proctype's states that are reachable from `initial`, by SPIN's numbers.

    `labels` maps each label of the text to its state, for remote references; the state is not in `edges` if no process
    is ever in it. `jump_labels` are those of jumps, which are no states. `end_states` are those in which a process may
    be at a valid end: its `-end-` and those labelled `end…`. `next_identifier` is the first that the next proctype can
    use.
    """

    initial: int
    edges: dict[int, tuple[Edge, ...]]
    labels: dict[str, int]
    jump_labels: frozenset[str]
    end_states: frozenset[int]
    progress_states: frozenset[int]
    accept_states: frozenset[int]
    next_identifier: int

    def may_accept_for_ever(self) -> bool:
        """Whether an accept state is on a cycle. If none is, no infinite run can violate the claim: it is violated only
        when it reaches its own end."""
        return any(state in self._behind(state) for state in self.accept_states)

    def _behind(self, state: int) -> set[int]:
        """The states that are reachable from a state by one or more edges."""
        found: set[int] = set()
        waiting = [state]
        while waiting:
            targets = {edge.target for edge in self.edges.get(waiting.pop(), ())} - found
            found |= targets
            waiting += targets
        return found
