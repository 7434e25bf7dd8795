"""PNML, the language in which tools exchange Petri nets (ISO/IEC 15909-2). docs/pnml.md says what is read how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath

from scrimp.errors import OptionError
from scrimp.frontends.model import Model
from scrimp.frontends.pnml.coloured.unfold import read_coloured
from scrimp.frontends.pnml.document import read_document
from scrimp.frontends.pnml.lower import lower
from scrimp.frontends.pnml.properties import NetScope
from scrimp.frontends.pnml.ptnet import read_ptnet
from scrimp.frontends.pnml.semiflows import place_bounds
from scrimp.frontends.pnml.xml import parse_xml
from scrimp.vocabulary import Vocabulary


def read_model(
    path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool = False
) -> Model:
    """The model of a text; raises ModelError, or OptionError for `defines` and `empty_channels`."""
    if empty_channels:
        raise OptionError("--empty-channels: a Petri net has no channels, every state without events is a deadlock")
    for name, value in defines.items():
        raise OptionError(f"-D {name}={value}: a Petri net has no constants")
    document = read_document(parse_xml(path, text))
    net = read_coloured(document) if document.coloured else read_ptnet(document)
    net = replace(net, name=PurePath(path).stem)
    bounds = place_bounds(net)
    vocabulary = Vocabulary(places={0: ("marking",)})
    return Model(path, "pnml", lower(net, bounds), None, NetScope(net, tuple(bounds)), vocabulary=vocabulary)
