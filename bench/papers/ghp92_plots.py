"""Draws what ghp92_figures.py measured, as GHP92's figures 4 and 5, and prints MW09's table.

    python -m bench.papers.ghp92_plots [--input FILE] [--folder docs/results]

Needs matplotlib (`pip install -e '.[laboratory]'`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from bench.papers.ghp92_figures import CACHES, REDUCTIONS
from matplotlib.ticker import NullFormatter

plt.rcParams["svg.fonttype"] = "none"  # text stays text
plt.rcParams["svg.hashsalt"] = "scrimp"  # the same points give the same file

Point = dict[str, Any]

COLOURS = {"none": "tab:red", "sleep": "tab:blue"}
LINES = {"random": "-", "type": "--"}
COLUMNS = 4


def models_of(points: Sequence[Point]) -> list[str]:
    return list(dict.fromkeys(point["model"] for point in points))


def full_of(points: Sequence[Point], model: str, reduction: str) -> Point:
    return next(p for p in points if (p["model"], p["reduction"], p["policy"]) == (model, reduction, "full"))


def draw_curve(axes: Any, points: Sequence[Point], model: str, reduction: str, policy: str) -> None:
    """Transitions over those of the plain search, against the part of the states that the cache has room for."""
    plain = full_of(points, model, "none")
    chosen = [p for p in points if (p["model"], p["reduction"], p["policy"]) == (model, reduction, policy)]
    done = [p for p in chosen if p["complete"]]
    axes.plot(
        [100 * p["capacity"] / plain["states"] for p in done],
        [p["transitions"] / plain["transitions"] for p in done],
        LINES[policy],
        color=COLOURS[reduction],
        marker=".",
        markersize=3,
        linewidth=1,
        label=f"{'sleep sets' if reduction == 'sleep' else 'no reduction'}, {policy}",
    )
    for failed in chosen:
        if not failed["complete"]:  # where the curve ends: the search took too long, or its path had no room
            axes.axvline(100 * failed["capacity"] / plain["states"], color=COLOURS[reduction], linewidth=0.4, alpha=0.5)


def draw_model(axes: Any, points: Sequence[Point], model: str, policies: Sequence[str]) -> None:
    for reduction in REDUCTIONS:
        for policy in policies:
            draw_curve(axes, points, model, reduction, policy)
    plain = full_of(points, model, "none")
    axes.set_title(f"{model}: {plain['states']:,} states, depth {plain['depth']:,}", fontsize=7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.08, 130)
    axes.set_ylim(0.1, 40)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())
    axes.tick_params(labelsize=6)
    axes.grid(alpha=0.3, linewidth=0.4)


def draw(points: Sequence[Point], models: Sequence[str], policies: Sequence[str], path: Path) -> None:
    rows = -(-len(models) // COLUMNS)
    columns = min(COLUMNS, len(models))
    figure, grid = plt.subplots(rows, columns, figsize=(3 * columns, 2.4 * rows), squeeze=False)
    for axes in grid.flat[len(models) :]:
        axes.set_visible(False)
    for axes, model in zip(grid.flat, models, strict=False):
        draw_model(axes, points, model, policies)
    figure.supxlabel("room in the cache, % of the states", fontsize=8)
    figure.supylabel("transitions, × those of the search that stores everything", fontsize=8)
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncols=4, fontsize=7, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.15 / rows))
    for suffix in ("svg", "png"):
        figure.savefig(path.with_suffix(f".{suffix}"), dpi=120, metadata={"Date": None} if suffix == "svg" else None)
    plt.close(figure)


def table(smallest: Sequence[Point], curves: Sequence[Point], reduction: str) -> str:
    """The smallest cache with at most twice the transitions, in percent of the states."""
    lines = [f"| model | {' | '.join(CACHES)} |", "| --- |" + " --- |" * len(CACHES)]
    for model in models_of(curves):
        states = full_of(curves, model, "none")["states"]
        found = {p["policy"]: p["capacity"] for p in smallest if (p["model"], p["reduction"]) == (model, reduction)}
        cells = [f"{100 * found[policy] / states:.3g}" if policy in found else "–" for policy in CACHES]
        lines.append(f"| {model} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="figures of transitions against the size of the cache")
    parser.add_argument("--input", type=Path, default=Path("bench/results/ghp92_figures.json"))
    parser.add_argument("--folder", type=Path, default=Path("docs/results"))
    options = parser.parse_args()
    record = json.loads(options.input.read_text())
    curves = record["curves"]
    options.folder.mkdir(parents=True, exist_ok=True)
    models = models_of(curves)
    draw(curves, models, ["random"], options.folder / "ghp92-figure4")
    draw(curves, models, ["random", "type"], options.folder / "ghp92-figure5")
    for reduction in REDUCTIONS:
        print(f"\n{reduction}\n\n{table(record['smallest'], curves, reduction)}")


if __name__ == "__main__":
    main()
