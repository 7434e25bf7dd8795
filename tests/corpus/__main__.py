"""Compare scrimp's counts of the Promela corpus with SPIN's, in a table with a line per difference.

python -m tests.corpus [--largest STATES] [--only TEXT] [--all]
"""

from __future__ import annotations

import argparse
import sys

from tests.corpus.promela import PromelaCount, load, promela_counts

import scrimp


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--largest", type=int, default=200_000, help="leave out models of more states than this")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--all", action="store_true", help="a line for each model, the same or not")
    options = parser.parse_args()
    counts = [count for count in promela_counts(options.largest) if options.only in count.file]
    same = depths = 0
    for count in counts:
        found = _found(count)
        if not isinstance(found, str):
            same += found[:2] == (count.states, count.edges)
            depths += found[2] == count.depth
        if options.all or found != _expected(count):
            print(_line(count, found), flush=True)
    print(f"{same} of {len(counts)} have SPIN's states and transitions, {depths} its depth")
    return int(same < len(counts))


Counted = tuple[int, int, int, bool]


def _expected(count: PromelaCount) -> Counted:
    return count.states, count.edges, count.depth, count.errors > 0


def _found(count: PromelaCount) -> Counted | str:
    """What scrimp counts depth first, or the line it ends with."""
    try:
        result = scrimp.explore(load(count), order=scrimp.DepthFirst(), time=120)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    numbers = result.statistics
    if result.verdict is not scrimp.Verdict.PROVED:
        return result.reason
    return numbers.states, numbers.transitions, numbers.depth, bool(numbers.deadlocks or numbers.violations)


def _line(count: PromelaCount, found: Counted | str) -> str:
    if isinstance(found, str):
        return f"{count}\n    {found}"
    names = ("states", "transitions", "depth", "errors")
    pairs = zip(names, _expected(count), found, strict=True)
    described = [f"{name} {ours}" if spins == ours else f"{name} {ours} not {spins}" for name, spins, ours in pairs]
    return f"{count}\n    {', '.join(described)}"


if __name__ == "__main__":
    sys.exit(main())
