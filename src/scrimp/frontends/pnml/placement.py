"""The representation of places in the states of a system: most have a variable, some are locations of processes.

Places that never hold more than one token together become the locations of a process: its location is the place of the
token, or nowhere. That takes only logarithmically many bits. And transitions that consume the token are tried only at
its place: code looks up the location of a process first, and then tries the transitions that leave it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from scrimp.frontends.pnml.knowledge import Knowledge
from scrimp.frontends.pnml.net import Net, NetTransition
from scrimp.system.expressions import At, Expression, Read

_NOWHERE = "nowhere"


@dataclass(frozen=True)
class Placement:
    """`variables` are the places that have a variable, in order. `processes` has, from process 1 on, the places that
    are the locations of each process, in order, with None for a token in none of them; process 0 is the net itself."""

    variables: tuple[int, ...]
    processes: tuple[tuple[int | None, ...], ...]

    @cached_property
    def variable(self) -> dict[int, int]:
        """The variables of places."""
        return {place: number for number, place in enumerate(self.variables)}

    @cached_property
    def location(self) -> dict[int, tuple[int, int]]:
        """The processes and locations of places."""
        return {
            place: (process, location)
            for process, places in enumerate(self.processes)
            for location, place in enumerate(places)
            if place is not None
        }

    def nowhere(self, process: int) -> int:
        return self.processes[process].index(None)

    def tokens(self, place: int) -> Expression:
        """How many tokens a place holds."""
        return At(*self.location[place]) if place in self.location else Read(self.variable[place])


def location_names(net: Net, places: Sequence[int | None]) -> tuple[str, ...]:
    """The names of a process's locations: those of its places."""
    names = [net.places[place].name for place in places if place is not None]
    nowhere = _NOWHERE
    while nowhere in names:
        nowhere += "'"
    return tuple(nowhere if place is None else net.places[place].name for place in places)


def place_tokens(knowledge: Knowledge) -> Placement:
    """Processes for exclusive sets, the largest first, if they save bits; variables for all other places."""
    net = knowledge.net
    touching: list[list[NetTransition]] = [[] for _ in net.places]
    for transition in net.transitions:
        for place in dict.fromkeys((*transition.consumes, *transition.produces)):
            touching[place].append(transition)
    left = _mask(place for place, bound in enumerate(knowledge.bounds) if bound == 1)
    left &= ~_mask(place for transition in net.transitions for place in transition.resets)
    sets = [_mask(places) for places in knowledge.exclusive]
    processes: list[tuple[int | None, ...]] = [(None,)]
    while sets:
        sets = [places & left for places in sets if (places & left).bit_count() > 1]
        chosen = max(sets, key=int.bit_count, default=0)
        sets = [places for places in sets if places != chosen]
        locations = _locations(net, chosen, touching)
        if _saves(locations):
            processes.append(locations)
            left &= ~chosen
    located = {place for places in processes for place in places}
    return Placement(tuple(place for place in range(len(net.places)) if place not in located), tuple(processes))


def _saves(locations: Sequence[int | None]) -> bool:
    places = sum(place is not None for place in locations)
    return places > 1 and (len(locations) - 1).bit_length() < places


def _locations(net: Net, mask: int, touching: Sequence[Sequence[NetTransition]]) -> tuple[int | None, ...]:
    """The places of a set, and None if the token may be in none of them."""
    places = tuple(_bits(mask))
    members = frozenset(places)
    marked = any(net.places[place].tokens for place in places)
    if marked and all(_stays(transition, members) for place in places for transition in touching[place]):
        return places
    return (*places, None)


def _stays(transition: NetTransition, members: frozenset[int]) -> bool:
    """Whether a transition adds a token to some of the places if and only if it takes one from them."""
    taken = sum(weight for place, weight in transition.consumes.items() if place in members)
    given = sum(weight for place, weight in transition.produces.items() if place in members)
    return taken == given


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _mask(places: Iterator[int] | frozenset[int]) -> int:
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask
