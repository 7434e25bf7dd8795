"""The result of a search for users: it prints as the report, and can be written to files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scrimp.numbers import counted
from scrimp.outputs.files import require_writable, write_whole
from scrimp.outputs.json import result_pieces
from scrimp.outputs.style import plain
from scrimp.outputs.text import report_lines, verdict_word
from scrimp.outputs.trace_file import first_trace
from scrimp.record import Record


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Record):
    """The outcome of `check` or `explore`.

    `print(result)` shows the report that the command line shows, `result.to_dict()` is the record that `--json` writes.

    Attributes:
        verdict: PROVED, REFUTED or UNDETERMINED. If nothing was asked, as by `explore`, PROVED means that every
            reachable state was visited.
        reason: why, in one sentence.
        ending: how the search ended: `Ending.CLOSED` if nothing was left to visit.
        properties: the properties that were asked, with the verdict on each.
        model: the model's path.
        method: the order, store and reduction of the search.
        statistics: its numbers.
        left_out: the questions about which the verdict says nothing: properties of the model that were ignored, and
            usual questions that were not asked.
        order_reason: why the order is not the usual one, if it was not asked for.
        store_reason: why the store is not the one that was asked for, or which others had no room either.
        reduction_reason: why the reduction was chosen, if that was left to scrimp.
        passes: what the passes over the model did before the search.
        symmetry: the groups of processes that can be exchanged, if `symmetry` was asked for; states that differ only
            by such an exchange were visited once.
        violations: what went wrong, each with a trace to it.
        goals: the states that should be reachable, each with a trace to it if it was reached.
        unreached: the parts of the model that are not executed in any reachable state; empty unless every state was
            visited.
        unknown_coverage: the number of further parts of which the search does not show whether they are ever executed,
            because a pass removed them or a symmetric one stands for them.
        seed: the seed of the random order of events; None if the order was not random.
        audit: whether the search was audited.

    Example:
        >>> import scrimp
        >>> result = scrimp.check("models/broken_lock.dve")
        >>> result
        <Result REFUTED models/broken_lock.dve: First.critical: inside == 1 does not hold (9 states)>
        >>> result.violations[0].name
        'First.critical: inside == 1'
        >>> len(result.trace.steps)
        4
    """

    def __str__(self) -> str:
        """The report."""
        return plain("\n".join(self.lines()))

    def __bool__(self) -> bool:
        raise TypeError("a Result is neither true nor false; compare its verdict: result.verdict is Verdict.PROVED")

    def __repr__(self) -> str:
        states = counted(self.statistics.states, "state")
        return f"<Result {plain(verdict_word(self))} {self.model}: {self.reason} ({states})>"

    def _repr_html_(self) -> str:
        """In a notebook: the page of `scrimp view`, with the traces and the numbers."""
        from scrimp.outputs.page_result import notebook_result

        return notebook_result(self)

    def lines(self) -> Iterator[str]:
        """The lines of the report, styled for a terminal."""
        return report_lines(self, Path(self.model).name)

    def write_json(self, file: str | os.PathLike[str]) -> None:
        """Write the record, as `--json` does.

        Args:
            file: the file to write; whatever happens, it is complete or absent.
        """
        _write(Path(file), result_pieces(self))

    def write_trace(self, file: str | os.PathLike[str]) -> bool:
        """Write the first trace, as `--trace` does, for `replay` and `simulate(guide=…)`.

        Args:
            file: the file to write.

        Returns:
            Whether there is a trace: if there is none, nothing is written.
        """
        first = first_trace(self)
        if first is not None:
            _write(Path(file), first.pieces())
        return first is not None


def _write(file: Path, pieces: Iterator[str]) -> None:
    require_writable(file)
    write_whole(file, pieces)
