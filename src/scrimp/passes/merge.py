"""Statement merging: a process continues alone through steps that no other process can see or influence.

After a transition that brings a process to a *quiet* location, the process becomes the holder (system.py): the states
there become transient, so that searches pass through them without storing them. Holzmann, "The engineering of a model
checker: the Gnu i-protocol case study revisited", SPIN 1999, section 3.2, merges deterministic sequences; here the
steps may branch, too. Chosen before the search, as in Kurshan, Levin, Minea, Peled, Yenigün, "Static partial order
reduction", TACAS 1998.

  1. A location is quiet if every transition that leaves it
     a. moves only its process, and neither writes what other transitions access nor reads what they write;
     b. changes nothing that the question looks at;
     c. cannot fault, except by an assertion after which it continues.
  2. Of every cycle of locations at which a process may continue alone, one quiet location is dropped, until there is
     no such cycle with a quiet location. Those from which it could go on to a cycle without one are dropped, too: an
     atomic loop need not end.
  3. After a transition without a holder that moves a process to a quiet location, that process is the holder; its
     leader first, if there are several. Transitions after which a process ends early (ends.py) are left alone.

In terms of reduction/proviso.h of the engine: by (a) the events of a process at a quiet location are persistent,
because nothing that others do enables, disables or changes them; so deadlocks are preserved. By (b) no chosen event is
visible: V. A watched state that is now transient leads, by (c), to a state with the same watched values, and so on
until the first ordinary one, which comes by (2): P. Each event that some run fires is still fired by some run, so
coverage is preserved. Steps are not, so a formula that counts them must not be asked of the new system.

Only locations whose transitions test nothing that others write are quiet, whether or not something is enabled there.
(Locality.is_safe allows more, but what follows in a passage counts as read by its first event: merging a receive would
make that event depend on every send.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scrimp.notes import Note
from scrimp.passes.ends import end_early
from scrimp.passes.faults import Faults
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.reduction.accesses import Reader
from scrimp.reduction.bits import inverted, members, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.locality import Locality
from scrimp.reduction.passages import passages
from scrimp.reduction.places import Places
from scrimp.system.expressions import Expression
from scrimp.system.system import Stack, System, Transition


@dataclass(frozen=True)
class Merge(Pass):
    """Make one event of steps that no other process can see."""

    name = "merge"
    does = "makes one step of steps that no other process can see"

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        if system.claim is not None:
            return unchanged(system)
        tests = [*seen, *(invariant.test for invariant in system.invariants)]
        quiet = _without_cycles(system, quiet_locations(system, tests))
        spared = system.stack if end_early(system, tests) else None
        transitions = tuple(_held(transition, quiet, spared) for transition in system.transitions)
        merged = {
            (move.process, move.target)
            for new, old in zip(transitions, system.transitions, strict=True)
            if new is not old
            for move in new.moves
            if move.process == new.holder
        }
        if not merged:
            return unchanged(system)
        note = Note(self.name, len(merged), "locations merged", keeps_steps=False)
        return replace(unchanged(replace(system, transitions=transitions)), notes=(note,))


def quiet_locations(system: System, seen: Sequence[Expression]) -> dict[int, set[int]]:
    """The quiet locations of each process (L1)."""
    cells, places = Cells(system), Places(system)
    reader = Reader(system, cells)
    ways = passages(system, cells, places, [reader.access(transition) for transition in system.transitions])
    leaving = inverted((passage.does.left for passage in ways), places.count)
    locality = Locality(system, reader, places, ways)
    watched = union(map(reader.reads, seen))
    faults = Faults(system)
    result: dict[int, set[int]] = defaultdict(set)
    for place, events in enumerate(leaving):
        process = places.process[place]
        if (
            events
            and locality.is_alone(process, events)
            and not any(ways[event].writes & watched for event in members(events))
            and not any(_may_fault(system, faults, ways[event].following | 1 << event) for event in members(events))
        ):
            result[process].add(place - places.number(process, 0))
    return result


def _may_fault(system: System, faults: Faults, events: int) -> bool:
    return any(faults.may_fault(system.transitions[event]) for event in members(events))


def _without_cycles(system: System, quiet: Mapping[int, set[int]]) -> dict[int, frozenset[int]]:
    """L2."""
    arcs: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    held: dict[int, set[int]] = defaultdict(set)
    for transition in system.transitions:
        for move in transition.moves:
            arcs[move.process][move.source].add(move.target)
            if transition.holder is not None:
                held[move.process].add(move.target)
    return {
        process: frozenset(_acyclic(locations, held[process], arcs[process], system.processes[process].initial))
        for process, locations in quiet.items()
    }


def _acyclic(quiet: set[int], held: set[int], arcs: Mapping[int, set[int]], initial: int) -> set[int]:
    """Quiet locations from which no cycle of quiet or held ones is reached through such locations. Of a cycle, the
    location with the most arcs into it is dropped first: the head of a loop."""
    kept = set(quiet)
    while True:
        nodes = kept | held
        tangled = [part for part in _components(nodes, arcs) if part & kept]
        if not tangled:
            endless = _reaching(_components(held, arcs), held, arcs)
            return {node for node in kept - endless if not arcs[node] & endless}
        for part in tangled:
            into = {node: sum(node in targets for targets in arcs.values()) for node in part & kept}
            kept.discard(max(sorted(into), key=lambda node: (into[node], node == initial)))


def _reaching(parts: Iterable[set[int]], nodes: set[int], arcs: Mapping[int, set[int]]) -> set[int]:
    """The nodes from which one of the parts can be reached."""
    result = set().union(*parts)
    while more := {node for node in nodes - result if arcs.get(node, set()) & result}:
        result |= more
    return result


def _components(nodes: set[int], arcs: Mapping[int, set[int]]) -> Iterator[set[int]]:
    """The strongly connected components with a cycle, by Tarjan's algorithm without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    for root in sorted(nodes):
        if root in index:
            continue
        path: list[tuple[int, Iterator[int]]] = [(root, _next(root, nodes, arcs))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while path:
            node, others = path[-1]
            fresh = None
            for other in others:
                if other not in index:
                    fresh = other
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            if fresh is not None:
                index[fresh] = low[fresh] = len(index)
                stack.append(fresh)
                on_stack.add(fresh)
                path.append((fresh, _next(fresh, nodes, arcs)))
                continue
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == index[node]:
                part = set()
                while node not in part:
                    part.add(stack.pop())
                on_stack -= part
                if len(part) > 1 or node in arcs.get(node, ()):
                    yield part


def _next(node: int, nodes: set[int], arcs: Mapping[int, set[int]]) -> Iterator[int]:
    return iter(sorted(arcs.get(node, set()) & nodes))


def _held(transition: Transition, quiet: Mapping[int, Iterable[int]], spared: Stack | None) -> Transition:
    """L3."""
    if transition.holder is not None or (spared is not None and spared.brings_to_end(transition)):
        return transition
    for move in transition.moves:
        if move.target in quiet.get(move.process, ()):
            return replace(transition, holder=move.process)
    return transition
