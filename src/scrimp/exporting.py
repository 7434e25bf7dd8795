"""export: the LTS of a model, and the values of its states, written while the model is searched."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol

from scrimp.arguments import require_seed
from scrimp.checking import watch_invariants
from scrimp.compatibility import require_exportable, require_possible
from scrimp.concluding import conclude, require_justified
from scrimp.errors import OptionError, ScrimpError
from scrimp.inputs import (
    AnyMethod,
    AnyModel,
    AnyOrder,
    AnyReduction,
    AnyStore,
    Memory,
    Time,
    choice_of,
    limits_of,
    model_of,
    threads_of,
)
from scrimp.limits import Limits
from scrimp.memory import memory_limit
from scrimp.outputs.files import WholeFile, require_regular, require_writable
from scrimp.outputs.lts import writer_for
from scrimp.outputs.lts.minimal import MinimalWriter, Unminimised
from scrimp.outputs.lts.values import ValuesWriter, values_writer_for
from scrimp.outputs.lts.writer import is_compressed
from scrimp.result import Result
from scrimp.runner import Scribe
from scrimp.searching import ProgressObserver, Request, search
from scrimp.strategies import Full
from scrimp.system.explicit import ExplicitSystem, Graph
from scrimp.valuation import Valuation
from scrimp.verdict import Verdict

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.machine.build import Native
    from scrimp.outputs.lts.writer import LtsWriter

Minimise = Literal["strong"]
MINIMISATIONS: tuple[Minimise, ...] = ("strong",)


@dataclass(frozen=True, slots=True)
class Exported:
    """The outcome of `export`.

    Attributes:
        result: the result of the search.
        states: the number of states in the file; None if the search did not visit the whole model, and nothing was
            written.
        transitions: the number of transitions in the file; None likewise.
        merged: how many states were left out because they are bisimilar to others; None unless `minimise` was given.

    Example:
        >>> import scrimp, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> scrimp.export("models/peterson.dve", f"{folder.name}/peterson.aut", minimise="strong").merged
        4
    """

    result: Result
    states: int | None
    transitions: int | None
    merged: int | None = None

    @property
    def redundant(self) -> int:
        """How many of the written states are duplicates, because the store evicted a state and it was visited again.
        An estimate, unless `result.statistics.states_exact`."""
        if self.states is None or self.merged is not None:
            return 0
        return max(self.states - self.result.statistics.states, 0)


def export(
    model: AnyModel,
    output: str | os.PathLike[str],
    *,
    values: str | os.PathLike[str] | None = None,
    minimise: Minimise | None = None,
    order: AnyOrder | None = None,
    store: AnyStore | None = None,
    reduction: AnyReduction | None = None,
    method: AnyMethod | None = None,
    memory: Memory | None = None,
    time: Time | None = None,
    depth: int | None = None,
    threads: int | None = None,
    shuffle: bool = False,
    seed: int = 0,
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Exported:
    """Write the labelled transition system of a model: all states and transitions.

    No file is written unless all states were visited. State 0 is the initial one.

    Args:
        model: the model, or the path of its file.
        output: the file to write. Its suffix gives the format: `.aut`, `.dot`, `.graphml` or `.parquet`; all but the
            last are compressed if `.gz` follows.
        values: a second file, for the values of the variables in each state: `.csv` or `.jsonl`, compressed if `.gz`
            follows.
        minimise: `"strong"` keeps one state of each class of strongly bisimilar states. What that takes is within
            `memory` too: if there is less, nothing is written, and the reason names what suffices.
        order: as for `check`.
        store: as for `check`; it must be exact.
        reduction: as for `check`; only `"none"` is accepted.
        method: as for `check`.
        memory: as for `check`.
        time: as for `check`.
        depth: as for `check`.
        threads: only 1 is accepted: an LTS is written by one thread.
        shuffle: as for `check`.
        seed: as for `check`.
        audit: as for `check`.
        progress: as for `check`.

    Returns:
        The size of the LTS, and the result of the search.

    Raises:
        OptionError: for an argument that cannot be used.
        ModelError: for a mistake in the model.
        ScrimpError: if a file cannot be written.

    Example:
        >>> import scrimp, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> exported = scrimp.export("models/peterson.dve", f"{folder.name}/lts.aut", values=f"{folder.name}/lts.csv")
        >>> exported.states, exported.transitions
        (20, 34)
        >>> print(*open(f"{folder.name}/lts.csv").readlines()[:2], sep="", end="")
        state,First,Second,wants[0],wants[1],turn
        0,idle,idle,0,0,0
    """
    if minimise is not None and minimise not in MINIMISATIONS:
        raise OptionError(f"minimise: expected {' or '.join(map(repr, MINIMISATIONS))}, found {minimise!r}")
    choice = choice_of(order, Full() if store is None and method is None else store, reduction, method)
    require_exportable(choice.method, threads)
    limits = limits_of(memory, time, depth)
    with closing(_Exporter(Path(output), None if values is None else Path(values), minimise, limits)) as exporter:
        request = Request(
            method=choice.method,
            order_reason=choice.order_reason,
            limits=limits,
            threads=threads_of(1 if threads is None else threads, choice.method),
            seed=require_seed(shuffle, seed),
            audit=audit,
            progress=progress,
            scribing=exporter.begin,
            wants_states=values is not None,
        )
        require_possible(request.method, request.limits, request.threads, request.audit)
        model = model_of(model)
        require_justified(model, (), request)
        left_out = (*model.left_out, *model.own_questions)
        result = conclude(model, (), request, search(model, watch_invariants, request), left_out)
        if result.verdict is not Verdict.PROVED:
            return Exported(result, None, None)
        try:
            states, transitions = exporter.keep(result.statistics.entered)
        except Unminimised as why:
            cut_short = replace(result, verdict=Verdict.UNDETERMINED, ending=why.ending, reason=str(why))
            return Exported(cut_short, None, None)
        return Exported(result, states, transitions, merged=exporter.merged)


class _Exporter:
    """Writes transitions and states to their files. When the search starts again, the files are begun again."""

    def __init__(self, output: Path, values: Path | None, minimise: Minimise | None, limits: Limits) -> None:
        if values is not None and minimise:
            raise OptionError("--values cannot be combined with --minimise: bisimilar states may have different values")
        if values is not None and values.resolve() == output.resolve():
            raise OptionError(f"--values and --output both name {output}")
        self._make_writer = writer_for(output)
        self._make_values_writer = None if values is None else values_writer_for(values)
        self._output = _OutputFile(output)
        self._values = None if values is None else _OutputFile(values)
        self._minimise = minimise
        self._memory = memory_limit(limits.memory)
        self._deadline = None if limits.time is None else monotonic() + limits.time
        self._writer: LtsWriter | None = None
        self._values_writer: ValuesWriter | None = None
        self._transitions = 0
        self._voided = 0
        self.merged: int | None = None
        """How many states were left out; None unless the LTS is minimised."""

    def begin(self, model: Model, native: Native) -> Scribe:
        valuation = Valuation(model)
        self._begin_files(valuation, voided=0)
        labels = _labels_of(model, native)
        width = 8 * native.layout.words

        def scribe(
            sources: memoryview,
            events: memoryview,
            targets: memoryview,
            ways: Sequence[Sequence[int]],
            voided: int,
            numbers: memoryview,
            states: memoryview,
        ) -> None:
            if voided:
                self._begin_files(valuation, voided)
            label_numbers = labels.numbers(events.cast("I"), ways)
            self._transitions += len(label_numbers)
            assert self._writer is not None
            with self._output.errors():
                columns = sources.cast("Q"), label_numbers, targets.cast("Q")
                self._writer.add(*columns, labels.names)
            if self._values is not None and self._values_writer is not None:
                words = (states[place : place + width].cast("Q") for place in count(0, width))
                decoded = zip(numbers.cast("Q"), words, strict=False)
                with self._values.errors():
                    self._values_writer.add(
                        (number, valuation.cells(native.layout.decode(state))) for number, state in decoded
                    )

        return scribe

    def keep(self, entered: int) -> tuple[int, int]:
        """Finish and keep the files; returns the numbers of states and transitions."""
        assert self._writer is not None
        states = entered - self._voided
        with self._output.errors():
            self._writer.finish(states, self._transitions)
        if self._values is not None and self._values_writer is not None:
            with self._values.errors():
                self._values_writer.finish()
            self._values.keep()
        self._output.keep()
        if isinstance(self._writer, MinimalWriter):
            self.merged = states - self._writer.states
            return self._writer.states, self._writer.transitions
        return states, self._transitions

    def _begin_files(self, valuation: Valuation, voided: int) -> None:
        """Begin empty files. `voided` states were entered before, and are not written."""
        self.close()
        with self._output.errors():
            writer = self._make_writer(self._output.begin(), self._output.is_compressed)
        self._writer = MinimalWriter(writer, self._memory, self._deadline) if self._minimise else writer
        if self._values is not None and self._make_values_writer is not None:
            with self._values.errors():
                stream = self._values.begin()
                self._values_writer = self._make_values_writer(stream, self._values.is_compressed, valuation.columns)
        self._transitions = 0
        self._voided = voided

    def close(self) -> None:
        """Throw away files that were not kept."""
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None
        self._values_writer = None
        self._output.discard()
        if self._values is not None:
            self._values.discard()


class _OutputFile:
    """A file that is written piece by piece; it gets its name when it is kept."""

    def __init__(self, path: Path) -> None:
        require_writable(path)
        require_regular(path)
        self._path = path
        self._file: WholeFile | None = None

    @property
    def is_compressed(self) -> bool:
        return is_compressed(self._path)

    def begin(self) -> BinaryIO:
        self._file = WholeFile(self._path)
        return self._file.stream

    def keep(self) -> None:
        assert self._file is not None
        with self.errors():
            self._file.keep()

    def discard(self) -> None:
        """Throw the file away, unless it was kept."""
        if self._file is not None:
            self._file.discard()
            self._file = None

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Report an error of the file in one line."""
        try:
            yield
        except OSError as error:
            raise ScrimpError(f"cannot write {self._path}: {error.strerror or error}") from error


