"""Compare random models under CPython and as compiled systems: `python -m tests.modelling --models 5000`.

With `--native`, native code is compared with the reference interpreter instead. Prints the seed and the difference of
each model on which the two differ.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from tests.modelling.comparing import Comparison, Difference, TooManyChoices
from tests.modelling.generator import random_model
from tests.modelling.native import compare_native

from scrimp.errors import ModelError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--states", type=int, default=60)
    parser.add_argument("--stop", type=int, default=5, help="stop after so many differences")
    parser.add_argument("--native", action="store_true", help="compare native code with the reference interpreter")
    options = parser.parse_args()
    started = time.monotonic()
    compared = refused = states = differences = 0
    for seed in range(options.seed, options.seed + options.models):
        text = random_model(seed)
        try:
            states += compare_native(text) if options.native else Comparison(text, options.states).run()
            compared += 1
        except ModelError as error:
            refused += 1
            if refused <= 20:
                print(f"seed {seed}: refused: {error}")
        except TooManyChoices:
            refused += 1
            print(f"seed {seed}: a step makes too many choices")
        except Difference as difference:
            differences += 1
            print(f"seed {seed}: {difference}\n")
        except Exception:
            differences += 1
            print(f"seed {seed}:")
            traceback.print_exc()
        if differences >= options.stop:
            break
    seconds = time.monotonic() - started
    print(f"{compared} models compared in {states} states, {refused} refused, {differences} differ, {seconds:.0f} s")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
