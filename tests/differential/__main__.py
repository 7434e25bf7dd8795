"""Compare scrimp with SPIN, or its reductions with its full search, on random Promela models.

    python -m tests.differential [--reductions | --defaults] [--models N] [--first SEED] [--profile NAME] [--jobs N]
                                 [--show SEED]

With `--defaults`, only verdicts are compared: of `check` and of SPIN's verifier, both as they come. Every difference is
reported with its seed; the first of each kind is shrunk and printed with both results.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import TypeAlias

from tests.differential.comparing import Comparison, compare
from tests.differential.compiling import compile_here
from tests.differential.defaults import DefaultComparison, compare_defaults
from tests.differential.profiles import PROFILES
from tests.differential.random_promela import profile_of, random_model, random_text
from tests.differential.reducing import ReductionComparison, compare_reductions
from tests.differential.shrinking import shrink
from tests.differential.spin import COMPILER, SPIN
from tests.differential.tree import render

AnyComparison: TypeAlias = Comparison | ReductionComparison | DefaultComparison
Comparing: TypeAlias = Callable[[str], AnyComparison]


def main() -> int:
    options = _options()
    comparing: Comparing = compare
    if options.reductions or options.defaults:
        comparing = compare_reductions if options.reductions else compare_defaults
    if not options.reductions and not (SPIN and COMPILER):
        print("spin, or a C compiler, is not installed")
        return 2
    with_cache = tempfile.mkdtemp(prefix="scrimp-differential-cache-")
    os.environ["SCRIMP_CACHE_DIR"] = with_cache
    try:
        if options.file:
            return _file(options.file, comparing)
        if options.show is not None:
            return _show(options.show, options.profile, comparing)
        return _compare_all(options, comparing)
    finally:
        shutil.rmtree(with_cache, ignore_errors=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--reductions", action="store_true", help="compare all reductions with the full search")
    parser.add_argument("--defaults", action="store_true", help="compare verdicts by default options")
    parser.add_argument("--models", type=int, default=300, help="how many models to compare (default 300)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--profile", choices=[*PROFILES], help="one profile instead of all in turn")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at once")
    parser.add_argument("--shrink", type=int, default=5, help="how many kinds of differences to shrink (default 5)")
    parser.add_argument("--show", type=int, metavar="SEED", help="print this model and both results, no more")
    parser.add_argument("--file", type=Path, help="compare this model, no random ones")
    return parser.parse_args()


def _file(path: Path, comparing: Comparing) -> int:
    comparison = comparing(path.read_text())
    print(comparison)
    print(comparison.verdict)
    return int(comparison.verdict == "different")


def _show(seed: int, profile: str | None, comparing: Comparing) -> int:
    text = random_text(seed, profile)
    print(text)
    comparison = comparing(text)
    print(comparison)
    return int(comparison.verdict == "different")


def _compare_all(options: argparse.Namespace, comparing: Comparing) -> int:
    verdicts: Counter[str] = Counter()
    kinds: dict[str, list[int]] = {}
    states = 0
    for seed, comparison in _comparisons(options, comparing):
        verdicts[comparison.verdict] += 1
        states += comparison.states or 0
        if comparison.verdict == "different":
            kinds.setdefault(comparison.kind, []).append(seed)
            print(f"seed {seed} ({options.profile or profile_of(seed)}): {comparison.kind}", flush=True)
        if verdicts.total() % 100 == 0:
            print(f"{verdicts.total()} models, {dict(verdicts)}", file=sys.stderr, flush=True)
    print(f"{verdicts['same']} the same, {verdicts['different']} different, {verdicts['left out']} left out")
    print(f"{states:,} states")
    for kind, seeds in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"{len(seeds):5}  {kind}: {' '.join(map(str, seeds[:10]))}")
    for kind, seeds in list(kinds.items())[: options.shrink]:
        _shrink(seeds[0], options.profile, kind, comparing)
    return int(verdicts["different"] > 0)


def _comparisons(options: argparse.Namespace, comparing: Comparing) -> Iterator[tuple[int, AnyComparison]]:
    """Comparisons from the first seed on, until the requested number of models has been compared."""
    seeds = iter(range(options.first, sys.maxsize))
    compared = 0
    with ProcessPoolExecutor(max_workers=options.jobs, initializer=compile_here) as pool:
        while compared < options.models:
            batch = [next(seeds) for _ in range(min(200, options.models - compared))]
            compared_batch = pool.map(_compared, batch, repeat(options.profile), repeat(comparing))
            for seed, comparison in zip(batch, compared_batch, strict=True):
                compared += comparison.verdict != "left out"
                yield seed, comparison


def _compared(seed: int, profile: str | None, comparing: Comparing) -> AnyComparison:
    return comparing(random_text(seed, profile))


def _shrink(seed: int, profile: str | None, kind: str, comparing: Comparing) -> None:
    def differs(text: str) -> bool:
        comparison = comparing(text)
        return comparison.verdict == "different" and comparison.kind == kind

    smallest = render(shrink(random_model(seed, profile), differs))
    comparison = comparing(smallest)
    print(f"\n--- seed {seed}, {kind}\n{comparison.headline}{smallest}{comparison}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
