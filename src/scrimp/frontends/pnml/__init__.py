"""PNML, the language in which tools exchange Petri nets (ISO/IEC 15909-2). docs/pnml.md describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath

from scrimp.errors import OptionError, suggestion
from scrimp.frontends.model import Model
from scrimp.frontends.pnml.coloured.unfold import read_coloured
from scrimp.frontends.pnml.document import read_document
from scrimp.frontends.pnml.growing import growing_places
from scrimp.frontends.pnml.lower import TokenLimits, lower
from scrimp.frontends.pnml.placement import place_tokens
from scrimp.frontends.pnml.properties import NetScope
from scrimp.frontends.pnml.ptnet import MOST_TOKENS, read_ptnet
from scrimp.frontends.pnml.semiflows import what_is_known
from scrimp.frontends.pnml.xml import parse_xml
from scrimp.vocabulary import Marking, Vocabulary


def read_model(
    path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool = False
) -> Model:
    """The model of a text; raises ModelError, or OptionError for `empty_channels`. `defines` may only set `tokens`, the
    maximum that a place may hold, and `net`, the id of one of several nets."""
    if empty_channels:
        raise OptionError("--empty-channels: a Petri net has no channels; every state without events is a deadlock")
    most = _most_tokens(defines)
    document = read_document(parse_xml(path, text), defines.get("net"))
    net = read_coloured(document) if document.coloured else read_ptnet(document)
    net = replace(net, name=PurePath(path).stem)
    knowledge = what_is_known(net)
    bounds = tuple(knowledge.bounds)
    growing = growing_places(net, bounds) if most is None else {}
    placement = place_tokens(knowledge)
    limits = TokenLimits(bounds, MOST_TOKENS if most is None else most, growing, tuple(knowledge.exclusive))
    system = lower(net, placement, limits)
    marking = Marking(tuple(place.name for place in net.places), placement.variables, placement.processes)
    scope = NetScope(net, placement, bounds)
    return Model(path, "pnml", system, None, scope, vocabulary=Vocabulary(marking=marking))


def _most_tokens(defines: Mapping[str, str]) -> int | None:
    for name in defines:
        if name not in ("tokens", "net"):
            hint = suggestion(name, ("tokens", "net"))
            raise OptionError(f"-D {name}: a Petri net has no constants, only -D tokens=NUMBER and -D net=ID{hint}")
    most = defines.get("tokens")
    if most is None:
        return None
    if not (most.isascii() and most.isdecimal() and 0 < int(most) <= MOST_TOKENS):
        raise OptionError(f"-D tokens={most}: expected a whole number from 1 to {MOST_TOKENS}")
    return int(most)
