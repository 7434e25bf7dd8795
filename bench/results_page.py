"""Writes docs/results.md from results/corpus.csv: on which models each method wins, and on which it loses.

    python -m bench.corpus                       # measures; takes a while, and resumes
    python -m bench.results_page                 # copies the measurements to results/corpus.csv, and writes the page

Needs matplotlib (`pip install -e '.[laboratory]'`).
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.instances import CORPUS
from scrimp.laboratory.bench import Cell
from scrimp.laboratory.comparison import mean, ratios
from scrimp.laboratory.figures import grid, save
from scrimp.laboratory.tables import markdown, wrapped

BASE = "bfs/full"

# Ratios of shorter times are noise.
SHORTEST = 0.02
SHOWN = 3


def read(path: Path) -> list[Cell]:
    with path.open() as table:
        rows = [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(table)]
    return [Cell(**row | {"model": Path(row["model"]).name}) for row in rows]


def _value(text: str) -> Any:
    for number in (int, float):
        with suppress(ValueError):
            return number(text)
    return {"": None, "True": True, "False": False}.get(text, text)


def time(cell: Cell) -> float:
    return max(cell.seconds or 0.0, SHORTEST)


def memory(cell: Cell) -> float:
    """The bytes that the engine held."""
    return cell.bytes_peak or 0.0


def best(found: Sequence[Cell], what: Callable[[Cell], float]) -> Counter[str]:
    """On how many models each method takes the least time or memory, or is within a tenth of that."""
    wins: Counter[str] = Counter()
    for model in dict.fromkeys(each.model for each in found):
        done = [each for each in found if each.model == model and each.status == "complete"]
        least = min(map(what, done), default=0.0)
        wins.update(each.method for each in done if what(each) <= 1.1 * least)
    return wins


def summary(found: Sequence[Cell]) -> str:
    fastest, smallest = best(found, time), best(found, memory)
    rows = []
    for method in dict.fromkeys(each.method for each in found):
        mine = [each for each in found if each.method == method]
        rows.append(
            [
                f"`{method}`",
                f"{sum(each.status == 'complete' for each in mine)} of {len(mine)}",
                f"{fastest[method]}",
                f"{smallest[method]}",
                *(f"{mean(ratios(found, method, BASE, what)):.2f}" for what in (time, memory)),
            ]
        )
    header = ["method", "completes", "fastest on", "smallest on", f"time, × `{BASE}`", f"memory, × `{BASE}`"]
    return markdown(header, rows)


def sections(found: Sequence[Cell]) -> Iterator[str]:
    """For each method, its best and worst models, and those that it does not complete."""
    for method in dict.fromkeys(each.method for each in found):
        by_memory, by_time = (_ordered(ratios(found, method, BASE, what)) for what in (memory, time))
        if method == BASE or not by_time:
            continue
        mine = [each for each in found if each.method == method]
        failed = [f"{each.model} ({each.status})" for each in mine if each.status != "complete"]
        yield f"## `{method}`\n"
        yield _item(f"Saves most memory on {_listed(by_memory[:SHOWN])}.")
        yield _item(f"Saves least memory, or takes more, on {_listed(by_memory[: -SHOWN - 1 : -1])}.")
        yield _item(f"Fastest against `{BASE}` on {_listed(by_time[:SHOWN])}.")
        yield _item(f"Slowest on {_listed(by_time[: -SHOWN - 1 : -1])}.")
        if failed:
            yield _item(f"Not completed: {', '.join(failed)}.")
        yield ""


def _ordered(found: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(found.items(), key=lambda each: each[1])


def _item(text: str) -> str:
    return wrapped(f"- {text}", indent="  ")


def _listed(some: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{model} ({ratio:.2f} ×)" for model, ratio in some)


def draw(found: Sequence[Cell], path: Path) -> None:
    """Each method's models by time and memory, relative to the default method."""
    methods = [method for method in dict.fromkeys(each.method for each in found) if method != BASE]
    figure, places = grid(len(methods), 4)
    for axes, method in zip(places, methods, strict=False):
        times, memories = (ratios(found, method, BASE, what) for what in (time, memory))
        axes.axvline(1, color="0.7", linewidth=0.6)
        axes.axhline(1, color="0.7", linewidth=0.6)
        axes.plot([*times.values()], [memories[model] for model in times], ".", markersize=4)
        axes.set(xscale="log", yscale="log", xlim=(0.02, 300), ylim=(0.02, 300))
        axes.set_title(method, fontsize=7)
    figure.supxlabel(f"time, × that of {BASE}", fontsize=8)
    figure.supylabel(f"memory, × that of {BASE}", fontsize=8)
    save(figure, path)


def page(found: Sequence[Cell], limit: str, links: str) -> str:
    models = len({each.model for each in found})
    about = f"""{models} models of the corpus, one of each family, with 50,000 to 700,000 states: DVE, Promela and Petri
nets. Each search had {limit}, in a separate process. *Memory* is the most that the engine held, without the
interpreter. *Fastest* and *smallest* are within a tenth of the best; times below {SHORTEST:g} s count as
{SHORTEST:g} s. Times are of one run each, and rough if the machine was busy with something else. With so few states the
fixed part of the memory weighs heavily, so methods that save memory save more on larger models. `results/corpus.csv`
in the repository has all runs. Made by"""
    legend = f"""A point is a model. Left of the vertical line the method is faster than `{BASE}`, below the horizontal
one it takes less memory. `bfs/comback` keeps 2% of the states in full, and pays if states are long.
`dfs/full/stubborn` preserves deadlocks and assertions, but does not visit all states; if that is enough, nothing is as
fast on the models that suit it. `bfs/pseudoroot` is refused if transitions cannot be taken backwards. With
`source=counted` it can be used on every model, but then a search that stores all states, as `bfs/full:compress=cleary`
does, counts the predecessors first."""
    return f"""# Where each method wins, and where it loses

{wrapped(about)}

```
python -m bench.corpus
python -m bench.results_page
```

{summary(found)}

![time and memory of each method](results/corpus.svg)

{wrapped(legend)}

{chr(10).join(sections(found))}
## More

{links}
"""


def links(docs: Path) -> str:
    """The other pages of results, by their titles."""
    pages = sorted((docs / "results").glob("*.md"))
    titles = [(each, each.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")) for each in pages]
    return "\n".join(_item(f"[{title}](results/{each.name})") for each, title in titles)


def main() -> None:
    parser = argparse.ArgumentParser(description="docs/results.md from results/corpus.csv")
    parser.add_argument("--folder", type=Path, default=Path("results/bench/corpus"))
    parser.add_argument("--stored", type=Path, default=Path("results/corpus.csv"))
    parser.add_argument("--docs", type=Path, default=Path("docs"))
    options = parser.parse_args()
    if (options.folder / "report.csv").exists():
        options.stored.write_text((options.folder / "report.csv").read_text().replace(f"{CORPUS}/", ""))
        settings = json.loads((options.folder / "report.json").read_text())["settings"]
    else:
        settings = {"time limit": "10 s"}
    found = read(options.stored)
    draw(found, options.docs / "results" / "corpus")
    (options.docs / "results.md").write_text(page(found, settings["time limit"], links(options.docs)))


if __name__ == "__main__":
    main()
