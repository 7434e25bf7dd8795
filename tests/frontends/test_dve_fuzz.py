"""Any bytes are a model or are refused in one line; nothing else can happen."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrimp.errors import ScrimpError
from scrimp.frontends import load
from scrimp.frontends.model import Model
from tests.corpus.corpus import CORPUS

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


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """A model with some of its text replaced by pieces of its own, by pieces of the language or by any bytes."""
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        copied = draw(st.integers(0, len(text)))
        piece = draw(
            st.sampled_from(PIECES) | st.binary(max_size=4) | st.just(text[copied : copied + draw(st.integers(0, 30))])
        )
        text = text[:start] + piece + text[end:]
    return text


def loaded_or_refused(path: Path, text: bytes) -> Model | None:
    path.write_bytes(text)
    try:
        return load(path)
    except ScrimpError as refusal:
        assert str(refusal).startswith(str(path))
        assert len(str(refusal).splitlines()) == 1
        return None


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=mutants())
def test_a_mutated_model_is_loaded_or_refused(tmp_path: Path, text: bytes) -> None:
    loaded_or_refused(tmp_path / "mutant.dve", text)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_garbage_is_refused(tmp_path: Path, text: bytes) -> None:
    assert loaded_or_refused(tmp_path / "garbage.dve", text) is None


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join) | st.binary(max_size=40))
def test_any_text_is_an_expression_or_is_refused(tmp_path: Path, text: bytes) -> None:
    model = loaded_or_refused(tmp_path / "model.dve", b"byte x; process P { state a; init a; } system async;")
    assert model is not None
    try:
        model.expression(text.decode("latin-1"))
    except ScrimpError as refusal:
        assert str(refusal).startswith("<expression>:")
        assert len(str(refusal).splitlines()) == 1
