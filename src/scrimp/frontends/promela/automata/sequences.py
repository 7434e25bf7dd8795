"""The changes that SPIN makes to a sequence once it is complete."""

from __future__ import annotations

from scrimp.frontends.promela.automata.elements import BLOCKS, SELECTIONS, Chain, Element, Flow, Kind, is_constant
from scrimp.frontends.promela.program import syntax


def make_atomic(flow: Flow, chain: Chain, d_step: bool) -> None:
    """Give the process exclusive control after every step of a sequence but the last; raises ModelError for `unless` in
    a `d_step`."""
    _walk_atomic(flow, chain, d_step)
    last = chain.end
    if last.kind in (Kind.BLOCK, Kind.ATOMIC):
        make_atomic(flow, last.node.parts[0], d_step)
    elif last.kind is Kind.UNLESS:
        make_atomic(flow, last.parts[0], d_step)
    else:
        last.atomic, last.ends_atomic = False, True


def _walk_atomic(flow: Flow, chain: Chain, d_step: bool) -> None:
    element: Element | None = chain.start
    while element is not None:
        element.atomic = True
        if element.kind in (Kind.BLOCK, Kind.ATOMIC) or (element.kind is Kind.D_STEP and d_step):
            element.node.kind = Kind.BLOCK
            _walk_atomic(flow, element.node.parts[0], d_step)
        if element.kind is Kind.UNLESS and d_step:
            raise flow.error(element.node.position, "unless inside a d_step")
        for part in element.parts:
            _walk_atomic(flow, part, d_step)
        element = None if element is chain.last else element.next


def refuse_jump_out(flow: Flow, chain: Chain, d_step: int) -> None:
    """No `goto` may leave the `d_step` that begins with the identifier `d_step`. A last statement is checked later."""
    element = chain.first
    while element is not None and element is not chain.last:
        if element.kind is Kind.GOTO:
            target = flow.labels.get(element.node.label or "")
            if target is None or target.identifier < d_step:
                raise flow.error(element.node.position, "a jump out of a d_step")
        for part in element.parts:
            refuse_jump_out(flow, part, d_step)
        element = element.next


def drop_repeated_skips(chain: Chain) -> None:
    """Of several skips in a row SPIN keeps the first, and one at the end of the chain; prints count as skips, but are
    kept."""
    before, seen = None, 0
    for element in chain:
        statement = element.node.statement
        skip = is_constant(statement, 1)
        seen = seen + 1 if (skip or isinstance(statement, syntax.Print)) and not element.labels else 0
        if seen > 1 and skip and before is not None and element is not chain.last:
            before.next = element.next
        else:
            before = element


def attach(escape: Chain, chain: Chain) -> None:
    """Let an escape interrupt all elements of a sequence."""
    for element in chain:
        _attach_to(escape, element)


def _attach_to(escape: Chain, element: Element) -> None:
    """Let an escape interrupt an element, its parts and the escapes that it already has."""
    if escape in element.escapes:
        return
    for inner in element.escapes:
        attach(escape, inner)
    element.escapes.insert(0, escape)
    if element.kind is Kind.UNLESS:
        attach(escape, element.parts[0])
    elif element.kind in SELECTIONS:
        for part in element.parts:
            attach(escape, part)
    elif element.kind is Kind.D_STEP:
        _attach_to(escape, element.node.parts[0].start)
    elif element.kind in BLOCKS:
        attach(escape, element.node.parts[0])
