"""-D: a name that the model does not use is refused in every language, with the nearest name that it has."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

FENCED = """\
#include "more.h"
#ifdef FENCE
byte x = FENCE;
#else
byte x;
#endif
#define FIXED 3
#ifndef SIZE
#define SIZE 2
#endif
#if MOST > 4
#undef MOST
#define MOST 4
#endif
/* UNSEEN */
byte y[SIZE];
active proctype P() { x = FIXED; printf("SAID") }
"""

NET = """\
<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
<place id="a"><initialMarking><text>1</text></initialMarking></place>
</page></net></pnml>
"""


@pytest.fixture(autouse=True)
def models(folder: Path) -> None:
    (folder / "fenced.pml").write_text(FENCED)
    (folder / "more.h").write_text("byte z;\n#define DEEPER\n")
    (folder / "constant.dve").write_text("const byte SIZE = 2;\nprocess P { state a; init a; }\nsystem async;\n")
    (folder / "net.pnml").write_text(NET)
    (folder / "graph.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')


@pytest.mark.parametrize(
    ("model", "define", "message"),
    [
        ("fenced.pml", "FENCD=1", "-D FENCD: the model never uses this macro; did you mean 'FENCE'?"),
        ("fenced.pml", "UNSEEN", "-D UNSEEN: the model never uses this macro"),
        ("fenced.pml", "SAID", "-D SAID: the model never uses this macro"),
        (
            "fenced.pml",
            "FIXED=4",
            "-D FIXED has no effect: the model defines FIXED itself; put '#ifndef FIXED' before its #define",
        ),
        ("constant.dve", "SIZ=3", "-D SIZ: the model has no constant of this name; did you mean 'SIZE'?"),
        (
            "net.pnml",
            "token=3",
            "-D token: a Petri net has no constants, only -D tokens=NUMBER and -D net=ID; did you mean 'tokens'?",
        ),
        ("graph.aut", "N=3", "-D N: an LTS has no constants"),
    ],
)
def test_a_definition_without_effect_is_refused(scrimp: Scrimp, model: str, define: str, message: str) -> None:
    ran = scrimp("check", model, "-D", define)
    assert (ran.code, ran.out, ran.err) == (2, "", f"scrimp: error: {message}\n")


@pytest.mark.parametrize("define", ["FENCE=1", "SIZE=5", "MOST=9", "FIXED=3", "DEEPER=", "P=Q", "byte=int"])
def test_a_name_that_the_text_or_a_file_that_it_includes_mentions_can_be_defined(scrimp: Scrimp, define: str) -> None:
    assert scrimp("explore", "fenced.pml", "-D", define, "-q").code == 0
