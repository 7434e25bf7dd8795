"""export: the LTS of a model, written while it is searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from scrimp.arguments import require_seed
from scrimp.checking import conclude, require_justified, require_model, watch_invariants
from scrimp.compatibility import choose, require_exportable
from scrimp.errors import OptionError, ScrimpError
from scrimp.limits import Limits
from scrimp.outputs.files import WholeFile, require_regular, require_writable
from scrimp.outputs.lts import writer_for
from scrimp.outputs.lts.minimal import MinimalWriter
from scrimp.result import Result
from scrimp.searching import ProgressObserver, Request, Scribe, search
from scrimp.strategies import Full, NoReduction, Order, Reduction, Store
from scrimp.system.explicit import ExplicitSystem, Graph
from scrimp.verdict import Verdict

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.machine.build import Native
    from scrimp.outputs.lts.writer import LtsWriter

Minimise = Literal["strong"]
MINIMISATIONS: tuple[Minimise, ...] = ("strong",)


@dataclass(frozen=True, slots=True)
class Exported:
    """What the search came to, and the size of the LTS that was written; None where the search did not visit all of
    the model and nothing was. `merged` are the states that were left out for being bisimilar to others; None where
    nobody looked."""

    result: Result
    states: int | None
    transitions: int | None
    merged: int | None = None

    @property
    def redundant(self) -> int:
        """How many of the written states are another one once more: an estimate, unless the search knows its states."""
        if self.states is None or self.merged is not None:
            return 0
        return max(self.states - self.result.statistics.states, 0)


def export(
    model: Model,
    file: str | Path,
    *,
    minimise: Minimise | None = None,
    order: Order | None = None,
    store: Store = Full(),
    reduction: Reduction = NoReduction(),
    limits: Limits = Limits(),
    shuffle: bool = False,
    seed: int = 0,
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Exported:
    """Write all states and transitions of a model to `file`, whose name says the format: .aut, .dot, .graphml or
    .parquet, and .gz behind it where it is to be compressed. State 0 is the initial one. `minimise="strong"` leaves one
    of those that are strongly bisimilar."""
    require_model(model)
    if minimise is not None and minimise not in MINIMISATIONS:
        raise OptionError(f"minimise: expected {' or '.join(map(repr, MINIMISATIONS))}, found {minimise!r}")
    choice = choose(order, store, reduction)
    require_exportable(choice.method)
    with closing(_Exporter(Path(file), minimise)) as exporter:
        request = Request(
            method=choice.method,
            order_reason=choice.order_reason,
            limits=limits,
            seed=require_seed(shuffle, seed),
            audit=audit,
            progress=progress,
            scribing=exporter.begin,
        )
        require_justified(model, (), request)
        result = conclude(model, (), request, search(model, watch_invariants, request), model.left_out)
        if result.verdict is not Verdict.PROVED:
            return Exported(result, None, None)
        states, transitions = exporter.keep(result.statistics.entered)
        return Exported(result, states, transitions, merged=exporter.merged)


class _Exporter:
    """Takes transitions to a file. A search that begins anew begins a new file."""

    def __init__(self, path: Path, minimise: Minimise | None) -> None:
        self._make_writer = writer_for(path)
        require_writable(path)
        require_regular(path)
        self._path = path
        self._minimise = minimise
        self._file: WholeFile | None = None
        self._writer: LtsWriter | None = None
        self._transitions = 0
        self._voided = 0
        self.merged: int | None = None
        """How many states were left out; None where nobody looked."""

    def begin(self, model: Model, native: Native) -> Scribe:
        self._begin_file(voided=0)
        labels = _labels_of(model, native)

        def scribe(sources: bytes, events: bytes, targets: bytes, ways: Sequence[Sequence[int]], voided: int) -> None:
            if voided:
                self._begin_file(voided)
            numbers = labels.numbers(memoryview(events).cast("I"), ways)
            self._transitions += len(numbers)
            assert self._writer is not None
            with self._file_errors():
                columns = memoryview(sources).cast("Q"), numbers, memoryview(targets).cast("Q")
                self._writer.add(*columns, labels.names)

        return scribe

    def keep(self, entered: int) -> tuple[int, int]:
        """The file is complete. How many states and transitions it has."""
        assert self._file is not None
        assert self._writer is not None
        states = entered - self._voided
        with self._file_errors():
            self._writer.finish(states, self._transitions)
            self._file.keep()
        if isinstance(self._writer, MinimalWriter):
            self.merged = states - self._writer.states
            return self._writer.states, self._writer.transitions
        return states, self._transitions

    def _begin_file(self, voided: int) -> None:
        """Of the states that were entered so far nothing is kept, where they are `voided`."""
        self.close()
        with self._file_errors():
            self._file = WholeFile(self._path)
            writer = self._make_writer(self._file.stream, self._is_compressed)
        self._writer = MinimalWriter(writer) if self._minimise else writer
        self._transitions = 0
        self._voided = voided

    @property
    def _is_compressed(self) -> bool:
        return self._path.suffix.lower() == ".gz"

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        """Reports what goes wrong with the file in one sentence."""
        try:
            yield
        except OSError as error:
            raise ScrimpError(f"cannot write {self._path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Throw away what was not kept."""
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None
        if self._file is not None:
            self._file.discard()
            self._file = None


class _Labels(Protocol):
    """What events and ways are called: labels that read the same have the same number among the names."""

    @property
    def names(self) -> Sequence[str]: ...
    def numbers(self, events: Sequence[int], new_ways: Sequence[Sequence[int]]) -> Sequence[int]: ...


def _labels_of(model: Model, native: Native) -> _Labels:
    if isinstance(model.system, ExplicitSystem):
        return _GivenLabels(model.system.graph)
    return _EventLabels(model, native)


class _GivenLabels:
    """Of an LTS, which has them already."""

    def __init__(self, graph: Graph) -> None:
        self.names = graph.names
        self._labels = graph.labels

    def numbers(self, events: Sequence[int], new_ways: Sequence[Sequence[int]]) -> Sequence[int]:
        return list(map(self._labels.__getitem__, events))


class _EventLabels(dict[int, int]):
    """Each is made when it first comes up."""

    def __init__(self, model: Model, native: Native) -> None:
        super().__init__()
        self.names: list[str] = []
        self._ways: list[Sequence[int]] = []
        self._numbers: dict[str, int] = {}
        self._model = model
        self._native = native

    def numbers(self, events: Sequence[int], new_ways: Sequence[Sequence[int]]) -> Sequence[int]:
        self._ways += new_ways
        return list(map(self.__getitem__, events))

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
    """An event in the model's words: that of a net has a name, others say who does what."""
    system = model.system
    moves = system.transitions[event].moves
    if model.vocabulary.marking is not None:
        return moves[0].text
    return ", ".join(f"{system.mover(move)}: {move.text}" for move in moves)
