"""A random net before and after structural reductions, by two routes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.passes import token_game
from tests.passes.random_nets import NET_PROFILES, RandomNet, random_net

from scrimp.passes import Kept, passed, passes_for
from scrimp.passes.answers import compared
from scrimp.passes.nets.reducing import RULES
from scrimp.system.validate import validate

MOST_MARKINGS = 400

# The interpreter, which takes most of the time, compares one net in this many.
INTERPRETED = 8


def differences(seed: int, profile: str) -> Iterator[str]:
    """How a net differs after all rules, after each of some of them alone, and after all passes."""
    net = random_net(seed, NET_PROFILES[profile])
    some = Random(seed).sample(RULES, 3)
    games = token_game.Compared(net, MOST_MARKINGS)
    for rules in (RULES, some, *((rule,) for rule in some)):
        if different := games.after(rules):
            yield f"{[type(rule).__name__ for rule in rules]}: {different}"
    if seed % INTERPRETED == 0 and (different := interpreted(net)):
        yield f"all passes: {different}"


def interpreted(net: RandomNet) -> str:
    """How the answers differ after all passes."""
    smaller = passed(net.system, net.seen, passes_for(deadlock=net.kept >= Kept.DEADLOCKS))
    validate(smaller.system)
    return compared(net.system, smaller, net.seen, MOST_MARKINGS)
