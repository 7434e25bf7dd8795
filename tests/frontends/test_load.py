"""Loading: how each file is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scrimp.errors import ModelError, ScrimpError
from scrimp.frontends import load

MODELS = Path(__file__).resolve().parents[2] / "models"
TEXT = "process P { state a; init a; } system async;"
SUFFIXES = ".aut, .dve, .pm, .pml, .pnml, .prom, .prm, .promela, .py, .spin"
NAMED = "specify it with --language (promela, dve, python, pnml, aut)"


def test_the_suffix_determines_the_language_and_the_file_name_the_name_of_the_system(tmp_path: Path) -> None:
    path = tmp_path / "Small.DVE"
    path.write_text(TEXT)
    model = load(path)
    assert (model.path, model.language, model.system.name) == (str(path), "dve", "Small")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_comments_may_be_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "small.dve"
    path.write_bytes(f"// Pelánek\r\n{TEXT}".encode(encoding))
    assert load(path).system.processes[0].name == "P"


def test_lines_may_end_in_any_way_and_are_counted_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "small.dve"
    path.write_bytes(b"byte x;\r\nbyte x;\r\n" + TEXT.encode())
    with pytest.raises(ModelError, match=r"small\.dve:2:6: 'x' is already a variable, declared at 1:6"):
        load(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent.dve", "absent.dve: cannot be read: No such file or directory"),
        ("folder.dve", "folder.dve: cannot be read: Is a directory"),
        ("absent", "absent: cannot be read: No such file or directory"),
        ("model.txt", f"model.txt: unknown language '.txt' (choices: {SUFFIXES}); {NAMED}"),
        ("model", f"model: unknown language; {NAMED}"),
        ("nul\0.dve", "nul\0.dve: cannot be read: embedded null byte"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.dve").mkdir()
    for unknown in ("model.txt", "model"):
        (tmp_path / unknown).write_text("what is this?")
    with pytest.raises(ScrimpError) as refusal:
        load(name)
    assert str(refusal.value) == message


def test_a_model_is_the_same_when_it_comes_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path / "cache"))
    first = load(MODELS / "peterson.dve")
    again = load(MODELS / "peterson.dve")
    assert again is not first
    assert again.system == first.system
    assert again.identity == first.identity != ""
    assert again.expression("First.critical") == first.expression("First.critical")


def test_a_changed_copy_of_a_model_loses_its_identity() -> None:
    model = load(MODELS / "peterson.dve")
    assert replace(model, system=replace(model.system, invariants=())).identity == ""


def test_models_with_different_constants_have_different_identities() -> None:
    ticket_lock = MODELS / "ticket_lock.dve"
    assert load(ticket_lock).identity != load(ticket_lock, defines={"CUSTOMERS": "2"}).identity


def test_a_model_is_read_again_when_an_included_file_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "model.pml").write_text('#include "outer.h"\ninit { skip }\n')
    (tmp_path / "outer.h").write_text('#include "inner.h"\n')
    (tmp_path / "inner.h").write_text("byte before;\n")
    first = load(tmp_path / "model.pml")
    (tmp_path / "inner.h").write_text("byte after;\n")
    again = load(tmp_path / "model.pml")
    assert [[variable.name for variable in model.system.variables] for model in (first, again)] == [
        ["before"],
        ["after"],
    ]
    assert again.identity != first.identity


def test_a_missing_included_file_is_found_once_it_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "model.pml").write_text('#include "types.h"\ninit { skip }\n')
    with pytest.raises(ScrimpError):
        load(tmp_path / "model.pml")
    (tmp_path / "types.h").write_text("byte x;\n")
    assert load(tmp_path / "model.pml").system.variables[0].name == "x"
