"""Which states a cache evicts, as a text: `lru` is one cache, `mfu:25+lru:75` a cascade of two with their shares."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrimp.errors import unknown
from scrimp.strategies.values import Spelling, alternatives

# GHP92, section 5, and MW09, section 4.2; engine/store/replacement.h says what each does.
POLICIES = ("random", "fifo", "lru", "mru", "lfu", "mfu", "largest-class", "smallest-subtree", "type")


class Share(NamedTuple):
    """One cache of a cascade: its policy, and its share of the capacity."""

    policy: str
    percent: int


def shares(text: str) -> tuple[Share, ...]:
    """The caches of a cascade, in the order in which a state passes through them; raises ValueError."""
    found = tuple(_share(part) for part in text.split("+"))
    unshared = [share.policy for share in found if share.percent == 0]
    if len(found) == 1 and unshared:
        return (Share(found[0].policy, 100),)
    if unshared:
        raise ValueError(f"expected a share for each policy of a cascade, such as mfu:25+lru:75, found '{text}'")
    if (total := sum(share.percent for share in found)) != 100:
        raise ValueError(f"the shares of '{text}' sum to {total}, not to 100")
    return found


def _share(text: str) -> Share:
    match = re.fullmatch(r"([a-z-]+)(?::([1-9][0-9]{0,2}))?", text, re.ASCII)
    if match is None:
        raise ValueError(f"expected a policy, or policies with shares such as mfu:25+lru:75, found '{text}'")
    if match[1] not in POLICIES:
        raise ValueError(unknown("policy", match[1], POLICIES))
    return Share(match[1], int(match[2] or 0))


CASCADE = Spelling(f"{alternatives(list(POLICIES))}, or several with shares such as mfu:25+lru:75", shares)
