"""GHP92, *State space caching revisited*: Table 1, and figures 4 and 5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from scrimp.laboratory.experiments import curves
from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, number_of
from scrimp.laboratory.task import Task

DTP = "promela/spin_dist/dtp.pml"
PFTP = "promela/spin_dist/LTL/pftp.pml"

ALGORITHMS = {"1": "dfs/full", "2": "dfs/full/sleep:mode=paper", "2, exact": "dfs/full/sleep"}
QUANTITIES = ("states", "matched", "transitions", "depth")

# Table 1, without times; the exact version is compared with Algorithm 2.
TABLE_1 = {
    ("DTP", "1"): (251_409, 397_058, 648_467, 545),
    ("DTP", "2"): (251_409, 11_152, 262_561, 545),
    ("PFTP", "1"): (409_257, 771_265, 1_180_522, 5_044),
    ("PFTP", "2"): (409_257, 179_304, 588_561, 4_550),
}


def _table_1_task(setting: Setting, protocol: str, algorithm: str) -> Task:
    model = setting.of_corpus(DTP if protocol == "DTP" else PFTP)
    return Task(model, ALGORITHMS[algorithm], ("--ignore-property",), seconds=600)


def _table_1_tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    return (_table_1_task(setting, *row) for row in product(("DTP", "PFTP"), ALGORITHMS))


def _table_1_numbers(setting: Setting, runs: Runs) -> list[Number]:
    found = []
    for protocol, algorithm in product(("DTP", "PFTP"), ALGORITHMS):
        task = _table_1_task(setting, protocol, algorithm)
        for quantity, paper in zip(QUANTITIES, TABLE_1[protocol, algorithm[0]], strict=True):
            ours = number_of(runs, task, quantity)
            if quantity == "transitions" and ours is not None:
                ours += 1  # SPIN counts the start, which matches the initial state
            found.append(Number((protocol, algorithm, quantity), paper, ours))
    return found


TABLE_1_EXPERIMENT = Experiment(
    name="ghp92-table1",
    title="GHP92, Table 1: depth-first search with and without sleep sets",
    columns=("protocol", "algorithm", "quantity"),
    reads=QUANTITIES,
    differs=(
        "DTP is the paper's own model. PFTP is a later version, with 7% more states.",
        "URP and MULOG3 are not available.",
        "Algorithm 2 as printed can lose states (scrimp reproduce errata); 'exact' is the corrected version, beside "
        "the paper's numbers for Algorithm 2.",
    ),
    minutes=0.2,
    tasks=_table_1_tasks,
    numbers=_table_1_numbers,
)

PROTOCOLS = {"DTP": DTP, "PFTP": PFTP, "PFTP session": "promela/spin_dist/Book_1991/p337.pftp.ses.pml"}

# BEEM models, from those that sleep sets suit best to those in which as many events match visited states as before.
BEEM = (
    *("firewire_tree.3", "firewire_link.2", "leader_election.3", "extinction.2", "lann.1", "brp2.2", "elevator.3"),
    *("needham.2", "krebs.2", "peterson.2"),
)


def subjects(setting: Setting) -> dict[str, str]:
    """The models of both figures by name."""
    chosen = {name: PROTOCOLS[name] for name in (["DTP"] if setting.quick else PROTOCOLS)}
    found = {name: setting.of_corpus(path) for name, path in chosen.items()}
    return found | {name: setting.beem(name) for name in (["needham.2"] if setting.quick else BEEM)}


def _figure(number: int, title: str, policies: Sequence[str], differs: tuple[str, ...]) -> Experiment:
    family = curves.Family(subjects, tuple(policies))
    return Experiment(
        name=f"ghp92-figure{number}",
        title=title,
        columns=("model", "reduction", "policy", "quantity"),
        reads=("states", "transitions", "depth", "seconds"),
        differs=(
            "The paper's curves have no numbers; we compare with what its text says about DTP.",
            "URP and MULOG3 are not available; ten BEEM models are used instead.",
            "Sleep sets are exact (mode=exact). A curve ends when a search takes too long, or more than 30 times the "
            "transitions of the one that stores everything.",
            *differs,
        ),
        minutes=60 if number == 4 else 110,
        tasks=family.tasks,
        numbers=family.numbers,
        draw=family.draw,
    )


FIGURE_4 = _figure(4, "GHP92, figure 4: caches of any size, with and without sleep sets", ["random"], ())
FIGURE_5 = _figure(
    5,
    "GHP92, figure 5: random and type-oriented replacement",
    ["random", "type"],
    ("The paper shows only PFTP in this figure.",),
)
EXPERIMENTS = (TABLE_1_EXPERIMENT, FIGURE_4, FIGURE_5)
