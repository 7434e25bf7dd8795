"""The shapes of a proctype's state machine: its states, the edges between them and the steps that these make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Node
from scrimp.system.system import Position


@dataclass(frozen=True, slots=True)
class Jump(Node):
    """A step that only moves on: a `goto` or `break` that is a transition of its own, the end of a selection."""

    position: Position
    text: str


@dataclass(frozen=True, slots=True)
class End(Node):
    """The end of the process, `-end-`: it dies when it is the youngest alive."""

    position: Position
    text: str = "-end-"


@dataclass(frozen=True, slots=True)
class StepNode(Node):
    """One statement inside a `d_step`. `then` is the node to go on with, None: the `d_step` is over. Where the
    statement cannot be executed, `otherwise` is the node to go on with, None: it is an error, `blocked` says which.
    An Else is always executable here: it is reached when all the options before it were not."""

    statement: Basic
    then: int | None
    otherwise: int | None
    blocked: str


@dataclass(frozen=True, slots=True)
class DStep(Node):
    """The body of a `d_step`: a graph of its own. It can start when one of `guards` can be executed (an Else is the
    only one: when nothing else in the state of the process can), always if that is None. `nodes` are numbered from 0,
    where it starts. No nodes: the step does nothing."""

    guards: tuple[Basic, ...] | None
    nodes: tuple[StepNode, ...]
    position: Position
    text: str


Basic: TypeAlias = syntax.Basic | Jump | End


@dataclass(frozen=True, slots=True)
class Edge:
    """One way out of a state.

    `target` is the state it leads to, 0 after the end of the process. `atomic`: the process goes on alone after it.
    `escape` is 0, or the number of the `unless` escape that the edge belongs to: edges of an escape stand before the
    others, and where one of them is executable, those with another number are not tried. `identifier` is SPIN's number
    of the statement, unique over all proctypes; an edge may occur in the lists of several states.
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
    """A proctype's states by SPIN's numbers, those that can be reached from `initial` only.

    `labels` maps each label of the text to its state, for remote references; it may be a state that is not in `edges`,
    as no process is ever in it. `end_states` are those in which a process may rest at the end: its `-end-` and those
    labelled `end…`. `next_identifier` is the first that the next proctype can use.
    """

    initial: int
    edges: dict[int, tuple[Edge, ...]]
    labels: dict[str, int]
    end_states: frozenset[int]
    progress_states: frozenset[int]
    accept_states: frozenset[int]
    next_identifier: int

    def may_accept_for_ever(self) -> bool:
        """Whether an accept state can be passed again and again. A claim in which none can be asks for no run without
        end: it has seen what must never be where it comes to its own end."""
        return any(state in self._behind(state) for state in self.accept_states)

    def _behind(self, state: int) -> set[int]:
        """The states that some way of edges leads to from a state."""
        found: set[int] = set()
        waiting = [state]
        while waiting:
            targets = {edge.target for edge in self.edges.get(waiting.pop(), ())} - found
            found |= targets
            waiting += targets
        return found
