"""How often each byte occurs in unpacked states, over our models and the corpus: the table of the Huffman code.

    python bench/byte_frequencies.py > engine/store/huffman_table.h

Random walks sample some of the states of every model; all models have the same weight, however large their states are.
From each family of BEEM the first instance is used; of the Promela models, all that SPIN explores completely.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import scrimp
from bench.instances import CORPUS
from scrimp.growth import settled
from scrimp.machine.build import Native, build
from scrimp.machine.byte_fields import byte_fields
from scrimp.machine.ranges import initial_ranges

STATES = 2000
LONGEST_WALK = 400
TOTAL = 1 << 24  # of the frequencies of all bytes

LEADS_NOWHERE = 3 << 30  # flags of an event, as in engine/core/machine.h
GOES_ON_ALONE = 1 << 28
EVENT = GOES_ON_ALONE - 1

HEADER = """\
// How often each byte value occurs in states, one byte per variable: measured by random walks through {n} models of all
// kinds, equally weighted. Small values are by far the most frequent. Written by bench/byte_frequencies.py.
#pragma once

#include "store/huffman_code.h"

namespace scrimp {{

// clang-format off
inline constexpr ByteFrequencies byte_frequencies = {{
{rows}
}};
// clang-format on

inline const CodeLengths byte_code_lengths = code_lengths(byte_frequencies);

}}  // namespace scrimp"""


def models() -> Iterator[Path]:
    ours = Path(__file__).resolve().parents[1] / "models"
    yield from sorted(path for path in ours.iterdir() if path.suffix in (".pml", ".dve"))
    yield from sorted((CORPUS / "dve").glob("*/*.1.dve"))
    with (CORPUS / "promela" / "spin_counts.csv").open() as lines:
        known = {row["file"] for row in csv.DictReader(lines) if (row["mode"], row["result"]) == ("plain", "ok")}
    yield from (CORPUS / "promela" / name for name in sorted(known))


def compiled(path: Path) -> Native | None:
    """Native code for a model; None if scrimp cannot read it."""
    try:
        model = settled(scrimp.load(path, ignore_property=True))
        return build(model.system, (), initial_ranges(model.system, model.identity), fused=True)
    except scrimp.ScrimpError:
        return None


def walk(native: Native, random: Random) -> Iterator[tuple[int, ...]]:
    """States along random walks from the initial one, transient states left out."""
    machine = native.machine()
    for step in range(STATES):
        if step % LONGEST_WALK == 0:
            state, holder = machine.initial(), None
        events = machine.alone(state, holder) if holder is not None else None
        if not events:
            yield state
            events = machine.successors(state)
        events = [each for each in events if not each[0] & LEADS_NOWHERE]
        if not events:
            state, holder = machine.initial(), None
            continue
        event, state = random.choice(events)
        holder = native.holders[event & EVENT] if native.holders and event & GOES_ON_ALONE else None


def unpacked(native: Native, state: tuple[int, ...]) -> Iterator[int]:
    fields = memoryview(byte_fields(native.layout)).cast("I")
    for start in range(0, len(fields), 4):
        word, shift, bits, count = fields[start : start + 4]
        yield from (state[word] >> shift & (1 << bits) - 1).to_bytes(count, "little")


def shares(native: Native) -> dict[int, float]:
    """The share of each byte in the sampled states; empty if states have no bytes."""
    counts = Counter(byte for state in walk(native, Random(0)) for byte in unpacked(native, state))
    return {byte: count / counts.total() for byte, count in counts.items()}


def table(frequencies: list[float], found: int) -> str:
    numbers = [round(TOTAL * frequency / found) for frequency in frequencies]
    rows = (", ".join(map(str, numbers[start : start + 8])) for start in range(0, 256, 8))
    return HEADER.format(n=found, rows="\n".join(f"    {row}," for row in rows))


def main() -> None:
    frequencies = [0.0] * 256
    found = 0
    for path in models():
        native = compiled(path)
        part = {} if native is None else shares(native)
        found += bool(part)
        for byte, share in part.items():
            frequencies[byte] += share
        print(f"{path.name}: {part.get(0, 0):.2f} zeros" if part else f"{path.name}: left out", file=sys.stderr)
    print(table(frequencies, found))


if __name__ == "__main__":
    main()
