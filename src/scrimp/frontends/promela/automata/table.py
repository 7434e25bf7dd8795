"""The transition table of a proctype, made from its elements as SPIN's verifier makes it.

1. Every element that can be a state gets its step, whose target is the next element that is not just a jump. A
   selection or block is a choice: it gets the states that it can begin with.
2. As long as a choice can begin with another choice, the latter is replaced by its states.
3. The states of a choice are replaced by their steps.
4. The steps of a state's escapes are put in front of its own.

Marks (`end…`, `progress…`, `accept…`) of states that no process is ever in are passed on to the states after them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scrimp.frontends.promela.automata.automaton import Basic, DStep, Edge
from scrimp.frontends.promela.automata.elements import BLOCKS, SELECTIONS, Chain, Element, Flow, Kind, is_constant
from scrimp.frontends.promela.automata.hunt import after, skip_joins, skip_jumps
from scrimp.frontends.promela.automata.step_graph import d_step_of
from scrimp.frontends.promela.program import syntax
from scrimp.system.system import Position


@dataclass(frozen=True, slots=True)
class Step:
    """An edge under construction, with the first states of the escapes that may interrupt it."""

    edge: Edge
    escapes: tuple[int, ...]
    join: bool


class Table:
    """All states of a flow with their edges. `ends`, `progresses` and `accepts` are the states with such marks."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._done: set[Element] = set()
        self._steps: dict[int, Step] = {}
        self._choices: dict[int, list[int]] = {}
        self._positions: dict[int, Position] = {}
        self.ends = self._labelled("end") | {flow.body.end.number}
        self.progresses = self._labelled("progress")
        self.accepts = self._labelled("accept")
        self._marks = (self.ends, self.progresses, self.accepts)
        self._put_chain(flow.body)
        self.initial = skip_jumps(flow, flow.body.start, flow.body.start.atomic).number
        self._flatten_choices()
        self._rows = self._pull()
        self._prepend_escapes()
        self._pass_ends_on()
        self._check()

    def _labelled(self, prefix: str) -> set[int]:
        return {element.number for label, element in self._flow.labels.items() if label.startswith(prefix)}

    def reachable(self) -> dict[int, tuple[Edge, ...]]:
        """The edges of every state that can be reached from the initial one."""
        found: dict[int, tuple[Edge, ...]] = {}
        waiting = [self.initial]
        while waiting:
            state = waiting.pop()
            if state == 0 or state in found:
                continue
            found[state] = tuple(step.edge for step in self._rows.get(state, ()))
            waiting.extend(edge.target for edge in found[state])
        return found

    # 1: steps and choices

    def _put_chain(self, chain: Chain) -> None:
        element: Element | None = chain.first
        while element is not None:
            if element not in self._done:
                self._done.add(element)
                self._put(element)
            if element is chain.last:
                return
            element = element.next

    def _put(self, element: Element) -> None:
        self._positions[element.number] = element.node.position
        if element.kind is Kind.UNLESS:
            self._put_chain(element.parts[0])
        elif element.kind in SELECTIONS:
            self._put_selection(element)
        elif element.kind in BLOCKS:
            self._put_block(element)
        else:
            assert element.node.statement is not None
            self._put_step(element, element.node.statement, after(self._flow, element))

    def _put_selection(self, element: Element) -> None:
        begins = [skip_joins(self._flow, option.start) for option in element.parts]
        never = [is_constant(first.node.statement, 0) and not first.escapes for first in begins]
        self._choices[element.number] = [first.number for first, dead in zip(begins, never, strict=True) if not dead]
        for option in element.parts:
            self._put_chain(option)

    def _put_block(self, element: Element) -> None:
        chain = element.node.parts[0]
        self._bridge_jumps(chain)
        first = skip_joins(self._flow, chain.start)
        chain.end.next = element.next
        if element.kind is Kind.D_STEP:
            target = None if element.next is None else skip_jumps(self._flow, element.next, element.atomic)
            self._put_step(element, d_step_of(self._flow, element), target)
        else:
            self._choices[element.number] = [first.number]
            self._put_chain(chain)

    def _put_step(self, element: Element, statement: Basic | DStep, target: Element | None) -> None:
        number = 0 if target is None else target.number
        edge = Edge(number, statement, element.atomic, 0, element.identifier)
        chains = () if element.kind is Kind.JOIN else element.escapes
        escapes = tuple(skip_jumps(self._flow, chain.start, element.atomic).number for chain in chains)
        self._steps[element.number] = Step(edge, escapes, element.kind is Kind.JOIN)
        for chain in chains:
            self._put_chain(chain)

    def _bridge_jumps(self, chain: Chain) -> None:
        """A jump out of an atomic sequence ends it, unless it leads into another one."""
        for element in chain:
            if element.kind is Kind.GOTO:
                target = self._flow.target(element.node)
                inside = target.atomic or target.ends_atomic
                if (element.atomic or element.ends_atomic) and not inside:
                    element.atomic, element.ends_atomic = False, True
                if element.ends_atomic and inside:
                    element.atomic, element.ends_atomic = True, False
            for part in element.parts:
                self._bridge_jumps(part)

    # 2: choices within choices are flattened

    def _flatten_choices(self) -> None:
        changed = True
        while changed:
            changed = False
            for state in sorted(self._choices):
                if any(begin in self._choices for begin in self._choices[state]):
                    self._choices[state] = self._flattened(self._choices[state])
                    changed = True

    def _flattened(self, begins: list[int]) -> list[int]:
        flat: list[int] = []
        for begin in begins:
            inner = self._choices.get(begin, [begin])
            flat += inner
            for target in inner:
                self._pass_marks_on(begin, target)
        return flat

    def _pass_marks_on(self, state: int, target: int) -> None:
        for marked in self._marks:
            if state in marked:
                marked.add(target)

    # 3: choices become steps

    def _pull(self) -> dict[int, list[Step]]:
        rows = {state: [step] for state, step in self._steps.items()}
        for state in sorted(self._choices):
            rows[state] = [self._steps[begin] for begin in self._choices[state]]
            for begin in self._choices[state]:
                self._pass_marks_on(begin, self._steps[begin].edge.target)
        return rows

    # 4: escapes

    def _prepend_escapes(self) -> None:
        for state in sorted(self._rows):
            for step in list(self._rows[state]):
                for escape in reversed(step.escapes):
                    self._prepend(state, escape)

    def _prepend(self, state: int, escape: int) -> None:
        for step in list(self._rows.get(escape, ())):
            row = self._rows[state]
            if all(known.edge.identifier != step.edge.identifier for known in row):
                row.insert(0, replace(step, edge=replace(step.edge, escape=escape)))

    # At the end

    def _pass_ends_on(self) -> None:
        for state in sorted(self._rows):
            row = self._rows[state]
            if len(row) == 1 and row[0].join and state in self.ends:
                self.ends.add(row[0].edge.target)

    def _check(self) -> None:
        for state, row in self._rows.items():
            if sum(isinstance(step.edge.statement, syntax.Else) for step in row) > 1:
                raise self._flow.error(self._positions[state], "found two else for the same choice, one of them nested")
