"""HGP92, *Coverage preserving reduction strategies*: Table II."""

from __future__ import annotations

from collections.abc import Iterator

from scrimp.laboratory.experiments.experiment import Experiment, Number, Runs, Setting, number_of, packaged
from scrimp.laboratory.task import Task

METHODS = {
    "1": "dfs/full",
    "2": "dfs/full/local:mode=paper",
    "3": "dfs/full/conflict:mode=paper",
    "2+3": "dfs/full/local:mode=paper+conflict:mode=paper",
    "1+4'": "dfs/full:compress=rle",
    "1+4": "dfs/full:compress=huffman",
    "2+4": "dfs/full:compress=huffman/local:mode=paper",
    "2+3+4": "dfs/full:compress=huffman/local:mode=paper+conflict:mode=paper",
}

# States, transitions, memory in megabytes, one of which is always the hash table of 262,144 slots.
PROTOCOL_3 = (100_001, 450_002, 5.46)
TABLE_II = {
    ("1 independent", "1"): (100_001, 450_002, 5.1),
    ("1 independent", "2"): (47, 47, 1.0),
    ("1 independent", "3"): (100_001, 100_001, 5.1),
    ("1 independent", "2+3"): (47, 47, 1.3),
    ("2 cyclic", "1"): (100_001, 500_002, 11.1),
    ("2 cyclic", "2"): (100_001, 111_112, 11.1),
    ("2 cyclic", "3"): (100_001, 111_112, 9.1),
    ("2 cyclic", "2+3"): (47, 52, 1.1),
    **{("3 dependent", algorithm): PROTOCOL_3 for algorithm in ("1", "2", "3", "2+3")},
    ("5 DTP", "1"): (251_409, 648_467, 36.6),
    ("5 DTP", "2"): (91_343, 117_396, 13.9),
    ("5 DTP", "3"): (251_409, 262_561, 36.6),
    ("5 DTP", "1+4'"): (251_409, 648_467, 33.5),
    ("5 DTP", "1+4"): (251_409, 648_467, 15.1),
    ("5 DTP", "2+3"): (65_774, 69_611, 10.4),
    ("5 DTP", "2+4"): (91_343, 117_396, 6.2),
    ("5 DTP", "2+3+4"): (65_774, 69_611, 4.8),
}
OURS = {"1 independent": "independent.pml", "2 cyclic": "cyclic.pml", "3 dependent": "dependent.pml"}


def _task(setting: Setting, protocol: str, algorithm: str) -> Task:
    model = packaged(OURS[protocol]) if protocol in OURS else setting.of_corpus("promela/spin_dist/dtp.pml")
    return Task(model, METHODS[algorithm], seconds=600)


def _tasks(setting: Setting, _: Runs) -> Iterator[Task]:
    return (_task(setting, *row) for row in TABLE_II)


def _numbers(setting: Setting, runs: Runs) -> list[Number]:
    found = []
    for row, (states, transitions, megabytes) in TABLE_II.items():
        task = _task(setting, *row)
        fired = number_of(runs, task, "transitions")
        found.append(Number((*row, "states"), states, number_of(runs, task, "states")))
        # SPIN counts the start, which matches the initial state.
        found.append(Number((*row, "transitions"), transitions, None if fired is None else fired + 1))
        if row[0] == "5 DTP" and row[1] != "1":
            plain = _bytes(runs, _task(setting, "5 DTP", "1"))
            ours, paper = _bytes(runs, task), 100 * megabytes / TABLE_II["5 DTP", "1"][2]
            share = None if ours is None or plain is None else round(100 * ours / plain, 1)
            found.append(Number((*row, "memory, % of that of 1"), round(paper, 1), share))
    return found


def _bytes(runs: Runs, task: Task) -> float | None:
    """The bytes of the states, which scrimp stores in words of 64 bits."""
    states, each = number_of(runs, task, "states"), number_of(runs, task, "bytes_per_state")
    return None if states is None or each is None else states * each


TABLE_2 = Experiment(
    name="hgp92-table2",
    title="HGP92, Table II: local moves first, conflict sets, and state coding",
    columns=("protocol", "algorithm", "quantity"),
    reads=("states", "transitions", "bytes_per_state"),
    differs=(
        "Protocols 1 to 3 are written after the paper's text: five processes of ten states each. DTP is the paper's "
        "own model. Protocol 4, URP, is not available.",
        "Methods are as printed; they are inexact (scrimp reproduce errata).",
        "Our memory is that of the states alone; the paper's includes the stack and a hash table of one megabyte. Its "
        "states have about 140 bytes, ours 24 before coding, so coding saves less.",
    ),
    minutes=0.5,
    tasks=_tasks,
    numbers=_numbers,
)
EXPERIMENTS = (TABLE_2,)
