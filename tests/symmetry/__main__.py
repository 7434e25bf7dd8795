"""Random systems of alike processes against their canonical states, and the systems that kill mutants.

python -m tests.symmetry --systems N [--from SEED]     # N systems of each kind
python -m tests.symmetry --mutants N                   # the first system, of N of each kind, that kills a mutant
"""

from __future__ import annotations

import argparse

from tests.symmetry.comparing import difference, symmetry_of
from tests.symmetry.mutants import KINDS, MUTANTS, Mutant


def compare(first: int, count: int) -> int:
    wrong = found = 0
    for seed in range(first, first + count):
        for kind, made in KINDS.items():
            system = made(seed)
            found += bool(symmetry_of(system).groups)
            if different := difference(system, seed):
                wrong += 1
                print(f"{kind} {seed}: {different}", flush=True)
    print(f"{count * len(KINDS)} systems, {found} with symmetries, {wrong} differences")
    return wrong


def kill(mutant: Mutant, count: int) -> str:
    kinds = (mutant.kind, *(kind for kind in KINDS if kind != mutant.kind))
    return mutant.killed_by((kind, seed) for kind in kinds for seed in range(count)) or "survives"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=0)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--mutants", type=int, default=0)
    asked = parser.parse_args()
    for mutant in MUTANTS if asked.mutants else ():
        print(f"{mutant.name}: {kill(mutant, asked.mutants)}", flush=True)
    if asked.systems:
        raise SystemExit(compare(asked.first, asked.systems) != 0)


if __name__ == "__main__":
    main()
