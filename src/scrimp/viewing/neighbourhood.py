"""The states around one state, as a graph that is small enough to be drawn.

States are visited breadth first from the centre, along events forwards, on the reference interpreter. If more states
are found than can be drawn, those that agree on some variables or locations are drawn as one node, and the answer says
so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from scrimp.numbers import counted
from scrimp.outputs.page_states import Json, groups_record, moves_record
from scrimp.system import reference
from scrimp.system.reference import Fault, Outgrown, State
from scrimp.walking import Walk

MOST_NODES = 200
MOST_STATES = 4000
WIDEST_LABEL = 60

FAULT = "fault"


@dataclass(frozen=True, slots=True)
class _Visited:
    """A state with the path to it: the node before and the event, and its distance from the centre."""

    state: State | Fault
    before: int
    event: int
    distance: int


def neighbourhood(walk: Walk, place: int, radius: int, by: Sequence[str]) -> Json:
    """The graph of the states within `radius` events of the state after `place` steps. `by` names processes and
    variables: states that agree on them are one node. If it is empty and there are too many states, the locations of
    processes are taken, as many of them as can be drawn."""
    centre = walk.state(place)
    if isinstance(centre, Fault):
        return {"nodes": [], "edges": [], "note": "the last step leads to no state", "names": []}
    visited, edges, complete = _visit(walk, centre, radius)
    rows = [_rows(walk, each.state) for each in visited]
    names = list(dict.fromkeys(name for each in rows for name in each))
    wanted = [name for name in by if name in names]
    if not wanted and len(visited) > MOST_NODES:
        wanted = _chosen(rows, names)
    members = _classes(len(visited), _key(rows, wanted) if wanted else None)
    notes = list(_notes(len(visited), len(set(members)), wanted, radius, complete))
    return {
        "names": names,
        "by": wanted,
        "note": "; ".join(notes),
        "nodes": _nodes(walk, visited, rows, members, wanted),
        "edges": _edges(walk, edges, members),
    }


def _visit(walk: Walk, centre: State, radius: int) -> tuple[list[_Visited], list[tuple[int, int, int]], bool]:
    """The states that are found, the edges between them, and whether all within the radius were found."""
    visited = [_Visited(centre, -1, -1, 0)]
    numbers: dict[State | Fault, int] = {centre: 0}
    edges: list[tuple[int, int, int]] = []
    complete = True
    for number, each in enumerate(visited):  # grows on the way
        if isinstance(each.state, Fault) or each.distance == radius:
            continue
        for event in reference.enabled(walk.system, each.state):
            try:
                after = reference.fire(walk.system, each.state, event)
            except Outgrown:
                complete = False
                continue
            if after not in numbers:
                if len(visited) == MOST_STATES:
                    complete = False
                    continue
                numbers[after] = len(visited)
                visited.append(_Visited(after, number, event, each.distance + 1))
            edges.append((number, numbers[after], event))
    return visited, edges, complete


def _rows(walk: Walk, state: State | Fault) -> dict[str, str]:
    """The locations and values of a state by name."""
    if isinstance(state, Fault):
        return {FAULT: state.message}
    found: dict[str, str] = {}
    for group in groups_record(walk.system, walk.model.vocabulary, walk.words, state):
        if "place" in group:
            found[group["name"]] = group["place"]
        found |= {row[0]: row[1] for row in group["rows"]}
    return found


def _key(rows: Sequence[dict[str, str]], wanted: Sequence[str]) -> Callable[[int], Hashable]:
    return lambda number: tuple(rows[number].get(name, "") for name in (*wanted, FAULT))


def _chosen(rows: Sequence[dict[str, str]], names: Sequence[str]) -> list[str]:
    """Names that distinguish as many states as can be drawn; taken one after the other while that is so."""
    chosen: list[str] = []
    for name in names:
        if len(set(map(_key(rows, [*chosen, name]), range(len(rows))))) <= MOST_NODES:
            chosen.append(name)
    return chosen or list(names[:1])


def _classes(states: int, key: Callable[[int], Hashable] | None) -> list[int]:
    """The node of each state."""
    if key is None:
        return list(range(states))
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key(number), len(numbers)) for number in range(states)]


def _notes(states: int, nodes: int, wanted: Sequence[str], radius: int, complete: bool) -> Iterator[str]:
    if not complete:
        yield f"only the first {counted(states, 'state')} within {counted(radius, 'step')} are considered"
    if wanted:
        yield f"{counted(states, 'state')} drawn as {counted(nodes, 'group')}, by {', '.join(wanted)}"
    else:
        yield f"{counted(states, 'state')} within {counted(radius, 'step')}"
    if nodes > MOST_NODES:
        yield f"of the groups, the nearest {MOST_NODES} are drawn"


def _nodes(
    walk: Walk,
    visited: Sequence[_Visited],
    rows: Sequence[dict[str, str]],
    members: Sequence[int],
    wanted: Sequence[str],
) -> list[Json]:
    nodes: list[Json] = []
    for number, node in enumerate(members):
        if node < len(nodes):
            nodes[node]["states"] += 1
        elif len(nodes) < MOST_NODES:
            shown = {name: rows[number][name] for name in wanted if name in rows[number]} if wanted else {}
            nodes.append(_node(walk, visited, number, list((shown or _different(rows[0], rows[number])).items())))
    return nodes


def _different(centre: dict[str, str], row: dict[str, str]) -> dict[str, str]:
    """What is not as in the centre."""
    return {name: value for name, value in row.items() if centre.get(name) != value}


def _node(walk: Walk, visited: Sequence[_Visited], number: int, rows: list[tuple[str, str]]) -> dict[str, Json]:
    """A node, with the events that lead to its first state from the centre."""
    found = visited[number]
    path = []
    each = found
    while each.before >= 0:
        path.append(each.event)
        each = visited[each.before]
    kind = "state"
    if isinstance(found.state, Fault):
        kind = "fault"
    elif reference.is_deadlock(walk.system, found.state):
        kind = "deadlock"
    elif not reference.enabled(walk.system, found.state):
        kind = "end"
    elif found.state.holder is not None:
        kind = "transient"
    via = _label(walk, path[0]) if path else ""
    return {"distance": found.distance, "path": path[::-1], "via": via, "kind": kind, "states": 1, "rows": rows}


def _edges(walk: Walk, edges: Sequence[tuple[int, int, int]], members: Sequence[int]) -> list[Json]:
    """Edges between nodes that are drawn, those with the same ends as one."""
    joined: dict[tuple[int, int], dict[str, None]] = {}
    for source, target, event in edges:
        ends = members[source], members[target]
        if max(ends) < MOST_NODES:
            joined.setdefault(ends, {})[_label(walk, event)] = None
    return [[source, target, list(labels)] for (source, target), labels in joined.items()]


def _label(walk: Walk, event: int) -> str:
    moves = moves_record(walk.moves(event))
    text = " with ".join(dict.fromkeys(move["process"] for move in moves)) + ": " + str(moves[0]["text"])
    return text if len(text) <= WIDEST_LABEL else text[: WIDEST_LABEL - 1] + "…"
