"""The elements of a proctype: one for each statement, in the order in which SPIN makes them, and linked as in SPIN.

That order determines the numbers of states and transitions. SPIN makes the elements of a statement's parts while it
reads them, and that of the statement afterwards; a loop has another element before it and one after it, a selection
one after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrimp.frontends.promela.automata.automaton import End, Jump
from scrimp.frontends.promela.automata.elements import BLOCKS, SELECTIONS, Chain, Element, Flow, Kind, Node, skip_at
from scrimp.frontends.promela.automata.loops import count_up, message_loop, range_loop
from scrimp.frontends.promela.automata.sequences import attach, drop_repeated_skips, make_atomic, refuse_jump_out
from scrimp.frontends.promela.program import syntax
from scrimp.system.system import Position

_SPECIAL = ("accept", "end", "progress")
_ESCAPE_LABEL = "in front of an escape, which is not a separate state"
_MAIN_LABEL = "in front of a statement with an escape: put braces around both"


def lay_out(
    proctypes: Sequence[syntax.Proctype],
    file: str,
    first_identifier: int = 0,
    labels: Iterable[tuple[str, str]] = (),
) -> list[Flow]:
    """The flows of proctypes in the order of the text; raises ModelError. Formulas refer to these `labels`, each given
    with its proctype."""
    laid: list[Layout] = []
    identifier = first_identifier
    for proctype in proctypes:
        layout = Layout(proctype, file, identifier, laid)
        identifier = layout.run()
        laid.append(layout)
    by_name = {layout.flow.proctype.name: layout for layout in laid}
    below = [reference for layout in laid for reference in layout.references_below]
    for name, label in [*below, *labels]:
        # An unknown name is reported when the formula is read.
        if name in by_name and label in by_name[name].flow.labels:
            by_name[name].keep_state(label, laid[-1].flow)
    for layout in reversed(laid):
        layout.tie_ends()
    return [layout.flow for layout in laid]


class Layout:
    """Makes the flow of one proctype. `earlier` are those before it in the text, whose labels it can refer to;
    `references_below` are its references to labels of those after it.

    The parser has checked that labels are unique, breaks are inside loops and selections have at most one else.
    """

    def __init__(self, proctype: syntax.Proctype, file: str, identifier: int, earlier: Sequence[Layout]) -> None:
        self.flow = Flow(proctype, file, Chain(), {}, 1, identifier)
        self.elements: list[Element] = []
        self.references_below: list[tuple[str, str]] = []
        self._known = {layout.flow.proctype.name: layout for layout in (*earlier, self)}
        self._chains: list[Chain] = []
        self._exits: list[str] = []
        self._loops = 0
        self._d_step = -1

    def run(self) -> int:
        """Lay out the body; returns the next identifier."""
        proctype = self.flow.proctype
        self._chains.append(self.flow.body)
        self._read(proctype.body)
        self._add(self._element(Node(Kind.END, proctype.end, -1, End(proctype.end))))
        self._close(proctype.position)
        return self.flow.next_identifier

    # Reading a statement makes the elements of all its parts, but not yet its own.

    def _read(self, statements: syntax.Sequence) -> None:
        for statement in statements:
            self._place(self._node(statement))

    def _node(self, statement: syntax.Statement) -> Node:
        match statement:
            case syntax.Labelled():
                inner = self._node(statement.statement)
                return Node(Kind.LABELLED, statement.position, self._d_step, label=statement.label, inner=inner)
            case syntax.Goto():
                return self._jump(Kind.GOTO, statement.position, statement.text, statement.label)
            case syntax.Break():
                return self._jump(Kind.GOTO, statement.position, statement.text, self._exits[-1])
            case syntax.Selection():
                return self._selection(statement)
            case syntax.ForRange() | syntax.ForMessages():
                return self._for(statement)
            case syntax.Select():
                return self._select(statement)
            case syntax.Block():
                return self._block(statement)
            case syntax.Unless():
                return self._unless(statement)
            case _:
                self._refer(statement)
                return Node(Kind.BASIC, statement.position, self._d_step, statement)

    def _jump(self, kind: Kind, position: Position, text: str, label: str | None = None) -> Node:
        return Node(kind, position, self._d_step, Jump(position, text), label)

    def _enter_loop(self) -> None:
        self._exits.append(f":{self._loops}")
        self._loops += 1

    def _selection(self, statement: syntax.Selection) -> Node:
        if statement.repeats:
            self._enter_loop()
        options = [self._option(option, statement.position) for option in statement.options]
        if self.flow.proctype.kind != "claim":
            for option in options:
                drop_repeated_skips(option)
        kind = Kind.DO if statement.repeats else Kind.IF
        return Node(kind, statement.position, self._d_step, parts=options)

    def _option(self, statements: syntax.Sequence, position: Position) -> Chain:
        self._chains.append(Chain())
        self._read(statements)
        return self._close(position)

    def _for(self, statement: syntax.ForRange | syntax.ForMessages) -> Node:
        loop = range_loop(statement) if isinstance(statement, syntax.ForRange) else message_loop(statement)
        self._enter_loop()
        self._place(self._node(loop.start))
        self._chains.append(Chain())
        self._read(loop.before)
        self._read(statement.body)
        return self._loop_end(loop.after, statement.position, syntax.Else(statement.position))

    def _select(self, statement: syntax.Select) -> Node:
        loop = count_up(statement)
        self._place(self._node(loop.start))
        self._chains.append(Chain())
        self._read(loop.before)
        self._enter_loop()
        return self._loop_end(loop.after, statement.position)

    def _loop_end(self, after: syntax.Statement, position: Position, *leave: syntax.Statement) -> Node:
        """A loop of two options: the open chain with `after` appended, and one that breaks after `leave`."""
        self._place(self._node(after))
        again = self._close(position)
        out = self._option((*leave, syntax.Break(position)), position)
        return Node(Kind.DO, position, self._d_step, parts=[out, again])

    def _block(self, statement: syntax.Block) -> Node:
        kind = {"block": Kind.BLOCK, "atomic": Kind.ATOMIC, "d_step": Kind.D_STEP}[statement.kind]
        self._chains.append(Chain())
        if kind is Kind.D_STEP:
            self._d_step = self.flow.next_identifier
        self._read(statement.body)
        node = Node(kind, statement.position, self._d_step)
        chain = self._chains[-1]
        node.parts = [self._close(statement.position)]
        self._refuse_label(chain, "inside the braces: write it in front of them")
        if kind is Kind.D_STEP:
            refuse_jump_out(self.flow, chain, self._d_step)
        if kind is not Kind.BLOCK:
            make_atomic(self.flow, chain, kind is Kind.D_STEP)
        if kind is Kind.D_STEP:
            self._d_step = -1
        return node

    def _unless(self, statement: syntax.Unless) -> Node:
        """A break in the escape of a loop leaves the enclosing loop. Braces around either side only group."""
        main = self._node(statement.main)
        saved = list(self._exits)
        if main.kind is Kind.DO:
            self._exits.pop()
        escape = self._node(statement.escape)
        if main.kind is Kind.DO:
            self._exits = saved
        node = Node(Kind.UNLESS, main.position, self._d_step)
        interrupting = escape.parts if escape.kind is Kind.BLOCK else [self._alone(escape, _ESCAPE_LABEL)]
        if main.kind is Kind.LABELLED and main.inner is not None and main.inner.kind in BLOCKS:
            node.parts = [*main.inner.parts, *interrupting]
            self._chains.append(Chain())
            self._place(node)
            around = Node(main.inner.kind, main.position, self._d_step, parts=[self._close(main.position)])
            return replace(main, inner=around)
        normal = main.parts if main.kind is Kind.BLOCK else [self._alone(main, _MAIN_LABEL)]
        node.parts = [*normal, *interrupting]
        return node

    def _alone(self, node: Node, problem: str) -> Chain:
        self._chains.append(Chain())
        self._place(node)
        chain = self._close(node.position)
        self._refuse_label(chain, problem)
        return chain

    # Placing a statement makes its element and links it into the open chain.

    def _element(self, node: Node) -> Element:
        element = Element(node, self.flow.size, self.flow.next_identifier)
        self.flow.size += 1
        self.flow.next_identifier += 1
        self.elements.append(element)
        return element

    def _place(self, node: Node) -> None:
        labels: list[str] = []
        while node.inner is not None:
            assert node.label is not None
            labels.append(node.label)
            node = node.inner
        if node.kind in SELECTIONS:
            element = self._place_selection(node)
        elif node.kind is Kind.UNLESS:
            element = self._place_unless(node)
        else:
            element = self._element(node)
        for label in reversed(labels):
            self.flow.labels[label] = element
            element.labels.append(label)
        if node.kind not in SELECTIONS and node.kind is not Kind.UNLESS:
            self._add(element)

    def _add(self, element: Element) -> None:
        """A jump with an accept, end or progress label is a state: SPIN moves its last label to a skip before it."""
        if element.kind is Kind.GOTO and any(label.startswith(_SPECIAL) for label in element.labels):
            position = element.node.position
            skip = self._element(Node(Kind.BASIC, position, self._d_step, skip_at(position)))
            skip.labels.append(element.labels.pop())
            self.flow.labels[skip.labels[0]] = skip
            self._add(skip)
        self._chains[-1].append(element)

    def _place_selection(self, node: Node) -> Element:
        element = self._element(node)
        join = self._element(self._jump(Kind.JOIN, node.position, ".(goto)"))
        node.parts = _else_last(node.parts)
        element.parts = node.parts
        for option in element.parts:
            option.append(join)
        after = join
        if node.kind is Kind.DO:
            self._chains[-1].append(join)
            after = self._element(self._jump(Kind.EXIT, node.position, "break"))
            if not self._exits:
                raise self.flow.error(node.position, "a loop is the escape of a loop: put it into braces")
            after.labels.append(self._exits.pop())
            self.flow.labels[after.labels[0]] = after
        self._add(element)
        self._add(after)
        return element

    def _place_unless(self, node: Node) -> Element:
        element = self._element(node)
        join = self._element(self._jump(Kind.JOIN, node.position, ".(goto)"))
        element.parts = node.parts
        for part in element.parts:
            part.append(join)
        normal, escape = element.parts
        attach(escape, normal)
        self._add(element)
        self._add(join)
        return element

    def _close(self, position: Position) -> Chain:
        chain = self._chains.pop()
        if chain.last is None:
            raise self.flow.error(position, "found a sequence without statements")
        chain.extent = chain.last
        return chain

    def _refuse_label(self, chain: Chain, problem: str) -> None:
        if chain.start.labels:
            raise self.flow.error(chain.start.node.position, f"label {chain.start.labels[-1]} {problem}")

    # References to labels of other proctypes.

    def _refer(self, statement: syntax.Basic) -> None:
        """A jump gets a separate state if something refers to its label."""
        for part in syntax.walk(statement):
            if isinstance(part, syntax.RemoteLabel):
                layout = self._known.get(part.proctype)
                if layout is None:
                    self.references_below.append((part.proctype, part.label))
                    continue
                if part.label not in layout.flow.labels:
                    message = f"there is no label {part.label} in {part.proctype}, at least not above this reference"
                    raise self.flow.error(part.position, message)
                layout.keep_state(part.label, self.flow)

    def keep_state(self, label: str, referring: Flow) -> None:
        """Give a labelled jump a state of its own."""
        element = self.flow.labels[label]
        if element.kind is not Kind.GOTO:
            return
        goto = Element(element.node, self.flow.size, referring.next_identifier, element.next)
        self.flow.size += 1
        referring.next_identifier += 1
        self.elements.append(goto)
        element.node = Node(Kind.BASIC, goto.node.position, -1, skip_at(goto.node.position))
        element.next = goto

    def tie_ends(self) -> None:
        """Link the end of each block to the element after it."""
        for element in reversed(self.elements):
            if element.kind not in BLOCKS or element.next is None:
                continue
            following: Element | None = element.next
            while following is not None and following.kind is Kind.JOIN:
                following = following.next
            chain = element.node.parts[0]
            if chain.end.next is None:
                chain.end.next = following
            elif chain.end.next.kind is Kind.GOTO:
                chain.last = chain.end.next


def _else_last(options: list[Chain]) -> list[Chain]:
    return sorted(options, key=lambda option: isinstance(option.start.node.statement, syntax.Else))
