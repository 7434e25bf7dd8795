"""MW09, *Hierarchical adaptive state space caching based on level sampling*, section 4.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median

from scrimp.laboratory import figures
from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, complete
from scrimp.laboratory.task import Run, Task

# Section 4.1: a Frontier Safety Net without and with the backtracking set, and a Pebble Search with it.
SETUPS = {
    "Frontier Safety Net": "bfs/snapshots:backtracking=false",
    "Frontier Safety Net, BT": "bfs/snapshots",
    "Pebble Search, BT": "bfs/snapshots:pebble",
}
# Stores every level, to measure how many levels back visited states are recognised.
ALL_LEVELS = "bfs/snapshots:(c1,LLNR,1000000)"
# "For most cases, memory use can be reduced to about 30%."
MEMORY = 30.0

SECONDS = 300.0


def vlts(setting: Setting) -> dict[str, str]:
    """The explicit LTSs of the corpus that belong to the VLTS suite and have more than a thousand states, by name."""
    rows = [row for row in setting.counts("aut") if row["file"].startswith(("cwi", "vasy"))]
    sizes = {row["file"]: int(row["reachable"]) for row in rows if int(row["reachable"]) > 1000}
    names = sorted(sizes, key=sizes.__getitem__)
    return {name.removesuffix(".aut"): setting.of_corpus(f"aut/{name}") for name in names}


STORED, VISITS = "states stored, % of all", "visits per state"
FAR = 0.1
FAR_BACK = "matches far back, %"


# Section 4.1, on our own models of the paper's protocols, in growing sizes: BRP by packets and as many retries, SCSI by
# disks and commands for each.


@dataclass(frozen=True, slots=True)
class Growing:
    """A model with parameters that grow; `stored` is the memory that the paper's text gives, in percent."""

    model: str
    parameters: tuple[str, str]
    values: tuple[tuple[int, int], ...]
    quick: int
    stored: float | None

    def sizes(self, setting: Setting) -> tuple[tuple[int, int], ...]:
        return self.values[: self.quick] if setting.quick else self.values

    def task(self, setting: Setting, size: tuple[int, int], method: str) -> Task:
        defines = [f"{name}={value}" for name, value in zip(self.parameters, size, strict=True)]
        options = tuple(part for define in defines for part in ("-D", define))
        return Task(setting.of_models(self.model), method, options, seconds=SECONDS)

    def tasks(self, setting: Setting, _: Runs) -> Iterator[Task]:
        methods = ("bfs/full", *SETUPS.values())
        return (self.task(setting, *row) for row in product(self.sizes(setting), methods))

    def numbers(self, setting: Setting, runs: Runs) -> list[Number]:
        found: list[Number] = []
        for size, setup in product(self.sizes(setting), SETUPS):
            plain = complete(runs, self.task(setting, size, "bfs/full"))
            run = complete(runs, self.task(setting, size, SETUPS[setup]))
            if plain is not None and run is not None:
                label = (f"{size[0]}, {size[1]}: {plain.number('states'):,} states", setup)
                found += _beside_full(label, run, plain, self.stored)
        return found

    def draw(self, setting: Setting, runs: Runs, _: Sequence[Number]) -> figures.Figure:
        """States stored, bytes held and time, as the model grows."""
        panels = {
            "states stored at the peak": "stored_peak",
            "bytes held at the peak": "bytes_peak",
            "seconds": "seconds",
        }
        figure, places = figures.grid(len(panels), len(panels))
        for axes, (title, name) in zip(places, panels.items(), strict=True):
            for setup, method in {"full": "bfs/full", **SETUPS}.items():
                points = self._points(setting, runs, method, name)
                axes.plot(list(points), list(points.values()), marker=".", linewidth=1, label=setup)
            axes.set_title(title, fontsize=8)
            axes.set(xscale="log", yscale="log")
        places[0].legend(fontsize=6, frameon=False)
        figure.supxlabel("states", fontsize=8)
        return figure

    def _points(self, setting: Setting, runs: Runs, method: str, name: str) -> dict[int, float]:
        """A number of the searches with a method, by the states of the model."""
        found = {}
        for size in self.sizes(setting):
            plain = complete(runs, self.task(setting, size, "bfs/full"))
            run = complete(runs, self.task(setting, size, method))
            if plain is not None and run is not None:
                found[plain.number("states")] = run.number(name)
        return dict(sorted(found.items()))


def _beside_full(label: tuple[str, ...], run: Run, plain: Run, stored: float | None) -> list[Number]:
    longer = run.number("seconds") / max(plain.number("seconds"), 1e-6)
    held = run.number("bytes_peak") / plain.number("bytes_peak")
    return [
        Number((*label, STORED), stored, round(100 * stored_part(run, plain), 1)),
        Number((*label, VISITS), None, round(visits_each(run, plain), 2)),
        Number((*label, "bytes held, × those of full"), None, round(held, 2)),
        Number((*label, "time, × that of full"), None, round(longer, 2)),
    ]


def stored_part(run: Run, plain: Run) -> float:
    return float(run.number("stored_peak") / plain.number("states"))


def visits_each(run: Run, plain: Run) -> float:
    return float(run.number("visits") / plain.number("states"))


