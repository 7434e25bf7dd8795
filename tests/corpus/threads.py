"""Compare the records of searches by several threads with those of one, on every model of the corpus.

python -m tests.corpus.threads [--largest STATES] [--only TEXT] [--threads N ...] [--worth STATES] [--seconds N]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any

from tests.corpus import promela
from tests.corpus.corpus import dve_counts, net_counts
from tests.corpus.test_aut_counts import lts_counts
from tests.records import without_measurements

import scrimp
from scrimp import searching
from scrimp.strategies import parse_store

# In turn, so that each model is searched with one of them.
STORES = ("auto", "full", "full:compress=tree", "full:compress=cleary", "compact")


@dataclass(frozen=True)
class Subject:
    """A model of the corpus."""

    name: str
    states: int
    load: Callable[[], scrimp.Model]


def subjects(largest: int) -> list[Subject]:
    """Smallest first."""
    return sorted(_subjects(largest), key=lambda subject: (subject.states, subject.name))


def _subjects(largest: int) -> Iterator[Subject]:
    for dve in dve_counts(largest):
        yield Subject(dve.instance, dve.states, partial(scrimp.load, dve.path))
    for net in net_counts(largest):
        yield Subject(net.instance, net.states, partial(scrimp.load, net.path))
    for lts in lts_counts(largest):
        yield Subject(lts.path.name, lts.reachable, partial(scrimp.load, lts.path))
    for count in promela.promela_counts(largest):
        yield Subject(str(count), count.states, partial(promela.load, count))


def differing(model: scrimp.Model, store: str, threads: Sequence[int]) -> list[str]:
    """The fields of the records of `check` and `explore` that depend on the number of threads."""
    found = []
    for ask in (scrimp.explore, scrimp.check):
        records = [_record(ask, model, store, number) for number in (1, *threads)]
        for number, record in zip(threads, records[1:], strict=True):
            fields = [field for field in records[0] if record.get(field) != records[0][field]]
            found += [f"{ask.__name__} --threads {number}: {field}" for field in fields]
    return found


def _record(ask: Callable[..., scrimp.Result], model: scrimp.Model, store: str, threads: int) -> dict[str, Any]:
    result = ask(model, order=scrimp.BreadthFirst(), store=parse_store(store), threads=threads)
    return without_measurements(result.to_dict())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.threads", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--largest", type=int, default=1_000_000, help="leave out models of more states than this")
    parser.add_argument("--only", default="", help="only models whose name contains this")
    parser.add_argument("--threads", type=int, nargs="+", default=[2, 3, 16], help="compared with one thread")
    parser.add_argument("--worth", type=int, default=1024, help="share rounds of at least about so many states")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no model after this time")
    options = parser.parse_args()
    searching.WORTH_SHARING = options.worth
    end = time.monotonic() + options.seconds
    wanted = [subject for subject in subjects(options.largest) if options.only in subject.name]
    tried = wrong = 0
    for subject, store in zip(wanted, cycle(STORES)):
        if time.monotonic() > end:
            break
        model = subject.load()
        # Fields as wide as they have to be, so that no search starts again and learns from that.
        scrimp.explore(model, threads=1)
        scrimp.explore(model, threads=1, passes=True)
        found = differing(model, store, options.threads)
        tried += 1
        wrong += bool(found)
        for line in found:
            print(f"{subject.name} {store}: {line}", flush=True)
    print(f"{tried} of {len(wanted)} models compared, {wrong} of them differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
