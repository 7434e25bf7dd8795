"""PY97's method on the corpus: how many states it stores and how long it takes, on Petri nets and on one model of each
family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from statistics import geometric_mean, median

from scrimp.laboratory import figures
from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, complete
from scrimp.laboratory.experiments.py97 import BREADTH_FIRST, METHODS
from scrimp.laboratory.task import Run, Task

SECONDS, QUICK_SECONDS = 60.0, 10.0

NETS_LEAST, NETS_MOST = 10_000, 1_000_000
FAMILIES_LEAST, FAMILIES_MOST = 1_000, 200_000


def _sizes(setting: Setting, language: str) -> dict[str, int]:
    """The numbers of states of the corpus's models in one language, if known."""
    column, name = ("reachable", "file") if language == "aut" else ("states", "instance")
    return {row[name]: int(row[column]) for row in setting.counts(language) if row[column].isdigit()}


def _task(setting: Setting, model: str, method: str) -> Task:
    options = ("--ignore-property",) if model.endswith(".dve") else ()
    return Task(model, method, options, seconds=QUICK_SECONDS if setting.quick else SECONDS)


# Petri nets: the time compared with that of a search that stores everything.


def _nets(setting: Setting) -> dict[str, str]:
    sizes = _sizes(setting, "pnml")
    names = sorted((name for name in sizes if NETS_LEAST <= sizes[name] <= NETS_MOST), key=sizes.__getitem__)
    return {name: setting.of_corpus(f"pnml/{name}.pnml") for name in (names[:8] if setting.quick else names)}


def _net_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    return (_task(setting, *row) for row in product(_nets(setting).values(), ("bfs/full", BREADTH_FIRST)))


def _net_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found: list[Number] = []
    shares, times = [], []
    for name, model in _nets(setting).items():
        full, ours = (complete(runs, _task(setting, model, method)) for method in ("bfs/full", BREADTH_FIRST))
        if full is not None and ours is not None:
            shares.append(100 * _stored(ours))
            times.append(ours.number("seconds") / full.number("seconds"))
            found += _net_row(f"{name}: {full.number('states'):,} states", full, ours, shares[-1], times[-1])
    for label, mean in MEANS.items():
        for quantity, values in ((PEAK, shares), (TIMES, times)):
            found += [Number((label, quantity), None, round(mean(values), 2))] if values else []
    return found


MEANS: dict[str, Callable[[Sequence[float]], float]] = {"geometric mean": geometric_mean, "median": median}
PEAK, TIMES = "stored at the peak, % of the states", "time, × that of full"


def _net_row(label: str, full: Run, ours: Run, share: float, times: float) -> Iterator[Number]:
    yield Number((label, PEAK), None, round(share, 1))
    yield Number((label, "full, s"), None, round(full.number("seconds"), 3))
    yield Number((label, "pseudoroot, s"), None, round(ours.number("seconds"), 3))
    yield Number((label, TIMES), None, round(times, 2))


def _draw_nets(_: Setting, _runs: Runs, numbers: Sequence[Number]) -> figures.Figure:
    """Each net as a point: the states stored, and the time."""
    points = [each for each in numbers if each.labels[0] not in MEANS]
    found = {quantity: [each.ours for each in points if each.labels[1] == quantity] for quantity in (PEAK, TIMES)}
    figure, axes = figures.single(PEAK, TIMES)
    axes.plot(found[PEAK], found[TIMES], ".")
    axes.set_ylim(bottom=0)
    return figure


def _stored(run: Run) -> float:
    return float(run.number("stored_peak") / run.number("visits"))


# The largest model of each family that is not too large.


def _families(setting: Setting) -> dict[str, str]:
    found: dict[str, str] = {}
    for language in ("pnml", "dve", "aut"):
        largest: dict[str, tuple[int, str]] = {}
        for name, states in _sizes(setting, language).items():
            family = name.partition("-")[0] if language == "pnml" else name.rpartition(".")[0]
            if FAMILIES_LEAST <= states <= FAMILIES_MOST:
                largest[family] = max(largest.get(family, (0, "")), (states, name))
        names = [name for _, name in sorted(largest.values())]
        found |= {name: _model(setting, language, name) for name in (names[:5] if setting.quick else names)}
    return found


def _model(setting: Setting, language: str, name: str) -> str:
    if language == "dve":
        return setting.beem(name)
    return setting.of_corpus(f"{language}/{name.removesuffix('.aut')}.{language}")


def _methods(model: str) -> dict[str, str]:
    """The methods for a model. The edges of an LTS are given, so nothing has to be counted."""
    if not model.endswith(".aut"):
        return METHODS
    given = {name: method for name, method in METHODS.items() if "counted" not in method}
    return {name: f"{method}{',' if ':' in method else ':'}source=given" for name, method in given.items()}


def _family_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    for model in _families(setting).values():
        for method in ("bfs/full", *_methods(model).values()):
            yield _task(setting, model, method)


def _family_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found = []
    for name, model in _families(setting).items():
        full = complete(runs, _task(setting, model, "bfs/full"))
        for key, method in _methods(model).items() if full else ():
            run = complete(runs, _task(setting, model, method))
            label = f"{name}: {full.number('states') if full else 0:,} states"
            found.append(Number((label, key), None, None if run is None else round(100 * _stored(run), 1)))
    return found


def _draw_families(_: Setting, _runs: Runs, numbers: Sequence[Number]) -> figures.Figure:
    """The share of states that each method stores, models in ascending order."""
    figure, axes = figures.single("models, in ascending order", PEAK)
    for method in dict.fromkeys(number.labels[1] for number in numbers):
        shares = sorted(each.ours for each in numbers if each.labels[1] == method and each.ours is not None)
        axes.plot(range(1, len(shares) + 1), shares, linewidth=1, label=method)
    axes.legend(fontsize=7, frameon=False)
    return figure


EXPERIMENTS = (
    Experiment(
        name="py97-nets",
        title="PY97 on Petri nets: states stored at the peak, and time",
        columns=("net", "quantity"),
        reads=("states", "visits", "stored_peak", "seconds"),
        differs=(
            "The paper has no nets; it says that its method takes about twice the time.",
            "Times are those of single searches of a few milliseconds, and rough if the machine was busy.",
        ),
        minutes=3,
        tasks=_net_tasks,
        numbers=_net_numbers,
        across="quantity",
        draw=_draw_nets,
    ),
    Experiment(
        name="py97-families",
        title="PY97 on one model of each family of the corpus: states stored at the peak, % of all",
        columns=("model", "method"),
        reads=("states", "visits", "stored_peak"),
        differs=(
            "The paper's three examples are not among these models.",
            "The edges of an LTS are given. If a number is missing, the model has transitions that cannot be taken "
            "backwards, and the method is refused.",
        ),
        minutes=10,
        tasks=_family_tasks,
        numbers=_family_numbers,
        across="method",
        draw=_draw_families,
    ),
)
