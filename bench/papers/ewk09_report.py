"""Writes what ewk09.py measured beside the paper's numbers: Tables 2 to 5 and figure 4.

    python -m bench.papers.ewk09_report [--input FILE] [--folder docs/results]

Needs matplotlib (`pip install -e '.[laboratory]'`).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
from bench.papers.ewk09 import BEST_CANDIDATES, TABLE_3, Record, read

from scrimp.laboratory.experiments import ewk09_printed as paper_prints
from scrimp.laboratory.experiments.ewk09_printed import (
    CANDIDATES,
    COMPARED,
    FIGURE_4,
    FIGURE_4_SIZES,
    SHARES,
    STRATEGIES,
)

plt.rcParams["svg.fonttype"] = "none"  # text stays text
plt.rcParams["svg.hashsalt"] = "scrimp"  # the same points give the same file

# The paper's Table 4(b): of how many instances E↑ lies in each of these ranges.
PAPER_4_RANGES = {
    "F": (
        (3, 9, 9, 13, 14),
        (2, 8, 8, 7, 15),
        (0, 0, 1, 6, 9),
        (1, 11, 15, 18, 15),
        (5, 33, 28, 18, 9),
        (52, 2, 2, 1, 1),
    ),
    "F20-D80": (
        (3, 8, 8, 11, 14),
        (6, 9, 10, 12, 17),
        (6, 5, 7, 9, 9),
        (2, 15, 15, 18, 13),
        (24, 24, 22, 12, 9),
        (22, 2, 1, 1, 1),
    ),
}
RANGES = (1.0, 1.25, 1.5, 1.75, 2.0, 4.0, float("inf"))

Found = dict[tuple[str, str], Record]  # by model and key


def increase(record: Record) -> float:
    """E↑: events executed, for each transition of the graph."""
    return 1 + record.events / record.transitions


def of(records: Sequence[Record], experiment: str) -> Found:
    chosen = (record for record in records if record.experiment == experiment and record.complete)
    return {(record.model, record.key): record for record in chosen}


def models_with(found: Found, keys: Sequence[str]) -> list[str]:
    """Models of which every one of these searches was completed."""
    models = dict.fromkeys(model for model, _ in found)
    return [model for model in models if all((model, key) in found for key in keys)]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))


def numbers(values: Sequence[float], digits: int) -> list[str]:
    return [f"{value:.{digits}f}" for value in values]


def table_2(found: Found) -> str:
    rows = []
    for share in SHARES:
        keys = [f"{strategy} {share:g}" for strategy in STRATEGIES]
        models = [model for model in models_with(found, keys) if found[model, keys[0]].events]
        if not models:
            continue
        ratios = [fmean(found[model, key].events / found[model, keys[0]].events for model in models) for key in keys]
        rows.append([f"{share:g}", f"ours, {len(models)} instances", *numbers(ratios, 3)])
        rows.append(["", "paper, 143", *numbers(paper_prints.TABLE_2[share], 3)])
    return table(["cache", "", *STRATEGIES], rows)


def columns(strategy: str) -> list[str]:
    return [f"{strategy} {fraction:g}" for fraction in CANDIDATES]


CANDIDATE_SETS = ["no DDD", *(f"DDD({fraction:g})" for fraction in CANDIDATES[1:])]


def table_3(printed: Found, exact: Found) -> str:
    """The paper's figures, ours with the method as printed, and ours in exact mode, with the same memory."""
    rows = []
    for model in TABLE_3:
        for strategy in COMPARED:
            rows.append([model, strategy, "paper", *numbers(paper_prints.TABLE_3[model, strategy], 2)])
            for name, found in (("`mode=paper`", printed), ("exact", exact)):
                cells = [found.get((model, key)) for key in columns(strategy)]
                if any(cells):
                    rows.append(["", "", name, *("–" if cell is None else f"{increase(cell):.2f}" for cell in cells)])
    return table(["", "strategy", "", *CANDIDATE_SETS], rows)


def table_best(found: Found) -> str:
    """The best cell of each row of the paper, and what our exact mode does with as many full states."""
    rows = []
    for model in TABLE_3:
        paper = [min(paper_prints.TABLE_3[model, strategy]) for strategy in COMPARED]
        ours = [found.get((model, strategy)) for strategy in COMPARED]
        cells = ["–" if cell is None else f"{increase(cell):.2f}" for cell in ours]
        rows.append([model, f"{1 + BEST_CANDIDATES[model]:g}%", *numbers(paper, 2), *cells])
    return table(
        ["", "full states", *(f"paper, {each}" for each in COMPARED), *(f"ours, {each}" for each in COMPARED)], rows
    )


