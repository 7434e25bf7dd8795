"""Any text is a program or is refused in one line; nothing else can happen."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.corpus.corpus import CORPUS
from tests.frontends.mutants import is_one_line_about, mutants, refusal

from scrimp.frontends.promela.program.parse import parse_expression, parse_model

# Larger ones only take longer.
LARGEST_BYTES = 4_000

SMALL = """
#define TWICE(x) (2 * (x))
mtype = { ping, pong };
typedef T { byte f; short g[2] };
byte x = 1, a[2];
T t;
chan c = [2] of { mtype, byte };
inline add(n) { x = x + n }
proctype Q(byte p) { do :: c?ping(x) -> break :: c??[pong,_] -> x-- :: timeout -> goto end od; end: skip }
init {
    byte i;
    atomic { add(TWICE(i)); run Q(2) };
    for (i : 0 .. 1) { a[i] = (i -> t.f : 3) }
    if :: c!pong,4 :: nfull(c) && !(x >= 2) -> { skip unless x == 2 } :: else fi
    assert(Q[1]@end || a[0] == 1)
}
"""
SEEDS = [
    SMALL.encode(),
    *(
        path.read_bytes()
        for path in sorted(CORPUS.glob("promela/**/*"))
        if path.is_file() and path.stat().st_size <= LARGEST_BYTES and path.suffix not in (".csv", ".md")
    ),
]
PIECES = [
    piece.encode()
    for piece in (
        *("{", "}", "(", ")", "[", "]", ";", ",", ":", "::", ".", "..", "->", "=", "!", "!!", "?", "??", "@", "~", "-"),
        *(" && ", " || ", " + ", " / ", " << ", " == ", "++", "--", "0", "1", "300", "9999999999", "'a'", '"', "'"),
        *(" proctype ", " init ", " never ", " active ", " inline ", " typedef ", " mtype ", " chan ", " byte "),
        *(
            " unsigned ",
            " hidden ",
            " if ",
            " fi ",
            " do ",
            " od ",
            " for ",
            " select ",
            " in ",
            " unless ",
            " atomic ",
        ),
        *(
            " d_step ",
            " goto ",
            " break ",
            " else ",
            " run ",
            " len ",
            " eval ",
            " skip ",
            " timeout ",
            " _ ",
            " _pid ",
        ),
        *(" ltl ", " trace ", " c_code ", " of ", " return ", " xr ", " provided ", " printf ", " assert "),
        *(
            "\n#define ",
            "\n#if ",
            "\n#ifdef ",
            "\n#else\n",
            "\n#endif\n",
            "\n#include ",
            "##",
            "/*",
            "*/",
            "//",
            "\\\n",
        ),
        *("\n", "\r", "\0", "\f", "é", "€", "\\"),
    )
]
PROGRAM = parse_model("small.pml", SMALL, {})


@settings(max_examples=300, deadline=None)
@given(text=mutants(SEEDS, PIECES))
def test_a_mutated_model_is_parsed_or_refused(text: bytes) -> None:
    line = refusal(lambda: parse_model("mutant.pml", text.decode("latin-1"), {}))
    assert line is None or is_one_line_about("mutant.pml:", line)


@settings(max_examples=100, deadline=None)
@given(text=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_garbage_is_parsed_or_refused(text: bytes) -> None:
    line = refusal(lambda: parse_model("garbage.pml", text.decode("latin-1"), {}))
    assert line is None or is_one_line_about("garbage.pml:", line)


@settings(max_examples=200, deadline=None)
@given(text=st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join) | st.binary(max_size=40))
def test_any_text_is_an_expression_or_is_refused(text: bytes) -> None:
    line = refusal(lambda: parse_expression(text.decode("latin-1"), PROGRAM))
    assert line is None or is_one_line_about("<expression>:", line)