def far_part(all_levels: Run) -> float:
    """The share of the matches with states more than a tenth of the levels back."""
    by_distance = all_levels.number("snapshots")["hits_by_distance"]
    levels = all_levels.number("depth") + 1
    far = sum(number for power, number in enumerate(by_distance) if 2**power > FAR * levels)
    return float(far / max(sum(by_distance), 1))


BRP = Growing(
    "bounded_retransmission.dve",
    ("PACKETS", "RETRIES"),
    tuple((size, size) for size in (20, 30, 40, 60, 80, 100, 120, 150)),
    quick=3,
    stored=None,
)
# "Memory use can be reduced to 20% compared to standard BFS, using a Frontier Safety Net with backtracking."
SCSI = Growing(
    "scsi_bus.pml",
    ("DISKS", "COMMANDS"),
    ((3, 4), (3, 8), (4, 4), (4, 8), (5, 4), (5, 6), (6, 4)),
    quick=4,
    stored=20.0,
)


def _vlts_task(setting: Setting, model: str, method: str) -> Task:
    return Task(model, method, seconds=20 if setting.quick else SECONDS)


def _vlts_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    methods = ("bfs/full", ALL_LEVELS, *SETUPS.values())
    return (_vlts_task(setting, *row) for row in product(vlts(setting).values(), methods))


def _vlts_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found: list[Number] = []
    shares: dict[str, list[float]] = {setup: [] for setup in SETUPS}
    for name, model in vlts(setting).items():
        plain = complete(runs, _vlts_task(setting, model, "bfs/full"))
        if plain is None:
            continue
        label = f"{name}: {plain.number('states'):,} states, {plain.number('depth') + 1:,} levels"
        if everything := complete(runs, _vlts_task(setting, model, ALL_LEVELS)):
            found.append(Number((label, "all levels", FAR_BACK), None, round(100 * far_part(everything), 1)))
        for setup, method in SETUPS.items():
            run = complete(runs, _vlts_task(setting, model, method))
            stored = None if run is None else _percent(stored_part(run, plain))
            found.append(Number((label, setup, STORED), None, stored))
            if run is not None:
                shares[setup].append(100 * stored_part(run, plain))
                found.append(Number((label, setup, VISITS), None, round(visits_each(run, plain), 2)))
                found += [Number((label, setup, by), None, part) for by, part in _recognised(run).items()]
    for setup, values in shares.items():
        ours = round(median(values), 1) if values else None
        found.append(Number((f"median of {len(values)}; about in the paper", setup, STORED), MEMORY, ours))
    return found


def _percent(part: float) -> float:
    return round(100 * part, 1)


def _recognised(run: Run) -> dict[str, float]:
    """The share of the visited states that each part of the memory recognised."""
    used = run.number("snapshots")
    first, *others = used["hits_by_cache"] or [0]
    by = {
        "by the first cache, %": first,
        "by others, %": sum(others),
        "by open levels, %": used["hits_by_open"],
        "by permanent snapshots, %": used["hits_by_kept"],
        "by the backtracking set, %": used["hits_by_backtracking"],
    }
    total = max(sum(by.values()), 1)
    return {name: _percent(number / total) for name, number in by.items()}


KEPT = "Some snapshots are permanent, so that searches end (scrimp reproduce errata)."

READS = ("states", "stored_peak", "visits", "seconds", "bytes_peak")

EXPERIMENTS = (
    Experiment(
        name="mw09-brp",
        title="MW09, section 4.1: snapshots on the bounded retransmission protocol",
        columns=("packets, retries", "set-up", "quantity"),
        reads=READS,
        differs=(
            "The paper's model is not public; ours is of the same protocol. For 300, 300 it has 246 million states, "
            "the paper's 410 million.",
            KEPT,
            "The paper's graphs have no numbers; memory is reduced 'drastically', and generation is 'much faster'.",
        ),
        minutes=2,
        tasks=BRP.tasks,
        numbers=BRP.numbers,
        across="quantity",
        draw=BRP.draw,
    ),
    Experiment(
        name="mw09-scsi",
        title="MW09, section 4.1: snapshots on a SCSI-2 bus",
        columns=("disks, commands", "set-up", "quantity"),
        reads=READS,
        differs=("The paper's model is not public; ours is another model of such a bus.", KEPT),
        minutes=1,
        tasks=SCSI.tasks,
        numbers=SCSI.numbers,
        across="quantity",
        draw=SCSI.draw,
    ),
    Experiment(
        name="mw09-vlts",
        title="MW09, section 4.1: breadth-first search with snapshots on the VLTS suite",
        columns=("LTS", "set-up", "quantity"),
        reads=(*READS, "depth", "snapshots"),
        differs=(
            "The paper uses about 35 LTSs of the suite, with up to millions of states; the corpus has 7, with 1,000 to "
            "40,000.",
            KEPT,
            "The paper's graphs have no numbers; its text says 'about 30%' of the memory.",
            "Far back means more than a tenth of the levels. The last columns show which part of the memory recognised "
            "visited states.",
        ),
        minutes=3,
        tasks=_vlts_tasks,
        numbers=_vlts_numbers,
        across="quantity",
    ),
)
