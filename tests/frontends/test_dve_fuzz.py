"""Any bytes are a model or are refused in one line; nothing else can happen."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.corpus.corpus import CORPUS
from tests.frontends.dve import model
from tests.frontends.mutants import is_one_line_about, mutants, refusal

from scrimp.frontends import load

# Larger ones only take longer.
LARGEST_BYTES = 6_000

SEEDS = [
    path.read_bytes()
    for path in sorted([*(Path(__file__).parents[2] / "models").glob("*.dve"), *CORPUS.glob("dve/*/*.1.dve")])
    if path.stat().st_size <= LARGEST_BYTES
]
PIECES = [
    *(
        b"{",
        b"}",
        b"(",
        b")",
        b"[",
        b"]",
        b";",
        b",",
        b":",
        b".",
        b"->",
        b"=>",
        b"=",
        b"!",
        b"?",
        b"~",
        b"-",
        b"/*",
        b"//",
    ),
    *(b" and ", b" or ", b" imply ", b" not ", b" + ", b" / ", b" << ", b" == ", b"0", b"1", b"300", b"9999999999"),
    *(b" process ", b" state ", b" init ", b" trans ", b" guard ", b" sync ", b" effect ", b" commit ", b" assert "),
    *(b" accept ", b" rabin ", b" system ", b" async ", b" property ", b" const ", b" byte ", b" int ", b" channel "),
    *(b"\n", b"\r", b"\0", b"\xff", b"\xc3\xa9", b"\xe2\x82\xac", b"\\"),
]

SMALL = model("byte x; process P { state a; init a; } system async;")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=mutants(SEEDS, PIECES))
def test_a_mutated_model_is_loaded_or_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "mutant.dve"
    path.write_bytes(text)
    line = refusal(lambda: load(path))
    assert line is None or is_one_line_about(f"{path}:", line)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_garbage_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "garbage.dve"
    path.write_bytes(text)
    line = refusal(lambda: load(path))
    assert line is not None
    assert is_one_line_about(f"{path}:", line)


@settings(max_examples=200, deadline=None)
@given(text=st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join) | st.binary(max_size=40))
def test_any_text_is_an_expression_or_is_refused(text: bytes) -> None:
    line = refusal(lambda: SMALL.expression(text.decode("latin-1")))
    assert line is None or is_one_line_about("<expression>:", line)
