"""Which models have interchangeable processes, and what `--symmetry` saves: a table on standard output.

    python -m bench.symmetry [--seconds N] [MODEL...]     # by default the models of the corpus and of models/

Each model is searched to the end, or for so many seconds, after passes, with `--symmetry` and without. Models without
interchangeable processes are counted; `--refused` lists them with the reason.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import exp, log
from pathlib import Path

import scrimp
from bench.instances import CORPUS, require_corpus
from scrimp.errors import OptionError
from scrimp.laboratory.tables import markdown

SUFFIXES = (".pml", ".pm", ".prom", ".dve", ".py")


def files(given: list[Path]) -> Iterator[Path]:
    """The models to search: of a DVE family, the first four instances."""
    if given:
        yield from given
        return
    yield from sorted(path for path in Path("models").iterdir() if path.suffix in SUFFIXES)
    require_corpus()
    yield from sorted(path for path in (CORPUS / "promela").rglob("*") if path.suffix in SUFFIXES)
    for path in sorted((CORPUS / "dve").rglob("*.dve")):
        if int(path.stem.rpartition(".")[2]) <= 4:
            yield path


def row(path: Path, seconds: float) -> tuple[list[str], float | None]:
    """A line of the table, and the ratio of states if both searches ended; raises OptionError without symmetry."""
    model = scrimp.load(path, ignore_property=True)
    found = scrimp.explore(model, passes=True, symmetry=True, time=seconds)
    own = scrimp.explore(model, passes=True, time=seconds)
    groups = " · ".join(str(len(group.members)) for group in found.symmetry)
    ended = [each.ending is scrimp.Ending.CLOSED for each in (own, found)]
    states = [each.statistics.states for each in (own, found)]
    shown = [f"{number:,}" if closed else f"more than {number:,}" for number, closed in zip(states, ended, strict=True)]
    ratio = states[1] / states[0] if all(ended) else None
    return [path.name, groups, *shown, "" if ratio is None else f"{ratio:.2f}"], ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="*")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--refused", action="store_true")
    asked = parser.parse_args()
    rows, ratios, refused, failed = [], [], 0, 0
    for path in files(asked.models):
        try:
            line, ratio = row(path, asked.seconds)
        except OptionError as reason:
            refused += 1
            if asked.refused:
                print(f"{path.name}: {reason}", flush=True)
        except scrimp.ScrimpError:
            failed += 1
        else:
            rows.append(line)
            print(" | ".join(line), flush=True)
            ratios += [] if ratio is None else [ratio]
    print()
    print(markdown(["model", "groups", "states", "with symmetry", "ratio"], rows))
    mean = exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0
    print(f"\n{len(rows)} models have symmetries, {refused} have none, {failed} cannot be read.")
    print(f"Geometric mean of the ratios of {len(ratios)}: {mean:.2f}.")


if __name__ == "__main__":
    main()
