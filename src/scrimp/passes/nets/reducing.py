"""Structural reductions of a net, and the system of the smaller net.

The rules are applied again and again until none can be. They work on the net that the system was made from, and the
smaller net becomes a system in the same way: with the variables and processes of the original, and one more location,
for a token that is nowhere, in processes that lost a place.

What is known about the tokens of the original net (frontends/pnml/knowledge.py) holds for the smaller one, because
each of its markings, on the places that are left, is a marking of the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scrimp.frontends.pnml.lower import NetSource, lower, source_of
from scrimp.frontends.pnml.placement import Placement
from scrimp.notes import Note
from scrimp.passes.kept import Kept
from scrimp.passes.nets.agglomeration import (
    FreeAgglomeration,
    MarkedPostAgglomeration,
    PostAgglomeration,
    PreAgglomeration,
)
from scrimp.passes.nets.draft import Asked, Draft, Rule
from scrimp.passes.nets.places import ConstantPlaces, ExclusivePlaces, ImpliedPlaces, SinkPlaces
from scrimp.passes.nets.transitions import (
    DeadTransitions,
    DominatedTransitions,
    IdenticalTransitions,
    UselessTransitions,
)
from scrimp.passes.passed import Passed, unchanged
from scrimp.system.expressions import At, Expression, Read
from scrimp.system.system import System
from scrimp.system.traverse import subexpressions

NAME = "net"

RULES: tuple[Rule, ...] = (
    DeadTransitions(),
    ConstantPlaces(),
    SinkPlaces(),
    IdenticalTransitions(),
    DominatedTransitions(),
    UselessTransitions(),
    ImpliedPlaces(),
    ExclusivePlaces(),
    PostAgglomeration(),
    MarkedPostAgglomeration(),
    PreAgglomeration(),
    FreeAgglomeration(),
)
"""All rules, in the order in which they are tried."""


def reduced(system: System, seen: Sequence[Expression], kept: Kept) -> Passed:
    """The system of a net after all rules that keep what is asked."""
    source = source_of(system)
    if source is None:
        return unchanged(system)
    draft = draft_of(source, seen, kept)
    counts = reduce(draft)
    if not counts:
        return unchanged(system)
    notes = tuple(
        Note(NAME, count, rule.what, rule.keeps_steps, rule.keeps_deadlocks) for rule, count in counts.items()
    )
    keeps_deadlocks = all(rule.keeps_deadlocks for rule in counts)
    return replace(_lowered(system, source, draft), notes=notes, keeps_deadlocks=keeps_deadlocks)


def draft_of(source: NetSource, seen: Sequence[Expression], kept: Kept) -> Draft:
    """A net with nothing reduced yet."""
    asked = Asked(observed_places(source, seen), kept)
    return Draft(source.net, source.limits, asked, frozenset(source.placement.location))


def observed_places(source: NetSource, seen: Sequence[Expression]) -> frozenset[int]:
    """The places whose tokens matter: those that the question looks at, and those that may exceed a limit."""
    found = {place for place, bound in enumerate(source.limits.bounds) if bound is None}
    for expression in seen:
        for part in subexpressions(expression):
            if isinstance(part, Read):
                found.add(source.placement.variables[part.variable])
            elif isinstance(part, At):
                place = source.placement.processes[part.process][part.location]
                found |= set(source.placement.location) if place is None else {place}
    return frozenset(found)


def reduce(draft: Draft, rules: Sequence[Rule] = RULES) -> Mapping[Rule, int]:
    """Apply rules until none can be; how often each was."""
    counts: dict[Rule, int] = {}
    allowed = [rule for rule in rules if rule.keeps >= draft.asked.kept]
    changed = True
    while changed:
        changed = False
        for rule in allowed:
            if count := rule.apply(draft):
                counts[rule] = counts.get(rule, 0) + count
                changed = True
    return {rule: counts[rule] for rule in rules if rule in counts}


def _lowered(system: System, source: NetSource, draft: Draft) -> Passed:
    event = {number: event for event, number in enumerate(source.order)}
    left = [draft.transitions[number] for number in sorted(draft.transitions)]
    net = replace(
        source.net,
        places=tuple(
            replace(place, tokens=tokens) for place, tokens in zip(source.net.places, draft.tokens, strict=True)
        ),
        transitions=tuple(fused.transition for fused in left),
    )
    lowered = lower(net, _with_nowhere(source.placement, draft), source.limits)
    lowered_from = source_of(lowered)
    assert lowered_from is not None
    fused = [left[number] for number in lowered_from.order]
    touched = {source.placement.location[place][0] for place in draft.gone if place in source.placement.location}
    return Passed(
        System(
            name=system.name,
            variables=lowered.variables,
            channels=lowered.channels,
            processes=lowered.processes,
            transitions=tuple(
                replace(transition, steps=len(each.chain))
                for transition, each in zip(lowered.transitions, fused, strict=True)
            ),
        ),
        tuple(tuple(event[number] for number in each.chain) for each in fused),
        covers=tuple(tuple(sorted(event[number] for number in each.covers)) for each in fused),
        unknown=frozenset(event[number] for number in draft.unknown),
        hidden=frozenset(range(len(system.processes))) if draft.completes else frozenset(touched),
        prefix=tuple(event[number] for number in draft.prefix),
        fired=frozenset(event[number] for number in draft.fired),
        completes=draft.completes,
    )


def _with_nowhere(placement: Placement, draft: Draft) -> Placement:
    lost = {placement.location[place][0] for place in draft.gone | draft.constant if place in placement.location}
    return Placement(
        placement.variables,
        tuple(
            (*places, None) if process in lost and None not in places else places
            for process, places in enumerate(placement.processes)
        ),
    )
