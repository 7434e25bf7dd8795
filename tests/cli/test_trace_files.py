"""Trace files are written completely or not at all, and read back; anything else is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.results import CRASH, MEET, PROVED, REFUTED, TAKE

from scrimp.errors import OptionError, ScrimpError
from scrimp.outputs.files import require_writable, write_whole
from scrimp.outputs.trace_file import Claim, TraceFile, first_trace, read_trace_file
from scrimp.steps import Trace

WRITTEN = TraceFile("m.dve", Claim("fault", "", "division by zero"), Trace((TAKE, MEET, CRASH)))


def test_a_written_trace_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    write_whole(file, WRITTEN.pieces())
    assert read_trace_file(file) == WRITTEN


def test_the_trace_of_the_first_violation_is_written() -> None:
    trace = first_trace(REFUTED)
    assert trace is not None
    assert trace.shows == Claim("deadlock", "", "deadlock: no process can move")
    assert first_trace(PROVED) is None


def broken(**changes: object) -> str:
    return json.dumps(json.loads("".join(WRITTEN.pieces())) | changes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{file}:1:1: not a trace file: Expecting value"),
        ("[]", '{file}: not a trace file: expected an object with "format": "scrimp trace"'),
        (broken(format="other"), '{file}: not a trace file: expected an object with "format": "scrimp trace"'),
        (broken(version=3), "{file}: unknown trace version 3 (choices: 1, 2)"),
        (broken(model=3), '{file}: not a trace file: "model" should be a text'),
        (broken(steps={}), '{file}: not a trace file: "steps" should be a list'),
        (broken(steps=[{}]), '{file}: not a trace file: "event" is missing'),
        (broken(steps=[{"event": True}]), '{file}: not a trace file: "event" should be a number'),
        (broken(steps=[7]), '{file}: not a trace file: "event" is missing'),
        (
            broken(steps=[{"event": 1, "moves": [], "changes": [{"name": "x", "old": 0, "new": "1"}]}]),
            '{file}: not a trace file: "new" should be a number or a list of messages',
        ),
        (
            broken(shows={"kind": "rumour", "name": "", "message": ""}),
            '{file}: not a trace file: "kind" should be one of deadlock, assertion, fault, invariant, ltl, progress, '
            "accept, never, goal, simulation, cycle",
        ),
        ("[" * 100_000, "{file}: not a trace file"),
        ("9" * 5_000, "{file}: not a trace file"),
    ],
)
def test_anything_else_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "trace.json"
    file.write_text(text)
    with pytest.raises(ScrimpError) as refused:
        read_trace_file(file)
    assert str(refused.value) == message.format(file=file)


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScrimpError, match="not UTF-8"):
        read_trace_file(file)


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "new \ud800")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_new_file_is_readable_as_others_are(tmp_path: Path) -> None:
    other, file = tmp_path / "other", tmp_path / "record.json"
    other.touch()
    write_whole(file, "text")
    assert file.stat().st_mode == other.stat().st_mode


def test_a_path_that_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="it is a directory"):
        require_writable(tmp_path)
    with pytest.raises(OptionError, match="there is no directory"):
        require_writable(tmp_path / "missing" / "record.json")
    require_writable(tmp_path / "record.json")
    require_writable(Path("/dev/null"))


def test_an_error_while_writing_is_reported_with_the_file() -> None:
    with pytest.raises(ScrimpError, match="cannot write /dev/full: No space left on device"):
        write_whole(Path("/dev/full"), "text")
