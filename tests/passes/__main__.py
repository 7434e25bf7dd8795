"""Random systems against passes, and the systems that kill mutants.

python -m tests.passes --systems N [--from SEED]     # each pass, and all together, on N systems of each profile
python -m tests.passes --mutants N                   # the first system, of N of each profile, that kills a mutant
python -m tests.passes --nets N [--from SEED]        # structural reductions on N nets, by the token game
python -m tests.passes --net-mutants N               # the first net, of N of each profile, that kills a mutant
"""

from __future__ import annotations

import argparse

from tests.passes.comparing import PROFILES, difference
from tests.passes.mutants import MUTANTS, Mutant
from tests.passes.net_mutants import NET_MUTANTS, NetMutant
from tests.passes.nets import MOST_MARKINGS, differences
from tests.passes.random_nets import NET_PROFILES, random_net
from tests.passes.token_game import difference as difference_of_games

from scrimp.passes import PASSES


def compare(first: int, count: int) -> int:
    found = 0
    for name, profile in PROFILES.items():
        for seed in range(first, first + count):
            for passes in (*((each,) for each in PASSES), PASSES):
                if different := difference(seed, profile, passes):
                    found += 1
                    print(f"{name} {seed}, {'+'.join(each.name for each in passes)}: {different}", flush=True)
    print(f"{count * len(PROFILES)} systems, {found} differences")
    return found


def kill(mutant: Mutant, count: int) -> str:
    wrong = mutant.applied()
    names = [mutant.profile, *(name for name in PROFILES if name != mutant.profile)]
    for name in names:
        for seed in range(count):
            if difference(seed, PROFILES[name], [wrong]):
                return f'"{name}", {seed}'
    return "survives"


def compare_nets(first: int, count: int) -> int:
    found = 0
    for number in range(first, first + count):
        name = list(NET_PROFILES)[number % len(NET_PROFILES)]
        for different in differences(number // len(NET_PROFILES), name):
            found += 1
            print(f"{name} {number // len(NET_PROFILES)}, {different}", flush=True)
    print(f"{count} nets, {found} differences")
    return found


def kill_net(mutant: NetMutant, count: int) -> str:
    rule = mutant.applied()
    for name in [mutant.profile, *(name for name in NET_PROFILES if name != mutant.profile)]:
        for seed in range(count):
            if difference_of_games(random_net(seed, NET_PROFILES[name]), MOST_MARKINGS, [rule]):
                return f'"{name}", {seed}'
    return "survives"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=0)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--nets", type=int, default=0)
    parser.add_argument("--net-mutants", type=int, default=0)
    asked = parser.parse_args()
    if asked.mutants:
        for each in MUTANTS[asked.first :: asked.step]:
            print(f"{each.name}: {kill(each, asked.mutants)}", flush=True)
    for mutant in NET_MUTANTS if asked.net_mutants else ():
        print(f"{mutant.name}: {kill_net(mutant, asked.net_mutants)}", flush=True)
    if asked.nets:
        raise SystemExit(compare_nets(asked.first, asked.nets) != 0)
    if asked.systems:
        raise SystemExit(compare(asked.first, asked.systems) != 0)


if __name__ == "__main__":
    main()