def table_4a(found: Found) -> str:
    rows = []
    for strategy in COMPARED:
        models = models_with(found, columns(strategy))
        if not models:
            continue
        means = [fmean(increase(found[model, key]) for model in models) for key in columns(strategy)]
        rows.append([strategy, f"ours, {len(models)} instances", *numbers(means, 2)])
        rows.append(["", "paper, 63", *numbers(paper_prints.TABLE_4[strategy], 2)])
    return table(["strategy", "", *CANDIDATE_SETS], rows)


def table_4b(found: Found) -> str:
    rows = []
    for index, (least, most) in enumerate(pairwise(RANGES)):
        row = [f"{least:g}–{most:g}" if most != RANGES[-1] else f"> {least:g}"]
        for strategy in COMPARED:
            models = models_with(found, columns(strategy))
            paper = PAPER_4_RANGES[strategy][index]
            for key, printed in zip(columns(strategy), paper, strict=True):
                count = sum(least <= increase(found[model, key]) < most for model in models)
                row.append(f"{count} ({printed})")
        rows.append(row)
    header = [f"{strategy} {fraction:g}" for strategy in COMPARED for fraction in CANDIDATES]
    return table(["E↑", *header], rows)


def table_5(found: Found) -> str:
    rows = []
    for full_states, configurations in paper_prints.TABLE_5.items():
        keys = [f"{full_states} {strategy} {a:g} {b:g} {c:g}" for (strategy, a, b, c), _ in configurations]
        models = models_with(found, keys)
        for key, ((strategy, *parts), paper) in zip(keys, configurations, strict=True):
            mean = f"{fmean(increase(found[model, key]) for model in models):.2f}" if models else "–"
            shares = [f"{part:g}" for part in parts]
            rows.append([f"{full_states}", strategy, *shares, f"{mean} ({len(models)})", f"{paper:g}"])
    return table(["F", "strategy", "cache", "candidates", "queue", "ours (instances)", "paper"], rows)


def figure_4(found: Found, path: Path) -> None:
    """Events to rebuild states, over those of strategy F, against the size of the cache."""
    figure, grid = plt.subplots(1, len(FIGURE_4), figsize=(3 * len(FIGURE_4), 2.6))
    for axes, model in zip(grid, FIGURE_4, strict=True):
        for strategy in ("F", "D", "F20-D80"):
            curve = defaultdict(float)
            for size in FIGURE_4_SIZES:
                each, base = found.get((model, f"{strategy} {size}")), found.get((model, f"F {size}"))
                if each and base and base.events:
                    curve[size] = each.events / base.events
            axes.plot(list(curve), list(curve.values()), marker=".", linewidth=1, label=strategy)
        axes.set_title(model, fontsize=8)
        axes.set_yscale("log")
        axes.tick_params(labelsize=6)
        axes.grid(alpha=0.3, linewidth=0.4)
    grid[0].legend(fontsize=7, frameon=False)
    figure.supxlabel("full states in the cache", fontsize=8)
    figure.supylabel("events, × those of F", fontsize=8)
    figure.tight_layout()
    for suffix in ("svg", "png"):
        figure.savefig(path.with_suffix(f".{suffix}"), dpi=120, metadata={"Date": None} if suffix == "svg" else None)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description="the tables and the figure of EWK09")
    parser.add_argument("--input", type=Path, default=Path("docs/results/ewk09.csv"))
    parser.add_argument("--folder", type=Path, default=Path("docs/results"))
    options = parser.parse_args()
    records = read(options.input)
    options.folder.mkdir(parents=True, exist_ok=True)
    figure_4(of(records, "figure4"), options.folder / "ewk09_figure_4")
    delayed = of(records, "table4") | of(records, "table3")
    for name, text in (
        ("Table 2", table_2(of(records, "table2"))),
        ("Table 3", table_3(of(records, "table3"), of(records, "exact"))),
        ("Better than the paper", table_best(of(records, "best"))),
        ("Table 4(a)", table_4a(delayed)),
        ("Table 4(b), the paper's 63 instances in brackets", table_4b(delayed)),
        ("Table 5(b)", table_5(of(records, "table5"))),
    ):
        print(f"## {name}\n\n{text}\n")


if __name__ == "__main__":
    main()
