"""The process that searches: a small program without an interpreter (engine/runner/), so that nearly all of its memory
is left to states. This process sends it the request, passes on what it reports, and waits for the outcome."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from scrimp import variants
from scrimp.errors import ScrimpError
from scrimp.wire import Value, decode, encode

Scribe: TypeAlias = Callable[
    [memoryview, memoryview, memoryview, Sequence[Sequence[int]], int, memoryview, memoryview], None
]
"""Receives transitions, as the engine numbers them, and states: see `_engine.Search`."""

HANDOVER_FILE = 3
"""The descriptor, in the process that searches, of the file that was passed to it."""

# Above that one and the standard streams, which the runner's ends of the channel replace.
_FIRST_DESCRIPTOR = 10
_READ_BYTES = 2**16
_MOST_PIECES = 512  # of a single write; Linux allows 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation, or a goal that was reached, and the path to it; see `_engine.Finding`."""

    kind: str
    watch: int
    events: Sequence[int]
    cycle: Sequence[int]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running search has come; see `_engine.Progress`."""

    states: int = 0
    transitions: int = 0
    matched: int = 0
    depth: int = 0
    frontier: int = 0
    bytes: int = 0
    report: Mapping[str, Any] = field(default_factory=dict)
    """What else is known while it runs, under the names of the final report; empty at first."""


@dataclass(frozen=True, slots=True)
class CheckpointReport:
    """What became of the checkpoints of a search; see `_engine.CheckpointReport`."""

    written: int
    states: int
    resumptions: int
    resumed_states: int
    complaint: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found; see `_engine.Outcome`. `rss_peak` is the most that its process held, all included."""

    reason: str
    states: int
    transitions: int
    events_executed: int
    matched: int
    depth: int
    deadlocks: int
    faults: int
    violations: int
    watch_hits: Sequence[int]
    levels: memoryview
    report: dict[str, Any]
    fired: bytes
    held_peak: int
    rss_peak: int
    complaint: str | None
    findings: Sequence[Finding]
    misfit: tuple[tuple[int, ...], int] | None
    handover: str
    checkpoint: CheckpointReport | None
    seconds: float


