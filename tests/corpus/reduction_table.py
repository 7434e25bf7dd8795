"""Print how many states reductions explore in the Promela corpus, SPIN's own beside ours.

python -m tests.corpus.reduction_table [--largest STATES] [--only TEXT]
"""

from __future__ import annotations

import argparse
import sys

from tests.corpus.promela import PromelaCount, promela_counts
from tests.corpus.reductions import REDUCTIONS, Explored, explored, explored_by_spin, geometric_mean
from tests.differential.spin import COMPILER, SPIN

import scrimp


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.corpus.reduction_table", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--largest", type=int, default=1_000_000, help="leave out models of more states than this")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    options = parser.parse_args()
    if not (SPIN and COMPILER):
        print("spin, or a C compiler, is not installed")
        return 2
    _print_row("model", "all", "SPIN", *map(str, REDUCTIONS))
    _print_row(*["---"] * (3 + len(REDUCTIONS)))
    rows = [_row(count) for count in promela_counts(options.largest) if options.only in count.file]
    if rows:
        means = [geometric_mean(row[number] / row[1] for row in rows) for number in range(len(rows[0]))]
        _print_row("geometric mean", *(f"{mean:.2f}" for mean in means))
    return 0


def _row(count: PromelaCount) -> list[int]:
    """The states of the full search, of SPIN's reduction and of ours, printed at once; complains if one of them does
    not find what the first finds."""
    full, spins = explored(count, scrimp.NoReduction()), explored_by_spin(count)
    searches = [full, spins, *(explored(count, reduction) for reduction in REDUCTIONS)]
    _print_row(str(count), *(f"{search.states:,}" + _complaint(search, full) for search in searches))
    return [search.states for search in searches]


def _complaint(search: Explored, full: Explored) -> str:
    return "" if search.verdicts == full.verdicts else f" ({search.verdicts} not {full.verdicts})"


def _print_row(*cells: str) -> None:
    print("|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    sys.exit(main())
