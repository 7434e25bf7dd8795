"""EWK09, *The ComBack method revisited*, section 5: the cost of the method in events, by strategy, by candidate set and
by division of the memory. Events do not depend on the machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from statistics import fmean

from scrimp.laboratory import figures
from scrimp.laboratory.experiments import ewk09_printed as printed
from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, complete
from scrimp.laboratory.task import Task

SECONDS, LONG_SECONDS = 120.0, 1500.0
QUICK_SECONDS = 30.0
MOST_STATES = 60_000_000

DIFFERS = (
    "Hashes have 32 bits, as in the paper, but come from another hash function. The order of events, and with it the "
    "tree of backedges, is scrimp's.",
    "The methods are as printed (mode=paper).",
    "The paper's coloured nets are not public, so only its DVE instances are used.",
)
CUT = (
    f"Searches that take more than {SECONDS:.0f} seconds ({LONG_SECONDS:.0f} for Table 3) are left out; an instance is "
    "left out of a mean if one of the searches for it is."
)


def comback(
    strategy: str, cached: float, candidates: float = 0, group: float | None = None, *, mode: str = "paper"
) -> str:
    """A method with these numbers of full states. Without candidates, duplicates are detected at once; without a group,
    the queue has full states."""
    options = ["hash=32", f"strategy={strategy}", f"mode={mode}"]
    if strategy != "none":
        options.append(f"cache={max(round(cached), 1)}")
    options.append(f"candidates={max(round(candidates), 1)}" if candidates else "delay=false")
    options.append("queue=states" if group is None else "queue=numbers")
    if group is not None:
        options.append(f"group={max(round(group), 1)}")
    return f"bfs/comback:{','.join(options)}"


def _task(setting: Setting, model: str, method: str, seconds: float = SECONDS) -> Task:
    seconds = QUICK_SECONDS if setting.quick else seconds
    return Task(setting.beem(model), method, ("--ignore-property",), seconds=seconds)


def _events(runs: Runs, task: Task) -> float | None:
    """Events fired to rebuild states."""
    run = complete(runs, task)
    return None if run is None else float(run.number("reconstructions")["events"])


def _increase(runs: Runs, task: Task) -> float | None:
    """E↑: events executed, for each transition of the graph."""
    run = complete(runs, task)
    return None if run is None else 1 + run.number("reconstructions")["events"] / run.number("transitions")


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _mean(values: Sequence[float], digits: int) -> float | None:
    return round(fmean(values), digits) if values else None


def _whole(runs: Runs, measure: Callable[[Runs, Task], float | None], rows: Iterable[list[Task]]) -> list[list[float]]:
    """The measured values of rows of tasks, without the rows in which a value is missing."""
    measured = ([measure(runs, task) for task in row] for row in rows)
    return [[value for value in row if value is not None] for row in measured if None not in row]


# Table 2: events to rebuild states, relative to those of strategy R, for caches of a share of the states.


def _table_2_models(setting: Setting) -> list[str]:
    return setting.beem_between(10_000, 12_800) if setting.quick else setting.beem_between(10_000, MOST_STATES)


def _table_2_row(setting: Setting, model: str, share: float) -> list[Task]:
    cached = share * setting.beem_states[model]
    return [_task(setting, model, comback(strategy, cached)) for strategy in printed.STRATEGIES]


def _shares(setting: Setting) -> tuple[float, ...]:
    return (0.01,) if setting.quick else printed.SHARES


def _table_2_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    for model, share in product(_table_2_models(setting), _shares(setting)):
        yield from _table_2_row(setting, model, share)


def _table_2_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found = []
    for share in _shares(setting):
        rows = _whole(runs, _events, (_table_2_row(setting, model, share) for model in _table_2_models(setting)))
        ratios = [[events / row[0] for events in row] for row in rows if row[0]]
        for place, strategy in enumerate(printed.STRATEGIES):
            labels = (f"{share:g}", f"{len(ratios)} instances, 143 in the paper", strategy)
            found.append(Number(labels, printed.TABLE_2[share][place], _mean([row[place] for row in ratios], 3)))
    return found


# Figure 4: the same, relative to those of strategy F, for caches of a thousand to ten thousand states.


def _figure_4_models(setting: Setting) -> tuple[str, ...]:
    return ("firewire_tree.4",) if setting.quick else printed.FIGURE_4


def _figure_4_sizes(setting: Setting) -> tuple[int, ...]:
    return (1000, 3000, 10_000) if setting.quick else printed.FIGURE_4_SIZES


def _figure_4_task(setting: Setting, model: str, strategy: str, size: int) -> Task:
    return _task(setting, model, comback(strategy, size))


def _figure_4_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    for model, size in product(_figure_4_models(setting), _figure_4_sizes(setting)):
        for strategy in ("F", "D", "F20-D80"):
            yield _figure_4_task(setting, model, strategy, size)


def _figure_4_point(setting: Setting, runs: Runs, model: str, strategy: str, size: int) -> float | None:
    ours, base = (_events(runs, _figure_4_task(setting, model, each, size)) for each in (strategy, "F"))
    return None if ours is None or not base else ours / base


def _figure_4_numbers(setting: Setting, runs: Runs) -> list[Number]:
    return [
        Number(
            (model, strategy, f"{size:,}"),
            printed.FIGURE_4_PRINTED.get((model, strategy, size)),
            _rounded(_figure_4_point(setting, runs, model, strategy, size), 3),
        )
        for model, strategy, size in product(_figure_4_models(setting), ("D", "F20-D80"), _figure_4_sizes(setting))
    ]


def _figure_4_draw(setting: Setting, runs: Runs, _: Sequence[Number]) -> figures.Figure:
    models = _figure_4_models(setting)
    figure, places = figures.grid(len(models), 4)
    for axes, model in zip(places, models, strict=False):
        for strategy in ("F", "D", "F20-D80"):
            points = {size: _figure_4_point(setting, runs, model, strategy, size) for size in _figure_4_sizes(setting)}
            drawn = {size: value for size, value in points.items() if value is not None}
            axes.plot(list(drawn), list(drawn.values()), marker=".", linewidth=1, label=strategy)
        axes.set_title(model, fontsize=8)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    figure.legend(
        *places[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize=7, frameon=False
    )
    figure.supxlabel("full states in the cache", fontsize=8)
    figure.supylabel("events, × those of F", fontsize=8)
    return figure


# Tables 3 and 4: a cache of 1% of the states, and candidate sets that are fractions of it.


def _delayed(
    setting: Setting, model: str, strategy: str, fraction: float, mode: str = "paper", seconds: float = SECONDS
) -> Task:
    size = round(0.01 * setting.beem_states[model])
    return _task(setting, model, comback(strategy, size, fraction * size, mode=mode), seconds)


def _candidates(fraction: float) -> str:
    return f"DDD({fraction:g})" if fraction else "no DDD"


def _table_3_cells(setting: Setting) -> Iterator[tuple[str, str, float, str]]:
    models = ("needham.4", "brp2.6") if setting.quick else dict.fromkeys(model for model, _ in printed.TABLE_3)
    strategies = printed.COMPARED[:1] if setting.quick else printed.COMPARED
    modes = ("paper",) if setting.quick else ("paper", "exact")
    fractions = (0.1, 1.0) if setting.quick else printed.CANDIDATES
    for model, strategy, mode, fraction in product(models, strategies, modes, fractions):
        yield model, strategy, fraction, mode


def _table_3_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    yield from (_delayed(setting, *cell, LONG_SECONDS) for cell in _table_3_cells(setting))
    yield from (_redivided_task(setting, *row) for row in _redivided(setting))


def _table_3_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found = []
    for model, strategy, fraction, mode in _table_3_cells(setting):
        paper = printed.TABLE_3[model, strategy][printed.CANDIDATES.index(fraction)]
        ours = _increase(runs, _delayed(setting, model, strategy, fraction, mode, LONG_SECONDS))
        labels = (model, strategy, "as printed" if mode == "paper" else "exact", _candidates(fraction))
        found.append(Number(labels, paper, _rounded(ours, 2)))
    for model, strategy in _redivided(setting):
        ours = _increase(runs, _redivided_task(setting, model, strategy))
        labels = (model, strategy, "exact, a tenth of the cache as candidates", "best cell")
        found.append(Number(labels, min(printed.TABLE_3[model, strategy]), _rounded(ours, 2)))
    return found


# The memory of the paper's best cell of each row, cache and candidates together, divided differently.


def _redivided(setting: Setting) -> Iterator[tuple[str, str]]:
    return iter(() if setting.quick else printed.TABLE_3)


def _redivided_task(setting: Setting, model: str, strategy: str) -> Task:
    size = round(0.01 * setting.beem_states[model])
    of_the_best = 0.2 if model == "brp2.6" else 1.0
    candidates = round(0.1 * size)
    cached = size + round(of_the_best * size) - candidates
    return _task(setting, model, comback(strategy, cached, candidates, mode="exact"), LONG_SECONDS)


PAPER_INSTANCES = 63


def _table_4_models(setting: Setting) -> list[str]:
    return setting.beem_between(1_000_000, 1_120_000 if setting.quick else MOST_STATES)


def _table_4_row(setting: Setting, model: str, strategy: str) -> list[Task]:
    return [_delayed(setting, model, strategy, fraction) for fraction in printed.CANDIDATES]


def _table_4_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    for model, strategy in product(_table_4_models(setting), printed.COMPARED):
        yield from _table_4_row(setting, model, strategy)


def _table_4_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found = []
    for strategy in printed.COMPARED:
        rows = _whole(runs, _increase, (_table_4_row(setting, model, strategy) for model in _table_4_models(setting)))
        for place, fraction in enumerate(printed.CANDIDATES):
            labels = (strategy, f"mean over {len(rows)} instances, 63 in the paper", _candidates(fraction))
            found.append(Number(labels, printed.TABLE_4[strategy][place], _mean([row[place] for row in rows], 2)))
        found += _table_4_distribution(strategy, rows)
    return found


def _table_4_distribution(strategy: str, rows: Sequence[Sequence[float]]) -> Iterator[Number]:
    """Table 4(b), in percent, as the paper has more instances."""
    for paper, (least, most) in zip(printed.TABLE_4_RANGES[strategy], pairwise(printed.RANGES), strict=True):
        shown = f"{least:g} to {most:g}" if most != printed.RANGES[-1] else f"{least:g} and more"
        for place, fraction in enumerate(printed.CANDIDATES):
            within = sum(least <= row[place] < most for row in rows)
            ours = round(100 * within / len(rows), 1) if rows else None
            labels = (strategy, f"E↑ of {shown}, % of the instances", _candidates(fraction))
            yield Number(labels, round(100 * paper[place] / PAPER_INSTANCES, 1), ours)


# Table 5: a number of full states, divided between cache, candidates and queue.


def _table_5_models(setting: Setting, full_states: int) -> list[str]:
    return setting.beem_between(100 * full_states, 13_000 if setting.quick else 1000 * full_states)


def _table_5_row(setting: Setting, model: str, full_states: int) -> list[Task]:
    return [
        _task(setting, model, comback(strategy, *(part * full_states for part in (cached, candidates, queued))))
        for (strategy, cached, candidates, queued), _ in printed.TABLE_5[full_states]
    ]


def _full_states(setting: Setting) -> tuple[int, ...]:
    return (100,) if setting.quick else tuple(printed.TABLE_5)


def _table_5_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    for full_states in _full_states(setting):
        for model in _table_5_models(setting, full_states):
            yield from _table_5_row(setting, model, full_states)


def _table_5_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found = []
    for full_states in _full_states(setting):
        models = _table_5_models(setting, full_states)
        rows = _whole(runs, _increase, (_table_5_row(setting, model, full_states) for model in models))
        for place, ((strategy, *parts), paper) in enumerate(printed.TABLE_5[full_states]):
            division = " / ".join(f"{part:g}" for part in parts)
            labels = (f"{full_states:,}", strategy, division, f"{len(rows)} instances")
            found.append(Number(labels, paper, _mean([row[place] for row in rows], 2)))
    return found


_experiment = partial(Experiment, reads=("states", "transitions", "reconstructions"), differs=(*DIFFERS, CUT))

EXPERIMENTS = (
    _experiment(
        name="ewk09-table2",
        title="EWK09, Table 2: events to rebuild states, × those of strategy R",
        columns=("cache, of the states", "mean over", "strategy"),
        minutes=1000,
        tasks=_table_2_tasks,
        numbers=_table_2_numbers,
        across="strategy",
    ),
    _experiment(
        name="ewk09-figure4",
        title="EWK09, figure 4: events to rebuild states, × those of strategy F",
        columns=("model", "strategy", "states in the cache"),
        minutes=40,
        tasks=_figure_4_tasks,
        numbers=_figure_4_numbers,
        across="states in the cache",
        draw=_figure_4_draw,
    ),
    _experiment(
        name="ewk09-table3",
        title="EWK09, Table 3: E↑ with delayed duplicate detection",
        columns=("model", "strategy", "mode", "candidates"),
        minutes=120,
        tasks=_table_3_tasks,
        numbers=_table_3_numbers,
        across="candidates",
    ),
    _experiment(
        name="ewk09-table4",
        title="EWK09, Table 4: E↑ with delayed duplicate detection, on many instances",
        columns=("strategy", "quantity", "candidates"),
        minutes=500,
        tasks=_table_4_tasks,
        numbers=_table_4_numbers,
        across="candidates",
    ),
    _experiment(
        name="ewk09-table5",
        title="EWK09, Table 5(b): E↑ by division of the full states",
        columns=("full states", "strategy", "cache / candidates / queue", "mean over"),
        minutes=300,
        tasks=_table_5_tasks,
        numbers=_table_5_numbers,
    ),
)