class _Labels(Protocol):
    """The labels of events and of sequences of events ("ways"). Labels with the same text have the same number, an
    index into the names."""

    @property
    def names(self) -> Sequence[str]: ...
    def numbers(self, events: Sequence[int], new_ways: Sequence[Sequence[int]]) -> array[int]: ...


def _labels_of(model: Model, native: Native) -> _Labels:
    if isinstance(model.system, ExplicitSystem):
        return _GivenLabels(model.system.graph)
    return _EventLabels(model, native)


class _GivenLabels:
    """The labels of an explicit LTS."""

    def __init__(self, graph: Graph) -> None:
        self.names = graph.names
        self._labels = graph.labels

    def numbers(self, events: Sequence[int], new_ways: Sequence[Sequence[int]]) -> array[int]:
        return array("I", map(self._labels.__getitem__, events))


class _EventLabels(dict[int, int]):
    """The labels of a model's events; each is made when it is first needed."""

    def __init__(self, model: Model, native: Native) -> None:
        super().__init__()
        self.names: list[str] = []
        self._ways: list[Sequence[int]] = []
        self._numbers: dict[str, int] = {}
        self._model = model
        self._native = native

    def numbers(self, events: Sequence[int], new_ways: Sequence[Sequence[int]]) -> array[int]:
        self._ways += new_ways
        return array("I", map(self.__getitem__, events))

    def __missing__(self, label: int) -> int:
        text = self._text(label)
        number = self._numbers.setdefault(text, len(self.names))
        if number == len(self.names):
            self.names.append(text)
        self[label] = number
        return number

    def _text(self, label: int) -> str:
        native = self._native
        fired = (label,) if label < native.transitions else self._ways[label - native.transitions]
        events = [event for chain in fired for event in native.chains[chain]]
        return "; ".join(event_label(self._model, event) for event in events).replace("\r", " ").replace("\n", " ")


def event_label(model: Model, event: int) -> str:
    """An event in the model's words: in a net, its name; otherwise, the processes that move and their statements."""
    system = model.system
    moves = system.transitions[event].moves
    if model.vocabulary.marking is not None:
        return moves[0].text
    return ", ".join(f"{system.mover(move)}: {move.text}" for move in moves)
