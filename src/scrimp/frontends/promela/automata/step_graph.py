"""The body of a `d_step` as a separate graph, and when it can start."""

from __future__ import annotations

from scrimp.frontends.promela.automata.automaton import Basic, DStep, StepNode
from scrimp.frontends.promela.automata.elements import SELECTIONS, Chain, Element, Flow, Kind
from scrimp.frontends.promela.automata.hunt import skip_joins
from scrimp.frontends.promela.program import syntax

_BLOCKED = "block in d_step seq"


def d_step_of(flow: Flow, element: Element) -> DStep:
    """The body of a `d_step` element; raises ModelError if it has statements that SPIN does not allow there."""
    body = element.node.parts[0]
    nodes = _Body(flow, element).nodes()
    return DStep(_guards(flow, body), nodes, element.node.position, f"d_step, line {element.node.position.line}")


class _Body:
    """Numbers the statements of a `d_step` in the order in which they are met."""

    def __init__(self, flow: Flow, element: Element) -> None:
        self._flow = flow
        self._start = element.node.parts[0].start
        self._members: set[Element] = set()
        self._numbers: dict[Element, int] = {}
        self._found: list[Element] = []
        self._next_options: dict[Element, tuple[Element | None, str]] = {}
        self._take_in(element.node.parts[0])

    def _take_in(self, chain: Chain) -> None:
        for element in chain:
            self._members.add(element)
            if element.kind in SELECTIONS:
                self._line_up(element)
            for part in element.node.parts:
                self._take_in(part)

    def _line_up(self, selection: Element) -> None:
        """The first basic statement directly in an option is its guard: if it blocks, the next option is tried."""
        blocked = f"blocking sel in d_step (near line {selection.node.position.line})"
        starts = [option.start for option in selection.parts]
        for option, following in zip(selection.parts, [*starts[1:], None], strict=True):
            guard = next((element for element in option if element.kind is Kind.BASIC), None)
            if guard is not None:
                self._next_options[guard] = (following, blocked)

    def nodes(self) -> tuple[StepNode, ...]:
        self._goes_on(self._start)
        made: list[StepNode] = []
        while len(made) < len(self._found):
            made.append(self._node(self._found[len(made)]))
        return tuple(made)

    def _node(self, element: Element) -> StepNode:
        statement = element.node.statement
        assert statement is not None
        self._check(element, statement)
        then = element.next if element.kind is Kind.BASIC else self._onwards(element)
        option, blocked = self._next_options.get(element, (None, _BLOCKED))
        otherwise = None if option is None else self._goes_on(option, in_any_case=True)
        return StepNode(statement, self._goes_on(then), otherwise, blocked)

    def _goes_on(self, element: Element | None, in_any_case: bool = False) -> int | None:
        """The node for an element, after any jumps. None outside the `d_step`, unless a node is needed `in_any_case`:
        then it is the node of the jump that leaves the `d_step`."""
        seen: dict[Element, None] = {}
        while element in self._members and element.kind is not Kind.BASIC:
            if element in seen:
                raise self._flow.error(element.node.position, "infinite loop of jumps")
            seen[element] = None
            element = self._onwards(element)
        if element in self._members:
            return self._number(element)
        return self._number([*seen][-1]) if in_any_case else None

    def _number(self, element: Element) -> int:
        if element not in self._numbers:
            self._numbers[element] = len(self._found)
            self._found.append(element)
        return self._numbers[element]

    def _onwards(self, element: Element) -> Element | None:
        """The successor of an element that is not a basic statement."""
        if element.kind is Kind.GOTO:
            target = self._flow.labels[element.node.label or ""]
            if target not in self._members:
                raise self._flow.error(element.node.position, "a jump out of a d_step")
            return target
        if element.kind in SELECTIONS:
            return element.parts[0].start
        if element.kind is Kind.BLOCK:
            return element.node.parts[0].start
        if element.kind is Kind.UNLESS:
            raise self._flow.error(element.node.position, "unless inside a d_step")
        return element.next

    def _check(self, element: Element, statement: Basic) -> None:
        if _contains(statement, syntax.Run):
            raise self._flow.error(element.node.position, "run inside a d_step")
        is_test = isinstance(statement, syntax.Condition | syntax.Assert)
        if is_test and _contains(statement, (syntax.RemoteLabel, syntax.RemoteVariable)):
            raise self._flow.error(element.node.position, "a reference to another process inside a d_step")


def _contains(part: object, kind: type | tuple[type, ...]) -> bool:
    return any(isinstance(inner, kind) for inner in syntax.walk(part))


def _guards(flow: Flow, body: Chain) -> tuple[Basic, ...] | None:
    """The statements one of which must be executable for a `d_step` to start. SPIN considers only its first statement;
    if that is a selection, only the conditions, sends and receives of its options."""
    first = body.start
    if first.kind is Kind.BLOCK:
        return _guards(flow, first.node.parts[0])
    if first.kind is Kind.JOIN and first.next is not None:
        first = first.next
    if first.kind in SELECTIONS:
        guards = _option_guards(flow, first)
        return guards if guards and not any(isinstance(guard, syntax.Else) for guard in guards) else None
    guard = _guard(first)
    return None if guard is None else (guard,)


def _option_guards(flow: Flow, selection: Element) -> tuple[Basic, ...]:
    guards: list[Basic] = []
    for option in selection.parts:
        first = skip_joins(flow, option.start)
        if first.kind is Kind.BLOCK:
            guards += _option_guards(flow, first.node.parts[0].start)
        elif first.kind is Kind.IF:
            guards += _option_guards(flow, first)
        elif (guard := _guard(first)) is not None:
            guards.append(guard)
    return tuple(guards)


def _guard(element: Element) -> Basic | None:
    match element.node.statement:
        case (syntax.Condition() | syntax.Send() | syntax.Receive() | syntax.Else()) as guard:
            return guard
        case _:
            return None
