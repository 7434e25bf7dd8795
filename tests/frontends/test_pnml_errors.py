"""Broken nets: each is refused with one line that says where, what was found and what was expected."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scrimp.errors import ModelError, OptionError
from scrimp.frontends.pnml import read_model

CASES = tomllib.loads(Path(__file__).with_name("broken_pnml.toml").read_text(encoding="utf-8"))["case"]

# The text of a case is inserted into one of these; its first line is line 2.
AROUND = {
    "document": ("", ""),
    "net": ('<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">\n', "</net></pnml>"),
    "coloured": (
        '<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><declaration><structure>'
        '<declarations><namedsort id="S" name="S"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" '
        'name="b"/></cyclicenumeration></namedsort><namedsort id="N" name="N"><finiteintrange start="1" end="3"/>'
        '</namedsort><variabledecl id="x" name="x"><usersort declaration="S"/></variabledecl></declarations>'
        '</structure></declaration><place id="p"><type><structure><usersort declaration="S"/></structure></type>'
        '</place><transition id="t"/>\n',
        "</net></pnml>",
    ),
    "declarations": (
        '<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations>\n',
        "</declarations></structure></declaration></net></pnml>",
    ),
    "inscription": (
        '<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations><namedsort id="S" name="S">'
        '<cyclicenumeration><feconstant id="a" name="a"/></cyclicenumeration></namedsort><variabledecl id="x" name="x">'
        '<usersort declaration="S"/></variabledecl></declarations></structure></declaration><place id="p"><type>'
        '<structure><usersort declaration="S"/></structure></type></place><transition id="t"/><arc id="i" source="p" '
        'target="t"><hlinscription><structure>\n',
        "</structure></hlinscription></arc></net></pnml>",
    ),
    "condition": (
        '<pnml><net id="n" type="symmetricnet"><declaration><structure><declarations><namedsort id="S" name="S">'
        '<cyclicenumeration><feconstant id="a" name="a"/></cyclicenumeration></namedsort><namedsort id="N" name="N">'
        '<finiteintrange start="1" end="3"/></namedsort><variabledecl id="x" name="x"><usersort declaration="S"/>'
        '</variabledecl><variabledecl id="n" name="n"><usersort declaration="N"/></variabledecl></declarations>'
        '</structure></declaration><transition id="t"><condition><structure>\n',
        "</structure></condition></transition></net></pnml>",
    ),
}


def refusal(text: str) -> str:
    with pytest.raises(ModelError) as refused:
        read_model("broken.pnml", text, {}, ignore_property=False)
    return str(refused.value)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_broken_net_is_refused_in_one_line(case: dict[str, str]) -> None:
    before, after = AROUND[case.get("in", "net")]
    assert refusal(before + case["text"] + after) == case["message"]


def test_entities_are_never_expanded() -> None:
    bomb = '<!DOCTYPE pnml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><pnml>&b;</pnml>'
    assert refusal(bomb) == "broken.pnml:1:16: found declarations in the document type 'pnml', expected none"
    elsewhere = '<!DOCTYPE pnml SYSTEM "pnml.dtd"><pnml>&b;</pnml>'
    assert refusal(elsewhere) == "broken.pnml:1:40: found the entity 'b', which is not declared in this file"


def test_elements_nested_too_deeply_are_refused() -> None:
    deep = "<a>" * 200 + "</a>" * 200
    assert refusal(deep) == "broken.pnml:1:451: elements are nested more than 150 levels deep here"


@pytest.mark.parametrize(
    ("defines", "message"),
    [
        ({"N": "3"}, "-D N: a Petri net has no constants, only -D tokens=NUMBER and -D net=ID"),
        ({"tokens": "many"}, "-D tokens=many: expected a whole number from 1 to 1073741823"),
        ({"tokens": "0"}, "-D tokens=0: expected a whole number from 1 to 1073741823"),
    ],
)
def test_options_without_meaning_for_nets_are_refused(defines: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as refused:
        read_model("net.pnml", '<pnml><net id="n" type="ptnet"/></pnml>', defines, ignore_property=False)
    assert str(refused.value) == message


def test_empty_channels_cannot_be_required_of_a_net() -> None:
    with pytest.raises(OptionError, match="--empty-channels: a Petri net has no channels"):
        read_model("net.pnml", '<pnml><net id="n" type="ptnet"/></pnml>', {}, False, empty_channels=True)