class Search:
    """One search in a process of its own. The process ends with the search, with this object, or with this process."""

    def __init__(self, subject: Mapping[str, Value], file: int | None = None) -> None:
        """Start the process and send it what is searched: the entries of `Subject` in engine/wire/requests.h. A `file`
        is passed to the process."""
        self._pid, self._inbox, self._outbox = _spawn(file)
        self._received = bytearray()
        self._scribe: Scribe | None = None
        self._progress: Progress | None = None
        self._outcome: Outcome | None = None
        self.held = 0
        """The bytes that the process holds before the search."""
        try:
            self._send(subject)
            while not self.held:
                self._hear()
        except BaseException:
            self.end()
            raise

    def __del__(self) -> None:
        self.end()

    def start(self, options: Mapping[str, Value], scribe: Scribe | None = None) -> None:
        """Begin to search; `options` are those of `_engine.Search`."""
        self._scribe = scribe
        self._send({"start": {"options": options, "transcribes": scribe is not None}})

    def wait(self, seconds: float | None = None) -> Outcome | None:
        """The outcome, or None if the search still runs after so many seconds. Meanwhile, the scribe is called."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while self._outcome is None:
            left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
            if not self._received and not select.select([self._inbox], [], [], left)[0]:
                return None
            self._hear()
            if deadline is not None and time.monotonic() >= deadline:
                break
        return self._outcome

    def stop(self) -> None:
        """Ask the search to end soon."""
        with suppress(BrokenPipeError):
            self._send("stop")

    def progress(self) -> Progress:
        """How far the search is."""
        if self._outcome is None:
            self._progress = None
            with suppress(BrokenPipeError):  # it has just ended, and its outcome is still to be heard
                self._send("progress")
            while self._progress is None and self._outcome is None:
                self._hear()
        return self._progress or Progress()

    def end(self) -> None:
        """End the process, whatever it does."""
        pid, self._pid = getattr(self, "_pid", 0), 0
        if not pid:
            return
        os.close(self._inbox)
        os.close(self._outbox)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)

    def _hear(self) -> None:
        """Wait for one message and act on it."""
        ((kind, content),) = decode(self._read).items()
        match kind:
            case "ready":
                self.held = content
            case "progress":
                self._progress = Progress(**content)
            case "transcribed":
                sources, labels, targets, ways, voided, numbers, states = content
                assert self._scribe is not None
                self._scribe(sources, labels, targets, [way.cast("I") for way in ways], voided, numbers, states)
            case "outcome":
                self._outcome = _outcome(content)
                self.end()
            case "refused":
                raise ValueError(content)

    def _read(self, length: int) -> memoryview:
        while len(self._received) < length:
            piece = os.read(self._inbox, max(_READ_BYTES, length - len(self._received)))
            if not piece:
                raise ScrimpError(self._epitaph())
            self._received += piece
        found = memoryview(bytes(self._received[:length]))
        del self._received[:length]
        return found

    def _send(self, value: Value) -> None:
        pieces = [piece for piece in encode(value) if len(piece)]
        pieces.insert(0, sum(map(len, pieces)).to_bytes(8, "little"))
        for first in range(0, len(pieces), _MOST_PIECES):
            _write_all(self._outbox, pieces[first : first + _MOST_PIECES])

    def _epitaph(self) -> str:
        """Why there is no outcome."""
        _, status = os.waitpid(self._pid, 0)
        code = os.waitstatus_to_exitcode(status)
        os.close(self._inbox)
        os.close(self._outbox)
        self._pid = 0
        if code == -signal.SIGKILL:
            return (
                "the search was killed from outside, perhaps because the system ran out of memory; "
                "try a smaller --memory"
            )
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        return f"the process that searches ended unexpectedly, {how}"


def _outcome(record: dict[str, Any]) -> Outcome:
    findings = [
        Finding(kind, watch, events.cast("I"), cycle.cast("I")) for kind, watch, events, cycle in record["findings"]
    ]
    misfit = record["misfit"]
    checkpoint = record["checkpoint"]
    return Outcome(
        **record
        | {
            "watch_hits": record["watch_hits"].cast("Q"),
            "levels": record["levels"].cast("Q"),
            "fired": bytes(record["fired"]),
            "findings": findings,
            "misfit": None if misfit is None else (tuple(misfit[0].cast("Q")), misfit[1]),
            "checkpoint": None if checkpoint is None else CheckpointReport(**checkpoint),
        }
    )


def _spawn(file: int | None) -> tuple[int, int, int]:
    """Start the program; returns its process, where its messages are read, and where messages to it are written."""
    theirs_in, ours_out = map(_moved_up, os.pipe())
    ours_in, theirs_out = map(_moved_up, os.pipe())
    program = str(variants.runner())
    streams = [(os.POSIX_SPAWN_DUP2, theirs_in, 0), (os.POSIX_SPAWN_DUP2, theirs_out, 1)]
    passed = [] if file is None else [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, _FIRST_DESCRIPTOR)]
    streams += [(os.POSIX_SPAWN_DUP2, each, HANDOVER_FILE) for each in passed]
    try:
        pid = os.posix_spawn(program, [program], os.environ, file_actions=streams)
    except OSError:
        os.close(ours_in)
        os.close(ours_out)
        raise
    finally:
        for each in (theirs_in, theirs_out, *passed):
            os.close(each)
    return pid, ours_in, ours_out


def _moved_up(descriptor: int) -> int:
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_DESCRIPTOR)
    os.close(descriptor)
    return moved


def _write_all(descriptor: int, pieces: list[bytes | memoryview]) -> None:
    while pieces:
        written = os.writev(descriptor, pieces)
        while pieces and written >= len(pieces[0]):
            written -= len(pieces.pop(0))
        if written:
            pieces[0] = memoryview(pieces[0])[written:]
