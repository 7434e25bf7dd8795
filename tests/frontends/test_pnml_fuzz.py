"""Any bytes are a net or are refused in one line; nothing else can happen."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.corpus.corpus import CORPUS
from tests.frontends.coloured_pnml import arc, every, net, operator, pair, place, transition, var
from tests.frontends.mutants import is_one_line_about, mutants, refusal
from tests.frontends.pnml import model, ptnet
from tests.frontends.test_pnml_coloured import SORTS

from scrimp.frontends import load

# Larger ones only take longer.
LARGEST_BYTES = 20_000

COLOURED = net(
    SORTS,
    place("P", "Two", pair(every("Phil"), every("Small"))),
    place("Q", "Phil"),
    transition("t", operator("not", operator("equality", var("x"), var("y")))),
    arc("P", "t", pair(var("x"), var("n"))),
    arc("t", "Q", operator("add", var("x"), operator("successor", var("y")))),
)
PLAIN = ptnet({"p": 1, "q": 0}, "p -> t * 2", "t -> q", "q -o t", "q -x u", "p -? u")
SEEDS = [
    COLOURED.encode(),
    PLAIN.encode(),
    *(path.read_bytes() for path in sorted(CORPUS.glob("pnml/*.pnml")) if path.stat().st_size <= LARGEST_BYTES),
]
PIECES = [
    *(
        b"<",
        b">",
        b"/>",
        b"</",
        b'"',
        b"'",
        b"=",
        b"&amp;",
        b"&",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<!DOCTYPE a>",
    ),
    *(b"<place id='p'/>", b"<transition/>", b"<arc>", b"<page>", b"<text>", b"</text>", b"<structure>", b"<subterm>"),
    *(b"<all>", b"<tuple>", b"<variable refvariable='x'/>", b"<dotconstant/>", b"<referencePlace id='r' ref='r'/>"),
    *(b"id", b"source", b"target", b"type", b"declaration", b"value", b"0", b"-1", b"99999999999", b"p", b"t", b"Phil"),
    *(b"\n", b"\0", b"\xff", b"\xc3\xa9", b"\xe2\x82\xac", b" "),
]
SMALL = model(PLAIN)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=mutants(SEEDS, PIECES))
def test_a_mutated_net_is_loaded_or_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "mutant.pnml"
    path.write_bytes(text)
    line = refusal(lambda: load(path))
    assert line is None or is_one_line_about(f"{path}:", line)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_garbage_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "garbage.pnml"
    path.write_bytes(text)
    line = refusal(lambda: load(path))
    assert line is not None
    assert is_one_line_about(f"{path}:", line)


OPERATORS = [
    b"p",
    b"q",
    b'"p"',
    b"fireable(",
    b"(",
    b")",
    b"+",
    b"-",
    b"*",
    b"/",
    b"==",
    b"!=",
    b"<=",
    b"&&",
    b" or ",
    b"7",
]


@settings(max_examples=200, deadline=None)
@given(text=st.lists(st.sampled_from(OPERATORS), max_size=30).map(b"".join) | st.binary(max_size=40))
def test_any_text_is_an_expression_or_is_refused(text: bytes) -> None:
    line = refusal(lambda: SMALL.expression(text.decode("latin-1")))
    assert line is None or is_one_line_about("<expression>:", line)
