"""Draws and tabulates what mw09.py measured: MW09's plots of section 4.1, and its question of section 4.2.

    python -m bench.papers.mw09_report [--input FILE] [--folder docs/results]

Needs matplotlib (`pip install -e '.[laboratory]'`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import matplotlib.pyplot as plt
from bench.papers.mw09 import MOST_TRANSITIONS, OTHERS, POLICIES, SETUPS, STEPS, Record, read

plt.rcParams["svg.fonttype"] = "none"  # text stays text
plt.rcParams["svg.hashsalt"] = "scrimp"  # the same points give the same file

COLOURS = {
    "full": "black",
    "frontier safety net": "tab:red",
    "frontier safety net, BT": "tab:blue",
    "pebble, BT": "tab:green",
}
TOLD = "frontier safety net, BT"

# Known states lie far back where it is more than this part of the levels, and back edges are short where at most so
# many states do.
FAR = 0.1
FEW = 0.01
# Among hierarchies the one that stores least counts, of those that visit each state at most so often.
MOST_VISITS = 1.5

Found = dict[str, dict[str, Record]]  # by model and key


def of(records: Sequence[Record], experiment: str) -> Found:
    found: Found = {}
    for record in records:
        if record.experiment == experiment and record.complete:
            found.setdefault(record.model, {})[record.key] = record
    return {model: by_key for model, by_key in found.items() if "full" in by_key}


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))


def states(by_key: dict[str, Record]) -> int:
    return by_key["full"].visits


def stored_part(by_key: dict[str, Record], key: str) -> float:
    return by_key[key].stored / states(by_key)


def visits_each(by_key: dict[str, Record], key: str) -> float:
    return by_key[key].visits / states(by_key)


def hits(record: Record, name: str) -> list[int]:
    listed = record.snapshots[name]
    assert isinstance(listed, list)
    return listed


def percent(part: float) -> str:
    return f"{100 * part:.0f}%" if part >= 0.0995 else f"{100 * part:.1f}%"


def growing(found: Found) -> str:
    """A model with growing parameters, as a table."""
    rows = []
    for model, by_key in found.items():
        full = by_key["full"]
        row = [" × ".join(model.split()[1:]), f"{states(by_key):,}"]
        for key in SETUPS:
            each = by_key[key]
            part, visits = stored_part(by_key, key), visits_each(by_key, key)
            ratios = (each.bytes_peak / full.bytes_peak, visits, each.seconds / full.seconds)
            row.append(" · ".join((percent(part), *(f"{ratio:.2f}" for ratio in ratios))))
        rows.append(row)
    return table(["", "states", *SETUPS], rows)


def levels_back(record: Record) -> str:
    """Which part of the hits lies how far back."""
    by_distance = hits(record, "hits_by_distance")
    return " · ".join(
        f"{'1' if power == 0 else f'{2**power}–{2 ** (power + 1) - 1}'}: {percent(number / sum(by_distance))}"
        for power, number in enumerate(by_distance)
        if number
    )


def by_cache(record: Record) -> str:
    names = ("hits_by_open", "hits_by_kept", "hits_by_backtracking")
    others = [int(str(record.snapshots[name])) for name in names]
    all_hits = [*hits(record, "hits_by_cache"), *others]
    return " · ".join(percent(number / max(sum(all_hits), 1)) for number in all_hits)


def vlts(found: Found) -> str:
    rows = []
    for model, by_key in found.items():
        row = [model.removesuffix(".aut"), f"{states(by_key):,}", f"{by_key['full'].levels:,}"]
        row += [f"{percent(stored_part(by_key, key))} · {visits_each(by_key, key):.2f}" for key in SETUPS]
        rows.append([*row, by_cache(by_key[TOLD]), levels_back(by_key["all levels"])])
    header = ["", "states", "levels", *SETUPS, "hits: first cache · second · open · kept · learnt", "levels back"]
    return table(header, rows)


def far_part(by_key: dict[str, Record]) -> float:
    """Of the known states that were met, the part that lies far back."""
    record = by_key["all levels"]
    by_distance = hits(record, "hits_by_distance")
    far = sum(number for power, number in enumerate(by_distance) if 2**power > FAR * record.levels)
    return far / max(sum(by_distance), 1)


def best(by_key: dict[str, Record]) -> str:
    """The hierarchy that stores least; where all visit too often, the one that visits least."""
    tried = [key for key in (*SETUPS, *OTHERS) if key in by_key]
    few = [key for key in tried if visits_each(by_key, key) <= MOST_VISITS]
    if few:
        return min(few, key=lambda key: by_key[key].stored)
    return min(tried, key=lambda key: by_key[key].visits)


def families(found: Found) -> Iterator[str]:
    """Where back edges are short, and where they are not."""
    chosen = {model: by_key for model, by_key in found.items() if {"all levels", *SETUPS} <= set(by_key)}
    tests: tuple[tuple[str, Callable[[float], bool]], ...] = (
        ("short", lambda far: far <= FEW),
        ("long", lambda far: far > FEW),
    )
    for name, belongs in tests:
        models = [model for model in chosen if belongs(far_part(chosen[model]))]
        models.sort(key=lambda model: stored_part(chosen[model], best(chosen[model])))
        rows = [family_row(model, chosen[model]) for model in models]
        header = ["", "states", "levels", "far back", "best", "stored", "visits", f"{TOLD}: stored", "visits"]
        means = [
            geometric_mean(stored_part(chosen[model], key(chosen[model])) for model in models)
            for key in (best, lambda _: TOLD)
        ]
        yield f"{name}: geometric mean {percent(means[0])} with the best, {percent(means[1])} with {TOLD}\n"
        yield table(header, rows) + "\n"


def family_row(model: str, by_key: dict[str, Record]) -> list[str]:
    key = best(by_key)
    measured = [percent(stored_part(by_key, key)), f"{visits_each(by_key, key):.2f}"]
    told = [percent(stored_part(by_key, TOLD)), f"{visits_each(by_key, TOLD):.2f}"]
    size = [f"{states(by_key):,}", f"{by_key['full'].levels:,}"]
    return [model, *size, percent(far_part(by_key)), key, *measured, *told]


def caches(records: Sequence[Record]) -> str:
    """The smallest cache that fires at most twice the transitions, in percent of the states."""
    found = of(records, "caches")
    rows = []
    for model, by_key in found.items():
        most = MOST_TRANSITIONS * by_key["full"].transitions
        row = [model.removesuffix(".aut"), f"{by_key['full'].visits:,}"]
        for policy in POLICIES:
            keys = [f"{policy} {part:g}" for part in STEPS]
            enough = [key for key in keys if key in by_key and by_key[key].transitions <= most]
            row.append(f"{100 * float(enough[-1].rpartition(' ')[2]):g}" if enough else "–")
        rows.append(row)
    return table(["", "states", *(f"`{policy}`" for policy in POLICIES)], rows)


def save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    for suffix in ("svg", "png"):
        figure.savefig(path.with_suffix(f".{suffix}"), dpi=120, metadata={"Date": None} if suffix == "svg" else None)
    plt.close(figure)


def draw_growing(found: Found, path: Path) -> None:
    """States stored, bytes held and time, against the states of the model."""
    panels: tuple[tuple[str, Callable[[Record], float]], ...] = (
        ("states stored at the peak", lambda record: record.stored),
        ("bytes held at the peak", lambda record: record.bytes_peak),
        ("seconds", lambda record: record.seconds),
    )
    figure, grid = plt.subplots(1, len(panels), figsize=(10, 3))
    for axes, (name, measure) in zip(grid, panels, strict=True):
        for key, colour in COLOURS.items():
            sizes = [states(by_key) for by_key in found.values()]
            values = [measure(by_key[key]) for by_key in found.values()]
            axes.plot(sizes, values, color=colour, marker=".", linewidth=1, label=key)
        axes.set_title(name, fontsize=8)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.tick_params(labelsize=6)
        axes.grid(alpha=0.3, linewidth=0.4)
    grid[0].legend(fontsize=6, frameon=False)
    figure.supxlabel("states", fontsize=8)
    save(figure, path)


def draw_redundancy(found: Found, path: Path) -> None:
    """Each instance as a point: what is stored, and how often a state is visited for that."""
    figure, axes = plt.subplots(figsize=(6, 4))
    for key in SETUPS:
        measured = [by_key for by_key in found.values() if key in by_key]
        parts = [100 * stored_part(by_key, key) for by_key in measured]
        axes.scatter(parts, [visits_each(by_key, key) for by_key in measured], s=12, color=COLOURS[key], label=key)
    axes.set_xlabel("states stored at the peak, % of the states", fontsize=8)
    axes.set_ylabel("visits for each state", fontsize=8)
    axes.tick_params(labelsize=6)
    axes.grid(alpha=0.3, linewidth=0.4)
    axes.legend(fontsize=7, frameon=False)
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description="the plots and tables of MW09")
    parser.add_argument("--input", type=Path, default=Path("bench/results/mw09.jsonl"))
    parser.add_argument("--folder", type=Path, default=Path("docs/results"))
    options = parser.parse_args()
    records = read(options.input)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in ("brp", "scsi"):
        draw_growing(of(records, name), options.folder / f"snapshots_{name}")
        print(f"## {name}: stored · bytes · visits · time, against `full`\n\n{growing(of(records, name))}\n")
    beem = of(records, "beem")
    draw_redundancy(beem, options.folder / "snapshots_beem")
    print(f"## VLTS: stored · visits\n\n{vlts(of(records, 'vlts'))}\n")
    print("## BEEM\n", *families(beem), sep="\n")
    print(f"## Caches\n\n{caches(records)}")


if __name__ == "__main__":
    main()
