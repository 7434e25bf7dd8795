"""From one element to the next that a process can be in: jumps that are not separate steps are skipped."""

from __future__ import annotations

from scrimp.errors import ModelError
from scrimp.frontends.promela.automata.elements import Element, Flow, Kind

_LONGEST = 500


def skip_joins(flow: Flow, element: Element) -> Element:
    """The element at which an option begins."""
    current = element
    for _ in range(_LONGEST):
        if current.kind is Kind.JOIN and current.next is not None:
            current = current.next
        elif current.kind is Kind.UNLESS:
            current = current.parts[0].start
        else:
            return current
    raise _endless(flow, element)


def skip_jumps(flow: Flow, element: Element, atomic: bool) -> Element:
    """The element to stop at. A jump that leaves an atomic sequence (`atomic`) is a separate step, and not skipped."""
    current = element
    for _ in range(_LONGEST):
        following = _behind(flow, current, atomic)
        if following is None or (atomic and not following.atomic):
            return current
        current = following
    raise _endless(flow, element)


def _behind(flow: Flow, element: Element, atomic: bool) -> Element | None:
    """The target of a mere jump; None for all other elements."""
    if element.kind is Kind.GOTO:
        target = flow.target(element.node)
        if target is element:
            raise _endless(flow, element)
        return target
    if element.kind in (Kind.JOIN, Kind.EXIT):
        return element.next
    if element.kind is Kind.UNLESS:
        return skip_jumps(flow, element.parts[0].start, atomic)
    return None


def after(flow: Flow, element: Element) -> Element | None:
    """The element after the step of an element; None after the end of the process."""
    if element.kind is Kind.GOTO:
        found = skip_jumps(flow, flow.target(element.node), element.atomic)
        flow.refuse_jump_across(element.node, found.node)
        return found
    return None if element.next is None else skip_jumps(flow, element.next, element.atomic)


def _endless(flow: Flow, element: Element) -> ModelError:
    return flow.error(element.node.position, "infinite loop of jumps")
